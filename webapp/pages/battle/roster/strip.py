"""The fleet strip: each ship as a chip with its signs; tasks and squadrons."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from tactical.battle import Battle
from tactical.kernel.record import decode, encode
from tactical.ship import Ship
from webapp.http.cache import cache_by_language
from webapp.http.language import gettext as _
from webapp.http.signs import minus
from webapp.pages.battle.board import condition
from webapp.pages.battle.orders.order_records import Order
from webapp.presenting.battle_labels import letters, ship_state, tones
from webapp.presenting.labels import type_word
from webapp.presenting.ships.galley import Galley
from webapp.presenting.ships.looks import galley_of, look_of


@dataclass(frozen=True)
class Chip:
    """A ship in the strip: its picture, its signs, whether it has something to do; `said` is that in words."""

    id: str
    name: str
    shape: int
    letter: str
    galley: Galley
    signs: tuple[tuple[str, str], ...]
    todo: bool
    gone: bool
    left: int
    hull: int
    said: str
    squadron: str
    speed: str
    side: str
    crew: str = ""
    fares: str = ""

    @property
    def pips(self) -> Markup:
        """What is left of the hull, drawn."""
        return condition.pip_row(self.left, self.hull)


@dataclass(frozen=True)
class Task:
    """A ship in the panel with what it may do; `plain` when all of that is buttons."""

    id: str
    chip: Chip
    orders: tuple[Order, ...] = ()
    plain: bool = False


def chips(battle: Battle, names: Sequence[str], to_act: Collection[str]) -> list[Chip]:
    """The chips of some ships."""
    pennants = letters(battle)
    order = tones(battle)
    plots = battle.step == "plot"
    found = []
    for name, ship in ((name, battle.ships[name]) for name in names):
        side = Side(order[ship.side], pennants[ship.side], look_of(battle, ship.side))
        captor = (order[ship.captured_by], pennants[ship.captured_by]) if ship.captured_by in order else None
        found.append(chip(encode(ship), name, side, captor, battle.kind(ship).hull, name in to_act, plots))
    return found


class Side(NamedTuple):
    """How the ships of a side are drawn: its number, its letter, the look of its navy."""

    shape: int
    letter: str
    look: str


@cache_by_language
def chip(
    sheet: bytes, name: str, side: Side, captor: tuple[int, str] | None, hull: int, todo: bool, plots: bool
) -> Chip:
    """The chip of a ship whose record is `sheet`; `plots` in the plot, when the speed that is set is shown."""
    ship = decode(sheet, Ship)
    state = ship_state(ship)
    said = type_word(ship.type) + (f", {state}" if state else "")
    if ship.is_afloat:
        said += ", " + _("hull %(left)s of %(hull)s", left=max(0, hull - ship.damage), hull=hull)
    return Chip(
        name,
        ship.name or name,
        side.shape,
        side.letter,
        galley_of(ship, hull, side.look, side.shape, side.letter, captor),
        signs_of(ship),
        todo,
        ship.status in ("sunk", "withdrawn"),
        max(0, hull - ship.damage),
        hull,
        said + (", " + _("has something to do") if todo else ""),
        ship.squadron or "",
        speed_sign(ship, plots),
        ship.side,
        condition.aboard(ship) if ship.is_afloat else "",
        condition.fares(ship, hull),
    )


def signs_of(ship: Ship) -> tuple[tuple[str, str], ...]:
    """State as shape and letter: S sunk, C captured, W withdrawn, B boarding, O oars, P paper, a drop for breaches."""
    found = []
    if ship.status == "sunk":
        found.append(("sunk", "S"))
    elif ship.status == "captured":
        found.append(("captured", "C"))
    elif ship.status == "withdrawn":
        found.append(("withdrawn", "W"))
    if ship.boarding:
        found.append(("boarding", "B"))
    if ship.breaches:
        found.append(("breach", str(min(9, ship.breaches))))
    if ship.oars_broken:
        found.append(("broken", "O"))
    if ship.paper:
        found.append(("paper", "P"))
    return tuple(found)


def speed_sign(ship: Ship, plots: bool) -> str:
    """The speed that is set, in the plot a dot while none is."""
    if ship.status != "afloat":
        return ""
    if plots:
        return "–" if ship.boarding else "·" if ship.plot is None else minus(ship.plot)
    return minus(ship.speed)


def squadrons(battle: Battle, side: str) -> dict[str, tuple[str, ...]]:
    """The squadrons of a side with their ships that are afloat."""
    found: dict[str, list[str]] = {}
    for name, ship in battle.ships.items():
        if ship.side == side and ship.squadron and ship.is_afloat:
            found.setdefault(ship.squadron, []).append(name)
    return {name: tuple(ships) for name, ships in found.items()}
