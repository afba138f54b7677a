"""A command that is given beside captains or other tablets, who may have moved in between."""

from __future__ import annotations

from typing import Any

from webapp.storage.errors import Stale
from webapp.storage.journal.store import Store


def insist(store: Store, game: str, seat: str, command: dict[str, Any], *more: Any) -> None:
    """Give the command as a tablet does: when the game has moved on, look again and give it once more."""
    while True:
        try:
            store.submit(game, store.game(game).version, seat, command, *more)
        except Stale:
            continue
        return
