"""G2.0, G2.1 Ship types of a group's own as a sheet, a type a row; with the points that a season gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from tactical.house_rules import check_types
from tactical.kernel.record import BadInput, read
from tactical.ship import FIGURES, TYPES, Navy, ShipType
from webapp.spreadsheets.book import Sheet, cell_name, read_book
from webapp.spreadsheets.rows import Row, read_rows
from webapp.spreadsheets.writing import Cells

NAME = "types"  # of the sheet
NUMBERS = ("hull", "maximum", "cruise", "turn_cycle", "acceleration", "ram", "length", "beam")
CREWS = {f"{navy} {figure.replace('_', ' ')}": (navy, figure) for navy in get_args(Navy) for figure in FIGURES}
POINTS = "points"
HEADS = ("type", *(name.replace("_", " ") for name in NUMBERS), *CREWS, POINTS)
MOST = 60  # types
LONGEST = 60  # letters of a type's name


def types_sheet(types: Mapping[str, ShipType], prices: Mapping[str, int] | None = None) -> list[Cells]:
    """The rows of ship types, heads first. Without types it is a template: the types of the program."""
    rows: list[Cells] = [[*HEADS[:-1], *([POINTS] if prices is not None else [])]]
    for name, kind in (types or TYPES).items():
        crews = [(getattr(kind.crew[navy], figure) if navy in kind.crew else None) for navy, figure in CREWS.values()]
        points = [prices.get(name)] if prices is not None else []
        rows.append([name, *(getattr(kind, number) for number in NUMBERS), *crews, *points])
    return rows


def from_book(data: bytes) -> tuple[dict[str, Any], dict[str, int]]:
    """Types and points of a file: of its sheet `types`, else the first. Raises BadInput, whose path is a cell."""
    book = read_book(data)
    return read_types(next((sheet for sheet in book if sheet.name.casefold() == NAME), book[0]))


def read_types(sheet: Sheet) -> tuple[dict[str, Any], dict[str, int]]:
    """The types of a sheet as house rules write them, and points by type. Raises BadInput, whose path is a cell.

    An empty cell takes what the program's type of this name has, else what every type has by default; a navy without
    a figure has none of these ships.
    """
    rows: dict[str, Row] = {}
    for row in read_rows(sheet, HEADS):
        if row["type"] in rows or not 0 < len(row["type"]) <= LONGEST:
            raise BadInput(
                row.cell("type"),
                "each ship type must have a name of its own, of at most %(most)s characters",
                most=LONGEST,
            )
        if len(rows) >= MOST:
            raise BadInput(row.cell("type"), "there can be at most %(most)s ship types", most=MOST)
        rows[row["type"]] = row
    if not rows:
        raise BadInput(cell_name(sheet.name, 1, 2), "there is no ship type in this spreadsheet")
    found = {name: read_type(name, row) for name, row in rows.items()}
    try:
        check_types({name: read(kind, ShipType, f"{NAME}.{name}") for name, kind in found.items()}, NAME)
    except BadInput as fault:
        raise BadInput(cell_of(fault.path, rows, sheet), fault.why) from None
    return found, {name: points_of(row) for name, row in rows.items() if row[POINTS]}


def read_type(name: str, row: Row) -> dict[str, Any]:
    """The type of a row."""
    known = TYPES.get(name)
    found: dict[str, Any] = {field: getattr(known, field) for field in NUMBERS} if known else {}
    found |= {field: row.number_at(head) for field in NUMBERS if row[head := field.replace("_", " ")]}
    crew: dict[str, dict[str, Any]] = {}
    for head, (navy, figure) in CREWS.items():
        if row[head]:
            crew.setdefault(navy, {})[figure] = row.number_at(head)
    if not crew and known:
        crew = {navy: msgspec.structs.asdict(each) for navy, each in known.crew.items()}
    return {**found, "crew": crew}


def points_of(row: Row) -> int:
    """What a season's point buy asks for a type."""
    points = row.number_at(POINTS)
    if not isinstance(points, int) or not 0 <= points <= 9999:
        raise BadInput(row.cell(POINTS), "this must be a number from 0 to %(most)s", most=9999)
    return points


def cell_of(path: str, rows: Mapping[str, Row], sheet: Sheet) -> str:
    """The cell of a fault's path, as types.trireme.crew.roman.archers."""
    parts = path.removeprefix(f"{NAME}.").split(".")
    name = next((name for name in rows if path.startswith(f"{NAME}.{name}")), "")
    if not name:
        return cell_name(sheet.name, 1, 1)
    return rows[name].cell(" ".join(parts[2:] if parts[1:2] == ["crew"] else parts[1:]).replace("_", " "))
