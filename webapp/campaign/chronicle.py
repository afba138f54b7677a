"""The chronicle: the war told turn by turn from what the seat may know, with the players' own notes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from tactical.kernel.journal import Entry
from webapp.api.showing import events_seen
from webapp.campaign.jottings import Jotting, jottings
from webapp.campaign.telling import Told, told
from webapp.linked import tellers
from webapp.records import Table
from webapp.store import Store


@dataclass
class Chapter:
    """A turn: its number (none where the system has no turns), its lines and notes in the order of the journal."""

    turn: str
    lines: list[Told | Jotting] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.lines)


def chronicle(store: Store, table: Table, seat: str) -> tuple[Chapter, ...]:
    """The chapters of a campaign for a seat; what was taken back is not told."""
    game = table.game
    written = list(jottings(store, game.id, seat))
    chapters = [Chapter("")]
    for entry in store.entries(game.id):
        if entry.taken_back is None and entry.command.get("type") != "undo":
            _tell(chapters, game.system, entry, seat)
        while written and written[0].entry <= entry.number:
            chapters[-1].lines.append(written.pop(0))
    chapters[-1].lines += written
    return tuple(chapter for chapter in chapters if chapter)


def _tell(chapters: list[Chapter], system: str, entry: Entry, seat: str) -> None:
    for event in events_seen(entry.events, seat):
        turn = event.get("turn")
        if isinstance(turn, int) and str(turn) != chapters[-1].turn:
            chapters.append(Chapter(str(turn)))
        if is_worth(system, str(event.get("type"))):
            chapters[-1].lines += told(system, (event,))


@cache
def _soft(system: str) -> frozenset[str]:
    name = f"webapp.campaign.tellers.{system}"
    return getattr(import_module(name), "SOFT", frozenset()) if find_spec(name) else frozenset()


def is_worth(system: str, kind: str) -> bool:
    """Is this kind of event worth a line in the chronicle?"""
    return kind not in _soft(system) and kind not in tellers.SOFT
