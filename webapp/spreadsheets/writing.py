"""Sheets of rows as a file to take along: CSV, ODS or XLSX. No text in them is ever a formula."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from io import BytesIO, StringIO

from flask import Response

from webapp.http.language import gettext as _
from webapp.spreadsheets.book import ODS
from webapp.spreadsheets.csv_rows import Rows
from webapp.storage.errors import Unknown

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
Value = str | int | float | bool | None
Cells = list[Value]  # texts, numbers, yes and no; None is an empty cell
Written = dict[str, list[Cells]]  # rows by the name of their sheet; the first row has the heads


def as_csv(sheets: Written) -> bytes:
    """The first sheet alone, in UTF-8 with the mark by which spreadsheets know it."""
    text = StringIO()
    rows = Rows(text)
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
