"""Rows for spreadsheets, in which no text of a person's is a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import TextIO

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


class Rows:
    """A sheet of rows as CSV; a text that a spreadsheet would reckon with gets an apostrophe before it."""

    def __init__(self, out: TextIO) -> None:
        self._rows = csv.writer(out)

    def writerow(self, row: Iterable[object]) -> None:
        """Write one row."""
        self._rows.writerow([plain(cell) for cell in row])


def plain(cell: object) -> object:
    """The cell, harmless.

    >>> plain("=1+1"), plain("Tanit"), plain(-3)
    ("'=1+1", 'Tanit', -3)
    """
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
