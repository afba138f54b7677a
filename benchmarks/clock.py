"""Two workloads by turns in the same minutes: what one unit of each costs, and their ratio."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time


@dataclass(frozen=True)
class Sample:
    """What one unit of work took, in seconds of processor time and of the clock."""

    processor: float
    wall: float


Measure = Callable[[], Sample]


@dataclass(frozen=True)
class Compared:
    """Several rounds of ours and of the anchor, one after the other."""

    ours: list[Sample]
    anchor: list[Sample]

    @property
    def ratios(self) -> list[float]:
        """Ours to the anchor, round by round, in processor time."""
        return [mine.processor / theirs.processor for mine, theirs in zip(self.ours, self.anchor, strict=True)]

    @property
    def ratio(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.ratios)


def by_turns(ours: Measure, anchor: Measure, rounds: int) -> Compared:
    """Measure both so many times, by turns; the first of them begins every other round."""
    found = Compared([], [])
    for number in range(rounds):
        if number % 2:
            theirs, mine = anchor(), ours()
        else:
            mine, theirs = ours(), anchor()
        found.ours.append(mine)
        found.anchor.append(theirs)
    return found


def of(work: Callable[[], int]) -> Measure:
    """A measure of work in this process, which says how many units it did."""

    def measure() -> Sample:
        processor, wall = process_time(), perf_counter()
        units = work()
        return Sample((process_time() - processor) / units, (perf_counter() - wall) / units)

    return measure


def median(samples: list[Sample]) -> Sample:
    """The median of each time by itself."""
    return Sample(
        statistics.median(sample.processor for sample in samples), statistics.median(sample.wall for sample in samples)
    )


def least(samples: list[Sample]) -> Sample:
    """The least of each time by itself."""
    return Sample(min(sample.processor for sample in samples), min(sample.wall for sample in samples))
