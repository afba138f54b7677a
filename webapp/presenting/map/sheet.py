"""A map's sheet as a value: its spaces, ways and areas in the units of the drawing, and the land under them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

import data
from webapp.presenting.map.projection import Conic, Floats

WIDTH = 1600.0
MARGIN = 90.0
WALLED = ("city", "walled", "walled_city")  # kinds of spaces with walls to draw
KEPT = 64  # sheets whose drawings are kept
BEYOND = 420.0  # how much land is drawn around the frame, for screens of another shape


@dataclass(frozen=True)
class Spot:
    """A space as drawn: where, what kind, and the ground that is nearer to it than to any other."""

    id: str
    name: str
    kind: str
    province: str | None
    port: bool
    x: float
    y: float
    cell: BaseGeometry
    about: Mapping[str, Any]

    @property
    def at(self) -> tuple[float, float]:
        """Its place."""
        return self.x, self.y


@dataclass(frozen=True)
class Way:
    """A connection as drawn."""

    start: str
    end: str
    kind: str
    line: BaseGeometry
    about: Mapping[str, Any]


@dataclass(frozen=True)
class Area:
    """A province or region: its ground, and where its name stands best."""

    id: str
    name: str
    shape: BaseGeometry
    label: tuple[float, float]
    about: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Sheet:
    """A system's map, or the world of one game, as it is drawn; made once, and what is drawn of it is kept by it."""

    system: str
    width: float
    height: float
    conic: Conic
    land: BaseGeometry
    spots: dict[str, Spot]
    ways: tuple[Way, ...]
    areas: dict[str, Area]
    hexes: bool = False

    @property
    def frame(self) -> Polygon:
        """The whole drawing."""
        return box(0, 0, self.width, self.height)


def projected_land(conic: Conic, frame: BaseGeometry) -> BaseGeometry:
    """The land of data/geo on this paper, cut a good way around the frame."""
    coast = data.raw_json("geo/mediterranean.geojson")
    rings = [f["geometry"]["coordinates"] for f in coast["features"]]
    pieces = [Polygon(_on(conic, outer), [_on(conic, hole) for hole in holes]) for outer, *holes in rings]
    return unary_union([piece.buffer(0) for piece in pieces]).intersection(frame.buffer(BEYOND)).simplify(0.35)


def projected_rivers(paper: Sheet) -> BaseGeometry:
    """The rivers of data/geo on this paper, where they run over its land."""
    found = data.raw_json("geo/rivers.geojson")
    lines = [LineString(_on(paper.conic, f["geometry"]["coordinates"])) for f in found["features"]]
    return unary_union(lines).intersection(paper.land.buffer(2))


def _on(conic: Conic, ring: list[list[float]]) -> Floats:
    return conic.place(np.array(ring, dtype=float))


def name_place(shape: BaseGeometry) -> tuple[float, float]:
    """Where an area's name has most room: the middle of the largest circle within."""
    if shape.is_empty:
        return 0.0, 0.0
    parts = [part for part in getattr(shape, "geoms", [shape]) if isinstance(part, Polygon)]
    circle = shapely.maximum_inscribed_circle(max(parts, key=lambda part: part.area), tolerance=2)
    x, y = circle.coords[0]
    return float(x), float(y)
