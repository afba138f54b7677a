"""Who, when, due: what a group's page shows first: the deadline in words and as a ring, the week, and each seat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from flask_babel import format_date, format_datetime, ngettext

from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from webapp.http.language import gettext as _
from webapp.post import deadlines, people
from webapp.post.deadlines import Deadline
from webapp.post.turn_status import Wait, waits
from webapp.presenting.campaign_labels import command_title
from webapp.presenting.sides import side_number
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store

ROUND = 100.5  # the ring's length on the page: 2 π 16


@dataclass(frozen=True)
class Row:
    """A seat: its people, what it did last, whether it must act now, and who is away."""

    seat: str
    tone: int
    who: str
    did: str
    when: str
    must: bool
    away: str = ""


@dataclass(frozen=True)
class Due:
    """The deadline that ends first: in words, how long it is to it, what share of the time is left, its week."""

    text: str
    left: str
    hours: str
    share: float
    is_late: bool
    week: tuple[tuple[str, str, bool, bool], ...]  # weekday, day, is it today, is it the deadline's day

    @property
    def arc(self) -> float:
        """The part of the ring that stands for the time that is left."""
        return ROUND * self.share


def first_due(store: Store, table: Table, now: datetime | None = None) -> Due | None:
    """The deadline that ends first; None where nobody must act, or there is no deadline."""
    rule = deadlines.deadline(store, table.game.id)
    if rule is None:
        return None
    those, now = people.people(store, table.game.id), now or datetime.now(UTC)
    ends = [(deadlines.due_in(store, table, wait, rule, those), wait) for wait in waits(store, table)]
    found = min(((end, wait) for end, wait in ends if end is not None), key=lambda each: each[0], default=None)
    return None if found is None else due_by_clock(rule, found[0], found[1], now)


def due_by_clock(rule: Deadline, end: datetime, wait: Wait, now: datetime) -> Due:
    """A deadline by the clock of the group's zone."""
    begun = deadlines.moment(wait.since)
    left = end - now
    whole = max((end - begun).total_seconds(), 1.0)
    local = deadlines.in_zone(end, rule)
    hours = max(0, round(left.total_seconds() / 3600))
    days = ngettext("%(num)d day", "%(num)d days", hours // 24) if hours >= 24 else ""
    rest = ngettext("%(num)d hour", "%(num)d hours", hours % 24)
    in_words = _("in %(time)s", time=", ".join(part for part in (days, rest) if part))
    return Due(
        _("Due %(when)s", when=format_datetime(local.replace(tzinfo=None), "EEEE, HH:mm", rebase=False)),
        in_words if left > timedelta() else _("late"),
        _("%(hours)s h", hours=hours),
        min(max(left.total_seconds() / whole, 0.0), 1.0),
        left <= timedelta(),
        week(local.date(), deadlines.in_zone(now, rule).date()),
    )


def week(end: date, today: date) -> tuple[tuple[str, str, bool, bool], ...]:
    """The seven days around today, or those up to the deadline, from a Monday on."""
    first = today - timedelta(days=today.weekday())
    days = (first + timedelta(days=number) for number in range(7))
    return tuple((format_date(day, "EEE"), str(day.day), day == today, day == end) for day in days)


def rows(store: Store, table: Table, day: date | None = None) -> tuple[Row, ...]:
    """Each side of a game, and the umpire while he must act: those who must act come first."""
    game, those = table.game, people.people(store, table.game.id)
    must = {wait.seat for wait in waits(store, table)}
    last: dict[str, Entry] = {}
    today = day or datetime.now(UTC).date()
    for entry in store.entries(game.id, max(-1, game.newest(SPECTATOR) - 200), seat=SPECTATOR):
        if entry.taken_back is None and entry.command:
            last[entry.seat] = entry
    found = []
    for seat in (*table.sides, *(must & {UMPIRE})):
        done = last.get(seat)
        is_open = done is not None and any(it.rule and it.seen_by(SPECTATOR) for it in done.events)
        did = command_title(game.system, str(done.command.get("type"))) if done and is_open else ""
        when = format_datetime(deadlines.moment(done.time), "EEE HH:mm") if done else ""
        own = [who for who in those if who.seat == seat and who.role != "deputy"]
        away = next((who.away_until for who in own if who.away_from and is_away(who, today)), "")
        tone = side_number(game.system, table.sides, seat)
        found.append(Row(seat, tone, ", ".join(who.name for who in own), did, when, seat in must, away))
    return tuple(sorted(found, key=lambda row: not row.must))


def is_away(who: people.Person, day: date) -> bool:
    """Is a person away on a day?"""
    return who.away_from <= day.isoformat() <= who.away_until


def weekdays() -> tuple[str, ...]:
    """The days of the week in the reader's language, from Monday on."""
    monday = date(2024, 1, 1)
    return tuple(format_date(monday + timedelta(days=number), "EEEE") for number in range(7))
