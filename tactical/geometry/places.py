"""What the rules ask of a board: where a step leads, who lies where, how far it is. Three boards answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import msgspec

from tactical.battle import Battle
from tactical.commands import Step
from tactical.kernel.protocol import Illegal
from tactical.kernel.reason import Reason
from tactical.ship import Ship

Heading = Any  # a hex side's name, degrees on the open sea, None on the players' own table
Place = Any  # a hex, a point on the open sea, None on the players' own table


class Way(msgspec.Struct, frozen=True):
    """Where a step would lead: the heading, the place (None on the table), and what meets the ship there."""

    facing: Heading
    to: Place
    meets: str  # "open", "edge", "contact", "blocked"
    foes: tuple[str, ...] = ()  # whom a contact may be with, where the place does not say it
    rest: float = 0.0  # what is left of a step that ended in contact, in base lengths


class StepField(msgspec.Struct, frozen=True):
    """G4.1 A field of the step on offer: `turn`, `angle` or `facing`, its value or choices, and whom it may meet."""

    key: str
    value: Any
    targets: tuple[str, ...] = ()


class Geometry(Protocol):
    """One kind of board. A heading that a step may take goes by the name that the step's command gives it."""

    declared: bool  # G1.5 the players say where their models are

    def headings(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G4.1, G6.8 The headings of a step, by turn or by themselves; straight on only when it may not turn."""
        ...

    def finer(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G1.6.g More headings, looked at for a ship that none of the others is open to."""
        ...

    def course(self, ship: Ship, command: Step) -> tuple[Heading, bool]:
        """G4.1 The heading that a command takes, and whether that is a turn."""
        ...

    def why_not_course(self, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G4.1, G6.8 What forbids the fields of a step on this board."""
        ...

    def why_not_between(self, battle: Battle, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G1.6.g What forbids a heading that lies between those of the offers."""
        ...

    def way(self, battle: Battle, name: str, ship: Ship, facing: Heading) -> Way:
        """G4.1, G4.3, G4.4 What a step with this heading leads to; backing never enters a ship's place."""
        ...

    def followers(self, battle: Battle, waiting: list[str], vacated: Place) -> list[str]:
        """G4.6 Those of the ships that waited on one that has moved who may complete their step, in order."""
        ...

    def way_on(self, battle: Battle, name: str, vacated: Place, rest: float) -> Way:
        """G4.6 What completing its step leads to; `rest` is what is left of it."""
        ...

    def aspect(self, battle: Battle, ship: Ship, target: Ship) -> str | None:
        """G6.1, G7.1 How a ship touches another, where it is written down; on hexes the headings say it."""
        ...

    def still_passing(self, battle: Battle, ship: Ship, to: Place) -> str | None:
        """G7.2 The ship that a raker who comes to this place has not left behind yet."""
        ...

    def come_clear(self, battle: Battle, name: str) -> dict[str, Ship]:
        """G1.6.f, G7.2 The new sheets of the rakers that a move of this ship has brought clear of their targets."""
        ...

    def is_land_between(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G8.1 Does land lie between two ships at range 1?"""
        ...

    def fields(self, battle: Battle, name: str, ship: Ship, found: dict[str, Way]) -> Iterator[StepField]:
        """G4.1, G6.8 The choices of a step as its offers give them."""
        ...

    def met_by(self, battle: Battle, found: Way) -> tuple[str, ...]:
        """G4.6, G7.2 The enemies that a step meets."""
        ...

    def is_edge_astern(self, battle: Battle, ship: Ship) -> bool:
        """G6.7 Does a step back lead over the edge?"""
        ...

    def standing_serves(self, battle: Battle, name: str, ship: Ship) -> bool:
        """G6.7 Is what lies astern no ship afloat?"""
        ...

    def is_bow_to_bow(self, ship: Ship, target: Ship) -> bool:
        """G6.1 Do the bows of two ships in contact meet?"""
        ...

    def why_no_rake(self, battle: Battle, name: str, foe: str) -> Reason | None:
        """G7.1 What in the places of a ship and her target stands against a rake."""
        ...

    def raked(self, battle: Battle, name: str, foe: str) -> Place:
        """G7.2 Where a raker comes to lie."""
        ...

    def range_between(self, battle: Battle, one: Ship, other: Ship) -> int:
        """G1.3 The range of two ships, 1 at least."""
        ...

    def sees(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G5.6 Is the line between two ships free?"""
        ...

    def in_arc(self, ship: Ship, other: Ship) -> bool:
        """G5.6 Does the other lie abeam or before the beam?"""
        ...

    def near_ships(self, battle: Battle, places: Iterable[Place]) -> set[str]:
        """G4.3 The ships for whom it matters that one of these places was left or entered."""
        ...
