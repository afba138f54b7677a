"""A spreadsheet file as sheets of texts, its rows by heads, and sheets as a file."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO, StringIO
from pathlib import Path
from typing import TextIO

from flask import Response

from tactical.kernel.record import BadInput
from webapp.files import child_process
from webapp.files.child_process import Limits, Unreadable, read_apart
from webapp.http.language import gettext as _
from webapp.storage.errors import Unknown

# -- Rows for spreadsheets, in which no text of a person's is a formula.

# Where a formula could begin: at the start, or where a reader whose separator is another one (a semicolon, a tab)
# begins a new cell.
SIGN = re.compile(r"^(?=[\t\r\n])|(?:^|[;\t\r\n]) *(?=[=+\-@])")
APOSTROPHE = re.compile(r"((?:^|[;\t\r\n]) *)'(?=[=+\-@])|^'(?=[\t\r\n])")


class PlainRows:
    """A sheet of rows as CSV; a text that a spreadsheet would reckon with gets an apostrophe before it."""

    def __init__(self, out: TextIO) -> None:
        self._rows = csv.writer(out)

    def writerow(self, row: Iterable[object]) -> None:
        """Write one row."""
        self._rows.writerow([harmless(cell) for cell in row])


def harmless(cell: object) -> object:
    """The cell, harmless.

    >>> plain("=1+1"), plain("Tanit"), plain(-3), plain("Tanit; =1+1")
    ("'=1+1", 'Tanit', -3, "Tanit; '=1+1")
    """
    return SIGN.sub(lambda found: f"{found.group()}'", cell) if isinstance(cell, str) else cell


def bare(cell: str) -> str:
    """The text of a cell, without the apostrophes that keep a spreadsheet from reckoning with it.

    >>> bare("'=1+1"), bare("Tanit; '=1+1"), bare("'t Harde")
    ('=1+1', 'Tanit; =1+1', "'t Harde")
    """
    return APOSTROPHE.sub(lambda found: found.group(1) or "", cell)


# -- A spreadsheet file as sheets of texts, read in a child process and held to its bounds: CSV, ODS or XLSX.

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


def read_book(data: bytes, most: int = MOST_ROWS) -> tuple[Sheet, ...]:
    """The sheets of a file, of at most so many rows. Raises BadInput, whose path is a cell, or `file`; TooMany."""
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
            rows=most,
            columns=MOST_COLUMNS,
            longest=LONGEST,
            looked_at=LOOKED_AT,
        )
    except Unreadable:
        raise BadInput("A1", "this is not a spreadsheet: send CSV, ODS or XLSX") from None
    for name, rows in found:
        check_bounds(name, rows, most)
    return tuple(Sheet(name, rows) for name, rows in found)


def check_bounds(sheet: str, rows: Rows, most: int = MOST_ROWS) -> None:
    """Raises BadInput for the first cell beyond what a sheet may have."""
    for number, texts in enumerate(rows, start=1):
        if texts and number > most:
            raise BadInput(cell_name(sheet, 1, number), "a spreadsheet may have at most %(most)s rows", most=most)
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


# -- The rows of a sheet by the heads of its columns, and faults that name their cell ("B7", "ships!B7").

YES, NO = ("yes", "true", "1", "x"), ("no", "false", "0", "")


@dataclass(frozen=True)
class Row:
    """A row by the heads of its columns; `number` is the one that the spreadsheet shows."""

    sheet: str
    number: int
    cells: Mapping[str, str]
    columns: Mapping[str, int]  # the number of each head's column, from 1

    def cell(self, head: str) -> str:
        """The name of a cell, as B7."""
        return cell_name(self.sheet, self.columns.get(head, 1), self.number)

    def __getitem__(self, head: str) -> str:
        return self.cells.get(head, "")

    def is_yes(self, head: str) -> bool:
        """Does a cell say yes? Raises BadInput for what is neither yes nor no."""
        text = self[head].casefold()
        if text not in (*YES, *NO):
            raise BadInput(self.cell(head), "write yes or no")
        return text in YES

    def number_at(self, head: str) -> int | float:
        """The number in a cell; a whole one is an int. Raises BadInput."""
        text = self[head].replace(",", ".").replace("\N{MINUS SIGN}", "-")
        try:
            found = float(text)
        except ValueError:
            found = float("nan")
        if not abs(found) < 10**9:
            raise BadInput(self.cell(head), "'%(text)s' is not a number", text=self[head])
        return int(found) if found == int(found) else found


def read_rows(sheet: Sheet, heads: tuple[str, ...]) -> Iterator[Row]:
    """The rows under a first row of heads, without empty ones; the first head must be there.

    Raises BadInput, whose path is a cell.
    """
    columns = read_heads(sheet, heads)
    for number, cells in enumerate(sheet.rows[1:], start=2):
        texts = {head: bare(cells[at - 1]) for head, at in columns.items() if at <= len(cells)}
        if any(texts.values()):
            yield Row(sheet.name, number, texts, columns)


def read_heads(sheet: Sheet, heads: tuple[str, ...]) -> dict[str, int]:
    """The column of each head. Raises BadInput for one that is unknown, twice there or missing."""
    found: dict[str, int] = {}
    for column, text in enumerate(sheet.rows[0] if sheet.rows else (), start=1):
        head = " ".join(text.casefold().replace("_", " ").split())
        if not head:
            continue
        cell = cell_name(sheet.name, column, 1)
        if head not in heads:
            raise BadInput(cell, "there is no column called %(name)s: %(names)s", name=text, names=heads)
        if head in found:
            raise BadInput(cell, "the column %(name)s is there twice", name=text)
        found[head] = column
    if heads[0] not in found:
        raise BadInput(cell_name(sheet.name, 1, 1), "the column %(name)s is missing", name=heads[0])
    return found


# -- Sheets of rows as a file to take along: CSV, ODS or XLSX. No text in them is ever a formula.

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
Value = str | int | float | bool | None
Cells = list[Value]  # texts, numbers, yes and no; None is an empty cell
Written = dict[str, list[Cells]]  # rows by the name of their sheet; the first row has the heads


def as_csv(sheets: Written) -> bytes:
    """The first sheet alone, in UTF-8 with the mark by which spreadsheets know it."""
    text = StringIO()
    rows = PlainRows(text)
    for row in next(iter(sheets.values())):
        rows.writerow(value_of(cell) for cell in row)
    return text.getvalue().encode("utf-8-sig")


def as_ods(sheets: Written) -> bytes:
    """All sheets. Its library, as that of XLSX, is loaded for the first file that wants it."""
    library = import_module("odfdo")
    book = library.Document("spreadsheet")
    book.body.clear()
    for name, rows in sheets.items():
        table = library.Table(name)
        table.set_values([[value_of(cell) for cell in row] for row in rows])
        book.body.append(table)
    found = BytesIO()
    book.save(found)
    return found.getvalue()


def as_xlsx(sheets: Written) -> bytes:
    """All sheets."""
    book = import_module("openpyxl").Workbook(write_only=True)
    new_cell = import_module("openpyxl.cell").WriteOnlyCell
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            cells = [new_cell(sheet, value_of(cell)) for cell in row]
            for cell in cells:
                if cell.data_type == "f":
                    cell.data_type = "s"
            sheet.append(cells)
    found = BytesIO()
    book.save(found)
    return found.getvalue()


def value_of(cell: Value) -> Value:
    """A cell as it is written: yes and no are words, and a text has no control characters, which no sheet can hold.

    >>> value_of(True), value_of("Ti\x01fys"), value_of(3)
    ('yes', 'Tifys', 3)
    """
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return CONTROL.sub("", cell) if isinstance(cell, str) else cell


FORMATS: dict[str, tuple[str, Callable[[Written], bytes]]] = {
    "csv": ("text/csv", as_csv),
    "ods": (ODS, as_ods),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", as_xlsx),
}


def check_format(format: str) -> None:
    """Raises Unknown for a format that is none of ours."""
    if format not in FORMATS:
        raise Unknown(_("There is no such format: a spreadsheet is csv, ods or xlsx."))


def download(sheets: Written, name: str, format: str) -> Response:
    """The sheets as a file of this name. Raises Unknown for a format that is none of ours."""
    check_format(format)
    mimetype, write = FORMATS[format]
    headers = {"Content-Disposition": f'attachment; filename="{name}.{format}"'}
    return Response(write(sheets), mimetype=mimetype, headers=headers)
