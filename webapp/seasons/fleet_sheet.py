"""O10.1 A fleet as a spreadsheet, a ship a row: out for those who keep their ships in one, and in again."""

from __future__ import annotations

from typing import Any

from strategic.season.rules.enrolling import LONGEST_NAME, MOST_SHIPS
from strategic.season.rules.worth import crews, is_known
from strategic.season.state import Season
from tactical.kernel.record import BadInput
from webapp.spreadsheets.book import cell_name, read_book
from webapp.spreadsheets.rows import Row, read_rows
from webapp.spreadsheets.writing import Cells, Written

HEADS = ("type", "name", "crew", "corvus")


def fleet_sheet(season: Season, player: str) -> Written:
    """The fleet of a player as a sheet. Without ships it is a template: the heads, and a ship as an example."""
    ships = list(season.players[player].ships.values()) if player in season.players else []
    rows: list[Cells] = [[ship.type, ship.name, ship.crew, ship.corvus] for ship in ships]
    heads: Cells = [*HEADS]
    return {"ships": [heads, *(rows or [["trireme", "Nike", "average", False]])]}


def read_fleet(season: Season, navy: str, data: bytes) -> list[dict[str, Any]]:
    """The ships of a spreadsheet's first sheet for a navy. Raises BadInput, whose path is the cell of what is wrong."""
    found: list[dict[str, Any]] = []
    sheet = read_book(data)[0]
    for row in read_rows(sheet, HEADS):
        if len(found) >= MOST_SHIPS:
            raise BadInput(row.cell("type"), "a fleet may have at most %(most)s ships", most=MOST_SHIPS)
        found.append(read_ship(season, navy, row))
    if not found:
        raise BadInput(cell_name(sheet.name, 1, 2), "there is no ship in this spreadsheet")
    return found


def read_ship(season: Season, navy: str, row: Row) -> dict[str, Any]:
    """The ship of a row."""
    kind, crew = row["type"].casefold(), row["crew"].casefold() or "average"
    kinds = {name.casefold(): name for name in season.kinds if is_known(season, navy, name)}
    if kind not in kinds:
        raise BadInput(
            row.cell("type"),
            "there is no ship type called %(type)s; types are %(types)s",
            type=row["type"],
            types=tuple(kinds.values()),
        )
    if crew not in crews():
        raise BadInput(row.cell("crew"), "'%(crew)s' is not a quality of rowers", crew=row["crew"])
    if len(row["name"]) > LONGEST_NAME:
        raise BadInput(row.cell("name"), "a ship's name may have at most %(most)s characters", most=LONGEST_NAME)
    return {"type": kinds[kind], "name": row["name"], "crew": crew, "corvus": row.is_yes("corvus")}
