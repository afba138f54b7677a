"""Timing: how long calls take, as medians and percentiles; what they are compared with stands beside them."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table: what was measured, the figure, its unit, and what else there is to say."""

    what: str
    figure: float
    unit: str
    note: str = ""


def milliseconds(call: Callable[[], object], times: int) -> list[float]:
    """How long each call took."""
    taken = []
    for _ in range(times):
        begun = perf_counter()
        call()
        taken.append((perf_counter() - begun) * 1000)
    return taken


def percentile(taken: list[float], share: int) -> float:
    """The value that `share` percent of the calls stay below."""
    return statistics.quantiles(taken, n=100, method="inclusive")[share - 1]


def spread(what: str, taken: list[float], note: str = "") -> Row:
    """The median, with the 99th percentile as a note."""
    tail = f"p99 {percentile(taken, 99):.2f} ms"
    return Row(what, statistics.median(taken), "ms", f"{tail}; {note}" if note else tail)


def show(rows: list[Row]) -> str:
    """The rows as a table of plain text."""
    width = max(len(row.what) for row in rows)
    return "\n".join(f"{row.what:<{width}}  {row.figure:>10.2f} {row.unit:<11} {row.note}".rstrip() for row in rows)
