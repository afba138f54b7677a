"""Questions about a position of Hannibal that several chapters ask, besides those of the whole family."""

from __future__ import annotations

from collections.abc import Iterable

from strategic.hannibal.state import State
from strategic.hannibal.tables import CHART, LEADERS, PROVINCES, ground
from strategic.point_to_point.state import NONE, SIDES, Side, Troops
from strategic.point_to_point.survey import provinces_under

ELEPHANTS = 4  # elephants.1


def side_of(general: str) -> Side:
    """The side of a general."""
    return LEADERS[general].side


def standing(state: State, general: str) -> tuple[int, ...]:
    """movement.command.2, movement.command.3 What decides who commands: Hannibal, then consuls, then battle rating."""
    leader, record = state.leaders[general], state.generals[general]
    return int(leader.outranks), int(record.rank == "consul"), leader.battle


def province_of(space: str) -> str:
    """The province of a space."""
    return ground(space).province


def region_of(space: str) -> str:
    """The region of a space."""
    return ground(space).region


def points(state: State, side: Side) -> int:
    """victory.2 One point for each scoring province that the side controls."""
    return score(provinces_under(state, side))


def score(provinces: Iterable[str]) -> int:
    """victory.2 How many of these provinces score."""
    return sum(PROVINCES[province].scores for province in provinces)


def remaining_elephants(state: State) -> int:
    """elephants.1 How many elephant CUs are still to be had."""
    return ELEPHANTS - sum(place.carthage.elephants + place.inside.elephants for place in state.spaces.values())


def keeps_to(general: str, space: str) -> bool:
    """movement.command.6 May this general be in this region? (Hanno in Africa, Fabius in Italy)"""
    limit = LEADERS[general].keeps_to
    return not limit or region_of(space) == limit


def may_units_enter(state: State, side: Side, start: str, to: str) -> bool:
    """strategy.event.1 Do cards 57 and 58 let this side's CUs go there?"""
    if side == "carthage" and state.lasting.hanno_counsels:
        return not (region_of(start) == "africa" and region_of(to) != "africa")
    if side == "rome" and state.lasting.cato_counsels:
        return region_of(to) != "africa" or region_of(start) == "africa"
    return True


def spaces_of(*provinces: str) -> tuple[str, ...]:
    """The spaces of provinces."""
    return tuple(space for province in provinces for space in PROVINCES[province].spaces)


def spaces_in(region: str) -> tuple[str, ...]:
    """The spaces of a region."""
    return tuple(space for space in CHART.spaces if region_of(space) == region)


def everyone(state: State) -> Troops:
    """All CUs on the board."""
    total = NONE
    for place in state.spaces.values():
        for side in SIDES:
            total = total.plus(place.outside(side))
        total = total.plus(place.inside)
    return total
