"""What a second process gives: tables a second by the clock from `--processes 2` beside `--processes 1`, by turns.

Eight tablets play eight battles of forty ships: a plot, then the table of each seat, which nobody has asked for before.
Both servers and the tablets share the machine, and so does whatever else runs there: `serving.two` says something on a
quiet one only. `serving.work` is the same by the processor time of the busiest process: what one core has to do.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from benchmarks.row import PER_SECOND, Row
from benchmarks.served import Server, navarch
from benchmarks.web import Battle

TABLETS = 8
CONNECTIONS = 6  # of each tablet, one after the other, so that they fall evenly to the processes
SEATS = ("rome", "carthage", "umpire", "spectator")
ROUND = 3.0  # seconds: nobody waits for whoever is last


def measures(rounds: int) -> dict[str, Callable[[], Row]]:
    """The measures by their ids, taken together."""
    return {"serving.two": lambda: _two(rounds)[0], "serving.work": lambda: _two(rounds)[1]}


class Tablet:
    """A battle that is played over several connections."""

    def __init__(self, server: Server) -> None:
        self.battle, self._links = Battle(server), [server.again() for _ in range(CONNECTIONS)]

    def play(self, end: float) -> int:
        """Plots, and the tables after each, until that time of the clock; how many tables."""
        tables = 0
        for number in count():
            self.battle.server = self._links[number % CONNECTIONS]
            self.battle.plot()
            for place, seat in enumerate(SEATS):
                if perf_counter() >= end:
                    return tables
                self.battle.server = self._links[(number + place + 1) % CONNECTIONS]
                self.battle.page(seat)
                tables += 1
        raise AssertionError  # numbers have no end


class Pace(NamedTuple):
    """Tables a second, by the clock and by the processor time of the busiest process."""

    clock: float
    busiest: float


@cache
def _two(rounds: int) -> tuple[Row, Row]:
    with (
        tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two,
        navarch(Path(one)) as alone, navarch(Path(two), "--processes", "2") as both,
        ThreadPoolExecutor(TABLETS) as threads,
    ):  # fmt: skip
        halls = {server: [Tablet(server) for _ in range(TABLETS)] for server in (alone, both)}

        def pace(server: Server) -> Pace:
            spent, begun = server.shares(), perf_counter()
            tables = sum(threads.map(partial(Tablet.play, end=begun + ROUND), halls[server]))
            wall, now = perf_counter() - begun, server.shares()
            return Pace(tables / wall, tables / max(now[each] - spent.get(each, 0.0) for each in now))

        for server in halls:
            pace(server)
        paces = []
        for number in range(rounds):
            found = {server: pace(server) for server in ((alone, both) if number % 2 else (both, alone))}
            paces.append((found[both], found[alone]))
    return (
        _row("serving.two", "tables/s", [(mine.clock, theirs.clock) for mine, theirs in paces]),
        _row("serving.work", PER_SECOND, [(mine.busiest, theirs.busiest) for mine, theirs in paces]),
    )


def _row(id: str, unit: str, paces: list[tuple[float, float]]) -> Row:
    ratios = [mine / theirs for mine, theirs in paces]
    mine, theirs = (statistics.median(column) for column in zip(*paces, strict=True))
    more = {"against": "one process", "rounds": len(paces), "ratios": ratios}
    return Row(id, mine, unit, theirs, statistics.median(ratios), 1.8, "higher", more)
