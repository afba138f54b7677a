"""Exact odds: a question that is asked for the first time, and one that was asked before."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks import anchors, clock
from benchmarks.row import Row, cost
from tactical.odds import boarding


def measures(rounds: int) -> dict[str, Callable[[], Row]]:
    """The measures of odds by their ids."""
    return {"odds.boarding.30v40": lambda: _first(rounds), "odds.kept": lambda: _kept(rounds)}


def _first(rounds: int) -> Row:
    """Fights of 30 against 40, each of them never asked before in this process."""
    mixes = iter([(medium, light) for medium in range(0, 30, 2) for light in range(0, 40, 3)])

    def ask() -> int:
        medium, light = next(mixes)
        boarding({"heavy": 30 - medium, "medium": medium}, {"medium": 40 - light, "light": light})
        return 1

    def plain() -> int:
        anchors.convolution(30, 40)
        return 1

    found = clock.by_turns(clock.of(ask), clock.of(plain), max(rounds, 7))
    return cost("odds.boarding.30v40", found, 0.3, "a plain convolution in numpy")


def _kept(rounds: int) -> Row:
    times = 100
    boarding({"heavy": 10}, {"medium": 15})

    def ask() -> int:
        for _ in range(times):
            boarding({"heavy": 10}, {"medium": 15})
        return times

    found = clock.by_turns(clock.of(ask), clock.of(lambda: anchors.chess_moves(1, 3000)), rounds)
    return cost("odds.kept", found, 0.05e-3 / 22.7e-6, "python-chess, random moves; the target is 0.05 ms when quiet")
