"""The chronicle: the war told turn by turn from what the seat may know, with the players' own notes."""

from __future__ import annotations

from dataclasses import dataclass, field

from tactical.kernel.journal import Entry
from webapp.api.serializers import events_seen
from webapp.pages.campaign.engagements import messages
from webapp.pages.campaign.messages import Told, told
from webapp.pages.campaign.notes import Jotting, jottings
from webapp.storage.games import Store
from webapp.storage.records import Table
from webapp.systems.presentations import presentation


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


def is_worth(system: str, kind: str) -> bool:
    """Is this kind of event worth a line in the chronicle?"""
    return kind not in presentation(system).soft and kind not in messages.SOFT
