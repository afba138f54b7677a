"""Who looks at what on the battle's page, and the address of each look."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flask import g, url_for

from webapp.storage.records import Table

VIEWS = ("board", "fleet", "list", "log")
PLAIN = re.compile(r"[A-Za-z0-9_.~-]+")  # what an address holds as it is


@dataclass(frozen=True)
class Looking:
    """Who looks at what: seat, selected ship, view, and the address of each."""

    game: str
    seat: str
    ship: str | None = None
    view: str = "board"
    target: str | None = None

    def url(self, endpoint: str = "game.page", **changed: Any) -> str:
        """The address of a page for this seat, with what is selected."""
        ship = changed.pop("ship", self.ship)
        view = changed.pop("view", self.view)
        asked = query(self.seat, ship or "", view)
        if changed or asked is None:
            wanted = {"seat": self.seat, "ship": ship or None, "view": view if view != "board" else None, **changed}
            return url_for(
                endpoint, game=self.game, **{key: value for key, value in wanted.items() if value not in (None, "")}
            )
        known: dict[tuple[str, str], str] = g.setdefault("addresses", {})  # a page asks for ninety of a few endpoints
        path = known.get((endpoint, self.game))
        if path is None:
            path = known[endpoint, self.game] = url_for(endpoint, game=self.game)
        return path + asked


@lru_cache(maxsize=8192)
def query(seat: str, ship: str, view: str) -> str | None:
    """What is looked at as an address asks for it; None where it must be quoted."""
    wanted = {"seat": seat, "ship": ship, "view": view if view != "board" else ""}
    kept = {key: value for key, value in wanted.items() if value}
    if not all(PLAIN.fullmatch(value) for value in kept.values()):
        return None
    return f"?{'&'.join(f'{key}={value}' for key, value in kept.items())}" if kept else ""


def looking(table: Table, seat: str, ship: str | None, view: str | None, target: str | None = None) -> Looking:
    """What this request looks at, with defaults."""
    known = ship if ship in table.state.ships else None
    default = "board" if table.state.has_places else "fleet"
    chosen = view if view in VIEWS else default
    if chosen == "board" and not table.state.has_places:
        chosen = "fleet"
    aim = target if target in table.state.ships else None
    return Looking(table.game.id, seat, known, chosen, aim)
