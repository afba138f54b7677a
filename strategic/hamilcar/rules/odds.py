"""Hamilcar: a round of the naval battle in its column, interception at sea, sieges."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from strategic.hamilcar.tables import TABLES
from strategic.interception import succeeds
from strategic.point_to_point.siege import course
from tactical.kernel.record import BadInput
from tactical.odds import SIDES, Calculator, Field, map_outcomes, of_die, sort_keys

NAVAL, SIEGE = TABLES.naval, TABLES.siege


def naval_round(round: int, side: str, skilled: bool, corvus: bool, bonus: int, ships: int) -> dict[str, Any]:
    """11.7.engage One engagement in the column of its round: ships struck, a prize by the corvus, supremacy.

    `ships` are the enemy's ready ships: hits beyond them are lost (H6). `bonus` is what tactics cards add. A prize
    is one of the ships struck (11.7.prizes).
    """
    rome = side == "rome"
    plus = bonus + (NAVAL.corvus if rome and corvus else 0) + (NAVAL.unskilled if rome and not skilled else 0)
    totals = of_die(lambda face: face + plus)
    hits = map_outcomes(totals, lambda total: min(NAVAL.read(total, round), ships))
    prize = sum(
        (
            p
            for total, p in totals.items()
            if rome and corvus and ships and NAVAL.read(total, round) and total >= NAVAL.corvus_row
        ),
        Fraction(0),
    )
    seized = sum((p for total, p in totals.items() if total >= NAVAL.trident_row), Fraction(0))
    return {"hits": sort_keys(hits), "prize": prize, "supremacy": seized}


def interception(ratings: dict[str, int], corvus: bool) -> dict[str, Any]:
    """11.6.2 Several generals try to intercept at sea: a die each, no higher than the rating; the corvus hampers Rome.

    `ratings` says how many generals there are of each battle rating.
    """
    generals = [rating for name, count in ratings.items() for rating in [int(name)] * count]
    if not 1 <= len(generals) <= 6:
        raise BadInput("ratings", "name from one to six generals")
    plus = NAVAL.corvus_interception if corvus else 0
    each = [of_die(lambda face, rating=rating: int(succeeds(face, rating, plus))) for rating in generals]  # type: ignore[misc]
    found: dict[int, Fraction] = {}
    for results in product(*(chances.items() for chances in each)):
        p = Fraction(1)
        for _, chance in results:
            p *= chance
        count = sum(good for good, _ in results)
        found[count] = found.get(count, Fraction(0)) + p
    nobody = found.get(0, Fraction(0))
    return {"succeeds": 1 - nobody, "fails": nobody, "interceptors": sort_keys(found)}


def siege(supremacy: bool, points: int, units: int, rolls: int) -> dict[str, Any]:
    """20.2.3, H.dice Several rolls: with supremacy the red die, else the white. Nobody holds out (20.2.8)."""
    shade: Any = "red" if supremacy else "white"
    return course(lambda face: SIEGE.read(shade, face), SIEGE.takes, SIEGE.needs, points, units, rolls)


RATINGS = tuple(str(rating) for rating in range(1, SIDES + 1))
CALCULATORS: tuple[Calculator, ...] = (
    Calculator(
        "naval_round",
        "hamilcar",
        ("11.7.engage", "H.table", "11.7.prizes"),
        (
            Field("round", "count", low=1, high=NAVAL.rounds, example="1"),
            Field("side", "choice", choices=("rome", "carthage"), example="rome"),
            Field("skilled", "flag", False),
            Field("corvus", "flag", False),
            Field("bonus", "count", 0, low=-5, high=9),
            Field("ships", "count", 9, low=1, high=20),
        ),
        naval_round,
        "round=4&side=rome&corvus=1&ships=3",
    ),
    Calculator(
        "interception",
        "hamilcar",
        ("11.6.2", "11.6.2.a"),
        (
            Field("ratings", "crew", parts=RATINGS, high=6, example="3:1,2:1"),
            Field("corvus", "flag", False),
        ),
        interception,
        "ratings=3:1,2:1&corvus=1",
    ),
    Calculator(
        "siege",
        "hamilcar",
        ("20.2.3", "H.dice"),
        (
            Field("supremacy", "flag", False),
            Field("points", "count", 0, high=SIEGE.takes - 1),
            Field("units", "count", low=1, high=20, example="4"),
            Field("rolls", "count", 4, low=1, high=10),
        ),
        siege,
        "supremacy=1&units=4",
    ),
)
