"""The ways of what is under way as drawn: an arrow for each, a ship for a fleet, crossed rams where fleets have met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from webapp.presenting.map.sheet import Sheet
from webapp.presenting.picture import Picture

ALONG = 0.55  # of its last leg: here a fleet is drawn


@dataclass(frozen=True)
class Sailing:
    """A fleet at sea: where it is drawn, and what stands beside it."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Way:
    """One way: its line (empty before the first step), its side's number, where it has come to, the fleet on it."""

    tone: int
    line: str
    x: float
    y: float
    fleet: Sailing | None = None


def ways(sheet: Sheet, picture: Picture, number: Callable[[str], int]) -> tuple[Way, ...]:
    """The ways of a picture on its map; `number` is that of a side."""
    found = []
    for course in picture.courses:
        spots = [sheet.spots[space] for space in course.path if space in sheet.spots]
        if not spots:
            continue
        points = [(spot.x, spot.y) for spot in spots]
        line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) if len(points) > 1 else ""
        fleet = None
        if course.fleet and len(points) > 1:
            (x1, y1), (x2, y2) = list(pairwise(points))[-1]
            fleet = Sailing(x1 + (x2 - x1) * ALONG, y1 + (y2 - y1) * ALONG, course.text)
        found.append(Way(number(course.side), line, *points[-1], fleet))
    return tuple(found)


def place(sheet: Sheet, space: str) -> tuple[float, float] | None:
    """Where a space stands, if it is on the map: there fleets have met, or armies fight."""
    spot = sheet.spots.get(space)
    return (spot.x, spot.y) if spot else None
