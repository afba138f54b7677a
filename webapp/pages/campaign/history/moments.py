"""What decided a campaign, moment by moment, and where its turns begin: to jump to in the replay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tactical.kernel.journal import Entry
from webapp.api.serializers import events_for
from webapp.systems import engagement_messages as messages
from webapp.systems.presentations import presentation


def loud(system: str) -> frozenset[str]:
    """The kinds of events that have weight: those of every campaign, and the system's own."""
    return messages.LOUD | presentation(system).loud


def of_weight(system: str, entries: Iterable[Entry], seat: str) -> list[int]:
    """The entries in which something of weight happened that the seat may know, the oldest first."""
    kinds = loud(system)
    return [
        entry.number
        for entry in entries
        if entry.number
        and entry.taken_back is None
        and any(event.type in kinds for event in entry.events)
        and any(event["type"] in kinds for event in events_for(entry.events, seat))
    ]


def beside(moments: Sequence[int], number: int) -> tuple[int | None, int | None]:
    """The moments before and after an entry."""
    before, after = [each for each in moments if each < number], [each for each in moments if each > number]
    return (before[-1] if before else None), (after[0] if after else None)


def turn_starts(entries: Iterable[Entry], seat: str) -> list[tuple[int, int]]:
    """The turns with the entry that opened each."""
    found: list[tuple[int, int]] = []
    for entry in entries:
        for event in events_for(entry.events, seat) if entry.taken_back is None else ():
            turn = event.get("turn")
            if isinstance(turn, int) and (not found or turn > found[-1][0]):
                found.append((turn, entry.number))
    return found
