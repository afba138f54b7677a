"""Who looks at what on the battle's page, and the address of each look."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flask import request, url_for

from tactical.battle import Battle
from webapp.http.language import gettext as _
from webapp.storage.journal.records import Table

VIEWS = ("board", "fleet", "list", "log", "photo")
PLAIN = re.compile(r"[A-Za-z0-9_.~-]+")  # what an address holds as it is

POINT = re.compile(r"-?[0-9]{1,4}(\.[0-9]{1,2})?,-?[0-9]{1,4}(\.[0-9]{1,2})?")


@dataclass(frozen=True)
class Looking:
    """Who looks at what: seat, selected ship, view, and the address of each."""

    game: str
    seat: str
    ship: str | None = None
    view: str = "board"
    target: str | None = None
    to: tuple[float, float] | None = None

    def url(self, endpoint: str = "game.page", **changed: Any) -> str:
        """The address of a page for this seat, with what is selected."""
        ship = changed.pop("ship", self.ship)
        view = changed.pop("view", self.view)
        asked = query(self.seat, ship or "", view)
        if changed or asked is None:
            wanted = {"seat": self.seat, "ship": ship or None, "view": view if view != "board" else None, **changed}
            given = tuple((key, str(value)) for key, value in wanted.items() if value not in (None, ""))
            return address_of(endpoint, self.game, request.script_root, given)
        return path_of(endpoint, self.game, request.script_root) + asked

    def to_ships(self, names: Iterable[str]) -> dict[str, str]:
        """The addresses of this view with each of these ships selected."""
        path = path_of("game.page", self.game, request.script_root)
        asked = {name: query(self.seat, name, self.view) for name in names}
        return {name: self.url(ship=name) if more is None else path + more for name, more in asked.items()}


def views_of(battle: Battle) -> list[tuple[str, str]]:
    """The views of a battle with their words; the players' own table has a photo instead of a board."""
    first = ("board", _("The board")) if battle.has_places else ("photo", _("Photo"))
    fleet = ("fleet", _("Fleet") if battle.has_places else _("Roster"))
    found = [fleet, first, ("list", _("List")), ("log", _("Journal"))]
    return [first, fleet, *found[2:]] if battle.has_places else found


@lru_cache(maxsize=8192)
def path_of(endpoint: str, game: str, root: str) -> str:
    """The path of a page of a game, on a server whose paths begin with `root`."""
    return url_for(endpoint, game=game)


@lru_cache(maxsize=8192)
def address_of(endpoint: str, game: str, root: str, given: tuple[tuple[str, str], ...]) -> str:
    """The same with what is asked."""
    return url_for(endpoint, game=game, **dict(given))  # type: ignore[arg-type]  # Flask takes any value


@lru_cache(maxsize=8192)
def query(seat: str, ship: str, view: str) -> str | None:
    """What is looked at as an address asks for it; None where it must be quoted."""
    wanted = {"seat": seat, "ship": ship, "view": view if view != "board" else ""}
    kept = {key: value for key, value in wanted.items() if value}
    if not all(PLAIN.fullmatch(value) for value in kept.values()):
        return None
    return f"?{'&'.join(f'{key}={value}' for key, value in kept.items())}" if kept else ""


def looking(
    table: Table, seat: str, ship: str | None, view: str | None, target: str | None = None, to: str | None = None
) -> Looking:
    """What this request looks at, with defaults."""
    known = ship if ship in table.state.ships else None
    default = "board" if table.state.has_places else "fleet"
    chosen = view if view in VIEWS else default
    if chosen == "board" and not table.state.has_places:
        chosen = "fleet"
    if chosen == "photo" and table.state.has_places:
        chosen = "board"
    aim = target if target in table.state.ships else None
    return Looking(table.game.id, seat, known, chosen, aim, point(to) if known else None)


def point(said: str | None) -> tuple[float, float] | None:
    """A place on the board as an address says it, such as 3,-1 or 4.5,2; None for anything else."""
    if said is None or POINT.fullmatch(said) is None:
        return None
    x, _, y = said.partition(",")
    return float(x), float(y)
