"""O2.2 The models that the players of a side own as a sheet: a row for each owner and type of ship."""

from __future__ import annotations

from collections.abc import Mapping

from strategic.open_campaign.rules.models import LONGEST, MOST_MODELS, MOST_OWNERS
from strategic.open_campaign.tables import TABLES
from tactical.kernel.record import BadInput
from webapp.spreadsheets.book import cell_name, read_book
from webapp.spreadsheets.rows import Row, read_rows
from webapp.spreadsheets.writing import Cells

NAME = "models"  # of the sheet
HEADS = ("owner", "type", "number")
Models = dict[str, dict[str, int]]  # by owner and type


def models_sheet(models: Mapping[str, Mapping[str, int]]) -> list[Cells]:
    """The rows of the models of a side, heads first."""
    rows: list[Cells] = [[*HEADS]]
    rows += [[owner, kind, number] for owner, own in models.items() for kind, number in own.items()]
    return rows


def from_book(data: bytes) -> Models:
    """The models of a file: of its sheet `models`, else the first. Raises BadInput, whose path is a cell."""
    book = read_book(data)
    sheet = next((sheet for sheet in book if sheet.name.casefold() == NAME), book[0])
    found: Models = {}
    for row in read_rows(sheet, HEADS):
        own, kind = found.setdefault(owner_of(row), {}), row["type"]
        if len(found) > MOST_OWNERS:
            raise BadInput(row.cell("owner"), "there can be at most %(most)s owners", most=MOST_OWNERS)
        if kind not in TABLES.type:
            raise BadInput(row.cell("type"), "there is no such type of ship")
        own[kind] = own.get(kind, 0) + number_of(row)
    if not found:
        raise BadInput(cell_name(sheet.name, 1, 2), "nothing is written here")
    return found


def owner_of(row: Row) -> str:
    """The owner of a row's models. Raises BadInput."""
    if not 0 < len(row["owner"]) <= LONGEST:
        raise BadInput(row.cell("owner"), "an owner's name may have at most %(most)s letters", most=LONGEST)
    return row["owner"]


def number_of(row: Row) -> int:
    """How many models a row has. Raises BadInput."""
    number = row.number_at("number")
    if not isinstance(number, int) or not 0 <= number <= MOST_MODELS:
        raise BadInput(row.cell("number"), "this must be a number from 0 to %(most)s", most=MOST_MODELS)
    return number
