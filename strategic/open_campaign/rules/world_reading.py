"""O1.1 A world as map programs write it: its places, lanes and roads; what of a file was left out, and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, count, pairwise
from math import isfinite
from typing import Any

import shapely

from strategic.coast import Point, apart
from strategic.open_campaign.rules.world import (
    LANES,
    MOST_BYTES,
    MOST_LANES,
    MOST_POINTS,
    MOST_SPACES,
    OWN,
    PARALLEL,
    GeoJSON,
    check_feature,
    check_system,
    lane_name,
)
from tactical.drawing import DEPTHS
from tactical.kernel.record import BadInput, Reason, because, clean_name, encode

ROAD = "road"
PLACES, WAYS = ("port", "beach", "cape", "sea", "town"), (*LANES, ROAD)
CALLED = {  # what others call our kinds: English words, and those of ORBIS
    **dict.fromkeys(("harbour", "harbor"), "port"),
    **dict.fromkeys(("strait", "headland"), "cape"),
    **dict.fromkeys(("coastal", "ferry", "upstream", "downstream"), "lane"),
    "overseas": "sea_lane",
}
ORBIS = "t"  # where ORBIS says of what kind a route is
NAMED = {"label": "name", "title": "name"}  # what others call our fields
TEXTS, ENDS = ("id", "name", "kind"), ("from", "to")
OF_PLACES, OF_WAYS = (*TEXTS, "rank", *OWN), (*TEXTS, *ENDS, "cost", PARALLEL)
NUMBERS = ("rank", "cost", PARALLEL, *OWN)
MOST_FEATURES = 10_000  # of a file, with what is left out of it
MOST_PLACES = 5 * MOST_SPACES  # of a file, before those to which no lane leads are left out
MOST_IN_FILE = 50_000  # points of a line, before it is made simpler
NEAR, NEAR_ROAD = 5.0, 15.0  # nautical miles from the end of a line within which a place is its end
DIGITS = 4  # of a coordinate where a world is too large: some ten metres
SIMPLER = (0.002, 0.005, 0.01, 0.02)  # degrees by which a line may leave the one that was drawn
FARTHEST = 360.0  # degrees: nothing is left of a line but its ends
MADE = {"kind": "cape", "rank": 60}  # of a place that is made where a lane ends and nothing lies
OTHERS = ("GeometryCollection", "Track", "Model")  # geometries of GeoJSON and KML beside points, lines and polygons
TOPOJSON, ESRI = "Topology", ("spatialReference", "geometryType", "displayFieldName")


@dataclass
class Feature:
    """A feature while it is read: its number in the file, what it says, its point or its line; an old one stays."""

    number: int
    raw: GeoJSON
    about: GeoJSON
    point: list[float] | None = None
    line: list[list[float]] | None = None
    called: str = ""  # an id of second choice: that of the feature itself, or in other letters, as "Id"
    is_way: bool = False
    is_joined: bool = False  # of several lines, which may have run in any direction
    is_old: bool = False

    @property
    def is_lane(self) -> bool:
        """Is it a way by sea?"""
        return self.is_way and self.about.get("kind", LANES[0]) in LANES

    def ends(self) -> tuple[str | None, str | None]:
        """Where a way begins and ends, as far as it says so."""
        start, end = (self.about.get(name) for name in ENDS)
        return None if start is None else str(start), None if end is None else str(end)

    def lane(self, number: int | None) -> str:
        """The id of a lane of these ends and this number."""
        start, end = self.ends()
        return lane_name(str(start), str(end), number)

    def written(self) -> GeoJSON:
        """The feature of the world."""
        if self.is_old or not (self.point or self.line):
            return self.raw
        shape = (
            {"type": "Point", "coordinates": self.point}
            if self.point
            else {"type": "LineString", "coordinates": self.line}
        )
        rest = {name: value for name, value in self.raw.items() if name != "bbox"}
        return {**rest, "type": "Feature", "properties": self.about, "geometry": shape}


@dataclass
class Reading:
    """A world, and how it was read: by its place among the features, what was left out; notes on what was changed."""

    world: GeoJSON
    left_out: list[tuple[int, Reason]] = field(default_factory=list)
    notes: list[Reason] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Is everything in the world as the file says it?"""
        return not (self.left_out or self.notes)


def read_world(raw: object, at: str, before: object = None, is_file: bool = False) -> Reading:
    """O1.1 The world of a GeoJSON: an id for each place, both ends of each lane, one line for each; null is nothing.

    Of a file what is neither a place nor a way is left out, places are made where lanes end at none, and what is too
    large is made smaller. Elsewhere such a lane is refused, and what is neither stays as it is. Features that stood in
    the world `before` stay as they are. Raises BadInput with the path to what contradicts itself: an id that is there
    twice, an unknown kind, a text that is not a number, coordinates that are not degrees on the globe.
    """
    members, given = members_of(raw, at)
    if is_file:
        check_system(members, at)
    if len(given) > MOST_FEATURES:
        raise BadInput(f"{at}.features", "a file can have at most %(most)s features", most=MOST_FEATURES)
    old = before.get("features", ()) if isinstance(before, Mapping) else ()
    reading, stood = Reading({}), set(map(encode, old))
    read = Reader(at, is_file, reading)
    features = [
        feature
        for number, each in enumerate(given)
        if (feature := old_feature(number, each) if encode(each) in stood else read.feature(number, each)) is not None
    ]
    found = [each for each in features if each.point is not None]
    if is_file and len(found) > MOST_PLACES:
        raise BadInput(f"{at}.features", "a world can have at most %(most)s places", most=MOST_SPACES)
    places = read.with_ids(found)
    ways = [each for each in features if each.is_way and not each.is_old]
    if is_file and len(ways) > MOST_LANES:
        raise BadInput(f"{at}.features", "a world can have at most %(most)s lanes and roads", most=MOST_LANES)
    features += read.join(ways, places)
    if is_file:
        leave_out_inland(reading, features)
    left = {number for number, _why in reading.left_out}
    features = [each for each in features if each.number not in left]
    number_parallels([each for each in features if each.is_lane and all(each.ends())])
    there = {each.about["id"] for each in features if each.point is not None}
    outside = sum(each.is_way and not each.is_old and not there.issuperset(each.ends()) for each in features)
    if outside:
        reading.notes.append(
            because("roads that lead out of this world, and that nobody can use: %(number)s", number=outside)
        )
    if is_file:
        make_smaller(reading, features, members)
    kept = {name: value for name, value in members.items() if name not in ("crs", "bbox")}
    reading.world = {**kept, "type": "FeatureCollection", "features": [each.written() for each in features]}
    return reading


def members_of(raw: object, at: str) -> tuple[GeoJSON, list[Any]]:
    """The members of a GeoJSON and its features: of a collection, of a feature alone, of a geometry alone."""
    if not isinstance(raw, Mapping):
        raise BadInput(at, "this must be GeoJSON with a list of features")
    kind = raw.get("type")
    if kind == TOPOJSON:
        raise BadInput(at, "this is TopoJSON: save it as GeoJSON")
    if any(name in raw for name in ESRI):
        raise BadInput(at, "this is Esri JSON: save it as GeoJSON")
    if isinstance(raw.get("features"), list | tuple):
        return dict(raw), list(raw["features"])
    about = {name: raw[name] for name in ("crs",) if name in raw}
    if kind == "Feature":
        return about, [raw]
    if "coordinates" in raw or "geometries" in raw:
        return about, [{"type": "Feature", "properties": {}, "geometry": dict(raw)}]
    raise BadInput(f"{at}.features", "this must be a list of spaces and lanes")


def old_feature(number: int, raw: GeoJSON) -> Feature:
    """A feature that stands in a world already."""
    about, shape = raw.get("properties") or {}, raw.get("geometry") or {}
    kind, points = shape.get("type"), shape.get("coordinates")
    is_place = kind == "Point" and "id" in about
    return Feature(number, raw, about, points if is_place else None, is_way=kind == "LineString", is_old=True)


@dataclass
class Reader:
    """How the features of one world are read; `at` is the path to it."""

    at: str
    is_file: bool
    reading: Reading

    def path(self, number: int) -> str:
        """The path to a feature."""
        return f"{self.at}.features.{number}"

    def leave_out(self, number: int, why: Reason) -> None:
        """Leave a place or a way of a file out, and say why. Raises BadInput elsewhere."""
        if not self.is_file:
            raise BadInput(self.path(number), why)
        self.reading.left_out.append((number, why))

    def feature(self, number: int, raw: object) -> Feature | None:
        """A feature; None where nothing of it is left."""
        path = self.path(number)
        if not isinstance(raw, Mapping):
            raise BadInput(path, "expected an object")
        about = raw.get("properties")
        if not isinstance(about, Mapping | None):
            raise BadInput(f"{path}.properties", "expected an object")
        shape, about = unquoted(raw.get("geometry")), dict(about or {})
        parts = list(simple_parts(shape, f"{path}.geometry")) if shape is not None else []
        kinds = sorted({kind for kind, _points in parts})
        if not parts or kinds == ["LineString"]:
            return self.way(number, dict(raw), about, shape, [points for _kind, points in parts])
        if kinds != ["Point"]:
            if self.is_file:
                self.leave_out(number, because("this is neither a place nor a lane: %(kinds)s", kinds=kinds))
            return None if self.is_file else Feature(number, dict(raw), about)
        if len(parts) > 1:
            self.leave_out(
                number, because("a place lies at one point, and this feature has %(points)s", points=len(parts))
            )
            return None
        other = next((value for key, value in about.items() if key != "id" and key.casefold() == "id"), None)
        called = next((str(each) for each in (other, raw.get("id")) if isinstance(each, str | int) and each != ""), "")
        own = self.tidy(number, about, shape, OF_PLACES, PLACES)
        return Feature(number, dict(raw), own, list(parts[0][1]), called=called)

    def way(self, number: int, raw: GeoJSON, about: GeoJSON, shape: Any, lines: list[Any]) -> Feature | None:
        """A lane or a road of one line, or of several that join; without a line it must name both of its ends."""
        given = {name.casefold() for name, value in about.items() if value not in (None, "")}
        if not lines and not given.issuperset(ENDS):
            if self.is_file:
                self.leave_out(number, because("this feature has no coordinates"))
            return None
        about = self.tidy(number, about, shape if lines else None, OF_WAYS, WAYS)
        if not lines:
            return Feature(number, raw, about, line=[], is_way=True)
        line = joined(lines)
        if line is None:
            self.leave_out(number, because("its %(parts)s lines do not join to one", parts=len(lines)))
            return None
        return Feature(number, raw, about, line=line, is_way=True, is_joined=len(lines) > 1)

    def tidy(self, number: int, about: GeoJSON, shape: Any, names: tuple[str, ...], kinds: tuple[str, ...]) -> GeoJSON:
        """What a feature says, under our names in any letters; a field of ours that is null or empty is not given."""
        path, found, said = self.path(number), {}, dict[str, Any]()
        for key, value in about.items():
            name = key if key in names else key.casefold()
            if name in NUMBERS and name not in names:  # of a lane at a place, or the other way round: nobody reads it
                value = plain_number(value)
                value = None if isinstance(value, str) else value
            if name not in names:
                found[key] = value
                name = NAMED.get(name, "")
            is_given = name and value is not None and value != ""
            if is_given and (key == name or (name not in said and name != "id")):
                said[name] = value
        for name in NUMBERS:
            if name in said:
                said[name] = number_of(said[name], f"{path}.properties.{name}")
        for name in ("id", *ENDS):
            if isinstance(said.get(name), int | float) and not isinstance(said[name], bool):
                said[name] = f"{said[name]:.15g}"
        if self.is_file and isinstance(said.get("name"), str):
            name = clean_name(said.pop("name"))
            said |= {"name": name} if name else {}
        if "kind" in said:
            said["kind"] = kind_of(said["kind"], kinds, f"{path}.properties.kind")
        elif kinds == WAYS and isinstance(about.get(ORBIS), str):
            route = CALLED.get(about[ORBIS], about[ORBIS])
            said |= {"kind": route} if route in WAYS else {}
        if self.is_file:
            check_feature({"properties": said, "geometry": shape}, path, MOST_IN_FILE)
        return {**found, **said}

    def with_ids(self, places: list[Feature]) -> dict[str, Feature]:
        """The places by their ids, which are their own, those of their features, or made of their names.

        Raises BadInput for an id that is there twice.
        """
        found: dict[str, Feature] = {}
        for each in places:
            if "id" in each.about:
                first = found.setdefault(str(each.about["id"]), each)
                if first is not each and not (first.is_old and each.is_old):
                    raise BadInput(
                        f"{self.path(each.number)}.properties.id",
                        "the id %(id)s is that of the feature %(first)s, too",
                        id=str(each.about["id"]),
                        first=first.number,
                    )
        times = Counter(each.called for each in places)
        for each in places:
            if "id" not in each.about:
                is_own = each.called and times[each.called] == 1 and each.called not in found
                name = str(each.about.get("name") or (each.called if is_own else f"Place {each.number + 1}"))
                each.about = {"id": each.called if is_own else free_id(found, name), "name": name, **each.about}
                found[each.about["id"]] = each
        return found

    def join(self, ways: list[Feature], places: dict[str, Feature]) -> list[Feature]:
        """The places that are made, once both ends of each way are known: it names them, or they lie where it ends."""
        shore = Shore(places)
        for way in ways:
            ends = self.find_ends(way, shore)
            if isinstance(ends, Reason):
                self.leave_out(way.number, ends)
                continue
            is_inside = all(end in shore.places for end in ends)
            if not is_inside and (way.is_lane or not way.line):
                if not self.is_file:
                    why = because("the lane %(lane)s leads to no space", lane=lane_name(*ends))
                    raise BadInput(f"{self.at}.features", why)
                missing = [end for end in ends if end not in shore.places]
                several = [end for end in missing if shore.named(end)]
                why = because("there is no place called %(names)s", names=missing)
                why = because("several places are called %(names)s", names=several) if several else why
                self.leave_out(way.number, why)
                continue
            way.about = {**way.about, **dict(zip(ENDS, ends, strict=True))}
            way.line = way.line or [shore.places[end][:2] for end in ends]
            if is_inside and way.is_joined:
                way.line = turned(way.line, *(shore.places[end] for end in ends))
        made = [
            Feature(MOST_FEATURES + number, {}, {"id": id, "name": id.replace("_", " ").capitalize(), **MADE}, point)
            for number, (id, point) in enumerate(shore.made.items())
        ]
        if made:
            self.reading.notes.append(
                because("places that were made where a lane ends and no place lies: %(number)s", number=len(made))
            )
        return made

    def find_ends(self, way: Feature, shore: Shore) -> tuple[str, str] | Reason:
        """Both ends of a way, or why it has none: those that it names, else the places where it ends, else new ones."""
        named = [shore.called(end) for end in way.ends()]
        if named[0] is not None and named[1] is not None:
            return named[0], named[1]
        line = way.line or []
        known = shore.places.get(named[0] or named[1] or "")
        if known is not None and (named[0] is None) == (
            apart(point_of(known), point_of(line[0])) < apart(point_of(known), point_of(line[-1]))
        ):
            line = line[::-1]
        limit = NEAR if way.is_lane else NEAR_ROAD
        found = [end or shore.nearest(at, limit) for end, at in zip(named, (line[0], line[-1]), strict=True)]
        is_short = None in found and apart(point_of(line[0]), point_of(line[-1])) <= NEAR
        if is_short or found[0] == found[1] is not None:
            return because(
                "both ends of this line lie at the same place, within %(miles)s nautical miles", miles=round(limit)
            )
        if None in found and not (way.is_lane and self.is_file):
            return because("no place lies where this line ends")
        start, end = (each or shore.make(at) for each, at in zip(found, (line[0], line[-1]), strict=True))
        way.line = line
        return start, end


class Shore:
    """The places of a world by where they lie, and those that are made."""

    def __init__(self, places: Mapping[str, Feature]) -> None:
        self.places = {id: each.point for id, each in places.items() if each.point}
        self.made: dict[str, list[float]] = {}
        self._ids = list(self.places)
        self._names: dict[str, list[str]] = {}
        for id, each in places.items():
            self._names.setdefault(str(each.about.get("name")).casefold(), []).append(id)
        self._tree = shapely.STRtree([shapely.Point(self.places[id][:2]) for id in self._ids])

    def called(self, end: str | None) -> str | None:
        """The id of the place that a way calls so, by its id or by a name that no other has; else what it says."""
        known = self.named(end) if end is not None and end not in self.places else ()
        return known[0] if len(known) == 1 else end

    def named(self, end: str) -> Sequence[str]:
        """The ids of the places of this name."""
        return self._names.get(clean_name(end).casefold(), ())

    def nearest(self, at: list[float], limit: float) -> str | None:
        """The nearest place within so many miles."""
        spot = shapely.Point(at[:2])
        found = [self._ids[number] for number in self._tree.query_nearest(spot)] if self._ids else []
        near = {id: apart(point_of(self.places[id]), point_of(at)) for id in (*found, *self.made)}
        best = min(near, key=lambda id: near[id], default=None)
        return best if best is not None and near[best] <= limit else None

    def make(self, at: list[float]) -> str:
        """The id of a place that is made here. Raises BadInput for one that no world could have."""
        if len(self.made) >= MOST_SPACES:
            raise BadInput("world.features", "a world can have at most %(most)s places", most=MOST_SPACES)
        id = free_id(self.places, "Place")
        self.places[id] = self.made[id] = list(at)
        return id


def point_of(raw: list[float]) -> Point:
    """A point without its height."""
    return float(raw[0]), float(raw[1])


def unquoted(shape: Any) -> Any:
    """A geometry whose numbers are not texts, and whose points have no more than a height."""
    if isinstance(shape, Mapping):
        return {name: unquoted(part) if isinstance(part, list | Mapping) else part for name, part in shape.items()}
    if isinstance(shape, list) and any(isinstance(part, list | Mapping) for part in shape):
        return [unquoted(part) for part in shape]
    if not isinstance(shape, list):
        return shape
    plain = [plain_number(part) for part in shape[:3]]
    return plain[:2] if len(plain) == 3 and plain[2] is None else plain


def plain_number(raw: object) -> object:
    """A number that may have been written as a text; what is none as it is."""
    if not isinstance(raw, str):
        return raw
    try:
        found = float(raw.strip().replace(",", "."))
    except ValueError:
        return raw
    return (int(found) if found.is_integer() else found) if isfinite(found) else raw


def simple_parts(shape: object, path: str) -> Iterator[tuple[str, Any]]:
    """The points, lines and others of a geometry, also of one that holds several; empty ones are nothing."""
    if not isinstance(shape, Mapping):
        raise BadInput(path, "expected an object")
    kind, points = str(shape.get("type")), shape.get("coordinates")
    if kind not in (*DEPTHS, *OTHERS):
        raise BadInput(f"{path}.type", "a geometry must be one of %(kinds)s", kinds=tuple(DEPTHS))
    if kind == "GeometryCollection":
        inner = shape.get("geometries")
        if not isinstance(inner, list | tuple):
            raise BadInput(f"{path}.geometries", "expected a list")
        for number, each in enumerate(inner):
            yield from simple_parts(each, f"{path}.geometries.{number}")
    elif kind.startswith("Multi") and isinstance(points, list | tuple):
        yield from ((kind.removeprefix("Multi"), each) for each in points if each != [])
    elif points != [] and points is not None:
        yield kind, points


def joined(lines: list[Any]) -> list[list[float]] | None:
    """One line of several that meet end to end, in any order and direction; None where they do not."""
    if len(lines) == 1:
        return [list(point) for point in lines[0]]
    flat = [shapely.linestrings([point[:2] for point in line]) for line in lines]
    found = shapely.line_merge(shapely.multilinestrings(flat))
    return [list(point) for point in found.coords] if isinstance(found, shapely.LineString) else None


def turned(line: list[list[float]], start: list[float], end: list[float]) -> list[list[float]]:
    """The line with its beginning where it begins."""
    one, other = point_of(line[0]), point_of(line[-1])
    along = apart(one, point_of(start)) + apart(other, point_of(end))
    back = apart(one, point_of(end)) + apart(other, point_of(start))
    return line if along <= back else line[::-1]


def number_of(raw: object, at: str) -> object:
    """A number that may have been written as a text. Raises BadInput for a text that is none."""
    found = plain_number(raw)
    if isinstance(found, str):
        raise BadInput(at, "'%(text)s' is not a number", text=found[:40])
    return found


def kind_of(raw: object, kinds: tuple[str, ...], at: str) -> str:
    """One of these kinds, in any letters, or as others call it. Raises BadInput for an unknown one."""
    word = re.sub(r"[\s-]+", "_", str(raw).strip().casefold())
    kind = CALLED.get(word, word)
    if kind not in kinds:
        raise BadInput(at, "'%(kind)s' is not among the kinds: %(kinds)s", kind=str(raw)[:40], kinds=kinds)
    return kind


def free_id(taken: Container[str], name: str) -> str:
    """An id for a new place, by its name where that has plain letters."""
    stem = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:32] or "place"
    return next(id for number in count(1) if (id := stem if number == 1 else f"{stem}_{number}") not in taken)


def number_parallels(lanes: list[Feature]) -> None:
    """Number lanes of the same ends, so that each stays; the last is called by its ends alone, as it was before."""
    taken = {each.lane(each.about.get(PARALLEL)) for each in lanes if each.is_old}
    for each in reversed(lanes):
        if not each.is_old:
            wanted = each.about.pop(PARALLEL, None)
            numbers = chain([wanted, *[None] * (wanted is not None)], count(2))
            number = next(number for number in numbers if each.lane(number) not in taken)
            taken.add(each.lane(number))
            each.about |= {PARALLEL: number} if number else {}


def leave_out_inland(reading: Reading, features: list[Feature]) -> None:
    """Of too many places leave out those to which no lane leads, where they do not say what they are.

    Raises BadInput where there are too many all the same.
    """
    places = [each for each in features if each.point is not None]
    if len(places) <= MOST_SPACES:
        return
    gone = {number for number, _why in reading.left_out}
    reached = {end for each in features if each.is_lane and each.number not in gone for end in each.ends()}
    inland = [each for each in places if each.about["id"] not in reached and "kind" not in each.about]
    if not reached or len(places) - len(inland) > MOST_SPACES:
        raise BadInput(
            "world.features",
            "there are %(number)s places here, and a world can have at most %(most)s. Send the lanes with them, and "
            "places to which no lane leads are left out",
            number=len(places) - len(inland if reached else ()),
            most=MOST_SPACES,
        )
    why = because("no lane leads there, and a world can have at most %(most)s places", most=MOST_SPACES)
    reading.left_out += [(each.number, why) for each in inland]


def make_smaller(reading: Reading, features: list[Feature], members: GeoJSON) -> None:
    """Draw a world that is too large with fewer points, roads by their ends alone; miles stay as they were."""
    ways = [each for each in features if each.is_way and each.line]
    steps: list[tuple[Reason | None, Callable[[Feature], None]]] = [
        (None, without_nulls),
        (because("coordinates are rounded to %(digits)s digits", digits=DIGITS), rounded),
        (because("each road is drawn by its two ends"), by_its_ends),
        *((because("lanes are drawn with fewer points"), partial(draw, by=degrees)) for degrees in SIMPLER),
        (because("properties that the game does not know are left out"), bare),
    ]
    long = [each for each in ways if len(each.line or ()) > MOST_POINTS]
    for way in long:
        for degrees in (*SIMPLER, 0.05, 0.1, 0.2, 0.5, 1.0, FARTHEST):
            if len(way.line or ()) > MOST_POINTS:
                draw(way, degrees)
    if long:
        reading.notes.append(
            because(
                "lines of more than %(most)s points that are drawn with fewer: %(number)s",
                number=len(long),
                most=MOST_POINTS,
            )
        )
    room = MOST_BYTES
    for why, step in steps:
        if len(encode([members | {"features": []}, [each.written() for each in features]])) <= room:
            return
        room = MOST_BYTES * 97 // 100  # so that it still has room when another program has written it
        for each in features:
            step(each)
        if why is not None and why not in reading.notes:
            reading.notes.append(why)


def without_nulls(feature: Feature) -> None:
    """Take from a feature what only another program knows and is not given."""
    feature.about = {name: value for name, value in feature.about.items() if value is not None}


def rounded(feature: Feature) -> None:
    """Round the coordinates of a feature."""
    if feature.point:
        feature.point = [round(part, DIGITS) for part in feature.point]
    if feature.line:
        feature.line = [[round(part, DIGITS) for part in point[:2]] for point in feature.line]


def by_its_ends(way: Feature) -> None:
    """Draw a road by its two ends: of its line the game reads nothing but the miles."""
    if not way.is_lane:
        draw(way, FARTHEST)


def draw(way: Feature, by: float) -> None:
    """Draw a way with fewer points, so many degrees beside the old line at most; it keeps the miles of that."""
    if way.line and len(way.line) > 2:
        if not way.about.get("cost"):
            miles = sum(apart(point_of(one), point_of(other)) for one, other in pairwise(way.line))
            way.about = {**way.about, "cost": max(1, round(miles))}
        found = shapely.simplify(shapely.linestrings([point[:2] for point in way.line]), by, preserve_topology=False)
        way.line = [list(point) for point in found.coords]


def bare(feature: Feature) -> None:
    """Take from a feature what only another program knows."""
    known = OF_WAYS if feature.is_way else OF_PLACES
    feature.about = {name: value for name, value in feature.about.items() if name in known}
    feature.raw = {}
