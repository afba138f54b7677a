"""A spreadsheet as sheets of texts: CSV, ODS or XLSX, told apart by what is in it. Runs in a child process.

It imports nothing of the program. Nothing is ever reckoned: of a formula its last value counts. The letters of a text
file are found by what is in it (`read_text`, which files of other kinds may use as well).
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterable, Iterator
from datetime import datetime, time
from io import BytesIO, StringIO
from itertools import groupby, islice
from typing import Any
from xml.etree.ElementTree import iterparse
from zipfile import ZipFile

from chardetng_py import EncodingDetector
from python_calamine import CalamineWorkbook, SheetTypeEnum

DELIMITERS = ",;\t|"
SEPARATOR = re.compile(r'"?sep=(.)[^\n]*(?:\n|\Z)', re.IGNORECASE)  # Excel's first line, which it does not show
LOOKED_AT_FOR_SIGNS = 50  # rows
CONTENT = "content.xml"
ASIDE = re.compile(rb"<text:(note|ruby-text)(?=[\s>])")  # what stands in a cell of ODS beside its text
BREAK = re.compile(rb"<text:(?:line-break|tab)\s*/>")
SPAN = re.compile(rb'rows-spanned="0*(?!1")[0-9]')
CELL = re.compile(rb'<(?:\w+:)?c r="([A-Z]+[0-9]+)"([^>]*)(?<!/)>(.*?)</(?:\w+:)?c>', re.DOTALL)
FORMULA, VALUE = re.compile(rb"<(?:\w+:)?f[ />]"), re.compile(rb"<(?:\w+:)?v[^>]*>[^<]")
MOST_VALUELESS = 10
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
Texts = list[list[str]]
Merged = list[tuple[tuple[int, int], tuple[int, int]]]  # first and last cell of each, as row and column from 0


def read(
    data: bytes, *, sheets: int, rows: int, columns: int, longest: int, looked_at: int, language: str, encoding: str
) -> dict[str, Any]:
    """The kind of file, and its first sheets by name, each down to its last row with a text.

    A CSV file is one sheet without a name; its letters and its separator are told, too. Of what is beyond a limit one
    is read, so that it can be refused: the row after the last, the column, the letter. Below the row `looked_at`
    nothing is looked for. Raises any exception for what is no such file.
    """
    kind, letters, separator = "CSV", "", ""
    found: Iterable[tuple[str, Iterable[list[object]], Merged]]
    if data.startswith(b"PK"):
        kind = "ODS" if CONTENT.encode() in data else "XLSX"
        found = packed_sheets(data, kind, sheets)
    else:
        text, letters = read_text(data, language, encoding)
        separator, text = sign_of(text)
        found = [("", map(list[object], csv.reader(StringIO(text), delimiter=separator)), [])]
    answer = [(name, texts_of(islice(each, looked_at), rows, columns, longest, merged)) for name, each, merged in found]
    if not answer:
        raise ValueError("there is no sheet")
    valueless = cells_without_value(data) if kind == "XLSX" else []
    return {"format": kind, "encoding": letters, "separator": separator, "sheets": answer, "valueless": valueless}


# -- ODS and XLSX.


def packed_sheets(data: bytes, kind: str, most: int) -> Iterator[tuple[str, Iterator[list[object]], Merged]]:
    """The sheets of an ODS or XLSX file, without its charts, with the cells that are merged."""
    merged = merged_of_ods(data) if kind == "ODS" else {}
    book = CalamineWorkbook.from_filelike(BytesIO(without_asides(data) if kind == "ODS" else data))
    places = [at for at, each in enumerate(book.sheets_metadata) if each.typ == SheetTypeEnum.WorkSheet]
    for place in places[:most]:
        sheet = book.get_sheet_by_index(place)
        _row, column = sheet.start or (0, 0)
        spans = sheet.merged_cell_ranges or merged.get(place, [])
        yield sheet.name, ([""] * column + list[object](cells) for cells in sheet.iter_rows()), spans


def cells_without_value(data: bytes) -> list[str]:
    """The first cells of an XLSX file that calamine takes for empty: formulas that no program has reckoned, errors."""
    book = ZipFile(BytesIO(data))
    sheets = (book.read(name) for name in book.namelist() if name.startswith("xl/worksheets/"))
    cells = (cell.groups() for sheet in sheets for cell in CELL.finditer(sheet))
    found = (
        reference.decode()
        for reference, about, inner in cells
        if b't="e"' in about or (FORMULA.search(inner) and b't="str"' not in about and VALUE.search(inner) is None)
    )
    return list(islice(found, MOST_VALUELESS))


def merged_of_ods(data: bytes) -> dict[int, Merged]:
    """The merged cells of each sheet of an ODS file, which calamine does not tell."""
    content = ZipFile(BytesIO(data)).read(CONTENT)
    found: dict[int, Merged] = {}
    table, row, column = -1, 0, 0
    for event, each in iterparse(BytesIO(content), ("start", "end")) if SPAN.search(content) else ():
        name = each.tag.removeprefix(TABLE)
        if event == "start" and name == "table":
            table, row = table + 1, 0
        elif event == "start" and name == "table-row":
            column = 0
        elif event == "end" and name == "table-row":
            row += int(each.get(f"{TABLE}number-rows-repeated", 1))
            each.clear()
        elif event == "end" and name in ("table-cell", "covered-table-cell"):
            down, right = (int(each.get(f"{TABLE}number-{what}-spanned", 1)) for what in ("rows", "columns"))
            if down > 1:
                found.setdefault(table, []).append(((row, column), (row + down - 1, column + right - 1)))
            column += int(each.get(f"{TABLE}number-columns-repeated", 1))
    return found


def without_asides(data: bytes) -> bytes:
    """An ODS file without footnotes and readings in its cells, whose words calamine would join to the cell's own."""
    book, found = ZipFile(BytesIO(data)), BytesIO()
    first, *others = ASIDE.split(BREAK.sub(b" ", book.read(CONTENT)))
    rest = (text.partition(b"</text:%s>" % kind)[2] for kind, text in zip(others[::2], others[1::2], strict=True))
    with ZipFile(found, "w") as plain:
        for name in book.namelist():
            plain.writestr(name, b"".join((first, *rest)) if name == CONTENT else book.read(name))
    return found.getvalue()


# -- Text files: their letters and their separator.

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
SELDOM = 20  # of so many bytes in a text that is not UTF-16 none is zero
FOREIGN_WORD = re.compile(rb"(?<![A-Za-z\x80-\xff])[\x80-\xff]+(?![A-Za-z\x80-\xff])")  # without one plain letter
HEBREW = ("windows-1255", "ISO-8859-8", "ISO-8859-8-I")  # which small letters of Russian look like
OFTEN = "оеаинтсрвл"  # letters of Russian


def read_text(data: bytes, language: str = "", encoding: str = "") -> tuple[str, str]:
    """The text of a file, and the name of its letters: as its first bytes say, else UTF-8, else as they are likely.

    `language` is the reader's ("ru"), which decides where the bytes alone do not; an `encoding` is what he says
    himself. Line ends become those of Unix. Raises ValueError for what is no text, and LookupError.
    """
    mark, name = next(((mark, name) for mark, name in MARKS if data.startswith(mark)), (b"", ""))
    nothing = data.count(b"\0")
    if nothing * SELDOM > len(data):  # in UTF-16 every second byte of a plain letter or sign is zero
        name = name or ("utf-16-le" if data[1::2].count(b"\0") == nothing else "utf-16-be")
    elif encoding and not mark:
        name = encoding
    elif not name:
        try:
            data.decode(name := "utf-8")
        except UnicodeDecodeError:
            name = likely_letters(data, language)
    text = data[len(mark) :].decode(name).lstrip("\ufeff")
    if "\0" in text:
        raise ValueError("this is no text")
    return text.replace("\r\n", "\n").replace("\r", "\n"), name.casefold()


def likely_letters(data: bytes, language: str) -> str:
    """The 8-bit letters of a text, by how often languages have them; for a word or two the reader's language helps."""
    detector = EncodingDetector()
    detector.feed(data, last=True)
    found = str(detector.guess(tld=None, allow_utf8=False))
    if found in ("windows-1252", "ISO-8859-5", *HEBREW) and FOREIGN_WORD.search(data):
        if language == "ru" or found in HEBREW:
            return max(("windows-1251", "ISO-8859-5"), key=lambda name: often(data.decode(name, "replace")))
        if detector.guess(tld=b"gr", allow_utf8=False) in ("ISO-8859-7", "windows-1253"):
            return "windows-1253"
    return found


def often(text: str) -> int:
    """How many letters of a text are frequent ones of Russian."""
    return sum(letter in OFTEN for letter in text)


def sign_of(text: str) -> tuple[str, str]:
    """The sign between the cells, and the text without the line that names it.

    It is the one by which most rows that follow one another have the same number of cells, more than one.
    """
    if named := SEPARATOR.match(text):
        return named[1], text[named.end() :]

    def rows_alike(sign: str) -> tuple[int, int]:
        rows = islice(filter(None, csv.reader(StringIO(text), delimiter=sign)), LOOKED_AT_FOR_SIGNS)
        return max(((len(list(alike)), cells) for cells, alike in groupby(rows, len) if cells > 1), default=(0, 0))

    return max(DELIMITERS, key=rows_alike), text


# -- Texts of cells.


def texts_of(rows: Iterable[list[object]], most: int, columns: int, longest: int, merged: Merged) -> Texts:
    """The texts of rows, without empty ones at the ends; what stands in merged cells counts for each of their rows."""
    found: Texts = []
    above: dict[int, list[tuple[int, int]]] = {}  # by the row: of which cell it has the text, and in which column
    for (first, column), (last, _right) in merged:
        for row in range(first + 1, min(last, most) + 1):
            above.setdefault(row, []).append((first, column))
    for number, cells in enumerate(rows):
        texts = [text_of(cell)[: longest + 1] for cell in cells[: columns + 1]]
        for first, column in above.get(number, ()) if any(texts) else ():
            if column < len(texts) and column < len(found[first]):
                texts[column] = found[first][column]
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
