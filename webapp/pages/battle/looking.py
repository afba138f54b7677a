"""Looking at the board: who looks at what, pointing at a place, the ruler."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, degrees, hypot
from typing import Any

import msgspec
from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_decimal

from tactical.battle import Battle
from tactical.board import HEADINGS, Place, bearing, distance
from tactical.geometry import geometry
from tactical.kernel.record import BadInput
from tactical.rules import missiles
from tactical.ship import Ship
from webapp.http.forms import read_hex, reason_text
from webapp.http.language import gettext as _
from webapp.http.seats import current_seat, store
from webapp.pages.battle import marks as battle_marks
from webapp.pages.battle import open_sea
from webapp.presenting.battle_labels import heading_word, hex_name, seat_name, ship_name, side_name, tones
from webapp.presenting.labels import translate
from webapp.storage.errors import Unknown
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.services import letters
from webapp.storage.services.archive import tape_of

# -- How one ship lies from another, in words.


def bearing_word(here: Ship, ship: Ship) -> str:
    """How a ship lies from another: the compass, and ahead, on the bow, on the quarter or astern; at sea in degrees."""
    if here.at is None or ship.at is None or here.at == ship.at:
        return ""
    if isinstance(here.at[0], float):
        return degrees_word(here.at, ship.at, float(here.facing or 0))
    way = bearing(here.at, ship.at)
    if here.facing is None:
        return heading_word(way)
    turns = (HEADINGS.index(way) - HEADINGS.index(here.facing)) % 6
    relative = (
        _("ahead"),
        _("on the starboard bow"),
        _("on the starboard quarter"),
        _("astern"),
        _("on the port quarter"),
        _("on the port bow"),
    )[turns]
    return f"{heading_word(way)}, {relative}"


def degrees_word(here: Place, there: Place, heading: float) -> str:
    """G1.6 Which way one place lies from another: in degrees from north, and from the bow of who heads so."""
    north = round(degrees(atan2(there[0] - here[0], here[1] - there[1]))) % 360
    off = (north - round(heading) + 180) % 360 - 180
    if off == 0:
        return _("%(north)s°, ahead", north=north)
    side = _("%(angle)s° to starboard", angle=off) if off > 0 else _("%(angle)s° to port", angle=-off)
    return f"{north}°, {side}"


# -- Who looks at what on the battle's page, and the address of each look.

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


# -- Pointing at a place of the board: the place that a tap means, and the marks that the seats see of it.

NO_PLACE = "this is not a place on the board"


@dataclass(frozen=True)
class Mark:
    """A ping as a page shows it: who points, where in words and in the drawing; `shape` is the side's number."""

    name: str
    who: str
    where: str
    x: float
    y: float
    shape: int | None
    is_open: bool


def read_place(battle: Battle, tapped: str, typed: str) -> Place:
    """The place that was tapped (x,y as the board is drawn) or typed. Raises BadInput."""
    if not tapped:
        return spot(battle, typed.strip()[:30])
    at = point(tapped)
    if at is None:
        raise BadInput("place", NO_PLACE)
    if battle.has_hexes:
        return on_board(battle, battle_marks.hex_at(at))
    return on_board(battle, (round(at[0] / open_sea.BASE, 1), round(at[1] / open_sea.BASE, 1)))


def spot(battle: Battle, text: str) -> Place:
    """A place as it is typed: a printed hex number, or x,y at sea. Raises BadInput."""
    if battle.has_hexes:
        q, r = read_hex(text, "place")
        return on_board(battle, (q, r))
    x, _comma, y = text.partition(",")
    try:
        return on_board(battle, (float(x), float(y)))
    except ValueError:
        raise BadInput("place", NO_PLACE) from None


def place_text(battle: Battle, at: Place) -> str:
    """A place as somebody would type it."""
    return hex_name(at) if battle.has_hexes else f"{at[0]:g},{at[1]:g}"


def on_board(battle: Battle, at: Place) -> Place:
    """A place that the board has. Raises BadInput."""
    if battle.has_hexes:
        holds = battle.board.holds((int(at[0]), int(at[1])))
    else:
        holds = all(0 <= part <= size for part, size in zip(at, battle.board.size, strict=True))
    if not holds:
        raise BadInput("place", NO_PLACE)
    return at


def marks(store: Store, game: str, battle: Battle, seat: str) -> tuple[Mark, ...]:
    """What a seat sees of the pings of these seconds."""
    if not battle.has_places:
        return ()
    return tuple(mark(battle, each) for each in letters.pings(store, game, seat))


def mark(battle: Battle, ping: letters.Ping) -> Mark:
    """One of them."""
    at: Place = (int(ping.x), int(ping.y)) if battle.has_hexes else (ping.x, ping.y)
    shape = tones(battle).get(ping.seat)
    return Mark(ping.name, seat_name(battle, ping.seat), hex_name(at), *battle_marks.place(at), shape, ping.is_open)


# -- The ruler: how far it is from a ship to every other and to any place, which way, in which arc, in sight or not.


@dataclass(frozen=True)
class Measured:
    """What the ruler says of one ship or place; `reach` is the range of G1.3, `straight` from middle to middle."""

    name: str
    side: str
    reach: int
    straight: str
    bearing: str
    in_arc: bool
    seen: bool


def ruler(game: str) -> ResponseReturnValue:
    """From one ship to all others, the nearest first, and to a place that is typed."""
    seat = current_seat(game)
    table = store().load(game)
    battle: Battle = table.view(seat.id)
    taped, kept = [], None if battle.has_places else tape_of(store(), game)[1]
    if kept is not None and kept.holds(battle):
        taped = [
            (*(ship_name(battle, name) for name in each.ships), each)
            for each in sorted(kept.measured, key=lambda it: it.ranges)
            if request.args.get("ship") in (None, "", *each.ships)
        ]
    there = {name: ship for name, ship in battle.ships.items() if ship.at is not None}
    name = request.args.get("ship", "")
    if name and name not in battle.ships:
        raise Unknown("There is no such ship in this battle.")
    name = name if name in there else next(iter(there), "")
    wanted, problem, place = request.args.get("place", "").strip()[:30], "", None
    if (wanted or "at" in request.args) and name:
        try:
            at = read_place(battle, request.args.get("at", ""), wanted)
            wanted = wanted or place_text(battle, at)
            place = to_place(battle, there[name], at, wanted)
        except BadInput as fault:
            problem = reason_text(fault.why)
    found = [to_ship(battle, there[name], each) for each in there if each != name] if name else []
    return render_template(
        "battle/ruler.html",
        at=looking(table, seat.id, name, None),
        b=battle,
        ship=name,
        wanted=wanted,
        place=place,
        taped=taped,
        problem=problem,
        found=sorted(found, key=lambda each: (each.reach, each.name)),
        title=translate(table.game.title),
        ships=[(each, ship_name(battle, each)) for each in there],
    ), 422 if problem else 200


def to_ship(battle: Battle, here: Ship, name: str) -> Measured:
    """What lies between two ships."""
    there = battle.ships[name]
    return measure(battle, here, there, ship_name(battle, name), side_name(battle, there.side))


def to_place(battle: Battle, here: Ship, at: Place, said: str) -> Measured:
    """What lies between a ship and a place: as to another of her like that lay there."""
    return measure(battle, here, msgspec.structs.replace(here, at=at), said, "")


def measure(battle: Battle, here: Ship, there: Ship, name: str, side: str) -> Measured:
    """The engine's own range, arc and line of sight."""
    return Measured(
        name,
        side,
        missiles.range_between(battle, here, there),
        straight(battle, here, there),
        bearing_word(here, there),
        geometry(battle).in_arc(here, there),
        missiles.sees(battle, here, there),
    )


def straight(battle: Battle, here: Ship, there: Ship) -> str:
    """From middle to middle: in hexes, or in base lengths with a decimal."""
    if here.at is None or there.at is None:
        return ""
    if battle.has_hexes:
        return str(distance((int(here.at[0]), int(here.at[1])), (int(there.at[0]), int(there.at[1]))))
    return str(format_decimal(hypot(there.at[0] - here.at[0], there.at[1] - here.at[1]), "0.0"))
