"""What lies still: the sea, its hexes, the coast and wrecks. Outlines are Shapely's, and cached."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import dist

from shapely import affinity, unary_union
from shapely.geometry.base import BaseGeometry

from tactical.board import Board
from tactical.hexes import Hex, from_column_row, within
from tactical.kernel.cache import remember
from tactical.places import Place
from tactical.sight import HALF_HEIGHT, board_frame, centre, outline
from webapp.pages.battle.board import chart, open_sea
from webapp.pages.battle.board.paths import SIDE, path

WIDE, HIGH = 2 * SIDE, round(2 * SIDE * HALF_HEIGHT, 1)


def place(at: Place) -> tuple[float, float]:
    """The centre of a hex in the drawing; a measured point of the open sea (G1.6) has fractions."""
    if isinstance(at[0], float):
        return open_sea.spot(at)
    x, y = centre(at)
    return round(x * SIDE, 1), round(y * SIDE, 1)


def hex_at(at: tuple[float, float]) -> Hex:
    """The hex about a point of the drawing, on the board or off it."""
    column = round(at[0] / (1.5 * SIDE))
    row = round(at[1] / (2 * HALF_HEIGHT * SIDE))
    near = (from_column_row(column + c, row + r) for c in (-1, 0, 1) for r in (-1, 0, 1))
    return min(near, key=lambda each: dist(place(each), at))


def frame(board: Board) -> tuple[int, int, int, int]:
    """The view box that holds the whole board: left, top, width, height."""
    if board.kind == "open":
        return open_sea.frame(board)
    return _frame(board.columns, board.rows)


@lru_cache(maxsize=64)
def _frame(columns: int, rows: int) -> tuple[int, int, int, int]:
    left, top, right, bottom = board_frame(columns, rows).bounds
    edge = chart.FRAME
    return (
        round(left * SIDE) - edge,
        round(top * SIDE) - edge,
        round((right - left) * SIDE) + 2 * edge,
        round((bottom - top) * SIDE) + 2 * edge,
    )


def union(hexes: Iterable[Hex], size: float = 1.0) -> BaseGeometry:
    """The outline of several hexes together."""
    return unary_union([outline(at, size + 0.001) for at in hexes])


@lru_cache(maxsize=32)
def water(columns: int, rows: int) -> tuple[str, BaseGeometry]:
    """The board's own outline: all its hexes together, as a path and as a shape."""
    shape = union(from_column_row(column, row) for column in range(columns) for row in range(rows))
    shape = shape.buffer(0.02, join_style="mitre").simplify(0.01)
    return path(shape), shape


@remember
def coast(land: frozenset[Hex], columns: int, rows: int) -> tuple[str, str, str]:
    """The land smoothed to a coast: the land itself, the shallows before it, and the deeper shallows.

    Land hexes at the board's edge run on beyond it, so that a coast does not round off there.
    """
    if not land:
        return "", "", ""
    rough = union(land)
    beyond = [
        at
        for hex_ in land
        for at in within(hex_, 2)
        if at not in land and not (0 <= at[0] < columns and 0 <= at[1] + at[0] // 2 < rows)
    ]
    whole = unary_union([rough, union(beyond)]) if beyond else rough
    # Notches between hexes are closed (less than a hex's width, so that straits stay open), corners taken off.
    soft = whole.buffer(0.8, quad_segs=5).buffer(-1.25, quad_segs=6).buffer(0.43, quad_segs=6).simplify(0.02)
    sea = water(columns, rows)[1]

    def cut(shape: BaseGeometry) -> str:
        return path(shape.intersection(sea).simplify(0.015))

    return cut(soft), cut(soft.buffer(0.22, quad_segs=4)), cut(soft.buffer(0.5, quad_segs=4))


@lru_cache(maxsize=32)
def ring(reach: int) -> str:
    """The outline of all hexes within a range of (0, 0)."""
    return path(union(within((0, 0), reach)))


@lru_cache(maxsize=64)
def hex_path(size: float = 1.0) -> str:
    """One hex about (0, 0)."""
    return path(outline((0, 0), size))


def area(hexes: Iterable[Hex]) -> str:
    """The outline of some hexes together, a little rounded."""
    shape = union(hexes)
    return path(shape.buffer(-0.12, quad_segs=3).buffer(0.08, quad_segs=3))


@remember
def still(board: Board) -> str:
    """Everything that lies still but the wrecks: paper, sea, depth, wavelets, shallows, hex lines, land, margin."""
    if board.kind == "open":
        return open_sea.still(board)
    outside = water(board.columns, board.rows)[0]
    frame_of = frame(board)
    parts = [
        chart.paper(frame_of),
        chart.sea(outside, frame_of),
        f'<defs><pattern id="hexes" patternUnits="userSpaceOnUse" x="{-SIDE}" y="{-HIGH / 2}" width="{3 * SIDE}"'
        f' height="{HIGH:g}"><path class="grid" d="{_grid()}"/></pattern></defs>',
    ]
    if board.dry:
        land, near, far = coast(board.dry, board.columns, board.rows)
        parts.append(chart.shallows(land, near, far))
    parts.append(chart.grid())
    if board.dry:
        parts.append(chart.land())
    parts.append(chart.edge())
    columns = [(place(from_column_row(column, 0))[0], str(column + 1)) for column in range(board.columns)]
    rows = [(place(from_column_row(0, row))[1], str(row + 1)) for row in range(board.rows)]
    parts.append(chart.numbers(frame_of, columns, rows))
    return "".join(parts)


def _grid() -> str:
    """One tile of flat-top hexes: a column and a half."""
    side, half, mid, high = SIDE, SIDE / 2, HIGH / 2, HIGH
    return f"M0 {mid}L{half} 0H{half + side}L{2 * side} {mid}L{half + side} {high}H{half}ZM{2 * side} {mid}H{3 * side}"


def wrecks(board: Board) -> str:
    """Wrecks: a broken hull, awash."""
    if board.kind == "open":
        return open_sea.wrecks(board)
    found = []
    for at in board.wrecks:
        x, y = place(at)
        found.append(f'<use href="#wreck" x="{x}" y="{y}"/>')
    return f'<g class="wrecks">{"".join(found)}</g>'


def move(shape: BaseGeometry, at: Hex) -> BaseGeometry:
    """A shape about (0, 0) moved to a hex."""
    x, y = centre(at)
    return affinity.translate(shape, x, y)
