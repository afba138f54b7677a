"""A spreadsheet that somebody sends as CSV: bounded rows of texts, and faults that name their cell ("B7").

Nothing in it is ever reckoned: a formula is a text like any other. `csv_rows` writes the other way.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO

from tactical.kernel.record import BadInput
from webapp.http.csv_rows import FORMULA

LARGEST = 200_000  # bytes
MOST_ROWS, MOST_COLUMNS, LONGEST = 500, 26, 200  # rows, columns A to Z, characters of a cell
DELIMITERS = ",;\t"


@dataclass(frozen=True)
class Row:
    """A row by the heads of its columns; `number` is the one that the spreadsheet shows."""

    number: int
    cells: Mapping[str, str]
    columns: Mapping[str, str]  # the letter of each head

    def cell(self, head: str) -> str:
        """The name of a cell, as B7."""
        return f"{self.columns.get(head, 'A')}{self.number}"

    def __getitem__(self, head: str) -> str:
        return self.cells.get(head, "")


def read_rows(data: bytes, heads: tuple[str, ...]) -> Iterator[Row]:
    """The rows under a first row of heads, without empty ones. Raises BadInput, whose path is a cell."""
    if len(data) > LARGEST:
        raise BadInput("A1", "a spreadsheet has at most %(most)s bytes", most=LARGEST)
    text = decode(data)
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    columns: dict[str, str] = {}
    try:
        for number, cells in enumerate(csv.reader(StringIO(text), delimiter=delimiter), start=1):
            check_size(number, cells)
            texts = [plain(cell) for cell in cells]
            if number == 1:
                columns = read_heads(texts, heads)
            elif any(texts):
                yield row_of(number, texts, columns)
    except csv.Error:
        raise BadInput("A1", "this is not a CSV file") from None


def row_of(number: int, texts: list[str], columns: Mapping[str, str]) -> Row:
    """A row of texts by the heads of its columns; cells that the row does not have are empty."""
    places = {head: ord(letter) - ord("A") for head, letter in columns.items()}
    return Row(number, {head: texts[at] for head, at in places.items() if at < len(texts)}, columns)


def decode(data: bytes) -> str:
    """The text, as spreadsheets write it: UTF-8, with or without a mark, or the old Western one."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    if "\0" in text:
        raise BadInput("A1", "this is not a CSV file")
    return text


def check_size(number: int, cells: list[str]) -> None:
    """Raises BadInput for more rows, columns or characters than a spreadsheet may have."""
    if number > MOST_ROWS:
        raise BadInput(f"A{number}", "a spreadsheet has at most %(most)s rows", most=MOST_ROWS)
    if len(cells) > MOST_COLUMNS:
        raise BadInput(f"A{number}", "a spreadsheet has at most %(most)s columns", most=MOST_COLUMNS)
    for column, cell in enumerate(cells):
        if len(cell) > LONGEST:
            raise BadInput(f"{chr(65 + column)}{number}", "a cell has at most %(most)s characters", most=LONGEST)


def plain(cell: str) -> str:
    """The text of a cell, without the apostrophe that keeps a spreadsheet from reckoning with it."""
    cell = cell.strip()
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


def read_heads(texts: list[str], heads: tuple[str, ...]) -> dict[str, str]:
    """The letter of each column by its head. Raises BadInput for one that is unknown, twice there or missing."""
    found: dict[str, str] = {}
    for column, text in enumerate(texts):
        head = text.casefold()
        if not head:
            continue
        cell = f"{chr(65 + column)}1"
        if head not in heads:
            raise BadInput(cell, "there is no column %(name)s: %(names)s", name=text, names=heads)
        if head in found:
            raise BadInput(cell, "the column %(name)s stands twice", name=text)
        found[head] = chr(65 + column)
    if heads[0] not in found:
        raise BadInput("A1", "the column %(name)s is missing", name=heads[0])
    return found
