"""O11.1 What is told once for a turn: as many sail that the same lookout, or a rumour, sees off the same place."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping

Event = Mapping[str, object]
NEWS = frozenset(("sighted", "rumour"))
SAME = ("type", "side", "fleet", "of", "space", "number")  # what two of these must have in common
NEW_TURN = frozenset(("turn_begins", "turn_taken_back"))


def without_repeats(events: Iterable[Event], told: set[Hashable]) -> Iterator[Event]:
    """The events without sightings and rumours that the turn has told; `told` holds those so far, and is added to."""
    for event in events:
        kind, sight = event.get("type"), tuple(event.get(name) for name in SAME)
        if kind in NEW_TURN:
            told.clear()
        if kind not in NEWS or sight not in told:
            yield event
        if kind in NEWS:
            told.add(sight)
