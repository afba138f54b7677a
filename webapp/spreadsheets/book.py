"""A spreadsheet file as sheets of texts: CSV, ODS or XLSX, told apart by what is in it.

Nothing in it is ever reckoned: of a formula its last value counts. Whatever a stranger sends is bounded before a
library sees it, and again while its rows are read.
"""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import TypeVar

from odfdo import Cell, Document, Element, Row, Table
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter

from tactical.kernel.record import BadInput

LARGEST = 200_000  # bytes as they are sent
UNPACKED = 1_000_000  # bytes of all that is in a packed file
MOST_PARTS = 100  # files in a packed file
MOST_SHEETS, MOST_ROWS, MOST_COLUMNS, LONGEST = 12, 500, 40, 200  # LONGEST: characters of a cell
LOOKED_AT = 5_000  # rows; below them nothing is looked for
DELIMITERS = ",;\t"
E = TypeVar("E", bound=Element)
ODS = "application/vnd.oasis.opendocument.spreadsheet"


@dataclass(frozen=True)
class Sheet:
    """A sheet by its name, with its rows of texts, the first of them row 1. A CSV file is one without a name."""

    name: str
    rows: tuple[tuple[str, ...], ...]


def read_book(data: bytes) -> tuple[Sheet, ...]:
    """The sheets of a file. Raises BadInput, whose path is a cell."""
    if len(data) > LARGEST:
        raise BadInput("A1", "a spreadsheet may have at most %(most)s bytes", most=LARGEST)
    if not data.startswith(b"PK"):
        return (Sheet("", rows_in_bounds("", read_csv(data))),)
    parts = check_archive(data)
    if parts.get("mimetype") == ODS.encode():
        found = read_ods(data)
    elif "xl/workbook.xml" in parts:
        found = read_xlsx(data)
    else:
        raise BadInput("A1", "this is not a spreadsheet: send CSV, ODS or XLSX")
    try:
        sheets = tuple(Sheet(name, rows_in_bounds(name, rows)) for name, rows in found)
    except BadInput:
        raise
    except Exception:  # a file that was made to break them breaks the libraries in many ways
        raise BadInput("A1", "this spreadsheet cannot be read") from None
    if not sheets:
        raise BadInput("A1", "this spreadsheet cannot be read")
    return sheets


def check_archive(data: bytes) -> dict[str, bytes]:
    """The names of what is packed in a file, with the first bytes of each. Raises BadInput for too much or for none.

    What is unpacked is counted: a file's own table of contents may say anything.
    """
    found: dict[str, bytes] = {}
    left = UNPACKED
    try:
        with zipfile.ZipFile(BytesIO(data)) as packed:
            for part in packed.infolist()[: MOST_PARTS + 1]:
                if left >= 0:
                    with packed.open(part) as file:
                        content = file.read(left + 1)
                    found[part.filename] = content[:100]
                    left -= len(content)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError):
        raise BadInput("A1", "this spreadsheet cannot be read") from None
    if left < 0 or len(found) > MOST_PARTS:
        raise BadInput("A1", "this spreadsheet is too large when it is unpacked")
    return found


def read_csv(data: bytes) -> Iterator[list[str]]:
    """The rows of a CSV file in UTF-8 or the old Western letters, with commas, semicolons or tabs."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    if "\0" in text:
        raise BadInput("A1", "this is not a CSV file")
    delimiter = max(DELIMITERS, key=text.partition("\n")[0].count)
    try:
        yield from csv.reader(StringIO(text), delimiter=delimiter)
    except csv.Error:
        raise BadInput("A1", "this is not a CSV file") from None


def read_ods(data: bytes) -> Iterator[tuple[str, Iterator[list[str]]]]:
    """The sheets of an ODS file."""
    for table in Document(BytesIO(data)).body.tables[:MOST_SHEETS]:
        yield str(table.name), ods_rows(table)


def ods_rows(table: Table) -> Iterator[list[str]]:
    """The rows of a table. A row or a cell that says how often it is repeated is written once in the file."""
    number = 0
    for row in elements(table, "descendant::table:table-row", Row):
        cells: list[str] = []
        for cell in elements(row, "table:table-cell|table:covered-table-cell", Cell):
            cells += [text_of(cell.value)] * min(count_of(cell), MOST_COLUMNS + 1 - len(cells))
        for _each in range(min(count_of(row), LOOKED_AT - number)):
            number += 1
            yield cells


def elements(parent: Element, path: str, kind: type[E]) -> Iterator[E]:
    """The elements of a kind that a path finds."""
    return (each for each in parent.get_elements(path) if isinstance(each, kind))


def count_of(element: Row | Cell) -> int:
    """How often a row or a cell stands there, at least once."""
    return max(1, element.repeated or 1)


def read_xlsx(data: bytes) -> Iterator[tuple[str, Iterator[list[str]]]]:
    """The sheets of an XLSX file, with the last values of its formulas."""
    book = load_workbook(BytesIO(data), read_only=True, data_only=True)
    for sheet in book.worksheets[:MOST_SHEETS]:
        rows = sheet.iter_rows(max_row=LOOKED_AT, max_col=MOST_COLUMNS + 1, values_only=True)
        yield sheet.title, ([text_of(value) for value in row] for row in rows)


def text_of(value: object) -> str:
    """A cell's value as one would type it.

    >>> text_of(3.0), text_of(True), text_of(None), text_of("Nike")
    ('3', 'true', '', 'Nike')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    return text.removesuffix(".0") if isinstance(value, float) else text


def rows_in_bounds(name: str, rows: Iterable[list[str]]) -> tuple[tuple[str, ...], ...]:
    """The rows of a sheet down to the last that has a text. Raises BadInput for more than a sheet may have."""
    found: list[tuple[str, ...]] = []
    empty = 0
    for number, cells in enumerate(rows, start=1):
        texts = tuple(cell.strip() for cell in cells)
        while texts and not texts[-1]:
            texts = texts[:-1]
        if not texts:
            empty += 1
            continue
        if number > MOST_ROWS:
            raise BadInput(cell_name(name, 1, number), "a spreadsheet may have at most %(most)s rows", most=MOST_ROWS)
        if len(texts) > MOST_COLUMNS:
            raise BadInput(
                cell_name(name, MOST_COLUMNS + 1, number),
                "a spreadsheet may have at most %(most)s columns",
                most=MOST_COLUMNS,
            )
        for column, text in enumerate(texts, start=1):
            if len(text) > LONGEST:
                raise BadInput(
                    cell_name(name, column, number), "a cell may have at most %(most)s characters", most=LONGEST
                )
        found += [()] * empty + [texts]
        empty = 0
    return tuple(found)


def cell_name(sheet: str, column: int, row: int) -> str:
    """The name of a cell, both counted from 1.

    >>> cell_name("", 2, 7), cell_name("ships", 27, 1)
    ('B7', 'ships!AA1')
    """
    return f"{sheet}!{get_column_letter(column)}{row}" if sheet else f"{get_column_letter(column)}{row}"
