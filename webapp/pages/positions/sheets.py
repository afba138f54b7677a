"""Positions from spreadsheets: what can be drawn is drawn, and each fault names its cell."""

from __future__ import annotations

from tactical.kernel.proper_names import TITLE_LETTERS
from tactical.kernel.record import BadInput
from webapp.pages.positions import draft as drafts
from webapp.pages.positions.draft import Draft
from webapp.spreadsheets.book import read_book
from webapp.spreadsheets.scenario import read_scenario


def open_sheets(data: bytes) -> Draft:
    """A draft of the ships and the sea of a spreadsheet. Raises BadInput, whose path is a cell.

    A ship without a place lies ashore and is put down by a tap; when all have one, the rules are asked, too.
    """
    found = read_scenario(read_book(data))
    try:
        draft = drafts.open_draft(found.position, found.title[:TITLE_LETTERS])
        fault = None if drafts.ships_ashore(draft) else drafts.fault(draft)
    except BadInput as wrong:
        fault = wrong
    if fault is not None:
        raise BadInput(found.cell_of(fault.path), fault.why)
    return draft
