"""The fixtures of this folder: a war of one's own in which one browser holds all seats."""

import pytest

from kit.open_war import position
from kit.wars import War, app, client, store
from strategic import NAMES

__all__ = ["app", "client", "store", "war"]

collect_ignore_glob = [] if "open_campaign" in NAMES else ["test_*"]


@pytest.fixture
def war(store, client):
    return War(store, client, "open_campaign", position=position())
