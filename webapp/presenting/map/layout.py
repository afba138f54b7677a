"""The sheet of a map: everything of it that never changes, projected and ready to be drawn.

One for each system and for each world that a game brings with it, made once. Units are
those of the drawing: it is WIDTH wide, y runs downward. A map of points has spaces, their
nearest ground (`cell`) and provinces; a map of hexes has hexes as spaces and regions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPoint, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

import data
from strategic import atlas
from webapp.http.cache import Cache
from webapp.presenting.map.hex_layout import hex_sheet
from webapp.presenting.map.projection import Conic, Floats, fit
from webapp.presenting.map.sheet import MARGIN, WALLED, WIDTH, Area, Sheet, Spot, Way, name_place, projected_land

Feature = Mapping[str, Any]  # of GeoJSON, or its properties
APART, CITIES_APART = 30.0, 35.0  # spaces, and two walled cities, that are nearer than this are nudged
SOFT = 66.0  # how far a province reaches beyond its spaces and roads
LEAST, LOWEST, TALLEST = 1.5, 0.45, 0.9  # degrees across that a world's map shows, and its height by its breadth
LAND_KINDS = ("road", "pass", "alpine_pass", "strait")


@cache
def sheet(system: str) -> Sheet:
    """The sheet of a system. Raises BadInput for a system without a map."""
    raw = atlas.geojson(system)
    hexes = [feature for feature in raw["features"] if feature["properties"].get("kind") == "hex"]
    if hexes:
        return hex_sheet(system, raw, hexes)
    return _of_points(system, raw)


WORLDS = Cache(single_flight=True)


def world_sheet(system: str, digest: str, spaces: Sequence[Feature], ways: Sequence[Feature]) -> Sheet:
    """The sheet of a world that a game brings with it, with its ways as drawn; `digest` stands for all of it."""
    return WORLDS.get((system, digest), lambda: _of_points(system, {"features": [*spaces, *ways]}, is_world=True))


def has_map(system: str) -> bool:
    """Is there a map for this system?"""
    return (data.ROOT / system / "map.geojson").is_file()


def _of_points(system: str, raw: Feature, is_world: bool = False) -> Sheet:
    points = [f for f in raw["features"] if f["geometry"]["type"] == "Point"]
    lonlat = np.array([f["geometry"]["coordinates"] for f in points], dtype=float)
    conic, height = fit(np.vstack((lonlat, frame_of(lonlat))) if is_world else lonlat, WIDTH, MARGIN)
    walled = np.array([is_walled(f["properties"]) for f in points])
    places = nudge(conic.place(lonlat), np.where(walled[:, None] & walled[None, :], CITIES_APART, APART))
    frame = box(0, 0, WIDTH, height)
    land = projected_land(conic, frame)
    cells = shapely.voronoi_polygons(MultiPoint(places), extend_to=frame, ordered=True).geoms
    spots = {}
    for feature, (x, y), cell in zip(points, places, cells, strict=True):
        about = feature["properties"]
        spots[about["id"]] = Spot(
            about["id"],
            about.get("name", about["id"]),
            about.get("kind", "plain"),
            about.get("province"),
            bool(about.get("port")),
            float(x),
            float(y),
            cell.intersection(frame),
            about,
        )
    ways = tuple(
        Way(
            about["from"],
            about["to"],
            about["kind"],
            LineString([spots[about["from"]].at, *along, spots[about["to"]].at]),
            about,
        )
        for about, along in (
            (f["properties"], between(conic, f) if is_world else ())
            for f in raw["features"]
            if f["geometry"]["type"] == "LineString"
        )
        if "from" in about and about["from"] in spots and about["to"] in spots
    )
    names = {province["id"]: province for province in raw.get("provinces", [])}
    return Sheet(system, WIDTH, height, conic, land, spots, ways, _areas(spots, ways, land, names))


def frame_of(lonlat: Floats) -> Floats:
    """Two corners about some places, in degrees, that make of a strip or a point a sheet to look at."""
    low, high = lonlat.min(axis=0), lonlat.max(axis=0)
    middle, narrow = (low + high) / 2, np.cos(np.radians((low[1] + high[1]) / 2))
    wide, tall = max((high[0] - low[0]) * narrow, LEAST), high[1] - low[1]
    wide = max(wide, tall / TALLEST)
    half = np.array((wide / narrow, max(tall, wide * LOWEST))) / 2
    return np.vstack((middle - half, middle + half))


def between(conic: Conic, way: Feature) -> list[tuple[float, float]]:
    """Where a way runs between its ends."""
    line = LineString(conic.place(np.array(way["geometry"]["coordinates"], dtype=float))).simplify(1)
    return [(x, y) for x, y in line.coords[1:-1]]


def is_walled(about: Feature) -> bool:
    """Does a space have walls to draw?"""
    return bool(about.get("walls") or about.get("capital")) or about.get("kind") in WALLED


def nudge(places: Floats, apart: Floats) -> Floats:
    """The places with those that nearly touch pushed apart, a little at a time and always in the same way."""
    _, first = np.unique(places, axis=0, return_index=True)
    turns = np.arange(len(places), dtype=float)
    turns[first] = np.nan  # of those that lie in one point all but the first take a step, each its own way
    places = places + np.nan_to_num(np.column_stack((np.cos(turns), np.sin(turns))))
    for _round in range(60):
        gaps = places[:, None, :] - places[None, :, :]
        far = np.hypot(gaps[..., 0], gaps[..., 1])
        np.fill_diagonal(far, np.inf)
        lack = np.maximum(apart - far, 0.0)
        if not lack.any():
            break
        push = (lack / (2 * np.maximum(far, 0.1)))[..., None] * gaps
        places += push.sum(axis=1) * 0.6
    return places


def hinterland(spots: Mapping[str, Spot], ways: tuple[Way, ...]) -> BaseGeometry:
    """What lies near a space or a road: so far the grounds of provinces and of spaces reach."""
    inner = [way.line for way in ways if way.kind in LAND_KINDS and way.kind != "strait"]
    return unary_union([*(shapely.Point(spot.at) for spot in spots.values()), *inner]).buffer(SOFT)


def _areas(
    spots: Mapping[str, Spot],
    ways: tuple[Way, ...],
    land: BaseGeometry,
    names: Mapping[str, Feature],
) -> dict[str, Area]:
    """Voronoi cells of a province's spaces, clipped to the land near them, with rounded edges."""
    members: dict[str, list[Spot]] = {}
    for spot in spots.values():
        if spot.province is not None:
            members.setdefault(spot.province, []).append(spot)
    known = hinterland(spots, ways)
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
