"""Shares with their Wilson intervals: how sure a count of battles makes us."""

from __future__ import annotations

from math import sqrt

from tactical.kernel.record import Record

SURE = 1.959964  # standard deviations of 95 per cent


class Share(Record, frozen=True):
    """A share of so many trials, with the lowest and highest share that would be no surprise (95 per cent)."""

    share: float
    low: float
    high: float


def wilson(hits: float, trials: int) -> Share:
    """The Wilson interval of a share; of no trials everything is possible."""
    if trials == 0:
        return Share(0.0, 0.0, 1.0)
    share = hits / trials
    spread = SURE * sqrt(share * (1 - share) / trials + SURE**2 / (4 * trials**2))
    middle, whole = share + SURE**2 / (2 * trials), 1 + SURE**2 / trials
    low, high = (middle - spread) / whole, (middle + spread) / whole
    return Share(round(share, 4), round(max(0.0, low), 4), round(min(1.0, high), 4))
