"""Winter attrition."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.attrition import wear_outside
from strategic.hannibal.state import State
from strategic.point_to_point.survey import freezing
from strategic.point_to_point.tables import SIDES
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event


def winter(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """winter Every stack on an enemy PC or a tribe that is no friend rolls unmodified, besiegers too."""
    events: tuple[Event, ...] = ()
    for side in SIDES:
        for space in freezing(state, side):
            state, more = wear_outside(state, dice, "winter", side, space)
            events += more
    return replace(state, phase="isolation"), events
