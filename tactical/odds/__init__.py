"""Exact odds, reckoned with the same tables and functions that the rules use."""

from __future__ import annotations

from tactical.odds.boarding import MOST, boarding
from tactical.odds.calculator import Calculator, Field
from tactical.odds.missiles import missiles
from tactical.odds.ramming import bow_to_bow, ram
from tactical.odds.repair import repair
from tactical.rules.missiles import MISSILES
from tactical.ship import CREWS, MARINES, TYPES

RAMS = tuple(name for name, kind in TYPES.items() if kind.ram is not None)
QUALITIES = tuple(CREWS)

SHOTS = 20  # of one kind of weapon; the largest ship has four
BREACHES = 10  # as many as the largest hull has points
NOBODY = dict.fromkeys(MISSILES.order, 0)

GALLEY: tuple[Calculator, ...] = (
    Calculator(
        "boarding",
        "galley",
        ("G8.3", "G8.4", "G8.5"),
        (
            Field("attacker", "crew", parts=MARINES, high=MOST, example="heavy:10"),
            Field("defender", "crew", parts=MARINES, high=MOST, example="medium:8,light:2"),
        ),
        boarding,
        "attacker=heavy:10&defender=medium:15",
    ),
    Calculator(
        "ram",
        "galley",
        ("G6.2", "G6.3", "G6.5", "G9.3"),
        (
            Field("type", "choice", choices=RAMS, example="quinquereme"),
            Field("full_speed", "flag", False),
            Field("hull_left", "count", low=1, high=99, example="6"),
            Field("breaches", "count", 0, high=BREACHES),
            Field("boarding", "flag", False),
        ),
        ram,
        "type=quinquereme&full_speed=1&hull_left=6",
    ),
    Calculator(
        "head_on",
        "galley",
        ("G6.1",),
        (
            Field("crew", "choice", choices=QUALITIES, example="average"),
            Field("enemy", "choice", choices=QUALITIES, example="elite"),
        ),
        bow_to_bow,
        "crew=average&enemy=elite",
    ),
    Calculator(
        "missiles",
        "galley",
        ("G5.2", "G5.3", "G5.4", "G5.8"),
        (
            Field("archers", "count", 0, high=SHOTS),
            Field("catapults", "count", 0, high=SHOTS),
            Field("stone_throwers", "count", 0, high=SHOTS),
            Field("range", "count", low=1, example="3"),
            Field("target", "counts", NOBODY, parts=MISSILES.order, high=MOST, example="archers:2,heavy:8"),
            Field("hull_left", "count", 0, high=99),
        ),
        missiles,
        "archers=2&catapults=1&stone_throwers=0&range=3",
    ),
    Calculator(
        "repair",
        "galley",
        ("G9.2", "G9.3"),
        (
            Field("breaches", "count", low=0, high=BREACHES, example="2"),
            Field("boarding", "flag", False),
            Field("hull_left", "count", 0, high=99),
            Field("turns", "count", 6, low=1, high=12),
        ),
        repair,
        "breaches=2&boarding=0",
    ),
)
