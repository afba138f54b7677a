"""O9.1 The days of a turn that has run: what its commands bring, given again with their own dice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from strategic.open_campaign.sequence import SEQUENCE
from strategic.open_campaign.state import State
from tactical.kernel import engine
from tactical.kernel.journal import Entry, replay
from tactical.kernel.protocol import System


def mornings(system: System, state: State, entries: Iterable[Entry]) -> dict[int, State]:
    """O9.1 The position on each morning of a turn by its day, from where the turn began and the entries of it.

    Days that a fleet makes up after a meeting (O6.1) are not among them. Raises Illegal, NotYours, BadInput, BadFace
    or RollNeeded for entries of an earlier version of the rules that are not possible any more.
    """
    found: dict[int, State] = {}

    def look(now: State) -> tuple[State, tuple[Any, ...]]:
        if now.step == "running" and now.watch == 0 and not now.late:
            if now.day == 1:
                found.clear()  # a turn that was taken back runs again
            found.setdefault(now.day, now)
        return now, ()

    looking = replace(system, apply=partial(engine.apply, replace(SEQUENCE, tidy=look)))
    for _each in replay(looking, state, entries):
        pass
    return found
