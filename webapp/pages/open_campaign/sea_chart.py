"""A sea chart of a war of one's own as a seat knows it, and its world drawn once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from math import cos, inf, pi, sin
from typing import Any

import numpy as np
import shapely
from flask import Response, abort, render_template
from markupsafe import Markup
from shapely import GeometryCollection, clip_by_rect
from shapely import box as rectangle
from shapely.affinity import affine_transform
from shapely.geometry import LineString, box
from shapely.geometry.base import BaseGeometry
from werkzeug.datastructures import MultiDict

import data
from strategic.open_campaign.rules.world import Chart, Space, chart
from strategic.open_campaign.rules.world import Chart as World
from tactical.kernel.cache import remember
from tactical.kernel.record import Input
from webapp.http.cache import Cache
from webapp.http.forms import count
from webapp.http.seats import current_seat, store
from webapp.pages.open_campaign import open_blueprint
from webapp.presenting.labels import place_name
from webapp.presenting.map.sheet import Conic, path, projected_land
from webapp.presenting.sides import NOBODY, sign_at
from webapp.systems.open_campaign.dispatch import Seen, afloat, newest, number_in, point_of, space_by

# -- The paper of a sea chart: so many pixels, the projection onto them, and the land that lies there.

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


# -- Where plates and names stand on a sea chart, so that nothing lies upon anything else.

Box = tuple[float, float, float, float]  # left, top, right, foot
BEARINGS, FARTHEST_PLATE = 16, 150
OVER_SPACE, OVER_NAME, OVER_LAND = 20.0, 10.0, 3.0
EDGE = 4.0
SIDES = (  # of a space, where its name may stand: the anchor, and the shift in pixels
    ("start", 8, 4),
    ("end", -8, 4),
    ("middle", 0, -9),
    ("middle", 0, 17),
    ("start", 8, -5),
    ("end", -8, -5),
    ("start", 8, 14),
    ("end", -8, 14),
)


def overlaps(one: Box, other: Box, room: float = 0.0) -> bool:
    """Do two boxes come nearer than so many pixels?"""
    return (
        one[0] < other[2] + room and other[0] < one[2] + room and one[1] < other[3] + room and other[1] < one[3] + room
    )


@dataclass
class Table:
    """What lies on a chart already: the boxes of plates, points of spaces, boxes of names."""

    width: float
    height: float
    land: BaseGeometry
    plates: list[Box] = field(default_factory=list)
    spaces: list[tuple[float, float]] = field(default_factory=list)
    names: list[Box] = field(default_factory=list)

    def is_on(self, box: Box) -> bool:
        """Does a box lie on the paper?"""
        return box[0] >= EDGE and box[1] >= EDGE and box[2] <= self.width - EDGE and box[3] <= self.height - EDGE

    def put(self, x: float, y: float, wide: float, high: float) -> Box | None:
        """The best box of a plate for this point, which it then takes; None where there is no room for it."""
        best: tuple[float, Box] | None = None
        for far in range(26, FARTHEST_PLATE, 8):
            if best is not None and far > best[0]:
                break
            for bearing in range(BEARINGS):
                angle = 2 * pi * bearing / BEARINGS
                cx = x + cos(angle) * (far + wide / 2 * abs(cos(angle)))
                cy = y + sin(angle) * (far * 0.7 + high / 2 * abs(sin(angle)))
                box = (cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2)
                if not self.is_on(box) or any(overlaps(box, other, 3) for other in self.plates):
                    continue
                if overlaps(box, (x - 6, y - 6, x + 6, y + 6)):
                    continue
                cost = far + self.cost(box)
                if best is None or cost < best[0]:
                    best = (cost, box)
        if best is not None:
            self.plates.append(best[1])
            return best[1]
        return None

    def cost(self, box: Box) -> float:
        """What a plate there would cover."""
        left, top, right, foot = box
        spaces = sum(left - 5 < x < right + 5 and top - 5 < y < foot + 5 for x, y in self.spaces)
        names = sum(overlaps(box, other) for other in self.names)
        return OVER_SPACE * spaces + OVER_NAME * names + OVER_LAND * self.land.intersects(shapely.box(*box))

    def name(self, x: float, y: float, wide: float, high: float) -> tuple[str, float, float] | None:
        """Where the name of a space at this point stands (anchor, x, y of its foot); None where it finds no room."""
        for anchor, dx, dy in SIDES:
            left = x + dx - (wide if anchor == "end" else wide / 2 if anchor == "middle" else 0)
            box = (left, y + dy - high, left + wide, y + dy + 3)
            if not self.is_on(box) or any(overlaps(box, other, 1) for other in (*self.plates, *self.names)):
                continue
            if any(
                box[0] - 3 < a < box[2] + 3 and box[1] - 2 < b < box[3] + 2 for a, b in self.spaces if (a, b) != (x, y)
            ):
                continue
            self.names.append(box)
            return anchor, round(x + dx, 1), round(y + dy, 1)
        return None


# -- A world drawn once (O1.1): its land and lanes as one SVG, which a browser keeps and every chart of the war shows.
#
# A chart is the same projection with another scale and another corner, so that it shows the sheet moved and stretched;
# lines keep their width. The file's address has the world's digest: another world has another address.

bp = open_blueprint("world_sheet")
WIDE, HIGH = 4000, 3000  # units of the sheet
LAND_BEYOND = 1600  # units of land about its frame, for screens of another shape
SHEET_BEYOND = 320  # pixels about a chart that are drawn and tapped, too
FOR_EVER = "private, max-age=31536000, immutable"


@dataclass(frozen=True, eq=False)
class WorldSheet:
    """A world as it is drawn once: its projection, its land, and its ways by kind as path data."""

    digest: str
    conic: Conic
    land: BaseGeometry
    land_drawn: Markup
    lanes: Mapping[str, str]

    def onto(self, paper: Paper) -> tuple[float, float, float]:
        """How the sheet comes onto a chart: its scale, and where its corner lies in pixels."""
        scale = paper.conic.scale / self.conic.scale
        return scale, self.conic.left * scale - paper.conic.left, self.conic.top * scale - paper.conic.top

    def matrix(self, paper: Paper) -> str:
        """The same as SVG writes it."""
        scale, x, y = self.onto(paper)
        return f"matrix({scale:.6g} 0 0 {scale:.6g} {x:.1f} {y:.1f})"


SHEETS = Cache(single_flight=True)


def sheet_of(world: Chart) -> WorldSheet:
    """The sheet of a world."""
    return SHEETS.get(world.digest, lambda: draw_sheet(world))


def draw_sheet(world: Chart) -> WorldSheet:
    """A world's land and ways in the units of its sheet."""
    paper = fitted([space.lonlat for space in world.spaces.values()], WIDE, HIGH, 0)
    land = projected_land(paper.conic, rectangle(0, 0, WIDE, HIGH).buffer(LAND_BEYOND, join_style="mitre"))
    lines: dict[str, list[BaseGeometry]] = {}
    for lane in world.lanes.values():
        line = LineString(paper.conic.place(np.array(lane.line, dtype=float)))
        lines.setdefault(lane.kind, []).append(line.simplify(1))
    lanes = {kind: path(GeometryCollection(found)) for kind, found in lines.items()}
    return WorldSheet(world.digest, paper.conic, land, drawn_land(land), lanes)


@remember
def land_on(sheet: WorldSheet, paper: Paper) -> BaseGeometry:
    """The land that lies on a chart, in pixels."""
    scale, x, y = sheet.onto(paper)
    part = clip_by_rect(sheet.land, -x / scale, -y / scale, (paper.width - x) / scale, (paper.height - y) / scale)
    return affine_transform(part, (scale, 0, 0, scale, x, y))


@bp.get("/<game>/world/<digest>.svg")
def drawn(game: str, digest: str) -> Any:
    """A war's world, for everybody at it."""
    world = chart(store().load(game).view(current_seat(game).id)["world"])
    if world.digest != digest:
        abort(404)
    answer = Response(render_template("open_campaign/world.svg", sheet=sheet_of(world)), mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = FOR_EVER
    return answer


# -- What lies under a chart and at its foot: the organizer's own picture (O1.3), and the scale.

SCALE_WORD = 84  # pixels from the paper's edge to the scale and from its end to the end of its word


@dataclass(frozen=True)
class Underlay:
    """O1.3 The organizer's own picture under the chart: its number, its middle and its width in pixels."""

    number: int
    x: float
    y: float
    width: float


def underlay(paper: Paper, own: Mapping[str, Any]) -> Underlay | None:
    """O1.3 The picture of a world upon the paper; None for what says no place and width."""
    try:
        lon, lat = (float(each) for each in own["at"])
        x, y = paper.at((lon, lat))
        return Underlay(int(own.get("number", 1)), x, y, round(max(1.0, float(own["miles"])) * paper.mile, 1))
    except (LookupError, TypeError, ValueError):
        return None


def scale_of(paper: Paper) -> tuple[float, int]:
    """The length of a paper's scale in pixels and in nautical miles: a round number, a quarter of the paper at most."""
    fits = [each for each in (10, 20, 40, 100, 200, 400) if each * paper.mile <= paper.width / 4]
    miles = fits[-1] if fits else 10
    return round(miles * paper.mile, 1), miles


def scale_box(paper: Paper, above: float = 0.0) -> Box:
    """Where the scale stands, so far above its usual place at the foot of the paper; nothing is written there."""
    return 6, paper.height - 40 - above, scale_of(paper)[0] + SCALE_WORD, paper.height - 4 - above


# -- A sea chart of a war of one's own as a seat knows it: spaces, lanes, its fleets as plates, what it knows as pins.

View = Mapping[str, Any]
NEAREST = 3  # steps of nearness: 0 the whole world, 1 what is of interest, then about a place
AROUND = (0.0, 0.0, 1.6, 0.7)  # degrees about the place
Tap = tuple[str, int, int]  # the chart that was tapped, and where, in its pixels
LETTER, SMALL, GREAT_NAME = 8.7, 6.9, 9.7  # pixels of a letter of a plate's first line, of a name, of a great port's
PLATE_HIGH, PIN_HIGH = 28, 40
SIGN_WIDE = 30  # pixels from a plate's edge to its first letter: there the sign of its side stands
GREAT = 90  # from this rank upwards a port has walls
FULL_NAMES = 55.0  # pixels of a degree from which small places have their names
SAIL_A_DAY = 50  # nautical miles that a fleet may have gone since it was seen (K3)
FARTHEST = 30  # nautical miles of a ring at most (K3)
LONGEST = 18  # letters on a plate
OLDEST = 5  # days from which a sighting is drawn as old
ERROR = 4  # nautical miles of a sighting


class Written(Input, frozen=True):
    """A name upon the sea or the land."""

    text: str
    at: tuple[float, float]
    land: bool = False


class Names(Input, frozen=True):
    """data/open_campaign/seas.toml."""

    name: tuple[Written, ...]


@dataclass(frozen=True)
class Spot:
    """A space as drawn: its kind, the number of its holder (None: nobody's), whether it has walls."""

    id: str
    name: str
    x: float
    y: float
    kind: str
    holder: int | None
    is_great: bool


@dataclass(frozen=True)
class Name:
    """A name as placed."""

    text: str
    anchor: str
    x: float
    y: float
    kind: str


@dataclass(frozen=True)
class Plate:
    """A fleet: its plate (None: its sign alone found room), where it lies, what it is called, how many ships."""

    id: str
    name: str
    number: int
    colour: int
    x: float
    y: float
    box: Box | None


@dataclass(frozen=True)
class Pin:
    """What was seen: where, two lines, how old (0 to 5), the ring within which it may be now, in pixels."""

    title: str
    detail: str
    colour: int
    x: float
    y: float
    box: Box | None
    age: int
    ring: float


@dataclass(frozen=True)
class Mark:
    """A halt of a way: its number, and where."""

    number: int
    x: float
    y: float
    is_seen: bool = False


@dataclass(frozen=True)
class Truth:
    """A fleet as it is, upon the chart of what another side knows: where it lies, and the belief that it is tied to."""

    name: str
    number: int
    colour: int
    x: float
    y: float
    tie: Point


@dataclass(frozen=True)
class Way:
    """A way as drawn, its halts, its goal, and the parts of it on which others may see the fleet."""

    line: str
    halts: tuple[Mark, ...]
    goal: Point
    seen: tuple[str, ...] = ()


@dataclass(frozen=True)
class Flag:
    """A side's own pin: where it stands, its note, cut to what a flag holds, and the box of it (None: no room)."""

    space: str
    text: str
    note: str
    x: float
    y: float
    box: Box | None


@dataclass(frozen=True)
class SeaChart:
    """Everything that the template of a chart draws, in pixels.

    `world` is the digest of the world's sheet, `matrix` how that lies on the paper, `key` stands for all that does not
    follow from what a reader taps: spaces, names, plates, pins and flags. `marks` are the signs of all spaces but the
    great ports, as a class and path data.
    """

    paper: Paper
    world: str
    matrix: str
    kinds: tuple[str, ...]
    key: str
    spots: tuple[Spot, ...]
    marks: tuple[tuple[str, str], ...]
    names: tuple[Name, ...]
    plates: tuple[Plate, ...]
    pins: tuple[Pin, ...]
    flags: tuple[Flag, ...]
    way: Way | None = None
    chosen: str = ""
    truths: tuple[Truth, ...] = ()
    picture: Underlay | None = None

    @property
    def scale(self) -> tuple[float, int]:
        """The scale's length in pixels and in nautical miles."""
        return scale_of(self.paper)


Charts = Mapping[str, SeaChart]  # the same by the kind of screen for whose size it is drawn: wide, narrow


@cache
def written() -> tuple[Written, ...]:
    """The names of seas and lands."""
    return data.read("open_campaign/seas.toml", Names).name


def of_interest(view: View, seen: Iterable[Seen], goal: str = "") -> list[Point]:
    """What a first look at the chart should show: the seat's fleets, what it knows of others, a goal."""
    world = chart(view["world"])
    points = [world.point(point_of(fleet)) for _id, fleet in afloat(view)]
    points += [(each.lon, each.lat) for each in seen]
    if goal in world.spaces:
        points.append(world.spaces[goal].lonlat)
    return points


def about_place(world: World, space: str, near: int) -> list[Point]:
    """Two corners of what a chart shows about a space, so near."""
    (lon, lat), far = world.spaces[space].lonlat, AROUND[min(near, NEAREST)]
    return [(lon - far, lat - far * 0.75), (lon + far, lat + far * 0.75)]


def paper_of(view: View, width: int, height: int, around: Iterable[Point] = ()) -> Paper:
    """The paper that shows these points, or without any the whole world; upright as the world's own sheet."""
    points, world = list(around), chart(view["world"])
    meridian = sheet_of(world).conic.meridian
    if not points:
        places = [space.lonlat for space in world.spaces.values()]
        return fitted(places, width, height, min(60, width / 9), meridian)
    return fitted(points, width, height, min(width, height) / 4, meridian)


CHARTS = Cache()


def sea_chart(view: View, paper: Paper, seen: tuple[Seen, ...], covered: tuple[Box, ...] = ()) -> SeaChart:
    """The chart upon this paper. Nothing is written where a button lies over it (`covered`).

    It is kept by all that it shows, so that a tap upon it draws nothing anew and moves nothing.
    """
    world = chart(view["world"])
    fleets = tuple(
        (
            id,
            str(fleet["name"]),
            str(fleet["side"]),
            world.point(point_of(fleet)),
            space_by(view, fleet),
            len(fleet["ships"]),
        )
        for id, fleet in afloat(view)
    )
    sides, holders = tuple(view["sides"]), tuple(sorted((port, side) for port, side in view["ports"].items() if side))
    flags = tuple((each["space"], each["note"]) for own in view["pins"].values() for each in own)
    shows = (world.digest, paper, seen, covered, fleets, sides, holders, flags)
    found = CHARTS.get(shows, lambda: draw(view, world, paper, seen, covered))
    own = view["world"].get("picture") if isinstance(view["world"], Mapping) else None
    return replace(found, picture=underlay(paper, own)) if own else found


def draw(view: View, world: World, paper: Paper, seen: tuple[Seen, ...], covered: tuple[Box, ...]) -> SeaChart:
    """The chart, drawn."""
    sheet = sheet_of(world)
    colours = {side: number_in(view, side) for side in view["sides"]}
    spots = [spot(view, space, paper, colours) for space in world.spaces.values()]
    spots = [each for each in spots if paper.shows((each.x, each.y), -20)]
    taken = [*(covered or (scale_box(paper),))]
    table = Table(paper.width, paper.height, land_on(sheet, paper), taken, [(each.x, each.y) for each in spots])
    fleets = sorted(afloat(view), key=lambda each: (-len(each[1]["ships"]), each[0]))
    plates = []
    for id, fleet in fleets:
        at = paper.at(world.point(point_of(fleet)))
        if paper.shows(at):
            plates.append(plate(table, at, id, fleet, colours.get(fleet["side"], NOBODY)))
    pins = []
    for each in newest(seen):
        at = paper.at((each.lon, each.lat))
        if paper.shows(at):
            pins.append(pin(table, paper, at, each, colours.get(each.side, NOBODY)))
    flags = [flag(table, paper, world, each) for own in view["pins"].values() for each in own]
    first = {space_by(view, fleet) for _, fleet in fleets}
    found = SeaChart(
        paper,
        world.digest,
        sheet.matrix(paper),
        tuple(sheet.lanes),
        "",
        tuple(spots),
        marks(spots),
        (*names(table, paper, spots, first), *great_names(table, paper)),
        tuple(plates),
        tuple(pins),
        tuple(each for each in flags if paper.shows((each.x, each.y))),
    )
    return replace(found, key=blake2b(repr(found).encode(), digest_size=12).hexdigest())


def spot(view: View, space: Space, paper: Paper, colours: Mapping[str, int]) -> Spot:
    """A space upon the paper."""
    x, y = paper.at(space.lonlat)
    holder = view["ports"].get(space.id)
    colour = None if holder is None else colours.get(holder, NOBODY)
    return Spot(
        space.id, place_name(space.name), x, y, space.kind, colour, space.kind == "port" and space.rank >= GREAT
    )


def ring(x: float, y: float, radius: float) -> str:
    """A circle as path data."""
    return f"M{x - radius:.1f} {y:.1f}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0"


def marks(spots: Iterable[Spot]) -> tuple[tuple[str, str], ...]:
    """The signs of all spaces but the great ports: for each class of signs, all of them as one path."""
    found: dict[str, str] = {}
    for each in spots:
        x, y = each.x, each.y
        if each.is_great:
            continue
        if each.kind == "cape":
            name, sign = "cape", f"M{x - 4:.1f} {y + 2:.1f}q4-7 8 0"
        elif each.kind == "beach":
            name, sign = "cape beach", f"M{x - 5:.1f} {y:.1f}q2.500-3 5 0t5 0"
        elif each.holder is None:
            name, sign = "place free", ring(x, y, 3)
        else:
            name, sign = f"place core s{each.holder}", sign_at(each.holder, x, y)
        found[name] = found.get(name, "") + sign
    return tuple(found.items())


def plate(table: Table, at: Point, id: str, fleet: Mapping[str, Any], colour: int) -> Plate:
    """A fleet upon the chart; where there is no room for its name, its sign and its number alone."""
    name, number = shortened(str(fleet["name"])), len(fleet["ships"])
    box = table.put(*at, SIGN_WIDE + 6 + LETTER * len(name) + 36, PLATE_HIGH)
    if box is None:
        name, box = "", table.put(*at, SIGN_WIDE + 32, PLATE_HIGH)
    return Plate(id, name, number, colour, *at, box)


def flag(table: Table, paper: Paper, world: World, pin: Mapping[str, Any]) -> Flag:
    """O5.2 A pin that a side has set upon its own map."""
    x, y = paper.at(world.spaces[pin["space"]].lonlat)
    note = str(pin["note"])
    text = shortened(note)
    box = table.put(x, y, 14 + SMALL * len(text), 20) if paper.shows((x, y)) else None
    return Flag(pin["space"], text, note, x, y, box)


def shortened(text: str) -> str:
    """A name or note, cut to what a plate holds."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def pin(table: Table, paper: Paper, at: Point, seen: Seen, colour: int) -> Pin:
    """A sighting upon the chart, with its words where there is room for them."""
    wide = SIGN_WIDE + 10 + max(LETTER * len(seen.title), SMALL * len(seen.detail))
    box = table.put(*at, wide, PIN_HIGH)
    ring = min(FARTHEST, ERROR + SAIL_A_DAY * seen.age) * paper.mile
    return Pin(seen.title, seen.detail, colour, *at, box, min(seen.age, OLDEST), round(max(ring, 7.0), 1))


def names(table: Table, paper: Paper, spots: list[Spot], first: set[str]) -> Iterator[Name]:
    """The names that find room: those of the question first, then the great ports, the others, and capes."""
    is_near = 60 * paper.mile >= FULL_NAMES

    def weight(each: Spot) -> tuple[bool, bool, bool, bool, str]:
        return (each.id not in first, not each.is_great, each.holder is None, each.kind != "port", each.id)

    for each in sorted(spots, key=weight):
        is_first = each.id in first
        if not (is_first or each.is_great or is_near or each.holder is not None):
            continue
        letter = GREAT_NAME if each.is_great else SMALL
        found = table.name(each.x, each.y, letter * len(each.name), 12)
        if found is not None:
            yield Name(each.name, *found, "great" if each.is_great else "small")


def great_names(table: Table, paper: Paper) -> Iterator[Name]:
    """The names of seas and lands, where there is room left."""
    for each in written():
        x, y = paper.at(each.at)
        half = len(each.text) * (5.6 if each.land else 5.2)
        box = (x - half, y - 14, x + half, y + 5)
        if not table.is_on(box) or any(overlaps(box, other, 2) for other in (*table.plates, *table.names)):
            continue
        if sum(box[0] < a < box[2] and box[1] < b < box[3] for a, b in table.spaces) > 1:
            continue
        table.names.append(box)
        yield Name(each.text, "middle", x, y, "land" if each.land else "sea")


def tapped(charts: Charts, tap: Tap, within: float = inf) -> str:
    """The place on the chart that was tapped that is nearest to the tap, within so many pixels; empty for none."""
    kind, x, y = tap
    spots = charts[kind].spots if kind in charts else ()
    nearest = min(spots, key=lambda spot: (spot.x - x) ** 2 + (spot.y - y) ** 2, default=None)
    return nearest.id if nearest and (nearest.x - x) ** 2 + (nearest.y - y) ** 2 <= within**2 else ""


def tap_of(form: MultiDict[str, str]) -> Tap | None:
    """The tap on a chart that an address says; None where it says none."""
    if "tap.x" not in form:
        return None
    x, y = (count(form.get(f"tap.{axis}", "")) or 0 for axis in "xy")
    return form.get("chart", ""), x - SHEET_BEYOND, y - SHEET_BEYOND
