"""The sheet of a system: everything of its map that never changes, projected and ready to be drawn.

One sheet a system, made once. Units are those of the drawing: it is WIDTH wide, y runs downward. A map of points
has spaces, their nearest ground (`cell`) and provinces; a map of hexes has hexes as spaces and regions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPoint, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

import data
from strategic import atlas
from webapp.campaign.projection import Conic, Floats, fitted

WIDTH = 1600.0
MARGIN = 90.0
APART = 30.0  # spaces nearer than this are nudged
SOFT = 66.0  # how far a province reaches beyond its spaces and roads
BEYOND = 420.0  # how much land is drawn around the frame, for screens of another shape
LAND_KINDS = ("road", "pass", "alpine_pass", "strait")


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


@dataclass(frozen=True)
class Sheet:
    """A system's map as it is drawn."""

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


@cache
def sheet(system: str) -> Sheet:
    """The sheet of a system. Raises BadInput for a system without a map."""
    raw = atlas.geojson(system)
    hexes = [feature for feature in raw["features"] if feature["properties"].get("kind") == "hex"]
    if hexes:
        from webapp.campaign.hexsheet import hex_sheet

        return hex_sheet(system, raw, hexes)
    return _of_points(system, raw)


def has_map(system: str) -> bool:
    """Is there a map for this system?"""
    return (data.ROOT / system / "map.geojson").is_file()


def _of_points(system: str, raw: Mapping[str, Any]) -> Sheet:
    points = [f for f in raw["features"] if f["geometry"]["type"] == "Point"]
    lonlat = np.array([f["geometry"]["coordinates"] for f in points], dtype=float)
    conic, height = fitted(lonlat, WIDTH, MARGIN)
    places = nudged(conic.place(lonlat), APART)
    frame = box(0, 0, WIDTH, height)
    land = projected_land(conic, frame)
    cells = shapely.voronoi_polygons(MultiPoint(places), extend_to=frame, ordered=True).geoms
    spots = {}
    for feature, (x, y), cell in zip(points, places, cells, strict=True):
        about = feature["properties"]
        spots[about["id"]] = Spot(
            about["id"], about.get("name", about["id"]), about.get("kind", "plain"), about.get("province"),
            bool(about.get("port")), float(x), float(y), cell.intersection(frame), about,
        )  # fmt: skip
    ways = tuple(
        Way(about["from"], about["to"], about["kind"],
            shapely.linestrings([spots[about["from"]].at, spots[about["to"]].at]), about)
        for about in (f["properties"] for f in raw["features"] if f["geometry"]["type"] == "LineString")
        if "from" in about and about["from"] in spots and about["to"] in spots
    )  # fmt: skip
    names = {province["id"]: province for province in raw.get("provinces", [])}
    return Sheet(system, WIDTH, height, conic, land, spots, ways, _areas(spots, ways, land, names))


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


def nudged(places: Floats, apart: float) -> Floats:
    """The places with those that nearly touch pushed apart, a little at a time and always in the same way."""
    places = places.copy()
    for _round in range(60):
        gaps = places[:, None, :] - places[None, :, :]
        far = np.hypot(gaps[..., 0], gaps[..., 1])
        np.fill_diagonal(far, apart)
        lack = np.maximum(apart - far, 0.0)
        if not lack.any():
            break
        push = (lack / (2 * np.maximum(far, 0.1)))[..., None] * gaps
        places += push.sum(axis=1) * 0.6
    return places


def _areas(
    spots: Mapping[str, Spot],
    ways: tuple[Way, ...],
    land: BaseGeometry,
    names: Mapping[str, Mapping[str, Any]],
) -> dict[str, Area]:
    """Voronoi cells of a province's spaces, clipped to the land near them, with rounded edges."""
    members: dict[str, list[Spot]] = {}
    for spot in spots.values():
        if spot.province is not None:
            members.setdefault(spot.province, []).append(spot)
    inner = [way.line for way in ways if way.kind in LAND_KINDS and way.kind != "strait"]
    known = unary_union([*(shapely.Point(spot.at) for spot in spots.values()), *inner]).buffer(SOFT)
    grounds = {
        province: unary_union([spot.cell for spot in own]).intersection(land).intersection(known)
        for province, own in members.items()
    }
    found = {}
    for province, ground in grounds.items():
        about = names.get(province, {})
        soft = ground.buffer(-5).buffer(10).buffer(-5).intersection(land).simplify(0.5)
        name = about.get("name", province.replace("_", " ").title())
        found[province] = Area(province, name, soft, name_place(soft), about)
    return found


def name_place(shape: BaseGeometry) -> tuple[float, float]:
    """Where an area's name has most room: the middle of the largest circle within."""
    if shape.is_empty:
        return 0.0, 0.0
    parts = [part for part in getattr(shape, "geoms", [shape]) if isinstance(part, Polygon)]
    circle = shapely.maximum_inscribed_circle(max(parts, key=lambda part: part.area), tolerance=2)
    x, y = circle.coords[0]
    return float(x), float(y)
