"""G2 Ships: their types, their sheets, and the limits that rowers, oars and sprints leave them."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import Annotated, Literal

import msgspec

import data
from tactical.board import Facing, Place
from tactical.kernel.record import Record, bounded

Crew = Literal["elite", "average", "poor"]
Navy = Literal["roman", "hellenistic", "asiatic"]
Look = Literal["roman", "hellenistic", "punic", "asiatic"]
Status = Literal["afloat", "sunk", "captured", "withdrawn"]
Few = Annotated[int, bounded(0, 99)]
Count = Annotated[int, bounded(0, 999)]

FIGURES: tuple[str, ...] = ("heavy", "medium", "light", "archers", "catapults", "stone_throwers")
MARINES: tuple[str, ...] = ("heavy", "medium", "light")


class Complement(Record, frozen=True):
    """G2.0.a, G2.0.b The figures aboard; one marine figure stands for ten men (G2.4)."""

    heavy: Few = 0
    medium: Few = 0
    light: Few = 0
    archers: Few = 0
    catapults: Few = 0
    stone_throwers: Few = 0

    def with_light_marines(self) -> Complement:
        """G2.6 The same number of marines, all light."""
        return msgspec.structs.replace(self, heavy=0, medium=0, light=self.heavy + self.medium + self.light)


class ShipType(Record, frozen=True):
    """G2.0 A row of the table of ship types; `ram` is None for a type that cannot ram (L2.3).

    `length` and `beam` are the hull's, oars out, in base lengths: what touches on the open sea (G1.6).
    """

    hull: Annotated[int, bounded(1, 99)]
    maximum: Speed
    cruise: Speed
    turn_cycle: Annotated[int, bounded(0, 9)]
    acceleration: Annotated[int, bounded(0, 9)]
    ram: Annotated[int, bounded(-9, 9)] | None = None
    length: float = 1.0
    beam: float = 0.2
    crew: dict[str, Complement] = {}
    source: str = "house"
    cite: str = "G2.0"


class Rowers(Record, frozen=True):
    """G2.2 What a crew's quality adds to its ship, and its rank among crews."""

    maximum: int
    acceleration: int
    turn_cycle: int
    rank: int


class Crews(Record, frozen=True):
    """The three qualities of rowers."""

    cite: str
    elite: Rowers
    average: Rowers
    poor: Rowers


class ShipTable(Record, frozen=True):
    """data/galley/ships.toml."""

    cite: str
    marine: str
    crew: Crews
    types: dict[str, ShipType]


class BrokenOars(Record, frozen=True):
    """G7.3 What broken oars add to a ship's numbers."""

    cite: str
    cruise: int
    turn_cycle: int


class MovementTable(Record, frozen=True):
    """data/galley/movement.toml."""

    cite: str
    source: str
    phases: int
    sprints: int
    back: tuple[int, ...]
    acceleration_least: int
    cruise_least: int
    turn_cycle_least: int
    broken_oars: BrokenOars
    steps: dict[str, tuple[int, ...]]


MOVEMENT: MovementTable = data.read("galley/movement.toml", MovementTable)
BROKEN_OARS = MOVEMENT.broken_oars
STEPS_OF: dict[int, frozenset[int]] = {
    -1: frozenset(MOVEMENT.back),
    0: frozenset(),
    **{int(speed): frozenset(phases) for speed, phases in MOVEMENT.steps.items()},
}
FASTEST = max(STEPS_OF)
Speed = Annotated[int, bounded(0, FASTEST)]
SHIPS: ShipTable = data.read("galley/ships.toml", ShipTable)
TYPES = SHIPS.types
CREWS: dict[str, Rowers] = {"elite": SHIPS.crew.elite, "average": SHIPS.crew.average, "poor": SHIPS.crew.poor}
SPEEDS_IN: dict[int | None, frozenset[int]] = {
    phase: frozenset(speed for speed, phases in STEPS_OF.items() if phase in phases)
    for phase in (None, *range(1, MOVEMENT.phases + 1))
}  # the speeds at which a ship makes a step in each phase


class Ship(Record, frozen=True):
    """G2.3 One ship's sheet.

    `speed` is last turn's until the plots are shown, then this turn's; `straight` counts steps since the last
    turn; `waited` orders the contacts of a move step; `passing` is the ship whose hex a raker is rowing through
    (G7.2); `rammed` says that it was rammed this turn; `raked` that its oars were broken in this ram step and
    `stood` the hex that it left in this ram step, because both count from the next step on (G6.10); `touching` are
    the ships whose bases meet its own on the players' own table (G1.5). `finished` says that its player wants
    nothing more of it in this step.
    `rest` is what is left of a step that ended in contact on the open sea (G1.6). On the players' own table, until the
    move step ends, `waited_on` is the ship that it was in contact with and that has stepped, and `rowed_clear` says
    that it has rowed clear of the ship that it raked; on the open sea it says that this ship has rowed on, and that
    the raker owes her step straight ahead still (G1.6.f). `holed` says, where there are more than two sides, in
    which step each of them last damaged its hull (G10.2). `squadron` and `paper` are the table's own book-keeping.
    """

    side: str
    type: str
    name: str = ""
    crew: Crew = "average"
    flagship: bool = False
    at: Place | None = None
    facing: Facing | None = None
    speed: int = 0
    plot: int | None = None
    damage: Count = 0
    breaches: Count = 0
    heavy: Count = 0
    medium: Count = 0
    light: Count = 0
    archers: Count = 0
    catapults: Count = 0
    stone_throwers: Count = 0
    corvus: bool = False
    oars_broken: bool = False
    raked_by: str | None = None
    sprints: Count = 0
    straight: Count = 0
    must_back: bool = False
    backed_for_ram: bool = False
    free_turn: Literal[False, "one_side", "any"] = False
    full_speed_last: bool = False
    stopped: bool = False
    stepped: bool = False
    steps_made: Count = 0
    repaired: Count = 0
    contact: str | None = None
    fired: dict[str, int] = {}
    lost_this_step: dict[str, int] = {}
    tried_boarding: bool = False
    may_board: tuple[str, ...] = ()
    status: Status = "afloat"
    captured_by: str | None = None
    boarding: str | None = None
    waited: Count = 0
    passing: str | None = None
    rammed: bool = False
    aspect: str | None = None
    touching: tuple[str, ...] = ()
    squadron: str | None = None
    paper: bool = False
    finished: bool = False
    raked: bool = False
    stood: Place | None = None
    rest: float | msgspec.UnsetType = msgspec.UNSET
    waited_on: str | msgspec.UnsetType = msgspec.UNSET
    rowed_clear: bool | msgspec.UnsetType = msgspec.UNSET
    holed: dict[str, int] | msgspec.UnsetType = msgspec.UNSET

    @cached_property
    def unplotted(self) -> Ship:
        """G3.1 The ship as others see her while her speed is hidden; made once, so that what is drawn of her is too."""
        return msgspec.structs.replace(self, plot=None)

    @property
    def marines(self) -> int:
        """All marine figures, of any kind."""
        return self.heavy + self.medium + self.light

    @property
    def is_afloat(self) -> bool:
        """Neither sunk, captured nor withdrawn."""
        return self.status == "afloat"

    @property
    def is_prize(self) -> bool:
        """G8.6 Captured: an obstacle that takes no part."""
        return self.status == "captured"

    def stop(self) -> Ship:
        """No more steps this turn, and speed 0."""
        return msgspec.structs.replace(self, stopped=True, speed=0)

    def away(self, status: Status) -> Ship:
        """Off the board: sunk or withdrawn."""
        return msgspec.structs.replace(
            self, status=status, at=None, speed=0, stopped=True, boarding=None, passing=None, may_board=()
        )

    def hit(self, damage: int) -> Ship:
        """Add hull damage."""
        return msgspec.structs.replace(self, damage=self.damage + damage)

    def off_contact(self) -> Ship:
        """The meeting is off or settled."""
        return msgspec.structs.replace(self, contact=None, waited=0, aspect=None, rest=msgspec.UNSET)


@lru_cache(maxsize=4096)
def by_number(name: str) -> tuple[tuple[int, str], ...]:
    """G8.2.a The order of ship ids, in which numbers count as numbers.

    >>> sorted(("r10", "r2", "c1"), key=by_number)
    ['c1', 'r2', 'r10']
    """
    parts = re.split(r"(\d+)", name)
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts if part)


def complement_of(kind: ShipType, navy: str) -> Complement | None:
    """G2.6 The figures that a navy puts aboard, or None when the source gives it no such ship.

    Romans use the Roman column, all others the Hellenistic one; Asiatic marines are light.
    """
    if navy == "roman":
        return kind.crew.get("roman")
    crew = kind.crew.get("hellenistic")
    if crew is None or navy != "asiatic":
        return crew
    return crew.with_light_marines()


def maximum(kind: ShipType, ship: Ship) -> int:
    """G2.2 The highest speed: elite rowers add 1."""
    return kind.maximum + CREWS[ship.crew].maximum


def cruise(kind: ShipType, ship: Ship) -> int:
    """G2.2, G7.3 The cruising speed: quality never changes it; broken oars take 1, down to 1."""
    return max(MOVEMENT.cruise_least, kind.cruise + BROKEN_OARS.cruise) if ship.oars_broken else kind.cruise


def acceleration(kind: ShipType, ship: Ship) -> int:
    """G2.2 By how much the speed may change in a turn: elite +1, poor -1, never below 1."""
    return max(MOVEMENT.acceleration_least, kind.acceleration + CREWS[ship.crew].acceleration)


def turn_cycle(kind: ShipType, ship: Ship) -> int:
    """G2.2, G7.3 The straight steps owed before a turn: elite -1, poor +1, broken oars +1, never below 0."""
    whole = max(MOVEMENT.turn_cycle_least, kind.turn_cycle + CREWS[ship.crew].turn_cycle)
    return whole + BROKEN_OARS.turn_cycle if ship.oars_broken else whole


def is_sprint(kind: ShipType, ship: Ship, speed: int, option: str) -> bool:
    """G3.3 Does this speed spend a sprint? Above cruise; with the option "maximum" only the maximum itself."""
    return speed > cruise(kind, ship) and (option == "above_cruise" or speed == maximum(kind, ship))


def limit(kind: ShipType, ship: Ship, option: str) -> int:
    """G3.1, G3.3, G7.3 The highest speed that may be plotted, acceleration apart.

    Ruling: with sprint = "maximum" a crew without a sprint left, or with broken oars, may still plot below its
    maximum, since only the maximum itself counts there.
    """
    most = maximum(kind, ship)
    slow = cruise(kind, ship)
    if ship.sprints < MOVEMENT.sprints and not ship.oars_broken:
        return most
    return slow if option == "above_cruise" else max(slow, most - 1)


def plot_range(kind: ShipType, ship: Ship, option: str) -> tuple[int, int]:
    """G3.1 The lowest and highest speed that the ship may plot.

    The change from last turn is at most its acceleration; a limit below what it can reach may be plotted
    (G3.1); after backing see `reach_after_backing`; a debt of backing fixes -1 (G6.7); the rammed are free (G6.8);
    who rows through a hex must leave it, at least at 1 (G7.2).
    """
    if ship.must_back and ship.passing is None:
        return -1, -1
    change = acceleration(kind, ship)
    fastest = reach_after_backing(kind, ship) if ship.speed == -1 else ship.speed + change
    free = ship.free_turn == "any" and not ship.must_back
    return _range(limit(kind, ship, option), ship.speed - change, fastest, free, ship.passing is not None)


def reach_after_backing(kind: ShipType, ship: Ship) -> int:
    """G4.4 After backing: the table's acceleration less one, whatever the crew, never below 1.

    After the backing owed for a ram (G6.7) the limit is the ship's own acceleration.
    """
    if ship.backed_for_ram:
        return acceleration(kind, ship)
    return max(MOVEMENT.acceleration_least, kind.acceleration - 1)


@lru_cache(maxsize=4096)
def _range(top: int, slowest: int, fastest: int, free: bool, passing: bool) -> tuple[int, int]:
    """G3.1 The bounds from plain numbers."""
    if free:
        low, high = -1, top
    else:
        low, high = max(-1, slowest), min(top, fastest)
        if low > top:
            low = high = top
    return (max(1, low), max(1, high)) if passing else (low, high)
