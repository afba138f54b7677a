"""Attrition: the table, and who rolls on it when."""

from __future__ import annotations

from strategic.hannibal.state import State
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.tables import Side
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, event


def attrition(
    state: State, dice: Dice, rule: str, force: Troops, modifier: int = 0, column: int | None = None, **about: str
) -> tuple[Troops, tuple[Event, ...]]:
    """tables.attrition.when Roll for a force; `column` reads another size than its own. tables.attrition.generals:
    generals are never hurt. No CUs, no roll.
    """
    if not force.size:
        return force, ()
    (face,) = dice.roll(1, 6, rule, **about)
    lost, elephant = state.tables.attrition.read(face + modifier, force.size if column is None else column)
    left = force.after_losses(lost, elephant)
    told = event(
        "tables.attrition",
        "attrition",
        (),
        False,
        cause=rule,
        dice=[face],
        modifier=modifier,
        force=force.size,
        lost=force.size - left.size,
        elephants=force.elephants - left.elephants,
        **about,
    )
    return left, (told,)


def wear_outside(
    state: State, dice: Dice, rule: str, side: Side, space: str, modifier: int = 0, column: int | None = None
) -> tuple[State, tuple[Event, ...]]:
    """tables.attrition.column A stack outside the walls rolls by its size."""
    force = state.spaces[space].outside(side)
    left, events = attrition(state, dice, rule, force, modifier, column, side=side, space=space)
    return state.set_outside(space, side, left), events


def wear_all(
    state: State, dice: Dice, rule: str, side: Side, space: str, modifier: int = 0, column: int | None = None
) -> tuple[State, tuple[Event, ...]]:
    """tables.attrition.when All CUs of a side in a space roll as one force; those outside the walls die first."""
    force = state.spaces[space].all_of(side)
    left, events = attrition(state, dice, rule, force, modifier, column, side=side, space=space)
    return state.take(space, side, force.minus(left)), events
