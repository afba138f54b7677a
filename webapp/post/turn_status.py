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
    from it. A turn of the game that begins while the seat is waited for is waited for anew.
    """
    turn = turn_of(table.state)
    number, found, is_own = table.game.head, "", False
    while True:
        entry = store.entry(table.game.id, number)
        if number != table.game.head and (turn, True) != asked_after(store, table, entry, seat):
            break
        found = entry.time
        is_own = entry.seat == seat and knowers(table.system, entry) is None  # others must not hear of a secret one
        if number == 0 or is_own:
            break
        number = entry.parent
    is_reaction = not (is_own or table.game.waiting) and is_asked_in_mid_rule(table.state, seat)
    return Wait(seat, found or table.game.created, is_reaction)


def stood_open(store: Store, table: Table, moment: datetime) -> bool:
    """O3.6 Was the turn before this one still open at a moment, so that no other has begun since then?

    Only where all sides give secret orders for a turn together; a seat that is asked by itself begins anew.
    """
    return bool(table.kept.once(("open", moment), partial(looked_up, store, table, moment)))


def looked_up(store: Store, table: Table, moment: datetime) -> bool:
    """The same, looked up in the journal."""
    at = moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    rows = store.file.rows("select max(number) as last from entries where game = ? and time <= ?", table.game.id, at)
    if rows[0]["last"] is None or not table.system.secret:
        return False
    then = decode(store.state_after(table.game.id, rows[0]["last"]), table.system.state)
    return turn_of(then) >= turn_of(table.state) - 1


def turn_of(state: object) -> int:
    """The turn of a game, as its rules count them; 0 where they count none."""
    return int(getattr(state, "turn", 0))


_waited: dict[tuple[str, str, int, str], tuple[int, tuple[str, ...]]] = {}  # what stood after an entry never changes


def asked_after(store: Store, table: Table, entry: Entry, seat: str) -> tuple[int, bool]:
    """The turn after an entry, and whether the seat was waited for; each entry is read once."""
    key = (str(store.file.path), table.game.id, entry.number, entry.time)
    if key not in _waited:
        if len(_waited) >= REMEMBERED:
            _waited.clear()
        state = decode(store.state_after(table.game.id, entry.number), table.system.state)
        _waited[key] = turn_of(state), tuple(table.system.waiting_for(state))
    turn, seats = _waited[key]
    return turn, seat in seats


def when(moment: str, now: datetime | None = None) -> str:
    """A moment of a journal as people say it."""
    try:
        then = datetime.fromisoformat(moment.replace("Z", "+00:00"))
    except ValueError:
        return moment
    days = ((now or datetime.now(UTC)) - then).total_seconds() / 86400
    pattern = "HH:mm" if days < 0.75 else "EEEE" if days < 6.5 else "d MMMM y"
    return str(format_datetime(then, pattern))
