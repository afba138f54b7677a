"""The coast of the ancient sea: miles, what land hides, and lanes laid round it that join places."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from heapq import heapify, heappop, heappush
from itertools import combinations, count, pairwise
from math import asin, ceil, cos, floor, radians, sin, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from shapely import STRtree, contains_xy, intersects, linestrings, prepare, union_all
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry import shape

import data
from tactical.kernel.record import Record, encode

if TYPE_CHECKING:
    import networkx as nx  # needed where lanes are laid, and with it much else

Point = tuple[float, float]
EARTH = 3440.065  # nautical miles
COAST = 0.05  # degrees at each end of a line of sight that may lie over the land of a drawn coast
FINE, COARSE = 0.1, 0.2  # degrees between two points of the grid by which lanes are sought
PARTS = (0.25, 0.5, 0.75)  # of a step, where it must lie in water
LARGE = 60  # square degrees from which on the grid is coarse
FARTHEST = 120  # nautical miles of the longest lane that is laid
BESIDE = 20  # nautical miles from a place within which its water lies
NEIGHBOURS = 5  # of a place, to which lanes are tried
DETOUR = 1.4  # a way by other lanes that is no longer than so many times a lane makes it needless
MAP = (-24, 21, 42, 56)  # degrees west, south, east and north: as far as the coast is drawn
LONGEST = 4 * FARTHEST  # nautical miles of a lane by the grid, before it is made straight
AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (1, 0), (0, 1), (1, 1), (1, -1))  # the neighbours in a grid, in order
KEPT = 4096  # lanes that are remembered
GRIDS = "geo/sea.json"  # by step; `write_grids` makes them


def apart(one: Point, other: Point) -> float:
    """Nautical miles between two points."""
    a, b = radians(one[1]), radians(other[1])
    h = sin((b - a) / 2) ** 2 + cos(a) * cos(b) * sin(radians(other[0] - one[0]) / 2) ** 2
    return 2 * EARTH * asin(sqrt(h))


@cache
def land() -> STRtree:
    """The land of the ancient sea, ready for questions."""
    shapes = [shape(each["geometry"]).buffer(0) for each in data.raw_json("geo/mediterranean.geojson")["features"]]
    prepare(shapes)
    return STRtree(shapes)


@lru_cache(100_000)
def is_hidden(one: Point, other: Point) -> bool:
    """Does a headland stand between two points? What lies at their very coast hides nothing."""
    across, up = other[0] - one[0], other[1] - one[1]
    span = sqrt(across * across + up * up)
    if span <= 2 * COAST:
        return False
    part = COAST / span
    across, up = across * part, up * part
    middle = linestrings([(one[0] + across, one[1] + up), (other[0] - across, other[1] - up)])
    return bool(intersects(land().geometries[land().query(middle)], middle).any())


def on_the_coast(at: Point) -> Point:
    """The point of the nearest coast, for a place that is drawn ashore; the place itself where it lies in the water."""
    place = ShapelyPoint(at)
    (ashore,) = [land().geometries[each] for each in land().query(place, predicate="within")][:1] or [None]
    if ashore is None:
        return at
    coast = ashore.boundary
    found = coast.interpolate(coast.project(place))
    return round(found.x, 3), round(found.y, 3)


class Laid(NamedTuple):
    """A lane between two places, its length in nautical miles and its line."""

    start: str
    end: str
    miles: int
    line: tuple[Point, ...]


def lay_lanes(places: Mapping[str, Point], ways: Iterable[tuple[str, str, int]]) -> list[Laid]:
    """The lanes to add to these ways (two places, miles), the shortest first; places with no water near them get none.

    A lane joins what is apart, or is much shorter than the way that there is. It is sought when its turn comes by the
    distance of its ends, for most are needless by then.
    """
    import networkx as nx

    net: nx.Graph[Any] = nx.Graph()
    net.add_nodes_from(places)
    net.add_weighted_edges_from(ways)
    lonely = set(places) - max(nx.connected_components(net), key=len, default=set())
    step = step_for(places.values()) if lonely else FINE
    turns = [(in_miles(apart(places[a], places[b])), a, b, False) for a, b in pairs_of(places, lonely)]
    heapify(turns)
    kept: list[Laid] = []
    while turns:
        miles, start, end, is_sought = heappop(turns)
        if is_joined(net, start, end, DETOUR * miles):
            continue
        line = lane(step, places[start], places[end])
        if is_sought:
            net.add_edge(start, end, weight=miles)
            kept.append(Laid(start, end, miles, line))
        elif line and (miles := in_miles(length(line))) <= FARTHEST:
            heappush(turns, (miles, start, end, True))
    return kept


def is_joined(net: nx.Graph[Any], one: str, other: str, miles: float) -> bool:
    """Is there a way of at most so many miles between two places?"""
    import networkx as nx

    try:
        nx.single_source_dijkstra(net, one, other, miles)
    except nx.NetworkXNoPath:
        return False
    return True


def length(line: Iterable[Point]) -> float:
    """Nautical miles along a line."""
    return sum(apart(one, other) for one, other in pairwise(line))


def in_miles(way: float) -> int:
    """Whole nautical miles, one at least."""
    return max(1, round(way))


def pairs_of(places: Mapping[str, Point], lonely: set[str]) -> list[tuple[str, str]]:
    """The pairs to be tried: each place that stands alone with its nearest neighbours."""
    found = set()
    for name in lonely:
        here = places[name]
        beside = [other for other, at in places.items() if abs(at[1] - here[1]) * 60 <= FARTHEST and other != name]
        near = sorted((apart(here, places[other]), other) for other in beside)
        tied = [other for miles, other in near if miles <= FARTHEST][:NEIGHBOURS]
        met = [other for miles, other in near if miles <= FARTHEST and other not in lonely][:NEIGHBOURS]
        found |= {(min(name, other), max(name, other)) for other in (*tied, *met)}
    return sorted(found)


def step_for(places: Iterable[Point]) -> float:
    """The degrees between two points of the sea by which lanes between these places are sought."""
    lons, lats = zip(*places, strict=True)
    area = (ceil(max(lons)) - floor(min(lons)) + 2) * (ceil(max(lats)) - floor(min(lats)) + 2)
    return FINE if area <= LARGE else COARSE


class Grid(Record, frozen=True):
    """A byte for each point of the sea: does it lie in water, and to which of its neighbours a way is free, as bits of
    AROUND; packed."""

    wet: bytes
    ways: bytes


def points(step: float) -> tuple[list[float], list[float]]:
    """The longitudes and latitudes of the points of the sea."""
    west, south, east, north = MAP
    lons = [round(west + column * step, 2) for column in range(round((east - west) / step) + 1)]
    return lons, [round(south + row * step, 2) for row in range(round((north - south) / step) + 1)]


def lay_out(step: float) -> Grid:
    """The grid of the drawn coast, as GRIDS has it: laying it out takes a third of a second and 20 MB."""
    shores = union_all(land().geometries)
    prepare(shores)
    at = np.stack(np.meshgrid(*points(step), indexing="ij"))
    wet = ~contains_xy(shores, *at)
    ways = np.zeros(wet.shape, dtype=np.uint8)
    for dx, dy in AROUND[4:]:
        here, there = ((window(dx * sign), window(dy * sign)) for sign in (1, -1))
        is_free = wet[here] & wet[there]
        start, end = at[:, *here][:, is_free], at[:, *there][:, is_free]
        middles = np.stack([start * (1 - part) + end * part for part in PARTS], axis=-1)
        is_free[is_free] = ~contains_xy(shores, *middles).any(axis=-1)
        ways[here] += is_free * np.uint8(1 << AROUND.index((dx, dy)))
        ways[there] += is_free * np.uint8(1 << AROUND.index((-dx, -dy)))
    return Grid(zlib.compress(wet.tobytes(), 9), zlib.compress(ways.tobytes(), 9))


class Sea:
    """The sea of the map as a grid of points, each tied to its eight neighbours where water lies between.

    A point has a number: its column times `rows` and its row.
    """

    def __init__(self, step: float) -> None:
        self.step = step
        self.lons, self.lats = points(step)
        self.rows = len(self.lats)
        self.cosines = [cos(radians(lat)) for lat in self.lats]
        self.rises = [sin((radians(high) - radians(low)) / 2) ** 2 for low, high in pairwise(self.lats)]
        self.runs = [sin(radians(right - left) / 2) ** 2 for left, right in pairwise(self.lons)]
        grid = data.read(GRIDS, dict[str, Grid])[str(step)]
        self.wet, self.ways = zlib.decompress(grid.wet), zlib.decompress(grid.ways)
        moves = [dx * self.rows + dy for dx, dy in AROUND]
        self.moves = [[move for bit, move in enumerate(moves) if mask >> bit & 1] for mask in range(1 << len(AROUND))]
        self.basin = array("i", bytes(4 * len(self.wet)))  # alike for what is joined; 0 for what is joined to nothing
        for number, mask in enumerate(self.ways):
            if mask and not self.basin[number]:
                self._fill(number)

    def _fill(self, first: int) -> None:
        self.basin[first], ahead = first + 1, [first]
        while ahead:
            here = ahead.pop()
            for move in self.moves[self.ways[here]]:
                if not self.basin[here + move]:
                    self.basin[here + move] = first + 1
                    ahead.append(here + move)

    def point(self, number: int) -> Point:
        """Where a point of the grid lies."""
        column, row = divmod(number, self.rows)
        return self.lons[column], self.lats[row]

    def shore(self, at: Point) -> int | None:
        """The nearest point of the sea to a place, best one without land between; None where none is near."""
        columns = [column for column, lon in enumerate(self.lons) if abs(lon - at[0]) <= 1]
        rows = [row for row, lat in enumerate(self.lats) if abs(lat - at[1]) * 60 <= BESIDE]
        beside = [number for column in columns for row in rows if self.wet[number := column * self.rows + row]]
        near = sorted((far, number) for number in beside if (far := apart(at, self.point(number))) <= BESIDE)
        free = (number for _, number in near if not is_hidden(at, self.point(number)))
        return next(free, near[0][1] if near else None)

    def path(self, start: int, end: int) -> list[Point]:
        """The shortest way from point to point, of LONGEST at most; nothing where there is none (A*)."""
        if self.basin[start] != self.basin[end]:
            return []
        goal, order = self.point(end), count()
        best: dict[int, float] = {start: 0.0}
        left: dict[int, float] = {}  # from a point straight to the end
        before: dict[int, int] = {}
        turns = [(0.0, next(order), start, 0.0, -1)]
        while turns:
            _, _, here, so_far, came = heappop(turns)
            if best[here] < so_far:
                continue
            before[here] = came
            if here == end:
                found = [here]
                while (here := before[here]) >= 0:
                    found.append(here)
                return [self.point(number) for number in reversed(found)]
            column, row = divmod(here, self.rows)
            for move in self.moves[self.ways[here]]:
                other = here + move
                known = best.get(other, LONGEST)
                if known <= so_far:  # it was the quicker one to be reached
                    continue
                beside, above = divmod(other, self.rows)
                h = self.rises[min(row, above)] if row != above else 0.0
                if column != beside:
                    h += self.cosines[row] * self.cosines[above] * self.runs[min(column, beside)]
                miles = so_far + 2 * EARTH * asin(sqrt(h))  # `apart`, of which the grid knows the most
                if known <= miles:
                    continue
                if other not in left:
                    left[other] = apart((self.lons[beside], self.lats[above]), goal)
                if miles + left[other] <= LONGEST:
                    best[other] = miles
                    heappush(turns, (miles + left[other], next(order), other, miles, here))
        return []


def window(shift: int) -> slice:
    """What of an axis has a neighbour so far along."""
    return slice(max(0, -shift), -shift if shift > 0 else None)


sea = cache(Sea)  # by its step; made once


@lru_cache(KEPT)
def shore(step: float, at: Point) -> int | None:
    """The point of the sea that is a place's water; None where none is near."""
    return sea(step).shore(at)


@lru_cache(KEPT)
def lane(step: float, one: Point, other: Point) -> tuple[Point, ...]:
    """The line of the shortest lane by water between two places; nothing where land bars it, or it is much too long."""
    start, end = shore(step, one), shore(step, other)
    if start is None or end is None or not (way := sea(step).path(start, end)):
        return ()
    line = straight((one, *way, other))
    return () if any(is_hidden(a, b) for a, b in pairwise(line)) else line


def straight(line: tuple[Point, ...]) -> tuple[Point, ...]:
    """A line without the points that it does not need to keep clear of land."""
    kept, here = [line[0]], 0
    while here < len(line) - 1:
        ahead = next((n for n in range(len(line) - 1, here + 1, -1) if not is_hidden(line[here], line[n])), here + 1)
        kept.append(line[ahead])
        here = ahead
    return tuple(kept)


def same_spot(places: Mapping[str, Point]) -> list[tuple[str, str]]:
    """Pairs of places that lie on one spot, within a mile."""
    return [
        (a, b)
        for a, b in combinations(sorted(places), 2)
        if abs(places[a][1] - places[b][1]) < 1 / 60 and apart(places[a], places[b]) < 1
    ]


def feature_of(laid: Laid) -> dict[str, Any]:
    """A lane as GeoJSON."""
    about = {"from": laid.start, "to": laid.end, "kind": "lane", "cost": laid.miles, "source": "laid"}
    line = [[round(lon, 3), round(lat, 3)] for lon, lat in laid.line]
    return {"type": "Feature", "geometry": {"type": "LineString", "coordinates": line}, "properties": about}


def write_grids() -> None:
    """Write GRIDS anew, for a coast that is drawn otherwise."""
    (data.ROOT / GRIDS).write_bytes(encode({str(step): lay_out(step) for step in (FINE, COARSE)}) + b"\n")
