"""G1.2, G1.5, G1.6 Ready-made waters: an open sea or a coast, on hexes, measured, or on the players' own table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta
from shapely.geometry import Point, Polygon

from tactical.hexes import Hex, from_column_row
from tactical.kernel.record import Input
from tactical.position import BOARD_LIMIT
from tactical.sight import coast_polygon, land_hexes

Coast = Literal["open", "west", "east", "both", "island"]
COASTS: tuple[Coast, ...] = ("open", "west", "east", "both", "island")
APART = 1.5  # base lengths from ship to ship of a line on the open sea


class BoardWanted(Input, frozen=True):
    """The sea: hexes or an open sea in base lengths (G1.6), with or without a coast, or the players' own table."""

    kind: Literal["hexes", "table", "open"] = "hexes"
    columns: Annotated[int, Meta(ge=6, le=BOARD_LIMIT)] = 20
    rows: Annotated[int, Meta(ge=6, le=BOARD_LIMIT)] = 14
    coast: Coast = "open"


def board_of(board: BoardWanted, land: list[Hex]) -> dict[str, Any]:
    """The board as a position has it."""
    if board.kind == "open":
        return {"kind": "open", "width": board.columns, "height": board.rows, "coast": rings(board)}
    return {"kind": board.kind, "columns": board.columns, "rows": board.rows, "land": land}


def stations(board: BoardWanted, place: int, land: frozenset[Hex]) -> Iterator[dict[str, Any]]:
    """Where a side's ships begin: lines abreast that face each other, from the middle outwards, off the land."""
    if board.kind == "table":
        while True:
            yield {}
    if board.kind == "open":
        yield from stations_at_sea(board, place)
        return
    middle = (board.columns - 1) / 2
    columns = sorted(range(board.columns), key=lambda column: (abs(column - middle), column))
    depth = range(1, max(2, board.rows // 3))
    for line in depth:
        row = line if place == 0 else board.rows - 1 - line
        for column in columns:
            at = from_column_row(column, row)
            if at not in land:
                yield {"at": at, "facing": "S" if place == 0 else "N"}


def stations_at_sea(board: BoardWanted, place: int) -> Iterator[dict[str, Any]]:
    """G1.6 The same on the open sea, in base lengths, off the coast."""
    land = [Polygon(ring) for ring in rings(board)]
    across = sorted(
        (board.columns / 2 + each * APART for each in range(-60, 61)), key=lambda x: abs(x - board.columns / 2)
    )
    for line in range(1, max(2, board.rows // 3)):
        y = float(line if place == 0 else board.rows - line)
        for x in across:
            if 1 <= x <= board.columns - 1 and all(area.distance(Point(x, y)) > 1 for area in land):
                yield {"at": (x, y), "facing": 180 if place == 0 else 0}


def coast(board: BoardWanted) -> list[Hex]:
    """G1.2 The land hexes of a coast."""
    if board.kind != "hexes":
        return []
    wide, high = board.columns, board.rows
    return sorted({at for ring in rings(board) for at in land_hexes(coast_polygon(ring), wide, high)})


def rings(board: BoardWanted) -> list[tuple[tuple[float, float], ...]]:
    """The coast's outlines: a ragged line along the edges, or an island amid the board."""
    wide, high = board.columns, board.rows
    found: list[tuple[tuple[float, float], ...]] = []
    if board.coast in ("west", "both"):
        found.append(shore(wide, high))
    if board.coast in ("east", "both"):
        found.append(tuple((wide - 1 - column, high - row) for column, row in shore(wide, high)))
    if board.coast == "island":
        across = max(1.5, wide / 8)
        ring = ((0, -1.3), (0.9, -0.7), (1.1, 0.3), (0.2, 1.1), (-0.8, 0.8), (-1.2, -0.2))
        found.append(tuple((wide / 2 + x * across, high / 2 + y * min(across, high / 7)) for x, y in ring))
    return found


def shore(wide: int, high: int) -> tuple[tuple[float, float], ...]:
    """A ragged shore along the west edge, in columns and rows."""
    reach = (0.10, 0.16, 0.09, 0.05, 0.13, 0.18, 0.11, 0.07)
    line = tuple((share * wide, -1 + number * (high + 2) / (len(reach) - 1)) for number, share in enumerate(reach))
    return ((-2.0, -2.0), *line, (-2.0, high + 2.0))
