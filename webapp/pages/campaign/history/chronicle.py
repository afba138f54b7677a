"""The chronicle: the war told turn by turn from what a seat may know, in paragraphs that can be read aloud.

Each turn has the map as it ended, its battles, and the players' own notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tactical.kernel.journal import Entry
from tactical.kernel.record import plain
from webapp.api.serializers import events_for
from webapp.pages.campaign.history.notes import Note, notes
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.systems import engagement_messages as messages
from webapp.systems.messages import lines_of
from webapp.systems.presentations import presentation

START, END = ("start", "hex"), ("to", "end")  # what a step of a march calls where it begins and ends
VARIES = frozenset((*START, *END, "cost", "kind", "rule"))  # what differs between the steps of one march
TOLD_APART = ("card", "flipped", "inside", "line", "out", "rule", "why")  # what no sentence of a list says
BATTLE = "battle"  # the link's event that names a battle on the table


@dataclass(frozen=True)
class Fought:
    """A battle on the table: its code, its title, and whether it is over."""

    game: str
    title: str
    over: bool


@dataclass
class Chapter:
    """A turn: what it is called (empty where nothing has begun), its sentences, battles and notes.

    It tells of the entries of the journal from `first` to `entry`, which was made at `time`; its map is the position
    after that.
    """

    turn: str
    first: int = 0
    entry: int = 0
    time: str = ""
    sentences: list[str] = field(default_factory=list)
    battles: list[Fought] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    last: dict[str, Any] = field(default_factory=dict)  # the event told last, to which a march may go on

    def __bool__(self) -> bool:
        return bool(self.sentences or self.notes or self.battles)

    @property
    def paragraph(self) -> str:
        """The turn as one paragraph."""
        return " ".join(self.sentences)

    def tell(self, system: str, event: Mapping[str, Any]) -> None:
        """Go on: what belongs together is told as one, and what was just said is not said again."""
        whole = as_one_march(self.last, event) or as_one_list(system, self.last, event)
        if whole is not None:
            self.sentences.pop()
        self.last = dict(whole or event)
        (line,) = lines_of(system, (self.last,))
        if not self.sentences or self.sentences[-1] != line.text:
            self.sentences.append(line.text)


def as_one_march(before: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any] | None:
    """Two steps of the same army, one after the other, as one event; None where they are not."""
    start, end = (next((name for name in names if name in event), "") for names in (START, END))
    if not start or not end or before.get("type") != event.get("type") or before.get(end) != event[start]:
        return None
    if before.get(start) == event[end] or {**before, **event}.keys() != before.keys():
        return None
    if any(before[name] != value for name, value in event.items() if name not in VARIES):
        return None
    return {**event, start: before[start]}


def as_one_list(system: str, before: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any] | None:
    """The same done twice in a row to different things, as one event with both; None where more differs than that."""
    name = presentation(system).together.get(str(event.get("type")), "")
    if not name or before.get("type") != event.get("type") or not before.get(name) or not event.get(name):
        return None
    if any(before.get(key) != event.get(key) for key in (before.keys() | event.keys()) - {name, *TOLD_APART}):
        return None
    once, again = (value if isinstance(value, list) else [value] for value in (before[name], event[name]))
    return {**event, name: [*once, *(each for each in again if each not in once)]}


def chronicle(store: Store, table: Table, seat: str) -> tuple[Chapter, ...]:
    """The chapters of a campaign for a seat; what was taken back is not told."""
    game = table.game
    written = list(notes(store, game.id, seat))
    chapters = [Chapter("")]
    for entry in store.entries(game.id, seat=seat):
        if entry.taken_back is None and entry.command.get("type") != "undo":
            _tell(store, chapters, game.system, entry, seat)
        while written and written[0].entry <= entry.number:
            chapters[-1].notes.append(written.pop(0))
    chapters[-1].notes += written
    return tuple(chapter for chapter in chapters if chapter)


def _tell(store: Store, chapters: list[Chapter], system: str, entry: Entry, seat: str) -> None:
    begun = len(chapters) - 1
    for event in events_for(entry.events, seat):
        turn = event.get("turn")
        if isinstance(turn, int) and str(turn) != chapters[-1].turn:
            chapters.append(Chapter(str(turn), entry.number))
        chapter, kind = chapters[-1], str(event.get("type"))
        if messages.is_ours(event) and kind == BATTLE and (fought := battle(store, str(event.get("game")))) is not None:
            chapter.battles.append(fought)
        if is_told(system, event):
            chapter.tell(system, event)
    for chapter in chapters[begun:]:  # the one that this entry may have ended, and the one that it began
        chapter.entry, chapter.time = entry.number, entry.time


def battle(store: Store, code: str) -> Fought | None:
    """A battle by its code; None when it is gone."""
    found = store.find(code)
    return None if found is None else Fought(found.id, found.title, found.over)


def is_told(system: str, event: Mapping[str, Any]) -> bool:
    """Is this event told in the chronicle? Not what the server marks beside a command, which has no rule."""
    return bool(event.get("rule")) and is_worth(system, str(event.get("type")))


def is_worth(system: str, kind: str) -> bool:
    """Is this kind of event worth a line in the chronicle?"""
    return kind != "captain" and kind not in presentation(system).soft and kind not in messages.SOFT


def turn_title(store: Store, table: Table, chapter: Chapter, seat: str) -> str:
    """What a chapter's turn is called on the map's page (with its year, where there is one)."""
    if not chapter.turn:
        return ""
    strip = presentation(table.game.system).strip(plain(store.table_after(table.game.id, chapter.first).view(seat)))
    return strip.turn if strip.turn and strip.turn.split()[0] == chapter.turn else chapter.turn
