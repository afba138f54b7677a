"""Shapes as the data of SVG paths."""

from __future__ import annotations

from collections.abc import Iterable

from shapely import Polygon
from shapely.geometry.base import BaseGeometry

SIDE = 36  # length of a hex side in the drawing's units


def path(shape: BaseGeometry, scale: float = SIDE) -> str:
    """A polygon or several as the data of an SVG path, in whole units."""
    parts: Iterable[BaseGeometry] = getattr(shape, "geoms", (shape,))
    found = []
    for part in parts:
        if not isinstance(part, Polygon) or part.is_empty:
            continue
        for ring in (part.exterior, *part.interiors):
            points = [f"{round(x * scale)} {round(y * scale)}" for x, y in list(ring.coords)[:-1]]
            found.append(f"M{'L'.join(points)}Z")
    return "".join(found)
