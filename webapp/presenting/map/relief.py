"""Mountains, rhumb lines and names of seas on a sheet: quiet, and the same for every system (`data/geo`)."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np
import shapely
from shapely.affinity import translate
from shapely.geometry import LineString, MultiLineString
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

import data
from tactical.kernel.record import Record
from webapp.presenting.map.sheet import Sheet

APART = 19.0  # units between two peaks of a range
KEPT_OFF = 17.0  # units from a space within which no peak stands
ROSES = ((5.5, 38.9), (17.6, 37.0))  # where rhumb lines meet, in degrees
RAYS = 32


class Sea(Record, frozen=True):
    """The name of a sea and where its middle stands, in degrees."""

    name: str
    at: tuple[float, float]


class Seas(Record, frozen=True):
    """The file of seas."""

    sea: tuple[Sea, ...]


@dataclass(frozen=True)
class Relief:
    """Shade south-east of the ranges and light north-west of them, each in two depths; peaks as (x, y, size)."""

    shades: tuple[BaseGeometry, ...]
    lights: tuple[BaseGeometry, ...]
    peaks: tuple[tuple[float, float, float], ...]


def seas() -> tuple[Sea, ...]:
    """The seas that have a name."""
    return data.read("geo/seas.toml", Seas).sea


def relief(paper: Sheet) -> Relief:
    """The ranges of data/geo as they lie on this paper's land."""
    ranges = [
        (feature["properties"]["weight"], LineString(paper.conic.place(np.array(feature["geometry"]["coordinates"]))))
        for feature in data.raw_json("geo/relief.geojson")["features"]
    ]
    land = paper.land.simplify(3).buffer(-3, quad_segs=2)
    shapely.prepare(land)

    def fold(wide: float, shift: float) -> BaseGeometry:
        parts = []
        for weight, line in ranges:
            moved = translate(line, shift * weight**0.5, shift * weight**0.5)
            parts.append(moved.buffer(wide * weight**0.5, quad_segs=4))
        return unary_union(parts).intersection(land).simplify(2)

    spots = shapely.STRtree([shapely.Point(spot.at) for spot in paper.spots.values()])
    peaks = []
    for weight, line in ranges:
        for number in range(int(line.length / APART) + 1):
            on = line.interpolate(number * APART)
            size = (7.5 + 2.6 * weight) * (1 + 0.22 * sin(number * 2.4 + weight))
            point = shapely.Point(on.x + 5 * sin(number * 5.1), on.y + 6 * cos(number * 3.7))
            near = not paper.hexes and spots.query(point, predicate="dwithin", distance=KEPT_OFF).size
            if not near and land.contains(point):
                peaks.append((point.x, point.y, size))
    return Relief(
        (fold(22, 6), fold(11, 4)), (fold(14, -8), fold(7, -6)), tuple(sorted(peaks, key=lambda peak: peak[1]))
    )


def rhumbs(paper: Sheet) -> BaseGeometry:
    """The lines of a chart, from two roses over the whole sea."""
    frame, far = paper.frame.buffer(420), 4 * paper.width
    lines = []
    for rose in ROSES:
        x, y = paper.conic.one(*rose)
        rays = [(cos(2 * pi * ray / RAYS) * far, sin(2 * pi * ray / RAYS) * far) for ray in range(RAYS // 2)]
        lines += [LineString([(x - dx, y - dy), (x + dx, y + dy)]) for dx, dy in rays]
    return MultiLineString(lines).intersection(frame)
