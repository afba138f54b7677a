"""G9.2, G9.3 Breaches closed and hull flooded, turn by turn."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tactical.odds.answer_cache import with_memory
from tactical.odds.chance import map_outcomes, mean, sort_keys, successes
from tactical.rules.end_of_turn import REPAIR, closes

Leaks = dict[tuple[int, int], Fraction]  # (open breaches, hull damage taken) and its chance


@with_memory
def repair(breaches: int, boarding: bool, hull_left: int, turns: int) -> dict[str, Any]:
    """G9.2, G9.3 How many breaches stay open after this turn's repairs, and the water of the turns to come.

    `turns` lists for the end of each turn the open breaches, the damage by flooding and, when `hull_left` is
    above 0, the chance that the ship has sunk. `boarding`: the fight lasts all the while.
    """
    leaks: Leaks = {(breaches, 0): Fraction(1)}
    coming = []
    for number in range(1, turns + 1):
        leaks = after_turn(leaks, boarding, hull_left)
        damage = map_outcomes(leaks, lambda leak: leak[1])
        row: dict[str, Any] = {
            "turn": number,
            "open": sort_keys(map_outcomes(leaks, lambda leak: leak[0])),
            "damage": sort_keys(damage),
            "mean_damage": mean(damage),
        }
        if hull_left:
            row["sunk"] = sum((p for total, p in damage.items() if total >= hull_left), Fraction(0))
        coming.append(row)
    first = after_turn({(breaches, 0): Fraction(1)}, boarding)
    return {"open": sort_keys(map_outcomes(first, lambda leak: leak[0])), "turns": coming}


def after_turn(leaks: Leaks, boarding: bool, hull_left: int = 0) -> Leaks:
    """G9.2, G9.3 One end of a turn: a die for each open breach, then each that is still open lets water in.

    A hull that is gone (`hull_left` above 0) takes no more.
    """
    found: Leaks = {}
    for (breaches, damage), p in leaks.items():
        if hull_left and damage >= hull_left:
            found[breaches, damage] = found.get((breaches, damage), Fraction(0)) + p
            continue
        for closed, q in successes(breaches, closes(boarding)).items():
            still = breaches - closed
            total = damage + still * REPAIR.flood
            key = (still, min(total, hull_left) if hull_left else total)
            found[key] = found.get(key, Fraction(0)) + p * q
    return found
