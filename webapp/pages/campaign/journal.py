"""The journal of a campaign as lines to read, each entry with its command, its dice and its events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from webapp.api.serializers import entry_shown
from webapp.pages.campaign.labels import command_title, field_word
from webapp.pages.campaign.messages import Told, told
from webapp.pages.campaign.naming import said
from webapp.pages.campaign.turn_status import when
from webapp.pages.rules_version import mark
from webapp.storage.games import Store
from webapp.storage.records import Table


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
    found, engine = [], ""
    for entry in store.entries(table.game.id, after):
        found.append(replace(lines(system, entry_shown(entry, seat)), mark=mark(engine, entry.engine)))
        engine = entry.engine
    return tuple(reversed(found))


def filtered(entries: tuple[Lines, ...], side: str, kind: str) -> tuple[Lines, ...]:
    """The entries of a side (which gave the command, or of which a line tells) and of a kind; empty asks for all."""
    found = []
    for entry in entries:
        mine = not side or side in (entry.seat, entry.on_behalf)
        told = tuple(
            line for line in entry.events if (mine or line.side == side) and (not kind or line.kind == kind)
        )  # fmt: skip
        if told or (mine and not kind):
            found.append(replace(entry, events=told))
    return tuple(found)


def lines(system: str, entry: Any) -> Lines:
    """One entry as the seat may see it."""
    command = dict(entry.command)
    kind = str(command.pop("type", ""))
    details = ", ".join(
        f"{field_word(name)} {said(system, value, name)}" for name, value in command.items() if value not in ("", None)
    )
    return Lines(
        number=entry.number,
        seat=entry.seat,
        on_behalf=entry.on_behalf,
        time=when(entry.time),
        title=command_title(kind),
        details=details,
        thrown=tuple(Thrown(roll.rule, tuple(roll.faces), roll.by) for roll in entry.dice),
        events=told(system, entry.events),
        taken_back=entry.taken_back,
    )
