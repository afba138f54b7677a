"""What players stop the game to work out: isolation, the count, reach, and exact odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from strategic.atlas import Reach
from strategic.hannibal.rules.cards import start_march
from strategic.hannibal.rules.sea import naval_modifier, naval_result
from strategic.hannibal.rules.survey import points, side_of
from strategic.hannibal.state import Play, State
from strategic.hannibal.tables import CHART, PROVINCES, TABLES, ground
from strategic.interception import FACES, chance
from strategic.point_to_point.meeting import ways_ahead
from strategic.point_to_point.siege import course
from strategic.point_to_point.state import SIDES, Side, Troops
from strategic.point_to_point.survey import controls, count_on_board, isolation
from tactical.kernel.dice import Dice
from tactical.kernel.record import BadInput, Record
from tactical.odds import Calculator, Field, map_outcomes, of_die, sort_keys

# -- Hannibal: the naval roll, sieges, attrition, interception.

MODIFIER = Field("modifier", "count", 0, low=-9, high=9)


def naval(modifier: int) -> dict[str, Any]:
    """tables.naval A Carthaginian voyage that Rome rolls against: passes, returns or is sunk."""
    results = of_die(lambda face: naval_result(face + modifier))
    return {name: results.get(name, Fraction(0)) for name in ("passes", "returns", "sunk")}


def siege(modifier: int, points: int, units: int, rolls: int) -> dict[str, Any]:
    """tables.siege, siege.5 A siege over several rolls, from the points already won."""
    table = TABLES.siege
    return course(lambda face: table.read(face + modifier), table.takes, table.needs, points, units, rolls)


def attrition(units: int, modifier: int) -> dict[str, Any]:
    """tables.attrition CUs lost by one roll, and the chance that an elephant must be among them."""
    read = of_die(lambda face: TABLES.attrition.read(face + modifier, units))
    elephant = sum((p for (lost, must), p in read.items() if lost and must), Fraction(0))
    return {"losses": sort_keys(map_outcomes(read, lambda each: min(each[0], units))), "elephant": elephant}


def interception(rating: int, modifier: int) -> dict[str, Any]:
    """interception.2 One army that tries to intercept: no higher than the rating."""
    good, all_ = chance(rating, modifier)
    return {"succeeds": Fraction(good, all_), "fails": 1 - Fraction(good, all_)}


CALCULATORS: tuple[Calculator, ...] = (
    Calculator("naval", "hannibal", ("tables.naval",), (MODIFIER,), naval, "modifier=-1"),
    Calculator(
        "siege",
        "hannibal",
        ("tables.siege", "siege.5"),
        (
            MODIFIER,
            Field("points", "count", 0, high=TABLES.siege.takes - 1),
            Field("units", "count", low=1, high=20, example="5"),
            Field("rolls", "count", 4, low=1, high=10),
        ),
        siege,
        "modifier=-1&units=5",
    ),
    Calculator(
        "attrition",
        "hannibal",
        ("tables.attrition",),
        (Field("units", "count", low=1, high=40, example="6"), MODIFIER),
        attrition,
        "units=6",
    ),
    Calculator(
        "interception",
        "hannibal",
        ("interception.2", "interception.2a"),
        (Field("rating", "count", low=0, high=6, example="3"), MODIFIER),
        interception,
        "rating=3",
    ),
)


# -- What players stop the game to work out: who is isolated, the count, an army's reach, the odds at sea.


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
    """isolation.2 The PCs that each side would lose if the turn ended now: the phase itself, on this position."""
    _after, events = isolation(state, Dice())
    gone: dict[Side, tuple[str, ...]] = {one.data["side"]: tuple(one.data["spaces"]) for one in events}
    return {side: gone.get(side, ()) for side in SIDES}


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


def army_reach(state: State, general: str) -> Reach:
    """movement.land.1 Where a general who is activated now, or is on the march, could go with the largest party that he
    may take, and why not elsewhere: his march, begun on a copy.

    Interceptions, avoidance and losses on the way are not foreseen. Raises BadInput for a general not on the board.
    """
    record = state.generals.get(general)
    if record is None or record.space is None:
        raise BadInput("general", "%(general)s is not on the board", general=general)
    if state.march is None or state.march.general != general:
        play = state.play or Play(0, side_of(general), 0)
        state = start_march(replace(state, play=play), general, TABLES.movement.points)
    return ways_ahead(state)


def naval_odds(state: State, start: str, to: str, units: int, generals: tuple[str, ...] = ()) -> NavalOdds:
    """tables.naval The exact chances of a Carthaginian voyage. Raises BadInput for a space that is no port."""
    for name, port in (("from", start), ("to", to)):
        if port not in CHART.spaces or not ground(port).port:
            raise BadInput(name, "%(port)s is not a port", port=port)
    modifier, parts = naval_modifier(state, start, to, units, generals)
    results = [naval_result(face + modifier, state.tables.naval) for face in FACES]
    passes, returns, sunk = (Fraction(results.count(name), 6) for name in ("passes", "returns", "sunk"))
    return NavalOdds(modifier, parts, passes, returns, sunk)


def army(state: State, general: str) -> Troops:
    """movement.general.1 The CUs where a general stands."""
    record = state.generals[general]
    return state.spaces[record.space].all_of(side_of(general)) if record.space else Troops()
