"""G5.6 The line of sight, by Shapely: land that the line between two hex centres crosses blocks it."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

from shapely import MultiPolygon, Polygon, STRtree, box, unary_union
from shapely.geometry import LineString

from tactical.hexes import Hex, distance, from_column_row

HALF_HEIGHT = sqrt(3) / 2
GRAZE = 1e-6  # a line that only touches an edge or a corner does not cross; floats need a hair's breadth


def centre(at: Hex) -> tuple[float, float]:
    """The centre of a flat-top hex of side 1, x to the east and y to the south."""
    q, r = at
    return 1.5 * q, 2 * HALF_HEIGHT * (r + q / 2)


def outline(at: Hex, size: float = 1.0) -> Polygon:
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


@lru_cache(maxsize=64)
def land_tree(land: frozenset[Hex]) -> STRtree:
    """The land hexes, a hair smaller than they are, as a search tree."""
    return STRtree([outline(at, 1 - GRAZE) for at in sorted(land)])


@lru_cache(maxsize=64)
def shores(land: frozenset[Hex]) -> STRtree:
    """The land, neighbouring hexes as one piece, a hair smaller than it is, as a search tree."""
    whole = unary_union([outline(at, 1 + GRAZE) for at in sorted(land)]).buffer(-2 * GRAZE, join_style="mitre")
    return STRtree(list(whole.geoms) if isinstance(whole, MultiPolygon) else [whole])


@lru_cache(maxsize=100_000)
def is_behind_land(land: frozenset[Hex], one: Hex, other: Hex) -> bool:
    """G5.6 Does the straight line between two hex centres cross land, be it along the seam of two land hexes?"""
    if not land or distance(one, other) < 2:
        return False
    return len(shores(land).query(LineString([centre(one), centre(other)]), predicate="intersects")) > 0


@lru_cache(maxsize=100_000)
def crosses(hexes: frozenset[Hex], one: Hex, other: Hex) -> bool:
    """G5.6 Does the straight line between two hex centres cross any of these hexes?"""
    if not hexes or distance(one, other) < 2:
        return False
    line = LineString([centre(one), centre(other)])
    return len(land_tree(hexes).query(line, predicate="intersects")) > 0


def land_hexes(coast: Polygon, columns: int, rows: int) -> tuple[Hex, ...]:
    """G1.2 The hexes of a board whose centres lie on the land of a coastline polygon, in board units."""
    inside = []
    for column in range(columns):
        for row in range(rows):
            at = from_column_row(column, row)
            if outline(at).centroid.intersects(coast):
                inside.append(at)
    return tuple(inside)


@lru_cache(maxsize=64)
def board_frame(columns: int, rows: int) -> Polygon:
    """The rectangle that a board of hexes fills, in board units; for pictures and coastlines."""
    return box(-1, -HALF_HEIGHT, 1.5 * (columns - 1) + 1, 2 * HALF_HEIGHT * rows)


def coast_polygon(ring: tuple[tuple[float, float], ...]) -> Polygon:
    """A coast given as [column, row] points, as a polygon in board units."""
    return Polygon([(1.5 * column, 2 * HALF_HEIGHT * row) for column, row in ring])
