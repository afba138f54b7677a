"""Questions about a position that many chapters ask: who holds what, who stands where, who commands."""

from __future__ import annotations

from collections.abc import Iterable

from strategic.hamilcar.state import BOTH, State
from strategic.hamilcar.tables import (
    CHART,
    ITALIAN,
    LEADERS,
    PROVINCES,
    Side,
    enemy,
    ground,
)
from strategic.hamilcar.troops import Troops

ASINA, CAUDEX, FLACCUS = "gnaeus_cornelius_scipio_asina", "appius_claudius_caudex", "quintus_fulvius_flaccus"
XANTHIPPUS, BARCA = "xanthippus", "hamilcar_barca"


def side_of(general: str) -> Side:
    """The side of a general."""
    return LEADERS[general].side


def as_side(seat: str) -> Side:
    """A prompt's seat as a side."""
    assert seat != BOTH, "this prompt is for both sides"
    return "rome" if seat == "rome" else "carthage"


def generals_at(state: State, side: Side, space: str, inside: bool | None = None) -> tuple[str, ...]:
    """The generals of a side in a space; only those inside or outside the walls when asked."""
    return tuple(
        name
        for name, general in state.generals.items()
        if general.status == "board"
        and general.space == space
        and state.leaders[name].side == side
        and (inside is None or general.inside == inside)
    )


def on_board(state: State, side: Side) -> tuple[str, ...]:
    """The generals of a side on the board."""
    return tuple(
        name for name, general in state.generals.items() if general.status == "board" and side_of(name) == side
    )


def standing(state: State, general: str) -> tuple[int, int]:
    """movement.command.2 What decides who commands: consuls before the proconsul, then the battle rating."""
    return int(state.generals[general].rank == "consul"), state.leaders[general].battle


def commander(state: State, names: Iterable[str]) -> str | None:
    """movement.command.1 Who commands these generals; among equals the first on the roll."""
    people = list(names)
    if not people:
        return None
    return max(people, key=lambda name: (standing(state, name), name in state.preferred, -people.index(name)))


def may_lead(state: State, general: str) -> bool:
    """movement.command.5 Is nobody of higher standing with him?"""
    record = state.generals[general]
    if record.status != "board" or record.space is None:
        return False
    with_him = generals_at(state, side_of(general), record.space, record.inside)
    return all(standing(state, other) <= standing(state, general) for other in with_him)


def rating(state: State, general: str | None) -> int:
    """The battle rating; 0 for nobody."""
    return state.leaders[general].battle if general else 0


def has_admiral(state: State, names: Iterable[str]) -> bool:
    """6.5.3 Is an admiral among them?"""
    return any(state.leaders[name].admiral for name in names)


def held(state: State, side: Side, province: str) -> int:
    """tribes.2 The spaces of a province that count for a side: PCs, cities and friendly tribes."""
    return sum(state.spaces[space].control == side for space in PROVINCES[province].spaces)


def controls(state: State, side: Side, province: str) -> bool:
    """victory.1 Has the side the needed majority of the province?"""
    return held(state, side, province) >= PROVINCES[province].needed


def italian(state: State, side: Side) -> int:
    """6.2 How many provinces of Italy a side controls."""
    return sum(controls(state, side, province) for province in ITALIAN)


def is_enemy_ground(state: State, side: Side, space: str) -> bool:
    """winter An enemy PC, or a tribe that is not friendly."""
    place = state.spaces[space]
    return place.control == enemy(side) or (place.tribe and place.control != side)


def is_enemy_port(state: State, side: Side, space: str) -> bool:
    """H12 A port with an enemy PC, city or tribe."""
    return ground(space).port and is_enemy_ground(state, side, space)


def enemy_units(state: State, side: Side, space: str) -> int:
    """CUs of the other side in the space, inside the walls too."""
    return state.spaces[space].all_of(enemy(side)).size


def enemy_outside(state: State, side: Side, space: str) -> Troops:
    """Troops of the other side outside the walls."""
    return state.spaces[space].outside(enemy(side))


def is_shut_in(state: State, side: Side, space: str) -> bool:
    """siege.6 Do enemy CUs stand before the walls of this side's city?"""
    return state.spaces[space].control == side and enemy_outside(state, side, space).size > 0


def plain_pcs(state: State, side: Side) -> tuple[str, ...]:
    """11.7.political The PCs on the map that a side can lose: neither cities nor tribes."""
    return tuple(
        space
        for space, place in state.spaces.items()
        if place.control == side and not place.tribe and not ground(space).city
    )


def may_muster(state: State, side: Side, space: str) -> bool:
    """reinforcements.general.1 May a CU be put here: never into a besieged city, nor among enemies?"""
    if enemy_outside(state, side, space).size:
        place = state.spaces[space]
        return place.control == side and not place.besieged() and state.room_left(space) >= 1
    place = state.spaces[space]
    return place.control == side or not place.within(enemy(side)).size or place.outside(side).size > 0


def muster(state: State, side: Side, space: str, troops: Troops) -> State:
    """reinforcements.general.1 Put new CUs into a space: inside the walls when enemies stand before them."""
    return state.add(space, side, troops, inside=enemy_outside(state, side, space).size > 0)


def least_consular(state: State, names: Iterable[str]) -> int:
    """18.1 The CUs that must be with these generals."""
    return state.tables.movement.consular if any(state.generals[name].rank == "consul" for name in names) else 0


def armies(state: State, side: Side) -> tuple[str, ...]:
    """The spaces where a side has CUs."""
    return tuple(space for space, place in state.spaces.items() if place.all_of(side).size)


def own_cities(state: State, side: Side) -> tuple[str, ...]:
    """The walled cities that a side holds."""
    return tuple(space for space, place in state.spaces.items() if place.control == side and ground(space).city)


def trains_of(state: State, side: Side) -> tuple[tuple[str, bool], ...]:
    """Where a side has trains: the space, and whether inside its walls."""
    found = []
    for space, place in state.spaces.items():
        if place.outside(side).trains:
            found.append((space, False))
        if place.within(side).trains:
            found.append((space, True))
    return tuple(found)


def capital(side: Side) -> str:
    """22.2.h Rome or Carthage."""
    return next(space for space in CHART.spaces if ground(space).capital == side)


def council_counts(state: State, cells: Iterable[tuple[int, int]]) -> tuple[int, int, bool]:
    """19.5, H.council What the Council gives: CUs (19.5.b), generals (19.5.c), and is it on a war footing (19.5.d)?

    H.council.a, 19.5.example Cells (1,1), (2,2), (2,3): one CU, no general, a point.
    """
    table, filled = state.tables.council, set(cells)
    size = range(1, table.size + 1)
    units = generals = 0
    for index in size:
        row = sum((index, column) in filled for column in size)
        column_count = sum((row_, index) in filled for row_ in size)
        for picture, count in ((table.rows[index - 1], row), (table.columns[index - 1], column_count)):
            units += picture == "cu" and count >= table.line
            generals += picture == "general" and count >= table.line
    return units, generals, len(filled) >= table.war_footing and tuple(table.centre) in filled


def points(state: State, side: Side) -> int:
    """22.1 Scoring provinces, and one each for Lilybaeum (22.1.a), supremacy (22.1.b, 11.2.b) and, for Carthage, the
    Council on a war footing (22.1.c).
    """
    total = sum(controls(state, side, province) for province in state.scoring)
    total += state.spaces[state.tables.victory.point_space].control == side
    total += state.supremacy == side
    return total + (side == "carthage" and council_counts(state, state.council)[2])


def elephants_on_board(state: State) -> int:
    """17 How many elephant CUs stand on the board."""
    return sum(place.carthage.elephants + place.inside.elephants for place in state.spaces.values())
