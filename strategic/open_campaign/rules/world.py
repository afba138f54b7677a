"""O1 The world: spaces and lanes of a cut or of a GeoJSON, ways by sea, and where a fleet stands in degrees."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import data
from strategic.coast import Point, apart
from strategic.open_campaign.state import At, OnLane
from strategic.open_campaign.tables import WORLDS
from tactical.drawing import check_bytes, check_number, check_point, check_shape
from tactical.kernel.cache import Cache
from tactical.kernel.record import BadInput, encode

GeoJSON = dict[str, Any]
LANES = ("lane", "sea_lane")
OPEN_SEA = "sea"
TIMES = 8  # so many bytes a world takes in memory for each byte of its JSON
REACHED = Cache[
    dict[str, tuple[int, str | None]]
]()  # what can be reached from a space, by the digest of its chart and the space
# ORBIS whole (294 ports, 1,157 routes; the longest lane of the sea has 224 points) is the least that must fit (O1.3).
MOST_SPACES, MOST_LANES, MOST_POINTS, MOST_BYTES = 400, 1500, 225, 400 << 10  # of a world; points of each line
GLOBE = (-180.0, -85.0, 180.0, 85.0)
TURN = 360.0  # degrees: what is farther from zero is none
LONGEST, LARGEST = 80, 1_000_000  # characters of a name; whatever a number of a feature says
OWN = ("harbour", "garrison", "income", "yard")  # what a space may say of itself
PARALLEL = "parallel"  # the number by which a lane is told from another of the same ends
DEGREES = (4326, 4979, 4258, 4269, 4267)  # EPSG's numbers of systems in degrees that differ by less than a mile


@dataclass(frozen=True)
class Space:
    """O1.1 A port, beach, cape, piece of open sea or town.

    How many ships its `harbour` holds, the companies of its own `garrison`, the `income` of a month in hundredths of a
    talent, and the hull points that its `yard` mends in a week; None for what its rank says.
    """

    id: str
    name: str
    kind: str
    rank: int
    lonlat: Point
    harbour: int | None = None
    garrison: int | None = None
    income: int | None = None
    yard: int | None = None


@dataclass(frozen=True)
class Lane:
    """O1.1 A way by sea between two spaces, its length in nautical miles."""

    id: str
    start: str
    end: str
    miles: int
    kind: str
    line: tuple[Point, ...]

    def other(self, space: str) -> str:
        """The end that is not this."""
        return self.end if space == self.start else self.start


@dataclass(frozen=True)
class Chart:
    """A world ready for sailing."""

    spaces: dict[str, Space]
    lanes: dict[str, Lane]
    ways: dict[str, tuple[Lane, ...]]
    roads: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """O1.1 Letters that two worlds share only when their spaces, lanes and roads are the same."""
        whole = [list(self.spaces.values()), list(self.lanes.values()), self.roads]
        return blake2b(repr(whole).encode(), digest_size=9).hexdigest()

    @cached_property
    def coastal(self) -> Chart:
        """O4.2 The chart without its ways over the open sea."""
        lanes = {name: lane for name, lane in self.lanes.items() if lane.kind != "sea_lane"}
        ways = {name: tuple(lane for lane in way if lane.kind != "sea_lane") for name, way in self.ways.items()}
        return Chart(self.spaces, lanes, ways)

    def from_(self, space: str) -> dict[str, tuple[int, str | None]]:
        """The miles to every space that can be reached from this, with the space before it on the way."""
        found = REACHED.get((self.digest, space))
        if found is not None:
            return found
        found, heap = {}, [(0, space, "")]
        while heap:
            miles, here, before = heapq.heappop(heap)
            if here in found:
                continue
            found[here] = (miles, before or None)
            for lane in self.ways[here]:
                heapq.heappush(heap, (miles + lane.miles, lane.other(here), here))
        return REACHED.keep((self.digest, space), found)

    def by_road(self, start: str, end: str) -> int | None:
        """O1.1 The road miles between two places; None where no road leads there."""
        import networkx as nx  # with it comes much else

        net: nx.Graph[str] = nx.Graph()
        net.add_weighted_edges_from((one, two, far) for one, ways in self.roads.items() for two, far in ways)
        has_road = start in net and end in net and nx.has_path(net, start, end)
        return int(nx.shortest_path_length(net, start, end, "weight")) if has_road else None

    def path(self, start: str, end: str) -> tuple[str, ...]:
        """O4.5 The spaces of the shortest way, both ends with it; none where there is no way."""
        found = self.from_(end)
        if start not in found:
            return ()
        way, here = [start], found[start][1]
        while here is not None:
            way.append(here)
            here = found[here][1]
        return tuple(way)

    def between(self, one: str, other: str) -> Lane:
        """The shortest lane of two neighbours."""
        return min((lane for lane in self.ways[one] if lane.other(one) == other), key=lambda lane: lane.miles)

    def point(self, at: At) -> Point:
        """Where this is, in degrees."""
        if isinstance(at, str):
            return self.spaces[at].lonlat
        lane = self.lanes[at.lane]
        legs = [apart(one, other) for one, other in pairwise(lane.line)]
        left = sum(legs) * at.miles / lane.miles
        for (one, other), leg in zip(pairwise(lane.line), legs, strict=True):
            if left <= leg and leg:
                part = left / leg
                east, north = other[0] - one[0], other[1] - one[1]
                if abs(east) > 180:  # the shorter way is the one over the line of 180 degrees
                    return ((one[0] + ((east + 180) % 360 - 180) * part + 180) % 360 - 180, one[1] + north * part)
                return (one[0] + east * part, one[1] + north * part)
            left -= leg
        return lane.line[-1]

    def near(self, at: At) -> str:
        """O5.1 The space by which a place is called."""
        if isinstance(at, str):
            return at
        lane = self.lanes[at.lane]
        return lane.start if 2 * at.miles <= lane.miles else lane.end

    def nearest(self, at: At, among: Iterable[str]) -> str | None:
        """The nearest of some spaces by sea; of equal ones the first by name."""
        reached = self.from_(self.near(at))
        found = sorted((reached[space][0], space) for space in among if space in reached)
        return found[0][1] if found else None


@cache
def great_map() -> GeoJSON:
    """O1.2 The ancient sea that worlds are cut from, as GeoJSON; nobody changes it."""
    found: GeoJSON = data.raw_json("open_campaign/map.geojson")
    return found


def cut(corners: tuple[Point, Point], rank: int) -> GeoJSON:
    """O1.2 What of the great map lies between two corners, from a rank upwards, as GeoJSON; one connected net."""
    (west, east), (south, north) = (sorted(each) for each in zip(*corners, strict=True))
    points = {}
    for feature in great_map()["features"]:
        if feature["geometry"]["type"] == "Point" and feature["properties"]["rank"] >= rank:
            lon, lat = feature["geometry"]["coordinates"]
            if west <= lon <= east and south <= lat <= north:
                points[feature["properties"]["id"]] = feature
    return joined_by(points)


def joined_by(points: Mapping[str, Any], more: Iterable[Any] = ()) -> GeoJSON:
    """O1.2 The largest part of some places of the great map that its lanes, and `more`, hold together, as GeoJSON."""
    whole = great_map()
    ways = [each for each in (*whole["features"], *more) if each["geometry"]["type"] == "LineString"]
    ends = [{each["properties"]["from"], each["properties"]["to"]} for each in ways]
    ways = [each for each, pair in zip(ways, ends, strict=True) if pair <= points.keys()]
    kept = largest(points, ((each["properties"]["from"], each["properties"]["to"]) for each in ways))
    features = [points[name] for name in points if name in kept]
    features += [each for each in ways if each["properties"]["from"] in kept]
    return {"type": "FeatureCollection", "about": whole["about"], "features": features}


def largest(points: Iterable[str], ways: Iterable[tuple[str, str]]) -> set[str]:
    """The largest set of points that ways hold together."""
    import networkx as nx

    net: nx.Graph[str] = nx.Graph(ways)
    net.add_nodes_from(points)
    found: set[str] = max(nx.connected_components(net), key=len, default=set())
    return found


@cache
def stock_world(name: str) -> dict[str, Any]:
    """O1.2 A ready-made world as GeoJSON."""
    world = WORLDS[name]
    return {**cut(world.corners, world.rank), "id": name, "title": world.title}


@cache
def _name_chart(name: str) -> Chart:
    return read_chart(stock_world(name))


READ = Cache["Chart"]()  # charts of worlds that came with a position, by the digest of their JSON
SEEN = Cache[tuple[Mapping[str, Any], "Chart"]]()  # the same by the very object, which is not changed


def chart(world: str | Mapping[str, Any]) -> Chart:
    """The chart of a campaign's world. Raises BadInput for one that there is not, or that cannot be read."""
    if isinstance(world, str):
        if world not in WORLDS:
            raise BadInput("world", "there is no world '%(world)s'", world=world)
        return _name_chart(world)
    seen = SEEN.get(id(world))
    if seen is not None:
        return seen[1]
    written = encode(world)
    key = blake2b(written, digest_size=16).digest()
    found = READ.get(key) or READ.keep(key, read_chart(world))
    SEEN.keep(id(world), (world, found), TIMES * len(written))
    return found


def check_world(world: object, before: object, at: str) -> None:
    """O1.1 Raises BadInput for a world that is larger than a world may be, or that nobody could draw.

    `before`: the world in whose place it comes, None where there is none. What stood in that stays as it is, so that
    the umpire of an older war can go on drawing a larger one.
    """
    if isinstance(world, str):
        return
    if not isinstance(world, Mapping) or not isinstance(world.get("features"), list | tuple):
        raise BadInput(f"{at}.features", "this must be a list of spaces and lanes")
    old = before["features"] if isinstance(before, Mapping) else []
    if not isinstance(before, Mapping) or world.get("crs") != before.get("crs"):
        check_system(world, at)
    check_bytes(world, max(MOST_BYTES, len(encode(before))), at)
    places, ways = count_features(world["features"])
    old_places, old_ways = count_features(old)
    if places > (most := max(MOST_SPACES, old_places)):
        raise BadInput(f"{at}.features", "a world can have at most %(most)s places", most=most)
    if ways > (most := max(MOST_LANES, old_ways)):
        raise BadInput(f"{at}.features", "a world can have at most %(most)s lanes and roads", most=most)
    stood = set(map(encode, old))
    for number, feature in enumerate(world["features"]):
        if encode(feature) not in stood:
            check_feature(feature, f"{at}.features.{number}")
    own = world.get("picture")
    if own is not None:
        if not isinstance(own, Mapping):
            raise BadInput(f"{at}.picture", "expected an object")
        check_point(own.get("at"), f"{at}.picture.at", GLOBE)
        for name in ("miles", "number"):
            check_number(own.get(name, 1), f"{at}.picture.{name}", 0, LARGEST)


def count_features(features: Iterable[object]) -> tuple[int, int]:
    """O1.1 How many features are points, and how many are something else."""
    shapes = [each.get("geometry") if isinstance(each, Mapping) else None for each in features]
    points = sum(isinstance(shape, Mapping) and shape.get("type") == "Point" for shape in shapes)
    return points, len(shapes) - points


def check_feature(feature: object, at: str, most: int = MOST_POINTS) -> None:
    """O1.1 Raises BadInput for a feature that says something else than texts and numbers, or lies off the globe."""
    if not isinstance(feature, Mapping):
        raise BadInput(at, "expected an object")
    about, shape = feature.get("properties"), feature.get("geometry")
    if isinstance(about, Mapping):
        for name in ("rank", "cost", PARALLEL, *OWN):
            if about.get(name) is not None:
                check_number(about[name], f"{at}.properties.{name}", 0, LARGEST)
        for name in ("id", "name", "kind", "from", "to"):
            text = about.get(name, "")
            if isinstance(text, bool | list | tuple | Mapping) or len(str(text)) > LONGEST:
                raise BadInput(
                    f"{at}.properties.{name}", "expected a text of at most %(most)s characters", most=LONGEST
                )
    if shape is not None:
        check_geometry(shape, f"{at}.geometry", most)


def check_geometry(shape: object, at: str, most: int) -> None:
    """O1.1 Raises BadInput for a geometry that is not in degrees on the globe, or has more points in a line."""
    if not isinstance(shape, Mapping):
        raise BadInput(at, "expected an object")
    inner = shape.get("geometries")
    if shape.get("type") != "GeometryCollection":
        if (far := first_beyond(shape.get("coordinates"), f"{at}.coordinates")) is not None:
            raise BadInput(
                far,
                "these are not degrees, but metres of a projected system such as EPSG:3857: "
                "save the file in WGS 84 (EPSG:4326)",
            )
        check_shape(shape, at, GLOBE, most)
        return
    if not isinstance(inner, list | tuple) or len(inner) > most:
        raise BadInput(f"{at}.geometries", "there can be at most %(most)s of these", most=most)
    for number, each in enumerate(inner):
        check_geometry(each, f"{at}.geometries.{number}", most)


def first_beyond(raw: object, at: str) -> str | None:
    """The path to the first longitude or latitude that cannot be degrees; None where there is none."""
    if not isinstance(raw, list | tuple):
        return None
    for number, part in enumerate(raw):
        if isinstance(part, int | float) and number < 2 and not -TURN <= part <= TURN:
            return f"{at}.{number}"
        if (found := first_beyond(part, f"{at}.{number}")) is not None:
            return found
    return None


def check_system(world: Mapping[str, Any], at: str) -> None:
    """O1.1 Raises BadInput where a file says that its coordinates are in another system than degrees."""
    said = world.get("crs")
    if said is None:
        return
    about = said.get("properties") if isinstance(said, Mapping) else said
    names = [str(each) for each in about.values()] if isinstance(about, Mapping) else [str(about)]
    name = next(iter(names), "")
    numbers = re.findall(r"\d+", name)
    if not re.search(r"CRS:?84", name) and not (numbers and int(numbers[-1]) in DEGREES):
        raise BadInput(
            f"{at}.crs",
            "the coordinates are in the system %(system)s: save the file in WGS 84 (EPSG:4326)",
            system=name[:80],
        )


def read_chart(world: Mapping[str, Any]) -> Chart:
    """O1.1 The chart of a GeoJSON. Raises BadInput with the path to what is wrong."""
    spaces: dict[str, Space] = {}
    lanes: dict[str, Lane] = {}
    features = world.get("features")
    if not isinstance(features, list | tuple):
        raise BadInput("world.features", "this must be a list of spaces and lanes")
    for number, feature in enumerate(features):
        try:
            if (space := space_of(feature)) is not None:
                spaces[space.id] = space
            if (lane := lane_of(feature)) is not None:
                lanes[lane.id] = lane
        except (LookupError, TypeError, ValueError, AttributeError):
            raise BadInput(f"world.features.{number}", "this cannot be read as a place or a lane") from None
    roads = roads_of(features, spaces)
    ways: dict[str, tuple[Lane, ...]] = dict.fromkeys(spaces, ())
    for lane in lanes.values():
        for name in (lane.start, lane.end):
            if name not in spaces:
                raise BadInput("world.features", "the lane %(lane)s leads to no space", lane=lane.id)
            ways[name] += (lane,)
    if not spaces:
        raise BadInput("world.features", "there must be at least one space")
    return Chart(spaces, lanes, ways, roads=roads)


def space_of(feature: GeoJSON) -> Space | None:
    """O1.1 The space that a feature is; None for another one. Raises what Python does where it cannot be read."""
    about, shape = feature["properties"], feature["geometry"]
    if shape["type"] != "Point":
        return None
    lon, lat = shape["coordinates"][:2]
    id = str(about["id"])
    return Space(
        id,
        str(about.get("name", id)),
        str(about.get("kind", "port")),
        int(about.get("rank", 70)),
        (float(lon), float(lat)),
        **{name: max(0, int(about[name])) for name in OWN if about.get(name) is not None},
    )


def lane_of(feature: GeoJSON) -> Lane | None:
    """O1.1 The lane that a feature is; None for another one. Raises what Python does where it cannot be read."""
    about, shape = feature["properties"], feature["geometry"]
    if shape["type"] != "LineString" or about.get("kind", "lane") not in LANES:
        return None
    start, end = str(about["from"]), str(about["to"])
    line = tuple((float(point[0]), float(point[1])) for point in shape["coordinates"])
    miles = int(about.get("cost") or round(sum(apart(one, other) for one, other in pairwise(line))))
    name = lane_name(start, end, about.get(PARALLEL))
    return Lane(name, start, end, max(1, miles), about.get("kind", "lane"), line)


def lane_name(start: str, end: str, parallel: int | None = None) -> str:
    """O1.1 The id of a lane: its ends, and its number where there are others of the same ends.

    >>> lane_name("knossos", "rhodes", 2)
    'knossos--rhodes--2'
    """
    return f"{start}--{end}" + (f"--{parallel}" if parallel else "")


def roads_of(features: Iterable[Any], spaces: Mapping[str, Space]) -> dict[str, tuple[tuple[str, int], ...]]:
    """O1.1 The roads from each place, with their miles; without those that lead out of the world."""
    found: dict[str, tuple[tuple[str, int], ...]] = {}
    for feature in features:
        about, shape = feature["properties"], feature["geometry"]
        if shape["type"] != "LineString" or about.get("kind") != "road":
            continue
        start, end = str(about.get("from")), str(about.get("to"))
        if start in spaces and end in spaces:
            miles = max(1, int(about.get("cost") or round(apart(spaces[start].lonlat, spaces[end].lonlat))))
            for one, other in ((start, end), (end, start)):
                found[one] = (*found.get(one, ()), (other, miles))
    return found


def is_landing(world: Chart, at: At) -> bool:
    """O4.3 Can a fleet spend the night ashore here? Everywhere but on a lane or in the open sea."""
    return isinstance(at, str) and world.spaces[at].kind != OPEN_SEA


def at_on(world: Chart, at: At) -> bool:
    """O2.2 Is this a place of the world?"""
    if isinstance(at, OnLane):
        return at.lane in world.lanes and 0 < at.miles < world.lanes[at.lane].miles
    return at in world.spaces
