"""What players stop the game to work out: who is isolated, the count, an army's reach, the odds at sea."""

from __future__ import annotations

from fractions import Fraction

from strategic.atlas import Reach, reach
from strategic.hannibal.rules.sea import naval_modifier, naval_result
from strategic.hannibal.rules.survey import keeps_to, points, side_of
from strategic.hannibal.state import State
from strategic.hannibal.tables import (
    CHART,
    LEADERS,
    PROVINCES,
    TABLES,
    ground,
)
from strategic.interception import FACES
from strategic.point_to_point.isolation import isolated_pcs
from strategic.point_to_point.march_ahead import Watcher, watchers
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import (
    controls,
    count_on_board,
    enemy_outside,
    enemy_units,
    holding,
    is_shut_in,
)
from strategic.point_to_point.tables import SIDES, Side, enemy
from tactical.kernel.reason import Reason, because
from tactical.kernel.record import BadInput, Record


class ProvinceCount(Record, frozen=True):
    """victory.1 A province: spaces that count for each side, how many are needed, who controls it."""

    id: str
    name: str
    scores: bool
    needed: int
    rome: int
    carthage: int
    controller: Side | None


class Count(Record, frozen=True):
    """victory.2 The political count as it stands."""

    rome: int
    carthage: int
    provinces: tuple[ProvinceCount, ...]


class NavalOdds(Record, frozen=True):
    """tables.naval The roll that would meet a voyage: its modifier, the parts of it, and exact chances."""

    modifier: int
    parts: dict[str, int]
    passes: Fraction
    returns: Fraction
    sunk: Fraction


def isolated_now(state: State) -> dict[Side, tuple[str, ...]]:
    """isolation.2 The PCs that each side would lose if the turn ended now (Rome's removed before Carthage's)."""
    return {side: isolated_pcs(state, side) for side in SIDES}


def count(state: State) -> Count:
    """victory.2 Province by province."""
    found = tuple(
        ProvinceCount(
            province.id,
            province.name,
            province.scores,
            province.needed,
            count_on_board(state, "rome", province.id),
            count_on_board(state, "carthage", province.id),
            next((side for side in SIDES if controls(state, side, province.id)), None),
        )
        for province in PROVINCES.values()
    )
    return Count(points(state, "rome"), points(state, "carthage"), found)


def army_reach(state: State, general: str, points_given: int | None = None, ship: bool = False) -> Reach:
    """movement.land.1 Where a general could go with all CUs that he may take, and why not elsewhere.

    Interceptions, avoidance and losses on the way are not foreseen. Raises BadInput for a general not on the board.
    """
    record = state.generals.get(general)
    if record is None or record.space is None:
        raise BadInput("general", "%(general)s is not on the board", general=general)
    side, here = side_of(general), record.space
    force = state.spaces[here].all_of(side)
    with_units = force.size > 0 and (record.rank != "consul" or force.size >= TABLES.movement.consular)
    given = TABLES.movement.points if points_given is None else points_given

    def barred(start: str, to: str, kind: str, spent: int) -> Reason | None:
        return why_barred(state, general, side, with_units, start, to, kind)

    return reach(CHART, here, given, barred, "any" if ship else "land")


def why_barred(
    state: State, general: str, side: Side, with_units: bool, start: str, to: str, kind: str
) -> Reason | None:
    """movement.land.1d Why a step of a preview is closed; None when it is open."""
    if is_shut_in(state, side, start):
        return Reason("enemies are before the walls: only a sortie leads out")
    if enemy_outside(state, side, start).size:
        return Reason("enemy CUs must be beaten, overrun or avoided first")
    if not keeps_to(general, to):
        return because("%(general)s may not leave %(keeps_to)s", general=general, keeps_to=LEADERS[general].keeps_to)
    if not with_units and enemy_units(state, side, to):
        return Reason("a general without CUs may not enter a space with enemy CUs")
    if state.lasting.truce and (enemy_units(state, side, to) or holding(state, enemy(side), to)):
        return Reason("the truce (card 64) closes this space")
    way = CHART.between(start, to) if kind != "sea" else None
    if way is not None and not all(holding(state, side, end) for end in way.about.get("needs_control", ())):
        return Reason("the strait is open only to a side that controls both its ends")
    return None


def naval_odds(state: State, start: str, to: str, units: int, generals: tuple[str, ...] = ()) -> NavalOdds:
    """tables.naval The exact chances of a Carthaginian voyage. Raises BadInput for a space that is no port."""
    for name, port in (("from", start), ("to", to)):
        if port not in CHART.spaces or not ground(port).port:
            raise BadInput(name, "%(port)s is not a port", port=port)
    modifier, parts = naval_modifier(state, start, to, units, generals)
    results = [naval_result(face + modifier, state.tables.naval) for face in FACES]
    passes, returns, sunk = (Fraction(results.count(name), 6) for name in ("passes", "returns", "sunk"))
    return NavalOdds(modifier, parts, passes, returns, sunk)


def interceptors(state: State, side: Side, path: tuple[str, ...]) -> dict[str, tuple[Watcher, ...]]:
    """interception.general.1 For each space of a way, the enemy generals next to it by road and their chances."""
    return {space: watchers(state, side, space) for space in path}


def army(state: State, general: str) -> Troops:
    """movement.general.1 The CUs where a general stands."""
    record = state.generals[general]
    return state.spaces[record.space].all_of(side_of(general)) if record.space else Troops()
