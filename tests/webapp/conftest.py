"""The fixtures of this folder; what tests import by name stands in `kit.players`."""

from collections.abc import Iterator

import pytest

from kit.players import app, client, game, physical, store
from tactical.kernel import cache

__all__ = ["app", "client", "fresh_cache", "game", "physical", "store"]


@pytest.fixture
def fresh_cache() -> Iterator[None]:
    """Caches that hold nothing, and may hold what they hold in a server again when the test is over."""
    cache.allow(cache.MOST)
    yield
    cache.allow(cache.MOST)
