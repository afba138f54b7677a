"""A map's sheet: everything that never changes, projected, laid out and drawn once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial, wraps
from itertools import count
from math import atan, atan2, cos, degrees, hypot, log, pi, radians, sin, tan
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import numpy as np
import shapely
from markupsafe import Markup, escape
from numpy.typing import NDArray
from shapely.affinity import translate
from shapely.geometry import LineString, MultiLineString, MultiPoint, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

import data
from strategic import atlas
from tactical.kernel.cache import size_of
from tactical.kernel.record import Record
from webapp.http.cache import SHELF, Cache

Given = ParamSpec("Given")
Made = TypeVar("Made")

# -- From longitude and latitude to the paper: a conic projection, as on a printed map of the Mediterranean.

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


# -- A map's sheet as a value: its spaces, ways and areas in the units of the drawing, and the land under them.

WIDTH = 1600.0
MARGIN = 90.0
WALLED = ("city", "walled", "walled_city")  # kinds of spaces with walls to draw
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


DRAWN = (("ground",), ("cells",))  # what is kept of a sheet in its file too


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
    kept: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    number: int = field(default_factory=count().__next__)  # no other sheet of this process has it

    def __reduce__(self) -> tuple[Any, ...]:
        """As it is written to a file: with its ground, without its number and whatever else is kept of it."""
        parts = self.width, self.height, self.conic, self.land, self.spots, self.ways, self.areas, self.hexes
        return Sheet, (self.system, *parts, {key: self.kept[key] for key in DRAWN if key in self.kept})

    @property
    def frame(self) -> Polygon:
        """The whole drawing."""
        return box(0, 0, self.width, self.height)


def keep_by_sheet(function: Callable[Concatenate[Sheet, Given], Made]) -> Callable[Concatenate[Sheet, Given], Made]:
    """A function of a sheet whose values are kept by the sheet itself, so that they go when it goes."""

    @wraps(function)
    def ask(paper: Sheet, /, *values: Given.args, **named: Given.kwargs) -> Made:
        key = (function.__name__, *values)
        if key not in paper.kept:
            paper.kept.setdefault(key, function(paper, *values, **named))
        return cast(Made, paper.kept[key])

    return ask


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


# -- Where a sheet has land, as a grid of small squares: asked by many threads at once, which GEOS does not bear.

GRAIN = 4.0  # units of the drawing: the side of a square


@keep_by_sheet
def grid(paper: Sheet) -> NDArray[np.bool_]:
    """Which squares have land in their middle, row by row. It is made of a copy of the land: asking prepares what is
    asked, and a geometry must not be prepared by one thread while another one reads it."""
    own = shapely.from_wkb(shapely.to_wkb(paper.land))
    x = np.arange(int(paper.width / GRAIN) + 1) * GRAIN + GRAIN / 2
    y = np.arange(int(paper.height / GRAIN) + 1) * GRAIN + GRAIN / 2
    return np.asarray(shapely.contains_xy(own, *np.meshgrid(x, y)))


def is_land(paper: Sheet, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    """For each point, is it land? Off the paper there is sea."""
    squares = grid(paper)
    rows, columns = (y // GRAIN).astype(int), (x // GRAIN).astype(int)
    inside = (rows >= 0) & (columns >= 0) & (rows < squares.shape[0]) & (columns < squares.shape[1])
    found = squares[np.clip(rows, 0, squares.shape[0] - 1), np.clip(columns, 0, squares.shape[1] - 1)]
    return np.asarray(found & inside)


# -- Mountains, rhumb lines and names of seas on a sheet: quiet, and the same for every system (`data/geo`).

PEAKS_APART = 19.0  # units between two peaks of a range
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
        for number in range(int(line.length / PEAKS_APART) + 1):
            on = line.interpolate(number * PEAKS_APART)
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


# -- The sheet of a hex map: each hex a space with its own ground, each region an area, the coast drawn through.


def hex_sheet(system: str, raw: Mapping[str, Any], hexes: Sequence[Mapping[str, Any]]) -> Sheet:
    """A sheet from hexes given as polygons of longitude and latitude."""
    corners = np.array([point for f in hexes for point in f["geometry"]["coordinates"][0]], dtype=float)
    conic, height = fit(corners, WIDTH, MARGIN / 3)
    spots = {}
    for feature in hexes:
        about = feature["properties"]
        cell = Polygon(conic.place(np.array(feature["geometry"]["coordinates"][0], dtype=float)))
        town = about.get("settlement")
        name = town.get("name", "") if isinstance(town, Mapping) else town or ""
        kind = "city" if isinstance(town, Mapping) and "city" in str(town.get("kind", "")) else about["terrain"]
        middle = cell.centroid
        spots[feature["id"]] = Spot(
            feature["id"], name, kind, about.get("region"), False, middle.x, middle.y, cell, about
        )
    ways = tuple(
        Way(about["from"], about["to"], about["kind"], _side(conic, feature), about)
        for feature in raw["features"]
        if (about := feature["properties"])["kind"] == "hexside" and about.get("side") == "ferry"
    )
    paper = box(0, 0, WIDTH, height)
    land = projected_land(conic, paper)
    values = {region["name"]: region["value"] for region in raw.get("regions", [])}
    return Sheet(system, WIDTH, height, conic, land, spots, ways, _regions(spots, values), hexes=True)


def _side(conic: Any, feature: Mapping[str, Any]) -> shapely.LineString:
    return shapely.LineString(conic.place(np.array(feature["geometry"]["coordinates"], dtype=float)))


def _regions(spots: Mapping[str, Spot], values: Mapping[str, int]) -> dict[str, Area]:
    members: dict[str, list[Spot]] = {}
    for spot in spots.values():
        if spot.province is not None:
            members.setdefault(spot.province, []).append(spot)
    found = {}
    for region, own in members.items():
        shape = unary_union([spot.cell.buffer(0.6) for spot in own]).buffer(-0.4)
        found[region] = Area(region, region, shape, name_place(shape), {"value": values.get(region)})
    return found


# -- The sheet of a map: everything of it that never changes, projected and ready to be drawn.
#
# One for each system and for each world that a game brings with it, made once. Units are
# those of the drawing: it is WIDTH wide, y runs downward. A map of points has spaces, their
# nearest ground (`cell`) and provinces; a map of hexes has hexes as spaces and regions.

Feature = Mapping[str, Any]  # of GeoJSON, or its properties
APART, CITIES_APART = 30.0, 35.0  # spaces, and two walled cities, that are nearer than this are nudged
SOFT = 66.0  # how far a province reaches beyond its spaces and roads
GROWS = 4  # times a sheet as it is made: what is drawn of it is kept by it
LEAST, LOWEST, TALLEST = 1.5, 0.45, 0.9  # degrees across that a world's map shows, and its height by its breadth
LAND_KINDS = ("road", "pass", "alpine_pass", "strait")


@cache
def sheet(system: str) -> Sheet:
    """The sheet of a system, with its ground drawn. Raises BadInput for a system without a map."""
    made_of = (*sources(), *(data.ROOT / system).glob("map.geojson"))
    return SHELF.get(f"map-{system}", made_of, partial(draw, system))


def sources() -> tuple[Path, ...]:
    """The files on which every drawn map depends: those that draw, and the sea, the relief, the rivers."""
    return (*sorted(Path(__file__).parent.glob("*.py")), *sorted((data.ROOT / "geo").glob("*.*json")))


def draw(system: str) -> Sheet:
    """The sheet of a system, and what is drawn of it."""
    paper = _of_system(system)
    ground(paper), cells(paper)
    return paper


def _of_system(system: str) -> Sheet:
    raw = atlas.geojson(system)
    hexes = [feature for feature in raw["features"] if feature["properties"].get("kind") == "hex"]
    if hexes:
        return hex_sheet(system, raw, hexes)
    return _of_points(system, raw)


@keep_by_sheet
def bytes_of(paper: Sheet) -> int:
    """About how many bytes a sheet takes, with all that it will keep; looked at once, when it is made."""
    return GROWS * size_of(paper)


WORLDS = Cache(single_flight=True, size=bytes_of)


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


# -- The sheet as SVG: what never changes, made once for each sheet and kept.

INLAND = 9.0  # units from the coast within which the land is darker


@keep_by_sheet
def ground(paper: Sheet) -> Markup:
    """Sea, land with its relief, provinces, roads, and the ground of each space to tap on."""
    return Markup("".join((*earth(paper), *(hexes(paper) if paper.hexes else roads(paper)))))


def earth(paper: Sheet) -> list[str]:
    """What lies under everything: the lines of a chart, shoals, land, relief, rivers, the grounds of control, coast."""
    inner = paper.land.simplify(2).buffer(-INLAND, quad_segs=2).simplify(2)
    hills = relief(paper)
    return [
        f'<path class="rhumb" d="{path(rhumbs(paper), 10)}"/>',
        *(f'<path class="shoal {escape(name)}" d="{path(shoal, 10)}"/>' for name, shoal in shoals(paper)),
        f'<path id="land" d="{path(paper.land)}"/><use href="#land" class="shore"/>',
        f'<path class="land" d="{path(inner, 10)}"/>',
        *(f'<path class="shade" d="{path(each, 10)}"/>' for each in hills.shades),
        *(f'<path class="light" d="{path(each, 10)}"/>' for each in hills.lights),
        f'<path class="river" d="{path(projected_rivers(paper))}"/>',
        *(area_ink(name, area.shape) for name, area in paper.areas.items()),
        '<use href="#land" class="coast"/>',
        *([] if paper.hexes else [peaks(hills.peaks)]),
    ]


def shoals(paper: Sheet) -> list[tuple[str, BaseGeometry]]:
    """The shallow water along the coast, in three depths: as grounds, for wide strokes cost much more to paint."""
    coarse = paper.land.simplify(3)
    depths = (("far", 26), ("mid", 16), ("near", 8))
    return [(name, coarse.buffer(wide, quad_segs=3).simplify(2)) for name, wide in depths]


def roads(paper: Sheet) -> list[str]:
    """The connections by kind, each kind as one line on its halo; a pass bears a mountain, a stormy lane a wave."""
    kinds: dict[str, list[str]] = {}
    signs = []
    for way in paper.ways:
        middle = way.line.interpolate(0.5, normalized=True)
        kind = {"alpine_pass": "pass alpine", "sea_lane": "lane", "sea": "lane"}.get(way.kind, way.kind)
        storm = " storm" if way.about.get("storm") else ""
        kinds.setdefault(kind + storm, []).append(path(way.line))
        if "pass" in way.kind or way.kind == "rough":
            signs.append(mountain(middle.x, middle.y, 11 if way.kind == "alpine_pass" else 8))
        if storm:
            signs.append(wave(middle.x, middle.y))
    lines = [(kind, "".join(parts)) for kind, parts in kinds.items()]
    return [
        *(f'<path class="way-halo" d="{escape(line)}"/>' for kind, line in lines if "lane" not in kind),
        *(f'<path class="way {escape(kind)}" d="{escape(line)}"/>' for kind, line in lines),
        *signs,
    ]


def hexes(paper: Sheet) -> list[str]:
    """Hexes by terrain with their mountains, regions with strong borders, ferries."""
    kinds: dict[str, list[str]] = {"land": [], "coast": [], "sea": []}
    for spot in paper.spots.values():
        kinds.setdefault(str(spot.about["terrain"]), []).append(path(spot.cell))
    return [
        *(f'<path class="hexes {escape(kind)}" d="{"".join(cells)}"/>' for kind, cells in kinds.items()),
        *(mountain(spot.x, spot.y, 8) for spot in paper.spots.values() if spot.about.get("mountain")),
        *(f'<use href="#area-{area_key(name)}" class="border region"/>' for name in paper.areas),
        *(f'<path class="way ferry" d="{path(way.line)}"/>' for way in paper.ways),
    ]


def peaks(found: Iterable[tuple[float, float, float]]) -> str:
    """The peaks of all ranges: their outlines as one path, their shaded sides as another."""
    lines, flanks = [], []
    for x, y, size in found:
        wide, high = round(size * 0.72), round(size)
        lines.append(f"M{x - wide:.0f} {y + high * 0.4:.0f}l{wide}-{high} {wide} {high}")
        flanks.append(f"M{x:.0f} {y - high * 0.6:.0f}l{wide} {high}h-{wide * 3 // 4}z")
    return f'<path class="range-side" d="{"".join(flanks)}"/><path class="range" d="{"".join(lines)}"/>'


def area_key(name: str) -> str:
    """A province's name as part of an id."""
    return "".join(sign if sign.isalnum() else "-" for sign in name)


def area_ink(name: str, shape: BaseGeometry) -> str:
    """A province: its wash and the band along its border."""
    band = shape.difference(shape.buffer(-7))
    key = area_key(name)
    return (
        f'<path id="area-{key}" class="wash" d="{path(shape)}"/>'
        f'<path id="band-{key}" class="band" d="{path(band.simplify(0.4))}"/>'
        f'<use href="#area-{key}" class="border"/>'
    )


def mountain(x: float, y: float, size: float) -> str:
    """Two peaks with a shaded flank."""
    top, foot = y - size, y + size * 0.5
    return (
        f'<path class="peak" d="M{x - size:.1f} {foot:.1f}L{x:.1f} {top:.1f}L{x + size * 0.5:.1f} {y - size * 0.2:.1f}'
        f'L{x + size * 0.75:.1f} {y - size * 0.55:.1f}L{x + size * 1.5:.1f} {foot:.1f}Z"/>'
        f'<path class="flank" d="M{x:.1f} {top:.1f}L{x + size / 2:.1f} {foot:.1f}L{x - size * 0.15:.1f} {foot:.1f}Z"/>'
    )


def wave(x: float, y: float) -> str:
    """A storm upon a lane."""
    return f'<path class="wave" d="M{x - 10:.1f} {y:.1f}q5 -8 10 0t10 0"/>'


@keep_by_sheet
def cells(paper: Sheet) -> dict[str, str]:
    """The ground of each space, as paths to tap on."""
    return {spot.id: path(spot.cell) for spot in paper.spots.values()}


@keep_by_sheet
def grounds(paper: Sheet) -> dict[str, str]:
    """The ground of each space as it is shaded, as paths: where nobody lives it ends a little beyond the last road."""
    near = None if paper.hexes else hinterland(paper.spots, paper.ways).simplify(2)
    return {spot.id: path(spot.cell if near is None else spot.cell.intersection(near)) for spot in paper.spots.values()}


def path(shape: BaseGeometry, grain: int = 1) -> str:
    """A shape as SVG path data: whole tenths, or so many tenths as its grain; steps relative to the point before."""
    out = []
    for part in shapely.get_parts(shape):
        if isinstance(part, Polygon):
            for ring in (part.exterior, *part.interiors):
                out.append(_line(shapely.get_coordinates(ring)[:-1], grain) + "z")
        elif part.geom_type in ("LineString", "LinearRing"):
            out.append(_line(shapely.get_coordinates(part), grain))
    return "".join(out)


def _line(points: np.ndarray, grain: int) -> str:
    tenths = np.rint(points * 10 / grain).astype(int) * grain
    if len(tenths) == 0:
        return ""
    steps = np.diff(tenths, axis=0)
    kept = steps[(steps != 0).any(axis=1)]
    moves = "".join(f"{_tenth(dx)} {_tenth(dy)} " for dx, dy in kept).rstrip()
    start = f"M{_tenth(tenths[0][0])} {_tenth(tenths[0][1])}"
    return f"{start}l{moves}" if moves else start


def _tenth(value: int) -> str:
    return f"{value / 10:g}"


def is_city(spot: Spot) -> bool:
    """Does it have walls to draw?"""
    return bool(spot.about.get("walls")) or spot.kind in WALLED
