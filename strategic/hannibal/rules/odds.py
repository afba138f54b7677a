"""Hannibal: the naval roll, sieges, attrition, interception."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from strategic.hannibal.rules.sea import naval_result
from strategic.hannibal.tables import TABLES
from strategic.interception import chance
from strategic.point_to_point.siege_odds import course
from tactical.odds.calculator import Calculator, Field
from tactical.odds.chance import map_outcomes, of_die, sort_keys

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
