"""Rows for spreadsheets, in which no text of a person's is a formula."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import TextIO

# Where a formula could begin: at the start, or where a reader whose separator is another one (a semicolon, a tab)
# begins a new cell.
SIGN = re.compile(r"^(?=[\t\r\n])|(?:^|[;\t\r\n]) *(?=[=+\-@])")
APOSTROPHE = re.compile(r"((?:^|[;\t\r\n]) *)'(?=[=+\-@])|^'(?=[\t\r\n])")


class Rows:
    """A sheet of rows as CSV; a text that a spreadsheet would reckon with gets an apostrophe before it."""

    def __init__(self, out: TextIO) -> None:
        self._rows = csv.writer(out)

    def writerow(self, row: Iterable[object]) -> None:
        """Write one row."""
        self._rows.writerow([plain(cell) for cell in row])


def plain(cell: object) -> object:
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
