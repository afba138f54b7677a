"""The turns of a campaign whose events say where a turn begins: what a seat saw before, within and after each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tactical.kernel.protocol import Event
from tactical.kernel.record import plain
from webapp.api.serializers import events_for
from webapp.http.language import gettext as _
from webapp.presenting.presentation import no_dispatch
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.services.umpire_words import words_of
from webapp.systems.messages import lines_of
from webapp.systems.presentations import PRESENTATIONS, presentation

BEGINS, HELD, OVER = "turn_begins", "held", "over"  # kinds of events
View = dict[str, Any]


@dataclass(frozen=True)
class Turn:
    """A turn that has run: its number, the entries between which it lies, and whether the umpire still holds it."""

    number: int
    first: int
    last: int
    is_held: bool = False


@dataclass(frozen=True)
class TurnSeen:
    """A turn as a seat saw it: the views before and after it, and the events that it may see, in their order."""

    turn: Turn
    before: View
    after: View
    events: tuple[Mapping[str, Any], ...]


def turns(store: Store, game: str) -> tuple[Turn, ...]:
    """The turns that have run, the oldest first; the last of them may still be held."""
    found: list[Turn] = []
    begun, is_held, last = Turn(1, 0, 0), False, 0
    for entry in store.entries(game):
        if entry.taken_back is not None or entry.command.get("type") == "undo":
            continue
        last = entry.number
        for event in entry.events:
            if event.type == HELD:
                is_held = True
            if event.type in (BEGINS, OVER):
                found.append(replace(begun, last=entry.number))
                begun, is_held = Turn(begun.number + 1, entry.number, 0), False
    if is_held:
        found.append(replace(begun, last=last, is_held=True))
    return tuple(found)


def turn_view(store: Store, table: Table, seat: str, turn: Turn, charge: tuple[str, ...] = ()) -> TurnSeen:
    """A turn as this seat saw it, or will see it once it is sent; somebody in it with a charge may know less."""
    game, number, events = table.game.id, 1, list[Mapping[str, Any]]()
    for entry in store.entries(game, -1):
        if entry.number > turn.last:
            break
        if entry.taken_back is not None or entry.command.get("type") == "undo":
            continue
        for event in events_for(events_of(table, entry.events, seat, charge), seat):
            if event["type"] in (BEGINS, OVER):
                number += event["type"] == BEGINS
                if event["type"] == OVER and number == turn.number:
                    events.append(event)
            elif number == turn.number:
                events.append(event)
    after = store.table_after(game, turn.last)
    if turn.is_held:
        events += events_for(events_of(table, table.system.unsent(after.state).events, seat, charge), seat)
    return TurnSeen(
        turn,
        plain(store.table_after(game, turn.first).knowledge_for(seat, charge).view(seat)),
        plain(after.after_sending().knowledge_for(seat, charge).view(seat)),
        tuple(events),
    )


def events_of(table: Table, events: tuple[Event, ...], side: str, charge: tuple[str, ...]) -> tuple[Event, ...]:
    """Of these events those of which somebody with this charge hears; all where he knows what his side knows."""
    charges = table.system.charges
    if charges is None or table.knowledge_for(side, charge) is table:
        return events
    return tuple(each for each in events if charges.concerns(table.state, each, side, charge))


def last_dispatch(store: Store, table: Table, seat: str, charge: tuple[str, ...] = ()) -> list[str]:
    """The newest turn that was sent as lines of a mail to this side; none where the system has no such mail.

    `charge`: the pieces of who reads it (see `turn_view`).
    """
    how = presentation(table.game.system) if table.game.system in PRESENTATIONS else None
    if how is None or how.dispatch is no_dispatch or seat not in table.sides:
        return []
    sent = [turn for turn in turns(store, table.game.id) if not turn.is_held]
    if not sent:
        return []
    seen = turn_view(store, table, seat, sent[-1], charge)
    known = table.knowledge_for(seat, charge)
    system, now = table.game.system, plain(known.view(seat))
    lines = how.dispatch(
        seen.before, seen.after, now, seen.events, seat, lambda each: lines_of(system, (each,))[0].text
    )
    added = words_of(store, table.game.id, seat, sent[-1].number) if known is table else ""
    return [*lines, "", _("A message from the umpire") + ":", added] if added else lines
