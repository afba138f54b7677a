"""While a fleet is plotted its enemies see nothing new, command after command: what was made of what they see is kept.

A view that is equal to the one that the seat had before is that one; with it stays what pages made of it and of what
else they depend on. Campaigns' battles are left out: their colours are the campaign's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from flask import request

from tactical.battle import Battle
from webapp.http.cache import Cache
from webapp.storage.games import Store
from webapp.storage.records import Table

LOOKS = 64  # ways to look at a view of which something is kept
Made = TypeVar("Made")


@dataclass(frozen=True)
class View:
    """A battle as a seat sees it, and what was made of it in one language."""

    battle: Battle
    made: dict[Hashable, Any] = field(default_factory=dict)

    def once(self, *depends: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` gives, made once; `depends` is all that it depends on besides the view."""
        name = (request.script_root, depends)
        found: Made | None = self.made.get(name)
        if found is None:
            if len(self.made) >= LOOKS:
                self.made.clear()
            found = self.made[name] = make()
        return found


@dataclass
class Last:
    """The view that a seat had last."""

    view: View


_last = Cache(512)


def view_of(store: Store, table: Table, seat: str) -> View:
    """What the seat sees now."""
    battle: Battle = table.view(seat)
    if battle.link is not None:
        return View(battle)
    last = _last.get((str(store.file.path), table.game.id, seat), lambda: Last(View(battle)))
    found = last.view
    if found.battle is not battle and found.battle != battle:
        found = last.view = View(battle)
    return found
