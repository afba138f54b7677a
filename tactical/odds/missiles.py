"""G5.2, G5.4 A volley of archers and engines: kills, hull damage, and who falls in a given crew."""

from __future__ import annotations

from fractions import Fraction
from itertools import repeat
from typing import Any

import msgspec

from tactical.kernel.protocol import Illegal
from tactical.odds.answer_cache import with_memory
from tactical.odds.chance import SIDES, map_outcomes, mean, sort_keys
from tactical.rules.missiles import MISSILES, WEAPONS, kill
from tactical.ship import Ship

FACES = (1, 2, 3, 4, 5, 6)
Volley = dict[tuple[int, int], Fraction]  # (kills, hull damage) and its chance


@with_memory
def missiles(
    archers: int, catapults: int, stone_throwers: int, range: int, target: dict[str, int], hull_left: int
) -> dict[str, Any]:
    """G5.2 Kills and hull damage of one volley at a range; with a target's crew also who falls (G5.4).

    Groups out of reach do not fire and are named; Illegal when nobody reaches (G5.3). `hull_left` above 0 asks
    for the chance to sink the target (G5.8).
    """
    shots = {"archer": archers, "catapult": catapults, "stone_thrower": stone_throwers}
    out = [WEAPONS[weapon].field for weapon, count in shots.items() if count and range > WEAPONS[weapon].reach]
    firing = {weapon: count for weapon, count in shots.items() if count and range <= WEAPONS[weapon].reach}
    if out and not firing:
        reach = max(WEAPONS[weapon].reach for weapon, count in shots.items() if count)
        raise Illegal(
            "G5.3", "The target is at range %(range)s; these weapons reach %(reach)s.", range=range, reach=reach
        )
    found = volley(firing, range)
    kills, damage = map_outcomes(found, lambda each: each[0]), map_outcomes(found, lambda each: each[1])
    result: dict[str, Any] = {
        "kills": sort_keys(kills),
        "damage": sort_keys(damage),
        "mean_kills": mean(kills),
        "mean_damage": mean(damage),
        "out_of_reach": out,
    }
    if any(target.values()):
        result["casualties"] = casualties(kills, target)
    if hull_left:
        result["sunk"] = sum((p for points, p in damage.items() if points >= hull_left), Fraction(0))
    return result


def volley(firing: dict[str, int], reach: int) -> Volley:
    """G5.2 The chance of each pair of kills and hull damage, by counting the throws of each weapon's dice."""
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for weapon, count in firing.items():
        die: dict[tuple[int, int], int] = {}
        for face in FACES:
            effect = WEAPONS[weapon].effect(reach, face)
            die[effect.kills, effect.hull] = die.get((effect.kills, effect.hull), 0) + 1
        for _ in repeat(None, count):
            further: dict[tuple[int, int], int] = {}
            for (kills, hull), have in ways.items():
                for (more, holes), add in die.items():
                    key = (kills + more, hull + holes)
                    further[key] = further.get(key, 0) + have * add
            ways = further
    whole = SIDES ** sum(firing.values())
    return {pair: Fraction(count, whole) for pair, count in sorted(ways.items())}


def casualties(kills: dict[int, Fraction], target: dict[str, int]) -> dict[str, dict[str, Fraction]]:
    """G5.4 For each kind of figure aboard, in the order in which they fall, how many of it die."""
    ship = msgspec.structs.replace(Ship(side="a", type="trireme"), **target)
    found: dict[str, dict[str, Fraction]] = {}
    dead = {count: kill(ship, count)[1] for count in kills}
    for field in MISSILES.order:
        if target.get(field):
            lost: dict[int, Fraction] = {}
            for count, p in kills.items():
                fallen = dead[count].get(field, 0)
                lost[fallen] = lost.get(fallen, Fraction(0)) + p
            found[field] = sort_keys(lost)
    return found
