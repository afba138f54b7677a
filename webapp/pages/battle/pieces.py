"""The pieces of a table of which there is one for each ship: the chips of the strip, the tasks of the panel.

A command changes one or two of them. So each is kept as it is written, and put into the room that the templates leave.
"""

from __future__ import annotations

from typing import Any

from webapp.http.kept import macro_of
from webapp.pages.battle.fleet import Task
from webapp.pages.battle.parts import CUT, drawn

SHIP = "battle/_ship.html"
BETWEEN = "\n\n  "  # two tasks of the list


def strip(page: Any) -> tuple[str, ...]:
    """The chips of the ships."""
    look, struck = page.look, frozenset(page.struck)
    found: tuple[str, ...] = page.view.once(
        "strip", look.view, look.ship, tuple(page.todo), struck, make=lambda: tuple(_strip(page))
    )
    return found


def _strip(page: Any) -> list[str]:
    found = [""]
    for chip in page.chips:
        found += drawn("\n", SHIP, "chip", chip, page.links[chip.id], chip.id in page.struck, chip.id == page.look.ship)
    return [*found, ""]


def tasks(page: Any, insist: bool) -> list[str]:
    """What the ships of the panel may do, where they have places; a roster has them all."""
    rows: list[Task] = page.panel["rows"] if page.battle.has_places else []
    found = ["\n  " if rows else ""]
    for row in rows:
        end = BETWEEN if row is not rows[-1] else "\n"
        found += task(page, row, insist, end)
    return found


def task(page: Any, row: Task, insist: bool, end: str) -> tuple[str, ...]:
    """One of them; what holds more than buttons depends on the whole page."""
    link, step = page.links[row.id], page.battle.step
    if row.plain:
        return drawn(end, SHIP, "todo", row, link, step, insist)
    text = str(macro_of(SHIP, "todo")(row, link, step, insist, page, page.look))
    return tuple(f"{text}{end}".split(CUT))
