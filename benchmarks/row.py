"""One line of the table: a figure, its anchor, their ratio, and whether that is what was wanted.

`ratio` is always figure / anchor, both in `unit` and of the same minutes, and `target` is a ratio. The machine's
load and pace change every figure, and the ratio hardly.
"""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from benchmarks.clock import Compared, least, median

Better = Literal["higher", "lower"]
MILLISECONDS, PER_SECOND = "CPU ms", "per CPU s"


@dataclass(frozen=True)
class Row:
    """What the contract promises of a row, and `more`: minima, wall time, the spread of the rounds."""

    id: str
    figure: float
    unit: str
    anchor: float
    ratio: float
    target: float
    better: Better
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def met(self) -> bool:
        """Is the ratio what was wanted?"""
        return self.ratio >= self.target if self.better == "higher" else self.ratio <= self.target

    def shown(self) -> dict[str, Any]:
        """The row for machines."""
        known = asdict(self)
        known.pop("more")
        return {**{name: rounded(value) for name, value in known.items()}, "met": self.met}


def rounded(value: Any) -> Any:
    """A number with four figures that say something."""
    return float(f"{value:.4g}") if isinstance(value, float) else value


def cost(id: str, found: Compared, target: float, against: str) -> Row:
    """A cost in milliseconds of processor time: the less the better."""
    mine, theirs = median(found.ours), median(found.anchor)
    return Row(
        id,
        1000 * mine.processor,
        MILLISECONDS,
        1000 * theirs.processor,
        found.ratio,
        target,
        "lower",
        more(found, against),
    )


def pace(id: str, found: Compared, target: float, against: str) -> Row:
    """A pace in units a second of processor time: the more the better."""
    mine, theirs = median(found.ours), median(found.anchor)
    ratio = statistics.median(1 / each for each in found.ratios)
    return Row(id, 1 / mine.processor, PER_SECOND, 1 / theirs.processor, ratio, target, "higher", more(found, against))


def more(found: Compared, against: str) -> dict[str, Any]:
    """What a reader may want besides: all in milliseconds of one unit."""
    known: dict[str, Any] = {"against": against, "rounds": len(found.ours), "ratios": found.ratios}
    for name, samples in (("ours", found.ours), ("anchor", found.anchor)):
        middle, low = median(samples), least(samples)
        known[name] = {
            "processor": 1000 * middle.processor,
            "wall": 1000 * middle.wall,
            "least_processor": 1000 * low.processor,
            "least_wall": 1000 * low.wall,
        }
    return known
