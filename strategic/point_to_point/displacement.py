"""Displacement of generals, and what goes with their army."""

from __future__ import annotations

from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Handled, S
from strategic.point_to_point.survey import generals_at
from strategic.point_to_point.tables import SIDES, Side, enemy
from tactical.kernel.protocol import Event


def displace_all(state: S, names: tuple[str, ...], rule: str) -> Handled[S]:
    """movement.land.5 Displace several generals."""
    events: tuple[Event, ...] = ()
    for name in names:
        state, more = book_of(state).displace(state, name, rule)
        events += more
    return state, events


def catch_alone(state: S, side: Side, space: str) -> Handled[S]:
    """movement.land.5a Generals of a side outside the walls without a CU, where enemy CUs have come, are displaced."""
    if state.spaces[space].outside(side).size:
        return state, ()
    state, events = displace_all(state, generals_at(state, side, space, inside=False), "movement.land.5a")
    state, more = book_of(state).spoils(state, side, space)
    return state, (*events, *more)


def clear_field(state: S, space: str) -> Handled[S]:
    """movement.land.5a After a battle: whoever of either side is left without CUs among the enemy."""
    events: tuple[Event, ...] = ()
    for side in SIDES:
        if state.spaces[space].outside(enemy(side)).size:
            state, more = catch_alone(state, side, space)
            events += more
    return state, events
