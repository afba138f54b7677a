"""G1 The board of a battle: hexes, land, the line of sight, ready-made waters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from math import atan2, cos, degrees, floor, hypot, radians, sin, sqrt
from sys import getsizeof
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType
from shapely import MultiPoint, MultiPolygon, Polygon, STRtree, box, get_coordinates, prepare, unary_union
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from tactical.kernel.cache import Cache, size_of
from tactical.kernel.record import Record, bounded

# -- G1.1, G1.3 Flat-top hexes in whole numbers: axial (q, r), six headings, distance, lines, offset columns.
#
# Every hex map of the house uses these functions; nothing here knows a ship or a leader.

Hex = tuple[int, int]

HEADINGS: tuple[str, ...] = ("N", "NE", "SE", "S", "SW", "NW")
STEPS: dict[str, Hex] = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}
NUMBER: dict[str, int] = {heading: number for number, heading in enumerate(HEADINGS)}
TURNED: dict[tuple[str, str], str] = {
    (heading, turn): HEADINGS[(number + change) % 6]
    for number, heading in enumerate(HEADINGS)
    for turn, change in (("left", -1), ("none", 0), ("right", 1))
}
OPPOSITE: dict[str, str] = {heading: HEADINGS[(number + 3) % 6] for number, heading in enumerate(HEADINGS)}


def ahead(at: Hex, heading: str) -> Hex:
    """The next hex in a direction."""
    step = STEPS[heading]
    return (at[0] + step[0], at[1] + step[1])


def astern(at: Hex, heading: str) -> Hex:
    """The next hex behind a ship with this heading."""
    step = STEPS[heading]
    return (at[0] - step[0], at[1] - step[1])


def is_parallel(one: str, other: str) -> bool:
    """Are two headings the same or opposite?"""
    return one == other or OPPOSITE[one] == other


def distance(one: Hex, other: Hex) -> int:
    """The number of hex steps between two hexes."""
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def neighbours(at: Hex) -> tuple[Hex, ...]:
    """The six hexes around, from north clockwise."""
    q, r = at
    return ((q, r - 1), (q + 1, r - 1), (q + 1, r), (q, r + 1), (q - 1, r + 1), (q - 1, r))


def within(at: Hex, reach: int) -> Iterator[Hex]:
    """All hexes at most `reach` steps away, the centre too."""
    for q in range(-reach, reach + 1):
        for r in range(max(-reach, -q - reach), min(reach, -q + reach) + 1):
            yield (at[0] + q, at[1] + r)


def column_row(at: Hex) -> tuple[int, int]:
    """Offset coordinates: column = q, row = r + floor(q / 2)."""
    return at[0], at[1] + at[0] // 2


def from_column_row(column: int, row: int) -> Hex:
    """The axial hex at an offset column and row."""
    return column, row - column // 2


def is_on_board(at: Hex, columns: int, rows: int) -> bool:
    """Is the hex on a board of so many columns and rows?"""
    return 0 <= at[0] < columns and 0 <= at[1] + at[0] // 2 < rows


def rotate(at: Hex, sixths: int) -> Hex:
    """The hex turned about (0, 0) by so many times 60 degrees clockwise."""
    q, r = at
    for _ in range(sixths % 6):
        q, r = -r, q + r
    return q, r


def bearing(one: Hex, other: Hex) -> str:
    """The heading that points best from one hex to another; between two, the first clockwise from north."""
    if one == other:
        raise ValueError("a hex has no bearing to itself")
    q, r = other[0] - one[0], other[1] - one[1]
    return max(HEADINGS, key=lambda heading: _along(STEPS[heading], (q, r)))


def is_forward(at: Hex, heading: str, other: Hex) -> bool:
    """Does the other hex lie abeam or before the beam of a ship at `at`?"""
    return _along(STEPS[heading], (other[0] - at[0], other[1] - at[1])) >= 0


def _along(step: Hex, way: Hex) -> int:
    """Twice the scalar product of two axial vectors (their cube coordinates)."""
    return step[0] * way[0] + step[1] * way[1] + (step[0] + step[1]) * (way[0] + way[1])


# -- What a place, a heading and a wreck are: of hexes, or measured on the open sea. The board's geometry knows which.

Heading = Literal["N", "NE", "SE", "S", "SW", "NW"]
Point = tuple[float, float]


class Area(Record, frozen=True):
    """A polygon as GeoJSON writes it: its outer ring, then its holes; x to the east, y to the south."""

    coordinates: tuple[tuple[Point, ...], ...]
    type: Literal["Polygon"] = "Polygon"


if TYPE_CHECKING:
    Place = tuple[Any, Any]
    Facing = Any
    Wreck = Any
else:
    Place = tuple[int | float, int | float]
    Facing = Heading | float
    Wreck = Hex | Area


# -- G1.6 What a ruler measures on the open sea: hulls, the way of a hull through the water, and what it meets.
#
# Lengths are base lengths, x to the east, y to the south; headings are degrees clockwise from north.

DIGITS = 6  # places after the point that a coordinate or a heading keeps, so that a battle replays to the same bytes
STEP = 1.0  # base lengths
TOUCH = 1e-4  # base lengths: hulls nearer than this touch
DEPTH = 1e-5  # hulls that overlap by less do not


def unit(facing: float) -> Point:
    """One base length ahead."""
    angle = radians(facing)
    return sin(angle), -cos(angle)


def round_off(value: float) -> float:
    """A number as it is written down."""
    return round(value, DIGITS) + 0.0


def turn_by(facing: float, angle: float) -> float:
    """A heading after a turn, 0 to 360."""
    return round_off(round_off(facing + angle) % 360)


def onward(at: Point, way: Point, length: float) -> Point:
    """The point so far along a way."""
    return round_off(at[0] + way[0] * length), round_off(at[1] + way[1] * length)


def apart(one: Point, other: Point) -> float:
    """The distance of two points."""
    return hypot(one[0] - other[0], one[1] - other[1])


def degrees_to(one: Point, other: Point) -> float:
    """The heading from one point to another."""
    return degrees(atan2(other[0] - one[0], one[1] - other[1])) % 360


def between(one: float, other: float) -> float:
    """The angle between two headings, 0 to 180."""
    angle = abs(one - other) % 360
    return min(angle, 360 - angle)


@lru_cache(maxsize=65536)
def hull_outline(at: Point, facing: float, length: float, beam: float) -> tuple[Point, ...]:
    """A hull's corners: the ram, the shoulders, the quarters, the stern; convex."""
    (ahead_x, ahead_y), half, side = unit(facing), length / 2, beam / 2
    corners = ((half, 0.0), (half / 2, side), (-half / 2, side), (-half, side * 0.6))
    port = tuple((along, -across) for along, across in corners[:0:-1])
    return tuple(
        (at[0] + along * ahead_x - across * ahead_y, at[1] + along * ahead_y + across * ahead_x)
        for along, across in (*corners, *port)
    )


@lru_cache(maxsize=65536)
def hull(at: Point, facing: float, length: float, beam: float) -> Polygon:
    """A hull as a shape."""
    return Polygon(hull_outline(at, facing, length, beam))


@lru_cache(maxsize=65536)
def range_of(one: Polygon, other: Polygon) -> int:
    """G1.3, G1.6.c The whole base lengths from hull to hull, and one more: as on hexes, where touching is range 1."""
    return floor(one.distance(other) / STEP + TOUCH) + 1


def passage(moving: tuple[Point, ...], way: Point, still: tuple[Point, ...]) -> tuple[float, float] | None:
    """From which to which length along its way a moving hull overlaps one that lies still; None when it never does."""
    first, last = float("-inf"), float("inf")
    for x, y in axes(moving) + axes(still):
        ours = [x * px + y * py for px, py in moving]
        theirs = [x * px + y * py for px, py in still]
        pace = x * way[0] + y * way[1]
        ahead, behind = min(theirs) + DEPTH - max(ours), max(theirs) - DEPTH - min(ours)
        if abs(pace) < 1e-9:
            if ahead >= 0 or behind <= 0:
                return None
            continue
        near, far = (ahead / pace, behind / pace) if pace > 0 else (behind / pace, ahead / pace)
        first, last = max(first, near), min(last, far)
        if first >= last:
            return None
    return first, last


@lru_cache(maxsize=65536)
def axes(shape: tuple[Point, ...]) -> tuple[Point, ...]:
    """The directions square to a convex shape's sides."""
    found = []
    for (ax, ay), (bx, by) in zip(shape, (*shape[1:], shape[0]), strict=True):
        size = hypot(bx - ax, by - ay)
        found.append(((by - ay) / size, (ax - bx) / size))
    return tuple(found)


def swept(shape: tuple[Point, ...], way: Point, length: float) -> BaseGeometry:
    """The water that a convex hull moves through."""
    return MultiPoint([*shape, *((x + way[0] * length, y + way[1] * length) for x, y in shape)]).convex_hull


def convex_hull(one: tuple[Point, ...], other: tuple[Point, ...]) -> tuple[Point, ...]:
    """The corners of the smallest convex shape about two hulls."""
    ring = get_coordinates(MultiPoint([*one, *other]).convex_hull)
    return tuple((float(x), float(y)) for x, y in ring[:-1])


def reach_of(length: float, beam: float) -> float:
    """How far a hull comes from its midship, whichever way it heads; never less than the farthest corner."""
    return max(length / 2, hypot(length / 4, beam / 2))


def overlap(one: tuple[Point, ...], other: tuple[Point, ...]) -> bool:
    """Do two convex hulls lie across each other?"""
    span = passage(one, (0.0, 0.0), other)
    return span is not None


def shape_of(area: Area) -> Polygon:
    """A polygon as a shape; the first ring is its outline, the others holes."""
    return Polygon(area.coordinates[0], area.coordinates[1:])


def area_of(shape: tuple[Point, ...]) -> Area:
    """A hull as a polygon to write down."""
    ring = tuple((round_off(x), round_off(y)) for x, y in shape)
    return Area(((*ring, ring[0]),))


# -- G1 The board of a battle: hexes, land, wrecks; the players' own table; or the open sea.


BOARD_LIMIT = 120  # hexes across and down


class Board(Record, frozen=True):
    """G1 The board: hexes of offset columns and rows, the players' own table (G1.5), or the open sea (G1.6).

    `covered` are the places in which a ship sank beside another: they become wrecks when that one has left (G7.2).
    The open sea has a width and a height in base lengths; its coasts and wrecks are polygons.
    """

    kind: Literal["hexes", "table", "open"] = "hexes"
    columns: Annotated[int, bounded(1, BOARD_LIMIT)] = 20
    rows: Annotated[int, bounded(1, BOARD_LIMIT)] = 14
    land: tuple[Hex, ...] = ()
    wrecks: tuple[Wreck, ...] = ()
    covered: tuple[Wreck, ...] = ()
    width: float | UnsetType = UNSET
    height: float | UnsetType = UNSET
    coast: tuple[Area, ...] | UnsetType = UNSET

    @cached_property
    def dry(self) -> frozenset[Hex]:
        """The land hexes."""
        return frozenset(self.land)

    @cached_property
    def blocked(self) -> frozenset[Hex]:
        """G1.2 Hexes that no ship may enter: land and wrecks."""
        return self.dry | frozenset(self.wrecks)

    def holds(self, at: Hex) -> bool:
        """Is the hex on the board?"""
        q, r = at
        return 0 <= q < self.columns and 0 <= r + q // 2 < self.rows

    @cached_property
    def has_land(self) -> bool:
        """Is there anything that may stand in a line of sight?"""
        return bool(self.land or self.coast)

    @cached_property
    def size(self) -> Point:
        """G1.6 The width and the height of the open sea."""
        return (
            20.0 if isinstance(self.width, UnsetType) else self.width,
            14.0 if isinstance(self.height, UnsetType) else self.height,
        )

    @property
    def coasts(self) -> tuple[Area, ...]:
        """G1.6 The land of the open sea."""
        return () if isinstance(self.coast, UnsetType) else self.coast

    @cached_property
    def shore(self) -> BaseGeometry:
        """G1.6 The land as one shape, a hair smaller than it is: what only touches it is not on it."""
        return join_polygons(self.coasts)

    @cached_property
    def closed(self) -> BaseGeometry:
        """G1.2, G1.6 What no hull may enter: land and wrecks."""
        return join_polygons((*self.coasts, *self.wrecks))

    def with_wreck(self, at: Any) -> Board:
        """G6.5 A place that a wreck has closed for the rest of the battle; in order of place, whatever sank first."""
        covered = tuple(each for each in self.covered if each != at)
        wrecks = self.wrecks if at in self.wrecks else tuple(sorted((*self.wrecks, at), key=order))
        return msgspec.structs.replace(self, wrecks=wrecks, covered=covered)

    def with_covered(self, at: Any) -> Board:
        """G7.2 A place that will be a wreck when the ship in it has left."""
        if at in self.covered:
            return self
        return msgspec.structs.replace(self, covered=tuple(sorted((*self.covered, at), key=order)))


def order(wreck: Any) -> Any:
    """A wreck's place, to sort by."""
    return wreck.coordinates if isinstance(wreck, Area) else wreck


def join_polygons(areas: tuple[Area, ...]) -> BaseGeometry:
    """Polygons as one shape, ready to be asked, a hair smaller than they are."""
    whole = unary_union([shape_of(area) for area in areas]).buffer(-DEPTH, join_style="mitre")
    prepare(whole)
    return whole


# -- G5.6 The line of sight, by Shapely: land that the line between two hex centres crosses blocks it.

HALF_HEIGHT = sqrt(3) / 2
GRAZE = 1e-6  # a line that only touches an edge or a corner does not cross; floats need a hair's breadth
LINES, OF_A_LINE = 4096, 250  # answers that are kept of each shore, and the bytes of one
SHORES, BETWEEN = Cache[Callable[[Hex, Hex], bool]](), Cache[bool]()


def centre(at: Hex) -> tuple[float, float]:
    """The centre of a flat-top hex of side 1, x to the east and y to the south."""
    q, r = at
    return 1.5 * q, 2 * HALF_HEIGHT * (r + q / 2)


def hex_outline(at: Hex, size: float = 1.0) -> Polygon:
    """The hex as a polygon; `size` below 1 shrinks it towards its centre."""
    x, y = centre(at)
    half, height = size / 2, size * HALF_HEIGHT
    return Polygon(
        [
            (x + size, y),
            (x + half, y + height),
            (x - half, y + height),
            (x - size, y),
            (x - half, y - height),
            (x + half, y - height),
        ]
    )


def shores(land: frozenset[Hex]) -> Callable[[Hex, Hex], bool]:
    """Whether the line between two hex centres crosses land: hexes side by side are one, a hair smaller than it is."""
    whole = unary_union([hex_outline(at, 1 + GRAZE) for at in sorted(land)]).buffer(-2 * GRAZE, join_style="mitre")
    tree = STRtree(list(whole.geoms) if isinstance(whole, MultiPolygon) else [whole])

    def crosses_shore(one: Hex, other: Hex) -> bool:
        return len(tree.query(LineString([centre(one), centre(other)]), predicate="intersects")) > 0

    return lru_cache(LINES)(crosses_shore)


def is_behind_land(land: frozenset[Hex], one: Hex, other: Hex) -> bool:
    """G5.6 Does the straight line between two hex centres cross land, be it along the seam of two land hexes?

    The answers are remembered for each land.
    """
    if not land or distance(one, other) < 2:
        return False
    shore = SHORES.get(land)
    return (shore or SHORES.keep(land, shores(land), size_of(land) + LINES * OF_A_LINE))(one, other)


def is_hidden(hexes: Iterable[Hex], one: Hex, other: Hex) -> bool:
    """G5.6 Does the line between two hex centres cross any of these hexes, or the seam of two; those two apart?"""
    away = distance(one, other)
    near = frozenset(
        at for at in hexes if at not in (one, other) and distance(one, at) + distance(at, other) <= away + 1
    )
    if not near or away < 2:
        return False
    found = BETWEEN.get((near, one, other))
    if found is None:
        found = BETWEEN.keep((near, one, other), shores(near)(one, other), getsizeof(near))
    return found


def land_hexes(coast: Polygon, columns: int, rows: int) -> tuple[Hex, ...]:
    """G1.2 The hexes of a board whose centres lie on the land of a coastline polygon, in board units."""
    inside = []
    for column in range(columns):
        for row in range(rows):
            at = from_column_row(column, row)
            if hex_outline(at).centroid.intersects(coast):
                inside.append(at)
    return tuple(inside)


@lru_cache(maxsize=64)
def board_frame(columns: int, rows: int) -> Polygon:
    """The rectangle that a board of hexes fills, in board units; for pictures and coastlines."""
    return box(-1, -HALF_HEIGHT, 1.5 * (columns - 1) + 1, 2 * HALF_HEIGHT * rows)


def coast_polygon(ring: tuple[tuple[float, float], ...]) -> Polygon:
    """A coast given as [column, row] points, as a polygon in board units."""
    return Polygon([(1.5 * column, 2 * HALF_HEIGHT * row) for column, row in ring])
