"""G5.6 The line of sight, by Shapely: land that the line between two hex centres crosses blocks it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import sqrt
from sys import getsizeof

from shapely import MultiPolygon, Polygon, STRtree, box, unary_union
from shapely.geometry import LineString

from tactical.hexes import Hex, distance, from_column_row
from tactical.kernel.cache import Cache, size_of

HALF_HEIGHT = sqrt(3) / 2
GRAZE = 1e-6  # a line that only touches an edge or a corner does not cross; floats need a hair's breadth
LINES, OF_A_LINE = 4096, 250  # answers that are kept of each shore, and the bytes of one
SHORES, BETWEEN = Cache[Callable[[Hex, Hex], bool]](), Cache[bool]()


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


def shores(land: frozenset[Hex]) -> Callable[[Hex, Hex], bool]:
    """Whether the line between two hex centres crosses land: hexes side by side are one, a hair smaller than it is."""
    whole = unary_union([outline(at, 1 + GRAZE) for at in sorted(land)]).buffer(-2 * GRAZE, join_style="mitre")
    tree = STRtree(list(whole.geoms) if isinstance(whole, MultiPolygon) else [whole])

    def crosses_shore(one: Hex, other: Hex) -> bool:
        return len(tree.query(LineString([centre(one), centre(other)]), predicate="intersects")) > 0

    return lru_cache(LINES)(crosses_shore)


def is_behind_land(land: frozenset[Hex], one: Hex, other: Hex) -> bool:
    """G5.6 Does the straight line between two hex centres cross land, be it along the seam of two land hexes?"""
    if not land or distance(one, other) < 2:
        return False
    shore = SHORES.get(land)
    return (shore or SHORES.keep(land, shores(land), size_of(land) + LINES * OF_A_LINE))(one, other)


def crosses(hexes: frozenset[Hex], one: Hex, other: Hex) -> bool:
    """G5.6 Does the straight line between two hex centres cross any of these hexes?"""
    if not hexes or distance(one, other) < 2:
        return False
    found = BETWEEN.get((hexes, one, other))
    if found is None:
        line = LineString([centre(one), centre(other)])
        found = len(land_tree(hexes).query(line, predicate="intersects")) > 0
        BETWEEN.keep((hexes, one, other), found, getsizeof(hexes))
    return found


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
