"""The coast of the ancient sea: miles, what land hides, and lanes laid round it that join places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import combinations, pairwise
from math import asin, ceil, cos, floor, radians, sin, sqrt
from typing import Any, NamedTuple, TypeAlias

import networkx as nx
from shapely import STRtree, contains_xy, prepare, union_all
from shapely.geometry import LineString, box, shape
from shapely.geometry import Point as ShapelyPoint
from shapely.ops import substring

import data

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
Node = tuple[int, int]
Sea: TypeAlias = "nx.Graph[Any]"  # of nodes


def apart(one: Point, other: Point) -> float:
    """Nautical miles between two points."""
    a, b = radians(one[1]), radians(other[1])
    h = sin((b - a) / 2) ** 2 + cos(a) * cos(b) * sin(radians(other[0] - one[0]) / 2) ** 2
    return 2 * EARTH * asin(sqrt(h))


@cache
def land() -> STRtree:
    """The land of the ancient sea, ready for questions."""
    shapes = [shape(each["geometry"]).buffer(0) for each in data.raw_json("geo/mediterranean.geojson")["features"]]
    return STRtree(shapes)


@lru_cache(100_000)
def is_hidden(one: Point, other: Point) -> bool:
    """Does a headland stand between two points? What lies at their very coast hides nothing."""
    line = LineString((one, other))
    if line.length <= 2 * COAST:
        return False
    middle = substring(line, COAST, line.length - COAST)
    return bool(len(land().query(middle, predicate="intersects")))


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

    A lane joins what is apart, or is much shorter than the way that there is.
    """
    net: nx.Graph[Any] = nx.Graph()
    net.add_nodes_from(places)
    net.add_weighted_edges_from(ways)
    lonely = set(places) - max(nx.connected_components(net), key=len, default=set())
    if not lonely:
        return []
    sea = water(places.values())
    shores = {name: shore(sea, at) for name, at in places.items()}
    found = sorted(
        (laid for pair in pairs_of(places, lonely) if (laid := lane(sea, places, shores, *pair)) is not None),
        key=lambda each: (each.miles, each.start, each.end),
    )
    kept = []
    for each in found:
        if not nx.has_path(net, each.start, each.end) or (
            nx.shortest_path_length(net, each.start, each.end, "weight") > DETOUR * each.miles
        ):
            net.add_edge(each.start, each.end, weight=each.miles)
            kept.append(each)
    return kept


def pairs_of(places: Mapping[str, Point], lonely: set[str]) -> list[tuple[str, str]]:
    """The pairs to be tried: each place that stands alone with its nearest neighbours."""
    found = set()
    for name in lonely:
        near = sorted((apart(places[name], at), other) for other, at in places.items() if other != name)
        tied = [other for miles, other in near if miles <= FARTHEST][:NEIGHBOURS]
        met = [other for miles, other in near if miles <= FARTHEST and other not in lonely][:NEIGHBOURS]
        found |= {(min(name, other), max(name, other)) for other in (*tied, *met)}
    return sorted(found)


def water(places: Iterable[Point]) -> Sea:
    """The sea around these places as a grid of points, each tied to its eight neighbours, with the miles between."""
    lons, lats = zip(*places, strict=True)
    west, south, east, north = floor(min(lons)) - 1, floor(min(lats)) - 1, ceil(max(lons)) + 1, ceil(max(lats)) + 1
    window = box(west, south, east, north)
    step = FINE if window.area <= LARGE else COARSE
    shores = union_all(land().geometries[land().query(window)])
    prepare(shores)
    columns, rows = round((east - west) / step), round((north - south) / step)
    nodes = [(column, row) for column in range(columns + 1) for row in range(rows + 1)]
    points = {node: (round(west + node[0] * step, 2), round(south + node[1] * step, 2)) for node in nodes}
    dry: Any = contains_xy(shores, [points[node][0] for node in nodes], [points[node][1] for node in nodes])
    found: Sea = nx.Graph()
    found.add_nodes_from((node, {"at": points[node]}) for node, is_dry in zip(nodes, dry, strict=True) if not is_dry)
    steps = [
        (node, other)
        for node in tuple(found)
        for other in ((node[0] + dx, node[1] + dy) for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)))
        if other in found
    ]
    between = [
        [points[one][axis] * (1 - part) + points[other][axis] * part for one, other in steps for part in PARTS]
        for axis in (0, 1)
    ]
    dry = contains_xy(shores, *between)
    barred = dry.reshape(-1, len(PARTS)).any(axis=1)
    for (one, other), is_barred in zip(steps, barred, strict=True):
        if not is_barred:
            found.add_edge(one, other, miles=apart(points[one], points[other]))
    return found


def shore(sea: Sea, at: Point) -> Node | None:
    """The nearest point of the sea to a place, best one without land between; None where none is near."""
    near = sorted((apart(at, about["at"]), node) for node, about in sea.nodes(data=True) if is_beside(at, about["at"]))
    free = (node for _, node in near if not is_hidden(at, sea.nodes[node]["at"]))
    return next(free, near[0][1] if near else None)


def is_beside(one: Point, other: Point) -> bool:
    """Is a point of the sea near enough to a place to be its water?"""
    return abs(one[1] - other[1]) * 60 <= BESIDE and apart(one, other) <= BESIDE


def lane(sea: Sea, places: Mapping[str, Point], shores: Mapping[str, Node | None], one: str, other: str) -> Laid | None:
    """The shortest lane by water between two places; None where land bars it, or it is too long."""
    start, end = shores[one], shores[other]
    if start is None or end is None:
        return None
    try:
        nodes = nx.astar_path(sea, start, end, lambda a, b: apart(sea.nodes[a]["at"], sea.nodes[b]["at"]), "miles")
    except nx.NetworkXNoPath:
        return None
    line = straight((places[one], *(sea.nodes[node]["at"] for node in nodes), places[other]))
    if any(is_hidden(a, b) for a, b in pairwise(line)):
        return None
    miles = round(sum(apart(a, b) for a, b in pairwise(line)))
    return Laid(one, other, max(1, miles), line) if miles <= FARTHEST else None


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
