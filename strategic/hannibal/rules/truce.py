"""strategy.event.1 The truce (card 64): what it forbids."""

from __future__ import annotations

from strategic.hannibal.state import State
from strategic.point_to_point.state import March
from strategic.point_to_point.survey import enemy_units, holding
from strategic.point_to_point.tables import enemy
from tactical.kernel.protocol import Illegal


def why_not_entry(state: State, march: March, to: str) -> Illegal | None:
    """strategy.event.1 Spaces with an enemy PC or CU are closed."""
    side = march.side
    if state.lasting.truce and (enemy_units(state, side, to) or holding(state, enemy(side), to)):
        return Illegal("strategy.event.1", "the truce (card 64) closes spaces with an enemy PC or CU")
    return None


def why_not_interception(state: State) -> Illegal | None:
    """strategy.event.1 Nobody intercepts."""
    if state.lasting.truce:
        return Illegal("strategy.event.1", "nobody may intercept during the truce (card 64)")
    return None


def why_not_siege(state: State, space: str) -> Illegal | None:
    """strategy.event.1 No siege is rolled for."""
    if state.lasting.truce:
        return Illegal("strategy.event.1", "there are no siege rolls during the truce (card 64)")
    return None


def why_not_sortie(state: State) -> Illegal | None:
    """strategy.event.1 Nobody comes out of a city to fight."""
    if state.lasting.truce:
        return Illegal("strategy.event.1", "the truce (card 64) forbids this")
    return None
