"""The paper of a sea chart: so many pixels, the projection onto them, and the land that lies there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import shapely
from markupsafe import Markup
from shapely.geometry import LineString, box
from shapely.geometry.base import BaseGeometry

from tactical.kernel.cache import remember
from webapp.presenting.map.projection import Conic
from webapp.presenting.map.sheet import projected_land
from webapp.presenting.map.svg import path

Point = tuple[float, float]
BEYOND = 320.0  # pixels of land around the frame, for screens of another shape
LEAST = 0.7  # degrees that a chart shows at least


@dataclass(frozen=True)
class Paper:
    """A chart of `width` by `height` pixels; what it shows is `conic`'s affair."""

    width: int
    height: int
    conic: Conic

    def at(self, point: Point) -> Point:
        """A longitude and a latitude in pixels, in tenths."""
        x, y = self.conic.one(*point)
        return round(x, 1), round(y, 1)

    def line(self, points: Iterable[Point]) -> LineString:
        """A line of longitudes and latitudes in pixels."""
        return LineString(self.conic.place(np.array(list(points), dtype=float)))

    def shows(self, point: Point, room: float = 0.0) -> bool:
        """Does a point in pixels lie on the paper, so far from its edge?"""
        return room <= point[0] <= self.width - room and room <= point[1] <= self.height - room

    @property
    def mile(self) -> float:
        """The pixels of a nautical mile (a minute of latitude) in the middle of the paper."""
        lon, lat = self.conic.back(self.width / 2, self.height / 2)
        (_, low), (_, high) = self.conic.one(lon, lat - 0.25), self.conic.one(lon, lat + 0.25)
        return (low - high) / 30

    def back(self, x: float, y: float) -> Point:
        """The longitude and latitude of a point in pixels, to a hundredth of a degree."""
        lon, lat = self.conic.back(x, y)
        return round(lon, 2), round(lat, 2)


def fitted(points: Iterable[Point], width: int, height: int, margin: float, meridian: float | None = None) -> Paper:
    """The paper of that size upon which all these longitudes and latitudes lie, so far from its edge.

    Its upright meridian is their middle one, or the given one. Raises ValueError where there is no point.
    """
    return fit(tuple(sorted(set(points))), width, height, margin, meridian)


@remember
def fit(points: tuple[Point, ...], width: int, height: int, margin: float, meridian: float | None) -> Paper:
    """The same of points in their order, once."""
    places = np.array(points, dtype=float)
    low, high = places.min(axis=0), places.max(axis=0)
    for axis in (0, 1):
        lack = max(0.0, LEAST - (high[axis] - low[axis])) / 2
        low[axis], high[axis] = low[axis] - lack, high[axis] + lack
    middle_one = round(float(low[0] + high[0]) / 2, 2)
    meridian = middle_one if meridian is None else meridian
    corners = [(x, y) for x in (low[0], middle_one, high[0]) for y in (low[1], high[1])]
    rough = Conic(meridian).place(np.vstack([places, np.array(corners)]))
    least, most = rough.min(axis=0), rough.max(axis=0)
    scale = min((width - 2 * margin) / (most[0] - least[0]), (height - 2 * margin) / (most[1] - least[1]))
    middle = (least + most) / 2 * scale
    return Paper(
        width, height, Conic(meridian, float(scale), float(middle[0] - width / 2), float(middle[1] - height / 2))
    )


@remember
def land_path(paper: Paper) -> Markup:
    """The land of the paper and a little beyond its edge, as path data of SVG."""
    frame = box(0, 0, paper.width, paper.height)
    return drawn_land(projected_land(paper.conic, frame).intersection(frame.buffer(BEYOND, join_style="mitre")))


def drawn_land(shape: BaseGeometry) -> Markup:
    """Land as path data, without what is too small to be seen."""
    polygons = [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon" and part.area > 2]
    return Markup(path(shapely.MultiPolygon(polygons).simplify(0.4)))
