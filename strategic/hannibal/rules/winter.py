"""Winter attrition."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.attrition import wear_outside
from strategic.hannibal.state import State
from strategic.hannibal.survey import is_enemy_ground
from strategic.hannibal.tables import SIDES, Side
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event


def freezing(state: State, side: Side) -> tuple[str, ...]:
    """winter Where a side's stacks must roll; winter.a: CUs inside their own city never."""
    return tuple(
        space
        for space, place in state.spaces.items()
        if place.outside(side).size and is_enemy_ground(state, side, space)
    )


def winter(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """winter Every stack on an enemy PC or a tribe that is no friend rolls unmodified, besiegers too."""
    events: tuple[Event, ...] = ()
    for side in SIDES:
        for space in freezing(state, side):
            state, more = wear_outside(state, dice, "winter", side, space)
            events += more
    return replace(state, phase="isolation"), events
