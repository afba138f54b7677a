"""From longitude and latitude to the paper: a conic projection, as on a printed map of the Mediterranean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import atan, atan2, cos, degrees, hypot, log, pi, radians, tan

import numpy as np
from numpy.typing import NDArray

SOUTH, NORTH = 35.0, 45.0  # the standard parallels: the sea lies between them
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Conic:
    """Lambert's conformal conic around a meridian; `scale` and the offsets turn it into units of the drawing."""

    meridian: float
    scale: float = 1.0
    left: float = 0.0
    top: float = 0.0

    @cached_property
    def cone(self) -> float:
        """The constant of the cone."""
        stretch = log(_tangent(NORTH) / _tangent(SOUTH))
        return log(cos(radians(SOUTH)) / cos(radians(NORTH))) / stretch

    @cached_property
    def size(self) -> float:
        """The cone's distance from its tip at the equator's parallel of tangency."""
        found: float = cos(radians(SOUTH)) * _tangent(SOUTH) ** self.cone / self.cone
        return found

    def place(self, points: Floats) -> Floats:
        """Points as (longitude, latitude) rows, to (x, y) rows with y downward."""
        lon, lat = np.radians(points[:, 0] - self.meridian), np.radians(points[:, 1])
        far = self.size / np.tan(np.pi / 4 + lat / 2) ** self.cone
        x, y = far * np.sin(self.cone * lon), far * np.cos(self.cone * lon)
        return np.column_stack((x * self.scale - self.left, y * self.scale - self.top))

    def one(self, lon: float, lat: float) -> tuple[float, float]:
        """One point."""
        x, y = self.place(np.array([[lon, lat]]))[0]
        return float(x), float(y)

    def back(self, x: float, y: float) -> tuple[float, float]:
        """The longitude and latitude of a point of the drawing."""
        across, down = (x + self.left) / self.scale, (y + self.top) / self.scale
        lat = 2 * atan((self.size / hypot(across, down)) ** (1 / self.cone)) - pi / 2
        return self.meridian + degrees(atan2(across, down)) / self.cone, degrees(lat)


def _tangent(lat: float) -> float:
    return tan(np.pi / 4 + radians(lat) / 2)


def fit(points: Floats, width: float, margin: float) -> tuple[Conic, float]:
    """The projection that fits these points into a drawing of a width, with a margin; and its height."""
    meridian = float(points[:, 0].min() + points[:, 0].max()) / 2
    rough = Conic(meridian).place(points)
    low, high = rough.min(axis=0), rough.max(axis=0)
    scale = (width - 2 * margin) / (high[0] - low[0])
    height = (high[1] - low[1]) * scale + 2 * margin
    return Conic(meridian, float(scale), float(low[0] * scale - margin), float(low[1] * scale - margin)), height
