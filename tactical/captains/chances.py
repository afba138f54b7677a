"""The exact odds of `tactical.odds` as floats, kept by the numbers they depend on: a captain asks them often."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tactical.odds.boarding import fought_out, left_tables
from tactical.odds.chance import map_outcomes, of_die
from tactical.odds.missiles import volley
from tactical.odds.ramming import bow_to_bow
from tactical.odds.repair import Leaks, after_turn
from tactical.rules.boarding import TABLE, verdict
from tactical.rules.ramming import RAM, ram_damage
from tactical.ship import MARINES

FLOODING = 4  # turns of flooding after a ram that are reckoned with
Crew = tuple[int, int, int]  # heavy, medium, light


class Blow(NamedTuple):
    """G6.2 What one ram does: the chance that it sinks at once, soon (by flooding too), and its mean damage."""

    sinks: float
    sinks_soon: float
    damage: float


@lru_cache(maxsize=4096)
def blow(modifier: int, full_speed: bool, hull_left: int, breaches: int) -> Blow:
    """G6.2, G6.5, G9.3 A ram on a hull with so much left and so many breaches open already."""
    faces = of_die(lambda face: ram_damage(face, modifier, full_speed))
    sinks = float(sum(p for damage, p in faces.items() if damage >= hull_left))
    leaks: Leaks = map_outcomes(faces, lambda damage: (breaches + RAM.breaches, min(damage, hull_left)))
    for _ in range(FLOODING):
        leaks = after_turn(leaks, False, hull_left)
    soon = float(sum(p for (_, damage), p in leaks.items() if damage >= hull_left))
    mean = float(sum(min(damage, hull_left) * p for (_, damage), p in leaks.items()))
    return Blow(sinks, soon, mean)


@lru_cache(maxsize=4096)
def sinks_by_flooding(breaches: int, hull_left: int, in_fight: bool, turns: int = FLOODING) -> float:
    """G9.2, G9.3 The chance that a hull with so many breaches open is gone within so many turns."""
    if hull_left <= 0:
        return 1.0
    if not breaches:
        return 0.0
    leaks: Leaks = {(breaches, 0): of_die(lambda face: 1)[1]}
    for _ in range(turns):
        leaks = after_turn(leaks, in_fight, hull_left)
    return float(sum(p for (_, damage), p in leaks.items() if damage >= hull_left))


@lru_cache(maxsize=64)
def head_on(crew: str, enemy: str) -> tuple[float, float, float]:
    """G6.1 Bow to bow: the chances to ram, to be rammed, and of both."""
    odds = bow_to_bow(crew, enemy)
    return float(odds["rams"]), float(odds["rammed"]), float(odds["both"])


@lru_cache(maxsize=16384)
def fight(attacker: Crew, defender: Crew) -> tuple[float, float]:
    """G8.3, G8.4 A boarding fight to its end: the chances that the boarders win and that they are thrown back."""
    if sum(attacker) == 0:
        return 0.0, 0.0
    if sum(defender) == 0:
        return 1.0, 0.0
    mine, theirs = (dict(zip(MARINES, crew, strict=True)) for crew in (attacker, defender))
    left_a, left_d = left_tables(mine, theirs, False)
    won = lost = 0.0
    for (x, y), chance in np.ndenumerate(fought_out(left_a, left_d)):
        if chance:
            result = verdict(x, y)
            if result == "captured":
                won += chance
            elif result == "thrown_back":
                lost += chance
    return float(won), float(lost)


def combine(*crews: Crew) -> Crew:
    """The marines of several ships together."""
    return sum(crew[0] for crew in crews), sum(crew[1] for crew in crews), sum(crew[2] for crew in crews)


BOARDS = len(TABLE.board.succeeds) / 6  # G8.1 the chance to board without a corvus


@lru_cache(maxsize=4096)
def shot(weapon: str, reach: int) -> tuple[float, float]:
    """G5.2 The mean kills and hull damage of one die of a weapon at a range."""
    found = volley({weapon: 1}, reach)
    return (
        float(sum(kills * p for (kills, _), p in found.items())),
        float(sum(hull * p for (_, hull), p in found.items())),
    )


@lru_cache(maxsize=4096)
def shots_sink(weapon: str, count: int, reach: int, hull_left: int) -> float:
    """G5.8 The chance that so many dice of a weapon make as much damage as a hull has left."""
    found = volley({weapon: count}, reach)
    return float(sum(p for (_, hull), p in found.items() if hull >= hull_left))
