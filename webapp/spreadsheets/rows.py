"""The rows of a sheet by the heads of its columns, and faults that name their cell ("B7", "ships!B7")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tactical.kernel.record import BadInput
from webapp.spreadsheets.book import Sheet, cell_name
from webapp.spreadsheets.csv_rows import bare

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
