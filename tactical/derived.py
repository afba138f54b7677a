"""What a battle has worked out about itself, and how much of it holds for the next battle.

Nothing here is part of a position: each value follows from the battle alone, and a battle that has been handed nothing
works it out when it is asked. `hand_on` compares two battles and hands on what it can see to hold, so that no rule has
to know what has been worked out. `tests/tactical/test_derived.py` reckons everything anew after each command.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Protocol

import msgspec

from tactical.board import Board
from tactical.kernel.protocol import Offer
from tactical.ship import Ship, ShipType
from tactical.whereabouts import Lying


class Todo(msgspec.Struct, frozen=True):
    """What is known of a step, filled as it is asked for: of each side its ships' offers, and all of them together.

    Ships are those that may have something to do before the step ends; one that has not been asked has None.
    """

    of_ship: dict[str, dict[str, tuple[Offer, ...] | None]]
    of_side: dict[str, tuple[Offer, ...]]


class Earlier(msgspec.Struct, frozen=True):
    """An earlier battle whose `todo` is known, and the ships whose sheets have changed since."""

    battle: Any
    changed: frozenset[str]


class Derived(msgspec.Struct):
    """What a battle has worked out about itself; None is what it has not been asked for.

    `lying`: who is where. `contacts`: who waits in contact with whom. `is_scored`: the sides' points are counted.
    `todo`: what ships may do in the step; `earlier`: the battle from which that can be followed instead. `waits`: the
    sides that have something to do.
    """

    lying: Lying | None = None
    contacts: dict[str, tuple[str, ...]] | None = None
    is_scored: bool = False
    todo: Todo | None = None
    earlier: Earlier | None = None
    waits: tuple[str, ...] | None = None


class Deriving(Protocol):
    """What `hand_on` compares of two battles."""

    @property
    def board(self) -> Board: ...
    @property
    def sides(self) -> Mapping[str, Any]: ...
    @property
    def ships(self) -> Mapping[str, Ship]: ...
    @property
    def step(self) -> str: ...
    @property
    def phase(self) -> int | None: ...
    @property
    def types(self) -> Mapping[str, ShipType]: ...


def hand_on(before: Deriving, after: Deriving, changed: Collection[str]) -> None:
    """Give the battle after what has been worked out before and still holds; `changed` are the ships with new sheets.

    A ship that is lost or taken ends all that is known; battles have the same ships from beginning to end.
    """
    known: Derived | None = vars(before).get("derived")
    if known is None or after.types is not before.types or after.board.kind != before.board.kind:
        return
    lying, contacts, is_scored = known.lying, known.contacts, known.is_scored
    if changed:
        old, new, moved = before.ships, after.ships, []
        measures, swings, many = after.board.kind == "open", False, len(after.sides) > 2
        for name in changed:
            was, now = old[name], new[name]
            if was.status != now.status or was.captured_by != now.captured_by:
                return
            if was.at != now.at:
                moved.append(name)
            if was.contact != now.contact:
                contacts = None
            if measures and was.facing != now.facing:
                swings = True
            if many and was.holed != now.holed:
                is_scored = False
        if lying is not None and (moved or swings):
            lying = lying.moved(old, new, moved)
    if is_scored and after.sides is not before.sides:
        is_scored = all(side.points == before.sides[name].points for name, side in after.sides.items())
    earlier = None
    if after.step == before.step and after.phase == before.phase:
        if known.todo is not None:
            earlier = Earlier(before, frozenset(changed))
        elif known.earlier is not None:
            earlier = Earlier(known.earlier.battle, known.earlier.changed.union(changed)) if changed else known.earlier
    vars(after)["derived"] = Derived(lying, contacts, is_scored, None, earlier)


def share(before: Deriving, after: Deriving) -> None:
    """Give all that has been worked out, now or later, to a battle that differs in its ships' plots alone (G3.1).

    Nothing here hangs on a plot: neither what speeds a ship may plot nor who has yet to lock.
    """
    if "derived" in vars(before):
        vars(after)["derived"] = vars(before)["derived"]
