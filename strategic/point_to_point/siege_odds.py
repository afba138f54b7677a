"""A siege roll by roll: the points that take the walls, and the besieger's losses."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tactical.odds.chance import SIDES, map_outcomes, mean, sort_keys

Course = dict[tuple[int, int], Fraction]  # (siege points, CUs lost) and its chance


def course(
    read: Callable[[int], tuple[int, int]], takes: int, needs: int, points: int, units: int, rolls: int
) -> dict[str, Any]:
    """The siege after 1 … `rolls` rolls. `read` gives points won and CUs lost by a face of the die.

    It ends when `takes` points are reached; and without more CUs coming up it stops when fewer than `needs` are
    left. `taken` is the chance that the walls have fallen after so many rolls.
    """
    now: Course = {(min(points, takes), 0): Fraction(1)}
    coming = []
    for number in range(1, rolls + 1):
        now = after_roll(now, read, takes, needs, units)
        lost = map_outcomes(now, lambda each: each[1])
        taken = sum((p for (won, _), p in now.items() if won >= takes), Fraction(0))
        stopped = sum((p for (won, dead), p in now.items() if won < takes and units - dead < needs), Fraction(0))
        coming.append({"roll": number, "taken": taken, "stopped": stopped, "mean_losses": mean(lost)})
    last: dict[str, Any] = coming[-1]
    return {
        "taken": last["taken"],
        "stopped": last["stopped"],
        "goes_on": 1 - last["taken"] - last["stopped"],
        "points": sort_keys(map_outcomes(now, lambda each: each[0])),
        "losses": sort_keys(map_outcomes(now, lambda each: each[1])),
        "rolls": coming,
    }


def after_roll(now: Course, read: Callable[[int], tuple[int, int]], takes: int, needs: int, units: int) -> Course:
    """One more roll wherever the siege still goes on."""
    found: Course = {}
    for (points, dead), p in now.items():
        if points >= takes or units - dead < needs:
            found[points, dead] = found.get((points, dead), Fraction(0)) + p
            continue
        for face in range(1, SIDES + 1):
            won, lost = read(face)
            key = (min(points + won, takes), min(dead + lost, units))
            found[key] = found.get(key, Fraction(0)) + p / SIDES
    return found
