"""The chances most asked for, reckoned once and shown on one page: it needs no server afterwards."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from tactical.odds.boarding import WINNERS, fought_out, left_tables
from tactical.odds.missiles import missiles
from tactical.odds.ramming import bow_to_bow, ram
from tactical.odds.repair import repair
from tactical.rules.boarding import verdict
from tactical.rules.missiles import MISSILES, WEAPONS
from tactical.ship import CREWS, MARINES, TYPES

CREW_SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15)
HULLS = range(1, 11)
SHOTS = (1, 2, 3, 4, 5, 6)
BREACHES = (1, 2, 3, 4)
LATER = 3  # turns of water that the table of breaches looks ahead
NOBODY = dict.fromkeys(MISSILES.order, 0)


class Fights(NamedTuple):
    """A grid of boarding fights: attackers of one kind (rows) against defenders of one kind (columns)."""

    attacker: str
    defender: str
    sizes: tuple[int, ...]
    rows: tuple[tuple[int, tuple[tuple[float, float, float], ...]], ...]


@cache
def fights() -> tuple[Fights, ...]:
    """G8.4 The chances of attacker, defender and neither for all kinds of marines and the usual numbers."""
    return tuple(
        Fights(
            one,
            other,
            CREW_SIZES,
            tuple((a, tuple(ends({one: a}, {other: d}) for d in CREW_SIZES)) for a in CREW_SIZES),
        )
        for one in MARINES
        for other in MARINES
    )


def ends(attacker: dict[str, int], defender: dict[str, int]) -> tuple[float, float, float]:
    """G8.4 Attacker, defender, neither: the calculator's own chain, in decimals."""
    chances = fought_out(*left_tables(attacker, defender, exact=False))
    won = dict.fromkeys(WINNERS.values(), 0.0)
    for (x, y), chance in np.ndenumerate(chances):
        if chance:
            won[WINNERS[verdict(x, y)]] += float(chance)
    return won["attacker"], won["defender"], won["neither"]


@cache
def rams() -> tuple[tuple[str, bool, tuple[float, ...]], ...]:
    """G6.2, G9.3 By type and speed: sunk by the end of the turn, for each number of hull points left."""
    return tuple(
        (name, fast, tuple(float(ram(name, fast, left, 0, False)["sunk_this_turn"]) for left in HULLS))
        for name, kind in TYPES.items()
        if kind.ram is not None
        for fast in (False, True)
    )


@cache
def meetings() -> tuple[tuple[str, str, float, float, float], ...]:
    """G6.1 Bow to bow for all pairs of crews."""
    found = []
    for one in CREWS:
        for other in CREWS:
            odds = bow_to_bow(one, other)
            found.append((one, other, float(odds["rams"]), float(odds["rammed"]), float(odds["both"])))
    return tuple(found)


@cache
def volleys() -> tuple[tuple[str, int, int, tuple[tuple[float, float], ...]], ...]:
    """G5.2 By weapon and range band: the chance of any effect, and kills on average, for a number of shots."""
    found = []
    for weapon, row in WEAPONS.items():
        for band in row.band:
            told = []
            for shots in SHOTS:
                archers, catapults, stone_throwers = (shots if other == weapon else 0 for other in WEAPONS)
                odds = missiles(archers, catapults, stone_throwers, band.to, NOBODY, 0)
                nothing = odds["kills"].get("0", 0) if not odds["mean_damage"] else odds["damage"].get("0", 0)
                told.append((1 - float(nothing), float(odds["mean_kills"] + odds["mean_damage"])))
            found.append((row.field, band.from_, band.to, tuple(told)))
    return tuple(found)


@cache
def leaks() -> tuple[tuple[int, bool, float, tuple[float, ...]], ...]:
    """G9.2, G9.3 By breaches, in a fight or not: all closed this turn, and water on average after 1 … LATER turns."""
    found = []
    for breaches in BREACHES:
        for fighting in (False, True):
            odds = repair(breaches, fighting, 0, LATER)
            water = tuple(float(turn["mean_damage"]) for turn in odds["turns"])
            found.append((breaches, fighting, float(odds["open"].get("0", 0)), water))
    return tuple(found)
