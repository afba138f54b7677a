"""Political isolation: PCs that nothing holds up."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.atlas import cut_off
from strategic.hannibal.state import State
from strategic.hannibal.survey import enemy_units, plain_pcs
from strategic.hannibal.tables import CHART, SIDES, Side, enemy, ground, is_pass
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, event


def holds_up(state: State, side: Side, space: str) -> bool:
    """isolation.2 A friendly CU, city (besieged counts), tribe, or port that the side controls."""
    place, place_of = state.spaces[space], ground(space)
    if place.all_of(side).size:
        return True
    return place.control == side and (place_of.city or place.tribe or place_of.port)


def may_trace(state: State, side: Side, space: str) -> bool:
    """isolation.4, isolation.5, isolation.6 May the path enter this space?"""
    place = state.spaces[space]
    if place.all_of(side).size:
        return True
    if place.control == enemy(side) or (place.tribe and place.control is None):
        return False
    return not enemy_units(state, side, space) or place.control == side


def isolated(state: State, side: Side) -> tuple[str, ...]:
    """isolation.2 The PCs of a side that would go now."""
    anchors = [space for space in state.spaces if holds_up(state, side, space)]
    blocked = state.options.isolation_straits == "blocked"
    return cut_off(
        CHART,
        plain_pcs(state, side),
        anchors,
        lambda space: may_trace(state, side, space),
        lambda kind: not is_pass(kind) and not (blocked and kind == "strait"),
    )


def isolation(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """isolation.1 Rome takes its isolated PCs off first, then Carthage. isolation.3: passes block."""
    events: tuple[Event, ...] = ()
    for side in SIDES:
        gone = isolated(state, side)
        for space in gone:
            state = state.with_place(space, replace(state.spaces[space], control=None))
        if gone:
            events += (event("isolation.1", "isolated", side=side, spaces=list(gone)),)
    return replace(state, phase="victory"), events
