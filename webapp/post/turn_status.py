"""Who is waited for, and since when: told from the times of the journal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from flask_babel import format_datetime

from tactical.kernel.journal import Entry, knowers
from tactical.kernel.record import decode
from webapp.post import orders
from webapp.presenting.mid_rule import is_asked_in_mid_rule
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store

REMEMBERED = 20_000  # entries of which it is known who was waited for after them


@dataclass(frozen=True)
class Wait:
    """A seat that must act, since the time of an entry; `is_reaction` when another's act has asked it in mid-rule."""

    seat: str
    since: str
    is_reaction: bool = False


def waits(store: Store, table: Table) -> tuple[Wait, ...]:
    """Everybody who must act now, each since the entry after which he had to; not who has a standing order for it."""
    if table.game.over or not table.game.is_open:
        return ()
    waiting = table.game.waiting
    seats = (waiting.seat,) if waiting else table.waiting_for
    seats = tuple(seat for seat in seats if waiting or orders.answer_of(store, table, seat) is None)
    return tuple(table.kept.once(("wait", seat), partial(wait_of, store, table, seat)) for seat in seats)


def wait_of(store: Store, table: Table, seat: str) -> Wait:
    """Since when a seat that must act is waited for: the first of the last entries after all of which it was.

    An undo counts as an entry. However much others have done meanwhile, it stays the same: deadlines are counted
    from it.
    """
    number, found, is_own = table.game.head, "", False
    while True:
        entry = store.entry(table.game.id, number)
        if number != table.game.head and seat not in waited_after(store, table, entry):
            break
        found = entry.time
        is_own = entry.seat == seat and knowers(table.system, entry) is None  # others must not hear of a secret one
        if number == 0 or is_own:
            break
        number = entry.parent
    is_reaction = not (is_own or table.game.waiting) and is_asked_in_mid_rule(table.state, seat)
    return Wait(seat, found or table.game.created, is_reaction)


_waited: dict[tuple[str, str, int, str], tuple[str, ...]] = {}  # who was waited for after an entry never changes


def waited_after(store: Store, table: Table, entry: Entry) -> tuple[str, ...]:
    """Who was waited for after an entry; each is read once."""
    key = (str(store.file.path), table.game.id, entry.number, entry.time)
    if key not in _waited:
        if len(_waited) >= REMEMBERED:
            _waited.clear()
        state = decode(store.state_after(table.game.id, entry.number), table.system.state)
        _waited[key] = tuple(table.system.waiting_for(state))
    return _waited[key]


def when(moment: str, now: datetime | None = None) -> str:
    """A moment of a journal as people say it."""
    try:
        then = datetime.fromisoformat(moment.replace("Z", "+00:00"))
    except ValueError:
        return moment
    days = ((now or datetime.now(UTC)) - then).total_seconds() / 86400
    pattern = "HH:mm" if days < 0.75 else "EEEE" if days < 6.5 else "d MMMM y"
    return str(format_datetime(then, pattern))
