"""A sea chart of a war of one's own as a seat knows it: spaces, lanes, its fleets as plates, what it knows as pins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from typing import Any

from werkzeug.datastructures import MultiDict

import data
from strategic.open_campaign.rules.world import Chart as World
from strategic.open_campaign.rules.world import Space, chart
from strategic.open_campaign.state import OnLane
from tactical.kernel.record import Input
from tactical.kernel.record import read as read_as
from webapp.http.cache import Cache
from webapp.http.forms import count
from webapp.pages.open_campaign.chart_frame import Underlay, scale_box, scale_of, underlay
from webapp.pages.open_campaign.paper import Paper, Point, fitted
from webapp.pages.open_campaign.plates import Box, Table, overlaps
from webapp.pages.open_campaign.world_sheet import BEYOND, land_on, sheet_of
from webapp.presenting.place_names import place_name
from webapp.presenting.sides import NOBODY, sign_at
from webapp.systems.open_campaign.knowledge import Seen, newest
from webapp.systems.open_campaign.side_names import number_in

View = Mapping[str, Any]
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


@cache
def written() -> tuple[Written, ...]:
    """The names of seas and lands."""
    return data.read("open_campaign/seas.toml", Names).name


def place_of(world: World, fleet: Mapping[str, Any]) -> Point:
    """Where a fleet of a view is, in degrees."""
    at = fleet["at"]
    return world.point(at if isinstance(at, str) else read_as(at, OnLane))


def near(world: World, fleet: Mapping[str, Any]) -> str:
    """The space by which a fleet's place is called."""
    at = fleet["at"]
    return world.near(at if isinstance(at, str) else read_as(at, OnLane))


def afloat(view: View) -> dict[str, Mapping[str, Any]]:
    """The fleets of a view that have ships."""
    return {name: fleet for name, fleet in view["fleets"].items() if fleet["ships"]}


def of_interest(view: View, seen: Iterable[Seen], goal: str = "") -> list[Point]:
    """What a first look at the chart should show: the seat's fleets, what it knows of others, a goal."""
    world = chart(view["world"])
    points = [place_of(world, fleet) for fleet in afloat(view).values()]
    points += [(each.lon, each.lat) for each in seen]
    if goal in world.spaces:
        points.append(world.spaces[goal].lonlat)
    return points


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
        (id, str(fleet["name"]), str(fleet["side"]), place_of(world, fleet), near(world, fleet), len(fleet["ships"]))
        for id, fleet in afloat(view).items()
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
    fleets = sorted(afloat(view).items(), key=lambda each: (-len(each[1]["ships"]), each[0]))
    plates = []
    for id, fleet in fleets:
        at = paper.at(place_of(world, fleet))
        if paper.shows(at):
            plates.append(plate(table, at, id, fleet, colours.get(fleet["side"], NOBODY)))
    pins = []
    for each in newest(seen):
        at = paper.at((each.lon, each.lat))
        if paper.shows(at):
            pins.append(pin(table, paper, at, each, colours.get(each.side, NOBODY)))
    flags = [flag(table, paper, world, each) for own in view["pins"].values() for each in own]
    first = {near(world, fleet) for _, fleet in fleets}
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
    name, number = called(fleet), len(fleet["ships"])
    box = table.put(*at, SIGN_WIDE + 6 + LETTER * len(name) + 36, PLATE_HIGH)
    if box is None:
        name, box = "", table.put(*at, SIGN_WIDE + 32, PLATE_HIGH)
    return Plate(id, name, number, colour, *at, box)


def flag(table: Table, paper: Paper, world: World, pin: Mapping[str, Any]) -> Flag:
    """O5.2 A pin that a side has set upon its own map."""
    x, y = paper.at(world.spaces[pin["space"]].lonlat)
    note = str(pin["note"])
    text = note if len(note) <= LONGEST else note[: LONGEST - 1] + "…"
    box = table.put(x, y, 14 + SMALL * len(text), 20) if paper.shows((x, y)) else None
    return Flag(pin["space"], text, note, x, y, box)


def called(fleet: Mapping[str, Any]) -> str:
    """A fleet by its name, cut to what a plate holds."""
    name = str(fleet["name"])
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


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


def tapped(chart: SeaChart, x: int, y: int) -> str:
    """The place on a chart that is nearest to a tap in its pixels; empty where the chart shows none."""
    nearest = min(chart.spots, key=lambda spot: (spot.x - x) ** 2 + (spot.y - y) ** 2, default=None)
    return nearest.id if nearest else ""


def tap_of(form: MultiDict[str, str]) -> Tap | None:
    """The tap on a chart that an address says; None where it says none."""
    if "tap.x" not in form:
        return None
    x, y = (count(form.get(f"tap.{axis}", "")) or 0 for axis in "xy")
    return form.get("chart", ""), x - BEYOND, y - BEYOND
