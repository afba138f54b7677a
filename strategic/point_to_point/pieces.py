"""The pieces of the family: troops, and the spaces where they stand."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import msgspec

from strategic.point_to_point.tables import Side
from tactical.kernel.record import Record

R = TypeVar("R")


def replace(record: R, /, **changes: Any) -> R:
    """The same record with other fields; for records that are known only by what the chapters read of them."""
    return cast(R, msgspec.structs.replace(cast(msgspec.Struct, record), **changes))


class Troops(Record, frozen=True):
    """2.2.6 CUs, ordinary ones and elephants, and the supply trains with them, in games that have trains.

    Trains have no size (8.2.1.size).
    """

    units: int = 0
    elephants: int = 0
    trains: int = 0

    @property
    def size(self) -> int:
        """All CUs."""
        return self.units + self.elephants

    @property
    def is_nothing(self) -> bool:
        """Neither CUs nor trains?"""
        return not (self.units or self.elephants or self.trains)

    @property
    def is_counted(self) -> bool:
        """Are these numbers of things, none of them below zero?"""
        return min(self.units, self.elephants, self.trains) >= 0

    @property
    def transports(self) -> int:
        """11.1.1 Transports needed: each carries 1 CU and 1 train."""
        return max(self.size, self.trains)

    def plus(self, other: Troops) -> Troops:
        """Both together."""
        return Troops(self.units + other.units, self.elephants + other.elephants, self.trains + other.trains)

    def minus(self, other: Troops) -> Troops:
        """What is left; callers see to it that nothing becomes negative."""
        return Troops(self.units - other.units, self.elephants - other.elephants, self.trains - other.trains)

    def shared_with(self, other: Troops) -> Troops:
        """What both have: of each kind the smaller number."""
        return Troops(
            min(self.units, other.units), min(self.elephants, other.elephants), min(self.trains, other.trains)
        )

    def holds(self, other: Troops) -> bool:
        """Are the others all here?"""
        return other.units <= self.units and other.elephants <= self.elephants and other.trains <= self.trains

    def after_losses(self, lost: int, elephant_first: bool = False) -> Troops:
        """tables.attrition.elephant What remains: an elephant first if the table says so, else ordinary CUs first."""
        left, elephants = min(lost, self.size), self.elephants
        if elephant_first and left and elephants:
            elephants, left = elephants - 1, left - 1
        units = max(self.units - left, 0)
        return Troops(units, elephants - max(left - self.units, 0), self.trains)

    def without_transports(self, lost: int) -> Troops:
        """11.7.engage.c Each transport lost takes 1 CU and its train, if any, with it."""
        left = self.after_losses(min(lost, self.size))
        return replace(left, trains=max(self.trains - lost, 0))

    def only_units(self) -> Troops:
        """The CUs without the trains."""
        return replace(self, trains=0)

    def only_trains(self) -> Troops:
        """The trains without the CUs."""
        return Troops(0, 0, self.trains)


NONE = Troops()


class Place(Record, frozen=True):
    """A space: whose marker it bears, whether a tribe's marker stands, troops outside and inside the walls, a siege.

    `inside` belongs to the side in control of the city. `besieger` is whose points `siege` counts.
    """

    control: Side | None = None
    tribe: bool = False
    rome: Troops = NONE
    carthage: Troops = NONE
    inside: Troops = NONE
    siege: int = 0
    besieger: Side | None = None

    def outside(self, side: Side) -> Troops:
        """Troops of a side outside the walls."""
        return self.rome if side == "rome" else self.carthage

    def within(self, side: Side) -> Troops:
        """Troops of a side inside the walls."""
        return self.inside if self.control == side else NONE

    def all_of(self, side: Side) -> Troops:
        """Troops of a side in the space."""
        return self.outside(side).plus(self.within(side))

    def with_outside(self, side: Side, troops: Troops) -> Place:
        """The same with other troops outside."""
        return replace(self, rome=troops) if side == "rome" else replace(self, carthage=troops)

    def without(self, side: Side, troops: Troops) -> Place:
        """The same without these troops, those outside the walls taken first."""
        first = troops.shared_with(self.outside(side))
        left, rest = self.with_outside(side, self.outside(side).minus(first)), troops.minus(first)
        return left if rest.is_nothing else replace(left, inside=left.inside.minus(rest))

    def besieged(self) -> bool:
        """siege.7 Is a siege point on it?"""
        return self.siege > 0


class Walked(Record, frozen=True):
    """movement.command.5 CUs that have moved on this card: how many, the points they have spent, and whether they
    have moved under an earlier general. `spent` is None for those that move no more on this card; `lanes` is how many
    of those points were lanes by sea, where a game counts them (11.1.b).
    """

    units: int
    spent: int | None
    again: bool = False
    lanes: int = 0
