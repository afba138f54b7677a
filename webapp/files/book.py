"""A spreadsheet file as sheets of texts, its rows by heads in any language, and sheets as a file."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from io import BytesIO, StringIO
from pathlib import Path
from unicodedata import combining, normalize

from flask import Response, has_request_context, request

from data import read as read_data
from tactical.kernel.record import BadInput, Input, Reason, because, clean_name
from tactical.ship import FIGURES
from webapp.files import child_process
from webapp.files.child_process import Limits, Unreadable, read_apart
from webapp.files.report import LeftOut, Report
from webapp.http.language import gettext as _
from webapp.http.language import tag
from webapp.storage.errors import Unknown

# -- Texts of people in CSV, in which none is a formula.

# Where a formula could begin: at the start, or where a reader whose separator is another one (a semicolon, a tab)
# begins a new cell. An apostrophe that stands there already is doubled, so that the text comes back as it was.
SIGN = re.compile(r"^(?='*[\t\r\n])|(?:^|[;\t\r\n]) *(?='*[=+\-@])")
APOSTROPHE = re.compile(r"((?:^|[;\t\r\n]) *)'(?='*[=+\-@])|^'(?='*[\t\r\n])")


def harmless(cell: object) -> object:
    """The cell, harmless.

    >>> harmless("=1+1"), harmless("Tanit"), harmless(-3), harmless("Tanit; =1+1"), harmless("'=x")
    ("'=1+1", 'Tanit', -3, "Tanit; '=1+1", "''=x")
    """
    return SIGN.sub(lambda found: f"{found.group()}'", cell) if isinstance(cell, str) else cell


def bare(cell: str) -> str:
    """The text of a cell, without the apostrophes that keep a spreadsheet from reckoning with it.

    >>> bare("'=1+1"), bare("Tanit; '=1+1"), bare("'t Harde"), bare("''=x")
    ('=1+1', 'Tanit; =1+1', "'t Harde", "'=x")
    """
    return APOSTROPHE.sub(lambda found: found.group(1) or "", cell)


# -- A spreadsheet file as sheets of texts, read in a child process and held to its bounds: CSV, ODS or XLSX.

READER, LIMITS = Path(child_process.__file__).with_name("sheet_reader.py"), Limits()
LARGEST = 200_000  # bytes as they are sent
MOST_SHEETS, MOST_ROWS, MOST_COLUMNS, LONGEST = 12, 500, 40, 200  # LONGEST: characters of a cell
LOOKED_AT = 5_000  # rows; below them nothing is looked for
ODS = "application/vnd.oasis.opendocument.spreadsheet"
Rows = tuple[tuple[str, ...], ...]


ENCODINGS = (
    "utf-8",
    "windows-1251",
    "windows-1252",
    "windows-1250",
    "windows-1253",
    "koi8-r",
    "ibm866",
    "mac-cyrillic",
    "mac-roman",
    "utf-16-le",
)  # which a person may choose where the letters were not found rightly


@dataclass(frozen=True)
class Sheet:
    """A sheet by its name, with its rows of texts, the first of them row 1. A CSV file is one without a name."""

    name: str
    rows: Rows


@dataclass(frozen=True)
class Book:
    """The sheets of a file, at least one; `format` is CSV, ODS or XLSX, and of CSV its letters and separator.

    `valueless` are the first cells of XLSX whose formula was never reckoned, or whose value is an error.
    """

    format: str
    sheets: tuple[Sheet, ...]
    encoding: str = ""
    separator: str = ""
    valueless: tuple[str, ...] = ()

    def sheet(self, name: str) -> Sheet | None:
        """The sheet of this English name in any language, if there is one."""
        words = words_for((name,), "sheets")
        return next((each for each in self.sheets if plain_word(each.name) in words), None)

    def sheet_with(self, name: str, heads: tuple[str, ...]) -> Sheet:
        """The sheet of this name, else the first one that has these heads, else the first."""
        words = words_for(heads[:1])
        having = (each for each in self.sheets if any(plain_word(text) in words for row in each.rows for text in row))
        return self.sheet(name) or next(having, self.sheets[0])

    def notes(self) -> list[Reason]:
        """What holds for the file and not for one of its tables."""
        cells = ", ".join(self.valueless)
        return [because("empty, since a formula was never computed or failed: %(cells)s", cells=cells)] if cells else []

    def report(self, tables: Iterable[Table], **counts: int) -> Report:
        """What was read of the file in these tables; sheets that were not read are left out."""
        tables = tuple(tables)
        read = {table.sheet.name for table in tables}
        left = [
            LeftOut(each.name, because("no sheet of this name is read"))
            for each in self.sheets
            if each.rows and each.name not in read
        ]
        rows = sum(len(table.rows) for table in tables)
        return Report(
            self.format,
            {"rows": rows, **counts},
            (*(each for table in tables for each in table.left_out), *left),
            (*(note for table in tables for note in table.notes), *self.notes()),
            self.encoding,
            self.separator,
        )


def read_book(data: bytes, encoding: str = "", most: int = MOST_ROWS) -> Book:
    """The sheets of a file, of at most `most` rows; `encoding` is one of ENCODINGS where the sender says it himself.

    Raises BadInput, whose path is a cell, or `file`; TooMany.
    """
    if len(data) > LARGEST:
        raise BadInput("A1", "a spreadsheet may have at most %(most)s bytes", most=LARGEST)
    if encoding and encoding not in ENCODINGS:
        raise BadInput("encoding", "%(value)s is not one of %(names)s", value=encoding, names=ENCODINGS)
    try:
        found = read_apart(
            READER,
            data,
            ReadApart,
            "file",
            LIMITS,
            sheets=MOST_SHEETS,
            rows=most,
            columns=MOST_COLUMNS,
            longest=LONGEST,
            looked_at=LOOKED_AT,
            language=tag(),
            encoding=encoding,
        )
    except Unreadable:
        raise BadInput("A1", "this is not a spreadsheet: send CSV, ODS or XLSX") from None
    for name, rows in found.sheets:
        check_bounds(name, rows, most)
    is_text = found.format == "CSV"
    sheets = (
        Sheet(name, tuple(tuple(map(bare, row)) for row in rows) if is_text else rows) for name, rows in found.sheets
    )
    return Book(found.format, tuple(sheets), found.encoding, found.separator, found.valueless)


class ReadApart(Input, frozen=True):
    """What the reader in the child process says."""

    format: str
    encoding: str
    separator: str
    sheets: tuple[tuple[str, Rows], ...]
    valueless: tuple[str, ...]


def check_bounds(sheet: str, rows: Rows, most: int) -> None:
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


# -- What people call heads, sheets and values, in any language (data/spreadsheets.toml).


class Word(Input, frozen=True):
    """Other words for an English one, by language; the first of a language is the one that is written for its readers.

    `means` says what it is, for the page of formats.
    """

    en: tuple[str, ...] = ()
    it: tuple[str, ...] = ()
    ru: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    means: str = ""

    def all(self) -> tuple[str, ...]:
        """Every word."""
        return (*self.en, *self.it, *self.ru, *self.others)

    def written(self, language: str, english: str) -> str:
        """The word for readers of a language."""
        return next(iter({"it": self.it, "ru": self.ru}.get(language, ())), english)


class Vocabulary(Input, frozen=True):
    """The words of spreadsheets: for yes, no, sums, heads and sheets, for values by the head of their column."""

    yes: Word
    no: Word
    sums: Word
    heads: dict[str, Word]
    sheets: dict[str, Word]
    values: dict[str, dict[str, Word]]


WORDS = read_data("spreadsheets.toml", Vocabulary)


def plain_word(text: str) -> str:
    """A word without what people write differently: case, accents, signs.

    >>> plain_word(" Velocità_massima:"), plain_word("ТЯЖЁЛЫЕ (римский)")
    ('velocita massima', 'тяжелые римскии')
    """
    letters = normalize("NFKD", normalize("NFKC", text).casefold())
    return " ".join(re.sub(r"[\W_]+", " ", "".join(each for each in letters if not combining(each))).split())


def word_for(name: str, group: str = "heads") -> Word:
    """What else people call a head (`heads`), a sheet (`sheets`), or a value of the column `group`.

    A head of two words, as "roman heavy", has those of both, in either order.
    """
    known = {"heads": WORDS.heads, "sheets": WORDS.sheets}.get(group) or WORDS.values.get(group, {})
    if name in known:
        return known[name]
    navy, _space, figure = name.partition(" ")
    if group == "heads" and navy in WORDS.values["navy"] and figure in FIGURE_HEADS:
        one, other = WORDS.values["navy"][navy], WORDS.heads[figure]
        pairs = {
            language: (f"{second} ({first})", f"{first} {second}")
            for language in ("it", "ru")
            for first, second in [(one.written(language, navy), other.written(language, figure))]
        }
        return Word((f"{figure} {navy}",), **pairs, means=f"{figure} of a {navy} ship of this type")
    return Word()


FIGURE_HEADS = tuple(figure.replace("_", " ") for figure in FIGURES)


@cache
def words_for(names: tuple[str, ...], group: str = "heads") -> Mapping[str, str]:
    """Each of these names by every word for it; an English name comes before another one's word."""
    found = {plain_word(word): name for name in names for word in word_for(name, group).all()}
    return found | {plain_word(name): name for name in names}


@cache
def yes_and_no() -> Mapping[str, bool]:
    """What says yes and what no, in every language."""
    said = ((WORDS.yes, True), (WORDS.no, False))
    return {"": False} | {plain_word(word) or word: answer for words, answer in said for word in words.all()}


def value_for(group: str, text: str) -> str:
    """The English name of a value in the column `group`, whatever the language; what is not known stays as it is.

    >>> value_for("type", "Трирема"), value_for("type", "lembos")
    ('trireme', 'lembos')
    """
    return words_for(tuple(WORDS.values[group]), group).get(plain_word(text), text)


def in_language(sheets: Written, language: str) -> Written:
    """Sheets with their names, heads, known values, yes and no as readers of a language call them."""
    if language not in ("it", "ru"):
        return sheets
    found: Written = {}
    for name, (heads, *rows) in sheets.items():
        groups = ["setting" if name == "board" and head == "name" else str(head) for head in heads]

        def said(group: str, cell: Value, language: str = language) -> Value:
            if isinstance(cell, bool):
                return (WORDS.yes if cell else WORDS.no).written(language, value_of(cell) or "no")
            known = WORDS.values.get(group, {}).get(str(cell).casefold()) if group != "side" else None  # an id
            return cell if known is None else known.written(language, str(cell))

        found[word_for(name, "sheets").written(language, name)] = [
            [word_for(str(head)).written(language, str(head)) for head in heads],
            *([said(group, cell) for group, cell in zip(groups, row, strict=False)] for row in rows),
        ]
    return found


# -- The rows of a sheet by the heads of its columns, and faults that name their cell ("B7", "ships!B7").

MOST_ABOVE = 20  # rows in which the heads are looked for
NEARLY = 0.76  # of a word, for which another one was meant
GROUPED = re.compile(r"(?<=\d)[\s'’](?=\d{3}(?!\d))")  # thousands
WHOLE = re.compile(r"[+-]?\d{1,9}(?:[.,]0{1,2})?")


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

    def value(self, head: str) -> str:
        """The English name of the value in a cell, where it is a known one in any language; else its text."""
        return value_for(head, self[head])

    def is_yes(self, head: str) -> bool:
        """Does a cell say yes? Raises BadInput for what is neither yes nor no in any language."""
        text = self[head]
        answer = yes_and_no().get(plain_word(text) or text.rstrip("\N{VARIATION SELECTOR-16}"))
        if answer is None:
            raise BadInput(self.cell(head), "write yes or no")
        return answer

    def number_at(self, head: str) -> int | float:
        """The number in a cell, with a decimal point or comma; a whole one is an int. Raises BadInput."""
        text = GROUPED.sub("", self[head]).rstrip("°").replace(",", ".").replace("\N{MINUS SIGN}", "-")
        try:
            found = float(text)
        except ValueError:
            found = float("nan")
        if not abs(found) < 10**9:
            raise BadInput(self.cell(head), "'%(text)s' is not a number", text=self[head])
        return int(found) if found == int(found) else found

    def whole_at(self, head: str) -> int:
        """The whole number in a cell. Raises BadInput, also for 1,000, which is one or a thousand."""
        text = GROUPED.sub("", self[head]).replace("\N{MINUS SIGN}", "-")
        if not WHOLE.fullmatch(text):
            self.number_at(head)
            raise BadInput(self.cell(head), "'%(text)s' is not a whole number", text=self[head])
        return int(re.split("[.,]", text)[0])


@dataclass(frozen=True)
class Table:
    """The rows of a sheet, without empty ones, and what was left out of it."""

    sheet: Sheet
    rows: tuple[Row, ...]
    left_out: tuple[LeftOut, ...]
    notes: tuple[Reason, ...]


def read_table(sheet: Sheet, heads: tuple[str, ...]) -> Table:
    """The rows under the heads, of which the first must be there; in any language, and also below a title.

    Columns of one's own are left out. Raises BadInput, whose path is a cell.
    """
    words = words_for(heads)
    above = find_heads(sheet, heads)
    columns, left = read_heads(sheet, above, words)
    notes = (because("the heads stand in row %(row)s", row=above),) if above > 1 else ()
    left[:0] = [
        LeftOut(cell_name(sheet.name, first_text(cells), number), because("this stands above the heads"))
        for number, cells in enumerate(sheet.rows[: above - 1], start=1)
        if cells
    ]
    rows: list[Row] = []
    sums = set(map(plain_word, WORDS.sums.all()))
    for number, cells in enumerate(sheet.rows[above:], start=above + 1):
        texts = {head: clean_name(cells[at - 1]) for head, at in columns.items() if at <= len(cells)}
        first = first_text(cells)
        if cells == sheet.rows[above - 1]:
            why = because("the heads are here once more")
        elif cells and plain_word(cells[first - 1]) in sums and texts.get(heads[0], "") in ("", cells[first - 1]):
            why = because("this row is a sum")
        elif any(map(plain_word, texts.values())):
            rows.append(Row(sheet.name, number, texts, columns))
            continue
        elif cells:
            why = because("this row has nothing in the columns that are read")
        else:
            continue
        left.append(LeftOut(cell_name(sheet.name, first, number), why))
    return Table(sheet, tuple(rows), tuple(left), notes)


def first_text(cells: tuple[str, ...]) -> int:
    """The column of a row's first text, from 1."""
    return next((column for column, text in enumerate(cells, start=1) if text), 1)


def find_heads(sheet: Sheet, heads: tuple[str, ...]) -> int:
    """The row of the heads, from 1. Raises BadInput where the first one is missing."""
    row, words = row_of_heads(sheet, heads), words_for(heads)
    known = {words.get(plain_word(text)) for texts in sheet.rows[row - 1 : row] for text in texts} - {None}
    if not known:
        raise BadInput(
            cell_name(sheet.name, 1, row),
            "no row of this table has heads that are read here, such as %(names)s",
            names=heads[:4],
        )
    if heads[0] not in known:
        raise BadInput(cell_name(sheet.name, 1, row), "the column %(name)s is missing", name=heads[0])
    return row


def row_of_heads(sheet: Sheet, heads: tuple[str, ...]) -> int:
    """The row with most heads among the first ones, from 1."""
    words = words_for(heads)
    known = [len({words.get(plain_word(text)) for text in cells} - {None}) for cells in sheet.rows[:MOST_ABOVE]]
    return known.index(max(known)) + 1 if known else 1


def read_heads(sheet: Sheet, row: int, words: Mapping[str, str]) -> tuple[dict[str, int], list[LeftOut]]:
    """The column of each head, and columns that are none of ours. Raises BadInput for a head that is there twice."""
    found: dict[str, int] = {}
    left: list[LeftOut] = []
    width = max(map(len, sheet.rows[row - 1 :]))
    for column, text in enumerate((*sheet.rows[row - 1], *[""] * width)[:width], start=1):
        cell, word = cell_name(sheet.name, column, row), plain_word(text)
        if (head := words.get(word)) is not None:
            if head in found:
                raise BadInput(cell, "the column %(name)s is there twice", name=text)
            found[head] = column
        elif near := get_close_matches(word, words, 1, NEARLY):
            meant = word_for(words[near[0]]).written(tag(), words[near[0]])
            why = because("this column is not read; did you mean '%(near)s' by '%(name)s'?", near=meant, name=text)
            left.append(LeftOut(cell, why))
        elif word:
            left.append(LeftOut(cell, because("the column '%(name)s' is your own and is not read", name=text)))
        elif any(column <= len(cells) and cells[column - 1] for cells in sheet.rows[row - 1 :]):
            left.append(LeftOut(cell, because("this column has no head and is not read")))
    return found, left


# -- Sheets of rows as a file to take along: CSV, ODS or XLSX. No text in them is ever a formula.

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
Value = str | int | float | bool | None
Cells = list[Value]  # texts, numbers, yes and no; None is an empty cell
Written = dict[str, list[Cells]]  # rows by the name of their sheet; the first row has the heads


def as_csv(sheets: Written) -> bytes:
    """The first sheet alone, in UTF-8 with the mark by which spreadsheets know it."""
    text = StringIO()
    for row in next(iter(sheets.values())):
        csv.writer(text).writerow([harmless(value_of(cell)) for cell in row])
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


def csv_file(rows: list[Cells], name: str) -> Response:
    """Rows as a CSV file of this name, for spreadsheets and other programs."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(as_csv({name: rows}), mimetype="text/csv", headers=headers)


def check_format(format: str) -> None:
    """Raises Unknown for a format that is none of ours."""
    if format not in FORMATS:
        raise Unknown(_("There is no such format: a spreadsheet is csv, ods or xlsx."))


def download(sheets: Written, name: str, format: str) -> Response:
    """The sheets as a file of this name, of a page in the reader's language, over the API in English or `?lang=it`.

    Raises Unknown for a format that is none of ours.
    """
    check_format(format)
    mimetype, write = FORMATS[format]
    if has_request_context() and (not request.path.startswith("/api/") or "lang" in request.args):
        sheets = in_language(sheets, tag())
    headers = {"Content-Disposition": f'attachment; filename="{name}.{format}"'}
    return Response(write(sheets), mimetype=mimetype, headers=headers)
