"""Where plates and names stand on a sea chart, so that nothing lies upon anything else."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, pi, sin

import shapely
from shapely.geometry.base import BaseGeometry

Box = tuple[float, float, float, float]  # left, top, right, foot
BEARINGS, FARTHEST = 16, 150
OVER_SPACE, OVER_NAME, OVER_LAND = 20.0, 10.0, 3.0
EDGE = 4.0
SIDES = (  # of a space, where its name may stand: the anchor, and the shift in pixels
    ("start", 8, 4),
    ("end", -8, 4),
    ("middle", 0, -9),
    ("middle", 0, 17),
    ("start", 8, -5),
    ("end", -8, -5),
    ("start", 8, 14),
    ("end", -8, 14),
)


def overlaps(one: Box, other: Box, room: float = 0.0) -> bool:
    """Do two boxes come nearer than so many pixels?"""
    return (
        one[0] < other[2] + room and other[0] < one[2] + room and one[1] < other[3] + room and other[1] < one[3] + room
    )


@dataclass
class Table:
    """What lies on a chart already: the boxes of plates, points of spaces, boxes of names."""

    width: float
    height: float
    land: BaseGeometry
    plates: list[Box] = field(default_factory=list)
    spaces: list[tuple[float, float]] = field(default_factory=list)
    names: list[Box] = field(default_factory=list)

    def is_on(self, box: Box) -> bool:
        """Does a box lie on the paper?"""
        return box[0] >= EDGE and box[1] >= EDGE and box[2] <= self.width - EDGE and box[3] <= self.height - EDGE

    def put(self, x: float, y: float, wide: float, high: float) -> Box | None:
        """The best box of a plate for this point, which it then takes; None where there is no room for it."""
        best: tuple[float, Box] | None = None
        for far in range(26, FARTHEST, 8):
            if best is not None and far > best[0]:
                break
            for bearing in range(BEARINGS):
                angle = 2 * pi * bearing / BEARINGS
                cx = x + cos(angle) * (far + wide / 2 * abs(cos(angle)))
                cy = y + sin(angle) * (far * 0.7 + high / 2 * abs(sin(angle)))
                box = (cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2)
                if not self.is_on(box) or any(overlaps(box, other, 3) for other in self.plates):
                    continue
                if overlaps(box, (x - 6, y - 6, x + 6, y + 6)):
                    continue
                cost = far + self.cost(box)
                if best is None or cost < best[0]:
                    best = (cost, box)
        if best is not None:
            self.plates.append(best[1])
            return best[1]
        return None

    def cost(self, box: Box) -> float:
        """What a plate there would cover."""
        left, top, right, foot = box
        spaces = sum(left - 5 < x < right + 5 and top - 5 < y < foot + 5 for x, y in self.spaces)
        names = sum(overlaps(box, other) for other in self.names)
        return OVER_SPACE * spaces + OVER_NAME * names + OVER_LAND * self.land.intersects(shapely.box(*box))

    def name(self, x: float, y: float, wide: float, high: float) -> tuple[str, float, float] | None:
        """Where the name of a space at this point stands (anchor, x, y of its foot); None where it finds no room."""
        for anchor, dx, dy in SIDES:
            left = x + dx - (wide if anchor == "end" else wide / 2 if anchor == "middle" else 0)
            box = (left, y + dy - high, left + wide, y + dy + 3)
            if not self.is_on(box) or any(overlaps(box, other, 1) for other in (*self.plates, *self.names)):
                continue
            if any(
                box[0] - 3 < a < box[2] + 3 and box[1] - 2 < b < box[3] + 2 for a, b in self.spaces if (a, b) != (x, y)
            ):
                continue
            self.names.append(box)
            return anchor, round(x + dx, 1), round(y + dy, 1)
        return None
