"""Who is waited for, and since when: told from the times of the journal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from flask_babel import format_datetime

from tactical.kernel.record import decode
from webapp.http.language import gettext as _
from webapp.pages.campaign.labels import seat_said
from webapp.post import orders
from webapp.storage.games import Store
from webapp.storage.records import Table

LOOK_BACK = 20  # entries that are looked at for since when somebody is waited for


@dataclass(frozen=True)
class Wait:
    """A seat that must act, since the time of an entry."""

    seat: str
    since: str

    @property
    def text(self) -> str:
        """As a sentence: the day of the week within a week, the hour within a day, else the date."""
        return _("waiting for %(seat)s since %(when)s", seat=seat_said(self.seat), when=when(self.since))

    @property
    def short(self) -> str:
        """The same in the head of the page, where nothing may wrap."""
        return _("%(seat)s since %(when)s", seat=seat_said(self.seat), when=when(self.since))


def waits(store: Store, table: Table) -> tuple[Wait, ...]:
    """Everybody who must act now, each since the entry after which he had to; not who has a standing order for it."""
    if table.game.over:
        return ()
    waiting = table.game.waiting
    seats = (waiting.seat,) if waiting else table.waiting_for
    seats = tuple(seat for seat in seats if waiting or orders.answer_of(store, table, seat) is None)
    return tuple(Wait(seat, since(store, table, seat)) for seat in seats)


def since(store: Store, table: Table, seat: str) -> str:
    """The time of the first of the last entries after all of which this seat was waited for.

    An undo counts as an entry; the look goes back over at most LOOK_BACK entries.
    """
    number, found = table.game.head, ""
    for _step in range(LOOK_BACK):
        entry = store.entry(table.game.id, number)
        if number != table.game.head:
            state = decode(store.state_after(table.game.id, number), table.system.state)
            if seat not in table.system.waiting_for(state):
                break
        found = entry.time
        if number == 0 or entry.seat == seat:
            break
        number = entry.parent
    return found or table.game.created


def when(moment: str, now: datetime | None = None) -> str:
    """A moment of a journal as people say it."""
    try:
        then = datetime.fromisoformat(moment.replace("Z", "+00:00"))
    except ValueError:
        return moment
    days = ((now or datetime.now(UTC)) - then).total_seconds() / 86400
    pattern = "HH:mm" if days < 0.75 else "EEEE" if days < 6.5 else "d MMMM y"
    return str(format_datetime(then, pattern))
