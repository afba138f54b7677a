"""Replaying journals against their stored positions."""

from __future__ import annotations

from tactical.kernel.dice import BadFace, Dice
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import Illegal, NotYours, System
from tactical.kernel.record import BadInput, decode, encode, read
from webapp.storage.file.anchors import broken
from webapp.storage.journal.entries import CHAINED
from webapp.storage.journal.new_game import find_system
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import is_undo


def verify(store: Store, game: str) -> list[str]:
    """What differs between a game's journal and its stored positions, also where it was taken back.

    Entries that another version of the rules made stand as they are: they must only be readable.
    """
    system = find_system(store.rules, store.game(game).system)
    found = []
    journal = store.file.rows("select * from entries where game = ? order by number", game)
    if (first := broken(journal, CHAINED)) is not None:
        found.append(f"entry {first}: it is not what was written, or what stood before it is not (its hash differs)")
    for entry in store.entries(game)[1:]:
        if not is_undo(entry.command):
            before, after = (store.stored_state(game, number) for number in (entry.parent, entry.number))
            if before is None or after is None:
                found.append(f"entry {entry.number}: a position is missing")
            elif entry.engine != system.version:
                if (fault := unreadable(system, entry, after)) is not None:
                    found.append(f"entry {entry.number}: {fault}")
            elif (fault := differs(system, entry, before, after)) is not None:
                found.append(f"entry {entry.number}: {fault}")
    return found


def unreadable(system: System, entry: Entry, after: bytes) -> str | None:
    """Why an entry of another version of the rules cannot be read now; None when it can."""
    try:
        read(entry.command, system.command)
        decode(after, system.state)
    except BadInput as fault:
        return f"written by version {entry.engine} of the rules, and not readable now ({fault})"
    return None


def differs(system: System, entry: Entry, before: bytes, after: bytes) -> str | None:
    """How the entry, applied again with its own dice, differs from what is stored; None when it does not."""
    state = decode(before, system.state)
    try:
        command = read(entry.command, system.command)
        outcome = system.apply(state, entry.seat, command, Dice(entry.faces, drawn=entry.draws))
    except (Illegal, NotYours, BadInput, BadFace) as refusal:
        return f"refused now ({refusal})"
    # Written by the same program or an older one: compare what the present one makes of it.
    if encode(outcome.state) != encode(decode(after, system.state)):
        return "gives another position now"
    # What hooks added stands after the engine's own events.
    if encode(outcome.events) != encode(entry.events[: len(outcome.events)]):
        return "gives other events now"
    return None
