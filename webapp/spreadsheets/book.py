"""A spreadsheet file as sheets of texts, read in a child process and held to its bounds: CSV, ODS or XLSX."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tactical.kernel.record import BadInput
from webapp.files import child_process
from webapp.files.child_process import Limits, Unreadable, read_apart

READER, LIMITS = Path(child_process.__file__).with_name("sheet_reader.py"), Limits()
LARGEST = 200_000  # bytes as they are sent
MOST_SHEETS, MOST_ROWS, MOST_COLUMNS, LONGEST = 12, 500, 40, 200  # LONGEST: characters of a cell
LOOKED_AT = 5_000  # rows; below them nothing is looked for
ODS = "application/vnd.oasis.opendocument.spreadsheet"
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Sheet:
    """A sheet by its name, with its rows of texts, the first of them row 1. A CSV file is one without a name."""

    name: str
    rows: Rows


def read_book(data: bytes) -> tuple[Sheet, ...]:
    """The sheets of a file. Raises BadInput, whose path is a cell, or `file`; TooMany."""
    if len(data) > LARGEST:
        raise BadInput("A1", "a spreadsheet may have at most %(most)s bytes", most=LARGEST)
    try:
        found = read_apart(
            READER,
            data,
            tuple[tuple[str, Rows], ...],
            "file",
            LIMITS,
            sheets=MOST_SHEETS,
            rows=MOST_ROWS,
            columns=MOST_COLUMNS,
            longest=LONGEST,
            looked_at=LOOKED_AT,
        )
    except Unreadable:
        raise BadInput("A1", "this is not a spreadsheet: send CSV, ODS or XLSX") from None
    for name, rows in found:
        check_bounds(name, rows)
    return tuple(Sheet(name, rows) for name, rows in found)


def check_bounds(sheet: str, rows: Rows) -> None:
    """Raises BadInput for the first cell beyond what a sheet may have."""
    for number, texts in enumerate(rows, start=1):
        if texts and number > MOST_ROWS:
            raise BadInput(cell_name(sheet, 1, number), "a spreadsheet may have at most %(most)s rows", most=MOST_ROWS)
        if len(texts) > MOST_COLUMNS:
            raise BadInput(
                cell_name(sheet, MOST_COLUMNS + 1, number),
                "a spreadsheet may have at most %(most)s columns",
                most=MOST_COLUMNS,
            )
        for column, text in enumerate(texts, start=1):
            if len(text) > LONGEST:
                raise BadInput(
                    cell_name(sheet, column, number), "a cell may have at most %(most)s characters", most=LONGEST
                )


def cell_name(sheet: str, column: int, row: int) -> str:
    """The name of a cell, both counted from 1; no sheet has 702 columns.

    >>> cell_name("", 2, 7), cell_name("ships", 27, 1)
    ('B7', 'ships!AA1')
    """
    before, last = divmod(column - 1, 26)
    name = f"{chr(64 + before) if before else ''}{chr(65 + last)}{row}"
    return f"{sheet}!{name}" if sheet else name
