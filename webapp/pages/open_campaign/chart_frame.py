"""What lies under a chart and at its foot: the organizer's own picture (O1.3), and the scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webapp.pages.open_campaign.paper import Paper
from webapp.pages.open_campaign.plates import Box

SCALE_WORD = 84  # pixels from the paper's edge to the scale and from its end to the end of its word


@dataclass(frozen=True)
class Underlay:
    """O1.3 The organizer's own picture under the chart: its number, its middle and its width in pixels."""

    number: int
    x: float
    y: float
    width: float


def underlay(paper: Paper, own: Mapping[str, Any]) -> Underlay | None:
    """O1.3 The picture of a world upon the paper; None for what says no place and width."""
    try:
        lon, lat = (float(each) for each in own["at"])
        x, y = paper.at((lon, lat))
        return Underlay(int(own.get("number", 1)), x, y, round(max(1.0, float(own["miles"])) * paper.mile, 1))
    except (LookupError, TypeError, ValueError):
        return None


def scale_of(paper: Paper) -> tuple[float, int]:
    """The length of a paper's scale in pixels and in nautical miles: a round number, a quarter of the paper at most."""
    fits = [each for each in (10, 20, 40, 100, 200, 400) if each * paper.mile <= paper.width / 4]
    miles = fits[-1] if fits else 10
    return round(miles * paper.mile, 1), miles


def scale_box(paper: Paper, above: float = 0.0) -> Box:
    """Where the scale stands, so far above its usual place at the foot of the paper; nothing is written there."""
    return 6, paper.height - 40 - above, scale_of(paper)[0] + SCALE_WORD, paper.height - 4 - above
