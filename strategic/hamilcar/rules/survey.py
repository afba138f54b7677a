"""Questions about a position that many chapters ask: who holds what, who stands where, who commands."""

from __future__ import annotations

from collections.abc import Iterable

from strategic.hamilcar.state import State
from strategic.hamilcar.tables import (
    CHART,
    LEADERS,
    ground,
)
from strategic.point_to_point.survey import controls, is_enemy_ground
from strategic.point_to_point.tables import Side

ASINA, CAUDEX, FLACCUS = "gnaeus_cornelius_scipio_asina", "appius_claudius_caudex", "quintus_fulvius_flaccus"
XANTHIPPUS, BARCA = "xanthippus", "hamilcar_barca"


def side_of(general: str) -> Side:
    """The side of a general."""
    return LEADERS[general].side


def standing(state: State, general: str) -> tuple[int, ...]:
    """movement.command.2 What decides who commands: consuls before the proconsul, then the battle rating."""
    return int(state.generals[general].rank == "consul"), state.leaders[general].battle


def has_admiral(state: State, names: Iterable[str]) -> bool:
    """6.5.3 Is an admiral among them?"""
    return any(state.leaders[name].admiral for name in names)


def is_enemy_port(state: State, side: Side, space: str) -> bool:
    """H12 A port with an enemy PC, city or tribe."""
    return ground(space).port and is_enemy_ground(state, side, space)


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
