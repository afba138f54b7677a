"""A spreadsheet as sheets of texts: CSV, ODS or XLSX, told apart by what is in it. Runs in a child process.

It imports nothing of the program. Nothing is ever reckoned: of a formula its last value counts.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from datetime import datetime, time
from io import BytesIO, StringIO
from itertools import islice
from zipfile import ZipFile

from python_calamine import CalamineWorkbook, SheetTypeEnum

DELIMITERS = ",;\t"
SEPARATOR = re.compile(r'"?sep=(.)"?(?:\n|\Z)')  # Excel's first line, which it does not show
CONTENT = "content.xml"
ASIDE = re.compile(rb"<text:(note|ruby-text)(?=[\s>])")  # what stands in a cell of ODS beside its text
BREAK = re.compile(rb"<text:(?:line-break|tab)\s*/>")
Texts = list[list[str]]


def read(data: bytes, *, sheets: int, rows: int, columns: int, longest: int, looked_at: int) -> list[tuple[str, Texts]]:
    """The first sheets by name, each down to its last row with a text; a CSV file is one without a name.

    Of what is beyond a limit one is read, so that it can be refused: the row after the last, the column, the letter.
    Below the row `looked_at` nothing is looked for. Raises any exception for what is no such file.
    """
    found = packed_sheets(data, sheets) if data.startswith(b"PK") else [("", csv_rows(data))]
    answer = [(name, texts_of(islice(each, looked_at), rows, columns, longest)) for name, each in found]
    if not answer:
        raise ValueError("there is no sheet")
    return answer


def packed_sheets(data: bytes, most: int) -> Iterator[tuple[str, Iterator[list[object]]]]:
    """The sheets of an ODS or XLSX file, without its charts."""
    book = CalamineWorkbook.from_filelike(BytesIO(without_asides(data) if CONTENT.encode() in data else data))
    places = [at for at, each in enumerate(book.sheets_metadata) if each.typ == SheetTypeEnum.WorkSheet]
    for place in places[:most]:
        sheet = book.get_sheet_by_index(place)
        _row, column = sheet.start or (0, 0)
        yield sheet.name, ([""] * column + list[object](cells) for cells in sheet.iter_rows())


def without_asides(data: bytes) -> bytes:
    """An ODS file without footnotes and readings in its cells, whose words calamine would join to the cell's own."""
    book, found = ZipFile(BytesIO(data)), BytesIO()
    first, *others = ASIDE.split(BREAK.sub(b" ", book.read(CONTENT)))
    rest = (text.partition(b"</text:%s>" % kind)[2] for kind, text in zip(others[::2], others[1::2], strict=True))
    with ZipFile(found, "w") as plain:
        for name in book.namelist():
            plain.writestr(name, b"".join((first, *rest)) if name == CONTENT else book.read(name))
    return found.getvalue()


def csv_rows(data: bytes) -> Iterator[list[object]]:
    """The rows of a CSV file in UTF-8 or the old Western letters, with commas, semicolons or tabs."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    if "\0" in text:
        raise ValueError("this is no text")
    text = text.replace("\r\n", "\n")
    text = text if "\n" in text else text.replace("\r", "\n")
    named = SEPARATOR.match(text)
    text, signs = (text[named.end() :], named[1]) if named else (text, DELIMITERS)
    delimiter = max(signs, key=lambda sign: len(next(csv.reader(StringIO(text), delimiter=sign), ())))
    return (list[object](cells) for cells in csv.reader(StringIO(text), delimiter=delimiter))


def texts_of(rows: Iterable[list[object]], most: int, columns: int, longest: int) -> Texts:
    """The texts of rows, without empty ones at the ends."""
    found: Texts = []
    for cells in rows:
        texts = [text_of(cell)[: longest + 1] for cell in cells[: columns + 1]]
        while texts and not texts[-1]:
            texts.pop()
        found.append(texts)
        if texts and len(found) > most:
            break
    while found and not found[-1]:
        found.pop()
    return found


def text_of(value: object) -> str:
    """A cell's value as one would type it, on one line.

    >>> text_of(3.0), text_of(True), text_of(datetime(2026, 6, 1)), text_of(" Tanit\\nof Tyre")
    ('3', 'true', '2026-06-01', 'Tanit of Tyre')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime) and value.time() == time.min:
        value = value.date()
    text = str(value).removesuffix(".0") if isinstance(value, float) else str(value)
    return " ".join(text.splitlines()).strip()
