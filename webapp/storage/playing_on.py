"""A position that another process wrote, from the one that stood here before and what was commanded since. No Flask.

To carry out a command among forty ships takes a fraction of what it takes to read forty ships, and what is unchanged
stays the same value, with all that was worked out from it.
"""

from __future__ import annotations

from tactical.kernel.dice import BadFace, RollNeeded
from tactical.kernel.journal import Entry, replay
from tactical.kernel.protocol import Illegal, NotYours, System
from tactical.kernel.record import BadInput
from webapp.storage.database import File
from webapp.storage.positions import Position, Positions
from webapp.storage.records import entry_of

FEW = 8  # commands that are carried out again; for more the position is read


def played_on(file: File, positions: Positions, game: str, number: int, system: System) -> Position | None:
    """The position after an entry; None where the one that was kept last is not a little before it on the same way."""
    last = positions.last(game)
    if last is None or not last[0] < number <= last[0] + FEW:
        return None
    first, before = last
    rows = file.rows(
        "select game, number, parent, seat, time, command, rolls, draws, '[]' as events, on_behalf, taken_back, engine,"
        " chain, beside from entries where game = ? and number between ? and ? order by number",
        game, first, number,
    )  # fmt: skip
    if len(rows) != number - first + 1:
        return None
    start, *rest = rows
    whole = before.whole
    if start["chain"] != before.chain or whole is None or any(row["beside"] != whole.number for row in rest):
        return None
    entries = [entry_of(row) for row in rest]
    if not all(is_next(entry, at, system) for at, entry in enumerate(entries, first)):
        return None
    try:
        *_, (_, outcome) = replay(system, before.state, entries)
    except (Illegal, NotYours, BadInput, BadFace, RollNeeded):  # the stored position decides
        return None
    return Position(outcome.state, whole, rest[-1]["chain"])


def is_next(entry: Entry, at: int, system: System) -> bool:
    """Was the entry a command in the position after entry `at`, by these rules, that still stands?"""
    return entry.parent == at and entry.taken_back is None and entry.engine == system.version
