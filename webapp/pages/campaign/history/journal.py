"""The journal of a campaign as lines to read, each entry with its command, its dice and its events."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from tactical.kernel.journal import Entry
from webapp.api.serializers import entry_for
from webapp.pages.reference.books import book, find
from webapp.post.turn_status import when
from webapp.presenting.campaign_labels import command_title, field_word
from webapp.presenting.data_words import chapter_word
from webapp.presenting.engagement_labels import way_word
from webapp.presenting.labels import translate
from webapp.presenting.naming import CARD_FIELDS, say_value
from webapp.presenting.rules_version import mark
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.journal.systems import systems
from webapp.systems.messages import Told, lines_of
from webapp.systems.presentations import presentation


@dataclass(frozen=True)
class Thrown:
    """A roll in the journal."""

    rule: str
    faces: tuple[int, ...]
    by: str


@dataclass(frozen=True)
class Lines:
    """An entry: who gave which command when, what fell, what happened."""

    number: int
    seat: str
    on_behalf: str | None
    time: str
    title: str
    details: str
    thrown: tuple[Thrown, ...]
    events: tuple[Told, ...]
    taken_back: int | None
    mark: str = ""  # where another version of the rules goes on


def journal(store: Store, table: Table, seat: str, after: int = -1) -> tuple[Lines, ...]:
    """The entries that a seat may see, the newest first."""
    system = table.game.system
    found, engine, told = [], "", set[Hashable]()
    for entry in store.entries(table.game.id, after, seat=seat):
        known = told if entry.taken_back is None else set[Hashable]()
        found.append(replace(lines(system, entry, seat, known), mark=mark(engine, entry.engine)))
        engine = entry.engine
    return tuple(reversed(found))


@cache
def chapter_of(system: str, rule: str) -> tuple[str, str]:
    """The book and the chapter of a paragraph; both empty for one that no book has."""
    found = find(system, rule)
    return (found[0], book(found[0]).chapter_of(found[1])) if found else ("", "")


def chapters(system: str, entries: tuple[Lines, ...]) -> tuple[tuple[str, str], ...]:
    """The chapters that the lines stand under, as keys and in the reader's language."""
    rules = {line.rule for entry in entries for line in entry.events}
    found = {chapter_of(system, rule) for rule in rules} - {("", "")}
    return tuple(sorted(((title, heading(where, title)) for where, title in found), key=lambda each: each[1]))


def heading(where: str, title: str) -> str:
    """A chapter's heading; of one that was added from a file of tables what follows its name."""
    said_there = chapter_word(where, title)
    if ".md: " not in said_there:
        return said_there
    rest = said_there.partition(".md: ")[2]
    return rest[:1].upper() + rest[1:]


def filter_lines(system: str, entries: tuple[Lines, ...], side: str, chapter: str) -> tuple[Lines, ...]:
    """The entries of a side (which gave the command, or of which a line tells) and of a chapter; empty asks for all."""
    found = []
    for entry in entries:
        mine = not side or side in (entry.seat, entry.on_behalf)
        told = tuple(
            line
            for line in entry.events
            if (mine or line.side == side) and (not chapter or chapter_of(system, line.rule)[1] == chapter)
        )
        if told or (mine and not chapter):
            found.append(replace(entry, events=told))
    return tuple(found)


def by_fields(system: str, command: Mapping[str, Any]) -> str:
    """A command without a sentence of its own: what it names, and its numbers with what they count."""
    return ", ".join(
        scenario_title(system, value)
        if name == "scenario"
        else way_word(value)
        if name == "way"
        else say_value(system, value, name)
        if isinstance(value, str) or name in CARD_FIELDS
        else f"{field_word(system, name)} {say_value(system, value, name)}"
        for name, value in command.items()
        if name != "engagement" and value not in ("", None, [], (), {}, 0)
    )


def scenario_title(system: str, scenario: str) -> str:
    """A scenario by its title."""
    found = (each.title for each in systems()[system].scenarios() if each.id == scenario)
    return translate(next(found, scenario))


def lines(system: str, entry: Entry, seat: str, told: set[Hashable] | None = None) -> Lines:
    """One entry as the seat may see it, without what the entries before it have `told`."""
    shown = entry_for(entry, seat)
    kind = str(shown.command.get("type", ""))
    return Lines(
        number=shown.number,
        seat=shown.seat,
        on_behalf=shown.on_behalf,
        time=when(shown.time),
        title=command_title(system, kind),
        details=details(system, shown.command, is_whole=shown.command == entry.command),
        thrown=tuple(Thrown(roll.rule, tuple(roll.faces), roll.by) for roll in shown.dice),
        events=lines_of(system, shown.events, told),
        taken_back=shown.taken_back,
    )


def details(system: str, command: Mapping[str, Any], is_whole: bool) -> str:
    """What a command of the journal asked for. Of one that the seat may not read whole, and of one by hand, the reason
    that it gives: its events tell the rest."""
    if not is_whole or command.get("type") in systems()[system].by_hand:
        return str(command.get("why", ""))
    fields = {name: value for name, value in command.items() if name != "type"}
    return presentation(system).recount(command) or by_fields(system, fields)
