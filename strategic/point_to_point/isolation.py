"""Political isolation: PCs that nothing holds up."""

from __future__ import annotations

from strategic.atlas import cut_off
from strategic.point_to_point.pieces import replace
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign, Handled, S
from strategic.point_to_point.survey import enemy_units, plain_pcs
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, event


def holds_up(state: Campaign, side: Side, space: str) -> bool:
    """isolation.2 A friendly CU, city (besieged counts), tribe, or port that the side controls."""
    place, ground = state.spaces[space], book_of(state).ground(space)
    if place.all_of(side).size:
        return True
    return place.control == side and (ground.city or place.tribe or ground.port)


def may_trace(state: Campaign, side: Side, space: str) -> bool:
    """isolation.4, isolation.5, isolation.6 May the path enter this space?"""
    place = state.spaces[space]
    if place.all_of(side).size:
        return True
    if place.control == enemy(side) or (place.tribe and place.control is None):
        return False
    return not enemy_units(state, side, space) or place.control == side


def isolated_pcs(state: Campaign, side: Side) -> tuple[str, ...]:
    """isolation.2 The PCs of a side that would go now."""
    book = book_of(state)
    anchors = [space for space in state.spaces if holds_up(state, side, space)]
    return cut_off(
        book.chart,
        plain_pcs(state, side),
        anchors,
        lambda space: may_trace(state, side, space),
        lambda kind: not book.isolating(state, kind),
    )


def isolation(state: S, dice: Dice) -> Handled[S]:
    """isolation.1 The sides take their isolated PCs off, in the order of their book; isolation.3: passes block."""
    book = book_of(state)
    events: tuple[Event, ...] = ()
    for side in book.isolation_order:
        gone = isolated_pcs(state, side)
        for space in gone:
            state = state.with_place(space, replace(state.spaces[space], control=None))
        if gone:
            events += (event(book.cite("isolation.1"), "isolated", side=side, spaces=list(gone)),)
    return replace(state, phase="victory"), events
