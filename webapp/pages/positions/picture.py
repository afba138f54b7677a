"""The board of a draft, as large as fingers need it: each hex, each ship, the points of a coast that is being drawn."""

from __future__ import annotations

from typing import NamedTuple

from tactical.battle import Battle
from tactical.hexes import from_column_row
from webapp.pages.positions.draft import Draft
from webapp.pages.reference.picture import SEA, HexDrawn, Picture, ShipDrawn, at_sea, draw_hex, draw_ship, picture


class Cell(NamedTuple):
    """A hex with where a tap on it leads and, at the board's left and upper edge, its printed number."""

    drawn: HexDrawn
    at: str
    number: str


class Board(NamedTuple):
    """What the page draws: the box, the hexes or areas, the ships by id, and the open ring of a coast."""

    box: str
    width: int
    height: int
    cells: tuple[Cell, ...]
    ships: tuple[tuple[str, ShipDrawn], ...]
    ring: str
    points: tuple[tuple[float, float], ...]
    scale: float


def draw_board(draft: Draft, battle: Battle) -> Board | None:
    """The board; None for the players' own table."""
    if battle.board.kind == "table":
        return None
    there = {name: ship for name, ship in battle.ships.items() if ship.at is not None}
    if battle.board.kind == "open":
        found = at_sea(battle, True, False, ())
        cells = tuple(Cell(each, "", "") for each in found.hexes)
        ring = tuple((x * SEA, y * SEA) for x, y in draft.ring)
        ships = tuple(zip(there, found.ships, strict=True))
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in ring)
        return Board(found.box, found.width, found.height, cells, ships, line, ring, SEA)
    size = battle.board
    places = [from_column_row(column, row) for row in range(size.rows) for column in range(size.columns)]
    cells = tuple(
        Cell(
            draw_hex(battle, at, False),
            f"{at[0]},{at[1]}",
            hex_number(at) if not at[0] or at[1] + at[0] // 2 == 0 else "",
        )
        for at in places
    )
    sides = list(battle.sides)
    ships = tuple((name, draw_ship(battle, name, ship, sides.index(ship.side), False)) for name, ship in there.items())
    frame: Picture = picture(Battle(board=battle.board, sides=battle.sides), whole=True, labels=False)
    return Board(frame.box, frame.width, frame.height, cells, ships, "", (), 1.0)


def number_of(battle: Battle, name: str) -> str:
    """The printed number of the hex in which a ship lies; her place at sea; empty ashore."""
    at = battle.ships[name].at
    if at is None:
        return ""
    if battle.board.kind == "open":
        return f"{at[0]:g}, {at[1]:g}"
    return hex_number((int(at[0]), int(at[1])))


def hex_number(at: tuple[int, int]) -> str:
    """The number of a hex as boards print it: column and row, two digits each."""
    return f"{at[0] + 1:02d}{at[1] + at[0] // 2 + 1:02d}"
