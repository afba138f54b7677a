"""G1.6 What a ruler measures on the open sea: hulls, the way of a hull through the water, and what it meets.

Lengths are base lengths, x to the east, y to the south; headings are degrees clockwise from north.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan2, ceil, cos, degrees, hypot, radians, sin

from shapely import MultiPoint, Polygon, get_coordinates
from shapely.geometry.base import BaseGeometry

from tactical.places import Area, Point

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


def bearing(one: Point, other: Point) -> float:
    """The heading from one point to another."""
    return degrees(atan2(other[0] - one[0], one[1] - other[1])) % 360


def between(one: float, other: float) -> float:
    """The angle between two headings, 0 to 180."""
    angle = abs(one - other) % 360
    return min(angle, 360 - angle)


@lru_cache(maxsize=65536)
def outline(at: Point, facing: float, length: float, beam: float) -> tuple[Point, ...]:
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
    return Polygon(outline(at, facing, length, beam))


@lru_cache(maxsize=65536)
def range_of(one: Polygon, other: Polygon) -> int:
    """G1.3, G1.6.c From hull to hull in base lengths, rounded up; 1 is less than a whole one, and no range is less."""
    gap = one.distance(other)
    return max(2 if gap >= STEP - TOUCH else 1, ceil(gap - TOUCH))


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
