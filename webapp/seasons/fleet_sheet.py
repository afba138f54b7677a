"""O10.1 A fleet as a spreadsheet, a ship a row: out for those who keep their ships in one, and in again."""

from __future__ import annotations

from io import StringIO
from typing import Any

from strategic.season.rules.enrolling import LONGEST_NAME, MOST_SHIPS
from strategic.season.rules.worth import crews, is_known
from strategic.season.state import Season
from tactical.kernel.record import BadInput
from webapp.http.csv_rows import Rows
from webapp.http.spreadsheet import Row, read_rows

HEADS = ("type", "name", "crew", "corvus")
YES, NO = ("yes", "true", "1", "x"), ("no", "false", "0", "")


def write_fleet(season: Season, player: str) -> str:
    """The fleet of a player as CSV. Without ships it is a template: the heads, and a ship as an example."""
    text = StringIO()
    rows = Rows(text)
    rows.writerow(HEADS)
    ships = season.players[player].ships.values() if player in season.players else ()
    for ship in ships:
        rows.writerow((ship.type, ship.name, ship.crew, "yes" if ship.corvus else "no"))
    if not ships:
        rows.writerow(("trireme", "Nike", "average", "no"))
    return text.getvalue()


def read_fleet(season: Season, navy: str, data: bytes) -> list[dict[str, Any]]:
    """The ships of a spreadsheet for a navy. Raises BadInput, whose path is the cell of what is wrong."""
    found: list[dict[str, Any]] = []
    for row in read_rows(data, HEADS):
        if len(found) >= MOST_SHIPS:
            raise BadInput(row.cell("type"), "a fleet has at most %(most)s ships", most=MOST_SHIPS)
        found.append(read_ship(season, navy, row))
    if not found:
        raise BadInput("A2", "there is no ship in this spreadsheet")
    return found


def read_ship(season: Season, navy: str, row: Row) -> dict[str, Any]:
    """The ship of a row."""
    kind, crew, corvus = row["type"].casefold(), row["crew"].casefold() or "average", row["corvus"].casefold()
    kinds = {name.casefold(): name for name in season.kinds if is_known(season, navy, name)}
    if kind not in kinds:
        raise BadInput(
            row.cell("type"),
            "there is no ship type %(type)s; types are %(types)s",
            type=row["type"],
            types=tuple(kinds.values()),
        )
    if crew not in crews():
        raise BadInput(row.cell("crew"), "%(crew)s is not a crew", crew=row["crew"])
    if corvus not in (*YES, *NO):
        raise BadInput(row.cell("corvus"), "write yes or no")
    if len(row["name"]) > LONGEST_NAME:
        raise BadInput(row.cell("name"), "a ship's name has at most %(most)s characters", most=LONGEST_NAME)
    return {"type": kinds[kind], "name": row["name"], "crew": crew, "corvus": corvus in YES}
