"""Questions about a position that many chapters ask: who holds what, who stands where, who commands."""

from __future__ import annotations

from collections.abc import Iterable

from strategic.hannibal.state import NONE, State, Troops
from strategic.hannibal.tables import CHART, LEADERS, PROVINCES, SIDES, TABLES, Side, enemy, ground


def side_of(general: str) -> Side:
    """The side of a general."""
    return LEADERS[general].side


def generals_at(state: State, side: Side, space: str, inside: bool | None = None) -> tuple[str, ...]:
    """The generals of a side in a space; only those inside or outside the walls when asked."""
    return tuple(
        name
        for name, general in state.generals.items()
        if general.status == "board"
        and general.space == space
        and side_of(name) == side
        and (inside is None or general.inside == inside)
    )


def standing(state: State, general: str) -> tuple[int, int, int]:
    """movement.command.2, movement.command.3 What decides who commands: Hannibal, then consuls, then battle rating."""
    leader, record = LEADERS[general], state.generals[general]
    return int(leader.outranks), int(record.rank == "consul"), leader.battle


def outranks(state: State, one: str, other: str) -> bool:
    """movement.land.1c Is the first of higher standing than the second?"""
    return standing(state, one) > standing(state, other)


def commander(state: State, names: Iterable[str]) -> str | None:
    """movement.command.1 Who commands these generals; among equals the one whom the owner named."""
    people = list(names)
    if not people:
        return None
    return max(people, key=lambda name: (standing(state, name), name in state.preferred, -people.index(name)))


def rating(general: str | None) -> int:
    """The battle rating; 0 for nobody."""
    return LEADERS[general].battle if general else 0


def province_of(space: str) -> str:
    """The province of a space."""
    return ground(space).province


def region_of(space: str) -> str:
    """The region of a space."""
    return ground(space).region


def held(state: State, side: Side, province: str) -> int:
    """tribes.2 The spaces of a province that count for a side.

    cities.general.1, tribes.general.1: a city and a friendly tribe are PCs of their side.
    """
    return sum(state.spaces[space].control == side for space in PROVINCES[province].spaces)


def controls(state: State, side: Side, province: str) -> bool:
    """victory.1 Has the side the needed majority of the province?"""
    return held(state, side, province) >= PROVINCES[province].needed


def controlled(state: State, side: Side) -> tuple[str, ...]:
    """victory.1 The provinces that a side controls."""
    return tuple(province for province in PROVINCES if controls(state, side, province))


def points(state: State, side: Side) -> int:
    """victory.2 One point for each scoring province that the side controls."""
    return sum(PROVINCES[province].scores for province in controlled(state, side))


def italian(state: State, side: Side) -> int:
    """victory.1 How many provinces of Italy a side controls."""
    return sum(PROVINCES[province].region == "italia" for province in controlled(state, side))


def is_enemy_ground(state: State, side: Side, space: str) -> bool:
    """winter An enemy PC, or a tribe that is not friendly."""
    place = state.spaces[space]
    return place.control == enemy(side) or (place.tribe and place.control != side)


def enemy_units(state: State, side: Side, space: str) -> int:
    """CUs of the other side in the space, inside the walls too."""
    return state.spaces[space].all_of(enemy(side)).size


def enemy_outside(state: State, side: Side, space: str) -> Troops:
    """CUs of the other side outside the walls."""
    return state.spaces[space].outside(enemy(side))


def is_shut_in(state: State, side: Side, space: str) -> bool:
    """siege.6 Do enemy CUs stand before the walls of this side's city?"""
    return state.spaces[space].control == side and enemy_outside(state, side, space).size > 0


def plain_pcs(state: State, side: Side) -> tuple[str, ...]:
    """losses.5 The PCs that a side can lose: neither cities nor tribes."""
    return tuple(
        space
        for space, place in state.spaces.items()
        if place.control == side and not place.tribe and not ground(space).city
    )


def may_muster(state: State, side: Side, space: str, count: int = 1) -> bool:
    """reinforcements.general.1 May CUs be put into this space: not into a besieged city, nor among enemies?"""
    if enemy_outside(state, side, space).size:
        place = state.spaces[space]
        return place.control == side and not place.besieged() and state.room_left(space) >= count
    return True


def muster(state: State, side: Side, space: str, troops: Troops) -> State:
    """reinforcements.general.1 Put new CUs into a space: inside the walls when enemies stand before them."""
    return state.add(space, side, troops, inside=enemy_outside(state, side, space).size > 0)


def elephants_left(state: State) -> int:
    """elephants.1 How many elephant CUs are still to be had."""
    return 4 - sum(place.carthage.elephants + place.inside.elephants for place in state.spaces.values())


def armies(state: State, side: Side) -> tuple[str, ...]:
    """The spaces where a side has CUs."""
    return tuple(space for space, place in state.spaces.items() if place.all_of(side).size)


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


def holding(state: State, side: Side, space: str) -> bool:
    """victory.1 Is the space friendly to the side?"""
    return state.spaces[space].control == side


def least_consular(state: State, staying: Iterable[str]) -> int:
    """movement.general.2 The CUs that must stay with these generals."""
    return TABLES.movement.consular if any(state.generals[name].rank == "consul" for name in staying) else 0


def everyone(state: State) -> Troops:
    """All CUs on the board."""
    total = NONE
    for place in state.spaces.values():
        for side in SIDES:
            total = total.plus(place.outside(side))
        total = total.plus(place.inside)
    return total
