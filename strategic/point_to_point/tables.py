"""Sides, cards and tables that the games of the family have in common."""

from __future__ import annotations

from bisect import bisect_right
from typing import Literal, Protocol

from tactical.kernel.record import Input

Side = Literal["rome", "carthage"]
SIDES: tuple[Side, Side] = ("rome", "carthage")
ROADS = ("road",)


def enemy(side: Side) -> Side:
    """The other side."""
    return "carthage" if side == "rome" else "rome"


def as_side(seat: str) -> Side:
    """A prompt's seat as a side."""
    return "rome" if seat == "rome" else "carthage"


class BattleCard(Input, frozen=True):
    """A kind of battle card: how many there are, and what a win by it adds to the retreat table."""

    id: str
    name: str
    count: int
    retreat: int
    wild: bool
    source: str


class Province(Input, frozen=True):
    """A province: the spaces needed to control it, whether it scores, and its allied battle cards."""

    id: str
    name: str
    region: str
    needed: int
    scores: bool
    ally_cards: int
    ally_scope: str
    spaces: tuple[str, ...]


class Retreat(Input, frozen=True):
    """The retreat table."""

    cite: str
    source: str
    first_die: int
    columns: tuple[int, ...]
    all: int
    losses: tuple[tuple[int, ...], ...]
    spaces: int

    def read(self, die: int, force: int) -> int:
        """tables.retreat CUs lost by modified die and the force that began the battle; `all` for all."""
        row = min(max(die - self.first_die, 0), len(self.losses) - 1)
        return self.losses[row][max(bisect_right(self.columns, force) - 1, 0)]


class Ground(Protocol):
    """What the map says of a space besides its connections."""

    @property
    def province(self) -> str: ...
    @property
    def region(self) -> str: ...
    @property
    def port(self) -> bool: ...
    @property
    def city(self) -> bool: ...


class Leader(Protocol):
    """A general as printed."""

    @property
    def name(self) -> str: ...
    @property
    def side(self) -> Side: ...
    @property
    def strategy(self) -> int: ...
    @property
    def battle(self) -> int: ...


class Attrition(Protocol):
    """The attrition table."""

    def read(self, die: int, force: int) -> tuple[int, bool]:
        """Losses by modified die and size; and must one be an elephant?"""


class Movement(Protocol):
    """Points and limits of movement by land."""

    @property
    def points(self) -> int: ...
    @property
    def units(self) -> int: ...
    @property
    def consular(self) -> int: ...
    @property
    def overrun(self) -> int: ...


class Siege(Protocol):
    """What a siege needs and when it takes the city."""

    @property
    def takes(self) -> int: ...
    @property
    def needs(self) -> int: ...


class BattleNumbers(Protocol):
    """What every battle of the family reads."""

    @property
    def change_of_command(self) -> int: ...
    @property
    def elephants_without_general(self) -> int: ...
    @property
    def roman_allies_in_italy(self) -> int: ...


class Tables(Protocol):
    """The tables that the shared chapters read."""

    @property
    def attrition(self) -> Attrition: ...
    @property
    def movement(self) -> Movement: ...
    @property
    def siege(self) -> Siege: ...
    @property
    def retreat(self) -> Retreat: ...
    @property
    def battle(self) -> BattleNumbers: ...
