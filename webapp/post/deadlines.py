"""Until when a seat must have acted: so many days, or a fixed hour; pauses and absences count. No Flask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Annotated, Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta

from tactical.kernel.record import BadInput, Record, encode
from tactical.kernel.shape_errors import shape_reason
from webapp.post.people import Person, back_on
from webapp.post.turn_status import Wait, stood_open
from webapp.storage.journal.records import Table
from webapp.storage.journal.revisions import touch
from webapp.storage.journal.store import Store

Lapse = Literal["wait", "umpire", "orders", "captain"]
LAPSES: tuple[Lapse, ...] = get_args(Lapse)
Weekday = Annotated[int, Meta(ge=0, le=6)]  # Monday is 0
LONGEST_HOLIDAY = 400  # days within which a turn is due, whatever the holidays
LEAST = timedelta(hours=12)  # what is left of a week, however late the turn before has run
HOURS = Annotated[int, Meta(ge=0, le=24 * 30)]
ReactionHours = Annotated[int, Meta(ge=1, le=24 * 30)]


class Deadline(Record, frozen=True):
    """A game's rule for time. A seat has `days` of the calendar in `zone`: from when it is first waited for, or where
    an `hour` is set from the day on which the turn before was due (`first_day`), to that hour, on to a `weekday` where
    that is set too ("Sundays 20:00"). With an hour and no days a turn is due the next time that it is this hour. A seat
    is reminded `remind` hours before and lapses `grace` hours after. `reaction` are the hours, at any time of the day,
    for a question that another seat's act asks in mid-rule; None gives it as long as a turn. On `holidays` no turn is
    due: dates, or two with "/" between, separated by commas ("2026-12-24/2027-01-06, 2027-03-28").

    What happens then: nothing but that all are told (`wait`), the umpire is called (`umpire`), its standing orders let
    the question pass (`orders`), or a captain answers it (`captain`). `pauses` are times at which the clock stood: from
    and until, the last one open while the game is paused. `more` are hours that the umpire gave a seat for one
    question, by seat and since when it is waited for.
    """

    days: Annotated[int, Meta(ge=0, le=60)] = 3
    hour: Annotated[int, Meta(ge=0, le=23)] | None = None
    weekday: Weekday | None = None
    zone: Annotated[str, Meta(max_length=60)] = "UTC"
    remind: HOURS = 24
    grace: HOURS = 12
    lapse: Lapse = "umpire"
    reaction: ReactionHours | None = None
    holidays: Annotated[str, Meta(max_length=400)] = ""
    pauses: tuple[tuple[str, str], ...] = ()
    more: dict[str, int] = {}

    @property
    def is_paused(self) -> bool:
        """Does the clock stand?"""
        return bool(self.pauses) and not self.pauses[-1][1]


def deadline(store: Store, game: str) -> Deadline | None:
    """A game's rule for time; None when nobody has set one."""
    rows = store.file.rows("select rule from deadlines where game = ?", game)
    return msgspec.json.decode(rows[0]["rule"], type=Deadline) if rows else None


def keep(store: Store, game: str, rule: Deadline | None) -> None:
    """Set it, or with None do without. Raises BadInput."""
    with store.write() as db:
        if rule is None:
            db.conn.execute("delete from deadlines where game = ?", (game,))
        else:
            zone_of(rule), holidays_of(rule)
            if rule.days == 0 and rule.hour is None:
                raise BadInput("days", "give one or more days, or an hour of the day")
            db.table("deadlines").insert({"game": game, "rule": encode(rule).decode()}, replace=True)
        touch(store, game)


def pause(rule: Deadline, now: str) -> Deadline:
    """The clock stands from now on."""
    return rule if rule.is_paused else msgspec.structs.replace(rule, pauses=(*rule.pauses, (now, "")))


def resume(rule: Deadline, now: str) -> Deadline:
    """The clock goes on."""
    if not rule.is_paused:
        return rule
    return msgspec.structs.replace(rule, pauses=(*rule.pauses[:-1], (rule.pauses[-1][0], now)))


def extend(rule: Deadline, seat: str, since: str, hours: int) -> Deadline:
    """A seat gets more hours for what it is asked now."""
    key = f"{seat} {since}"
    return msgspec.structs.replace(rule, more={**rule.more, key: rule.more.get(key, 0) + hours})


def due_in(store: Store, table: Table, wait: Wait, rule: Deadline | None, people: Iterable[Person]) -> datetime | None:
    """When a seat of a game must have acted; None without a rule, or while the clock stands."""
    return due(rule, wait, people, partial(stood_open, store, table)) if rule else None


def due(
    rule: Deadline, wait: Wait, people: Iterable[Person] = (), stood_open: Callable[[datetime], bool] | None = None
) -> datetime | None:
    """When a seat that is waited for must have acted; None while the clock stands.

    `stood_open` says whether the turn before was still open at a moment (`turn_status.stood_open`); without it it was.
    """
    if rule.is_paused:
        return None
    begun, zone, hours = moment(wait.since), zone_of(rule), reaction_hours(rule, wait)
    local = begun.astimezone(zone)
    at_an_hour = rule.hour is not None and not hours
    if hours:
        end = (begun + timedelta(hours=hours)).astimezone(zone)
    elif rule.hour is None or not rule.days:
        end = local + timedelta(days=rule.days)
    else:
        end = datetime.combine(first_day(rule, local, stood_open) + timedelta(days=rule.days), time(rule.hour), zone)
    end = after_pauses(rule, begun, end, at_an_hour)
    those = tuple(people)
    there = back_on(those, wait.seat, end.date())
    if there > end.date():
        end = datetime.combine(there, end.time(), zone) + timedelta(days=1)
    end = end if hours else at_the_hour(rule, end)
    if at_an_hour and rule.days and rule.weekday is not None and end.astimezone(UTC) - begun < LEAST:
        end = at_the_hour(rule, end + timedelta(days=1))
    return end.astimezone(UTC) + timedelta(hours=rule.more.get(f"{wait.seat} {wait.since}", 0))


def first_day(rule: Deadline, begun: datetime, stood_open: Callable[[datetime], bool] | None) -> date:
    """O3.6 The day from which the days of a turn count that begins then, by the clock of the rule's zone.

    It is the day on which the turn before was due. With a weekday that is the last such day, if that turn still stood
    open at its hour, however late it then ran; a turn that runs early counts from its own day. Without a weekday it is
    the day whose hour is nearest, so that a turn which runs late by minutes or hours does not move the next one.
    """
    assert rule.hour is not None
    nearest = (begun.replace(tzinfo=None) - timedelta(hours=rule.hour) + timedelta(hours=12)).date()
    if rule.weekday is None:
        return nearest
    last = begun.date() - timedelta(days=(begun.weekday() - rule.weekday) % 7)
    if datetime.combine(last, time(rule.hour), begun.tzinfo) > begun:
        last -= timedelta(days=7)
    if stood_open is None or stood_open(datetime.combine(last, time(rule.hour), begun.tzinfo)):
        return last
    return max(nearest, last)


def after_pauses(rule: Deadline, begun: datetime, end: datetime, at_an_hour: bool) -> datetime:
    """The end of a time in which the clock may have stood; a turn that is due at an hour is put off by whole days."""
    for stopped, resumed in ((moment(first), moment(last).astimezone(end.tzinfo)) for first, last in rule.pauses):
        if stopped < end.astimezone(UTC) and resumed.astimezone(UTC) > begun:
            stood = max(begun, stopped)
            if at_an_hour:
                days = (resumed.date() - stood.astimezone(end.tzinfo).date()).days
                end = max(end + timedelta(days=days), resumed)
            else:
                end = (end.astimezone(UTC) + (resumed - stood)).astimezone(end.tzinfo)
    return end


def reaction_hours(rule: Deadline, wait: Wait) -> int:
    """The hours for a question in mid-rule; 0 where a seat has the time of a turn."""
    return (rule.reaction or 0) if wait.is_reaction else 0


def at_the_hour(rule: Deadline, end: datetime) -> datetime:
    """O3.6 The next time that it is the rule's hour in its zone, on its weekday where it has one, and on no holiday."""
    zone, free = zone_of(rule), holidays_of(rule)
    local = end.astimezone(zone)
    at = local.time() if rule.hour is None else time(rule.hour)
    day = local.date() + timedelta(days=datetime.combine(local.date(), at, zone) < local)
    days = (day + timedelta(days=later) for later in range(LONGEST_HOLIDAY))
    if rule.hour is not None and rule.weekday is not None:
        days = (each for each in days if each.weekday() == rule.weekday)
    day = next((each for each in days if not any(first <= each <= last for first, last in free)), day)
    return local if day == local.date() and rule.hour is None else datetime.combine(day, at, zone)


def holidays_of(rule: Deadline) -> list[tuple[date, date]]:
    """O3.6 The first and the last day of each holiday. Raises BadInput."""
    found = []
    for part in filter(None, (each.strip() for each in rule.holidays.split(","))):
        first, _, last = part.partition("/")
        try:
            found.append((date.fromisoformat(first.strip()), date.fromisoformat((last or first).strip())))
        except ValueError:
            raise BadInput("holidays", "write holidays as 2026-12-24/2027-01-06, 2027-03-28") from None
    return found


def in_zone(end: datetime, rule: Deadline | None) -> datetime:
    """A moment by the clock of the rule's zone; by UTC where there is no rule."""
    return end.astimezone(zone_of(rule) if rule is not None else ZoneInfo("UTC"))


def zone_of(rule: Deadline) -> ZoneInfo:
    """The time zone. Raises BadInput."""
    try:
        return ZoneInfo(rule.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInput("zone", "name a time zone, such as Europe/Rome") from None


def moment(text: str) -> datetime:
    """A time of the journal."""
    found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def is_reminded(rule: Deadline, wait: Wait, end: datetime, now: datetime) -> bool:
    """Is it time for a reminder? Of a question in mid-rule not before half of its time is over."""
    hours = reaction_hours(rule, wait)
    before = min(rule.remind, hours / 2) if hours else rule.remind
    return bool(before) and end - timedelta(hours=before) <= now < end


def has_lapsed(rule: Deadline, end: datetime, now: datetime) -> bool:
    """Are the deadline and the grace over?"""
    return now >= end + timedelta(hours=rule.grace)


def rule_of(raw: Mapping[str, object], old: Deadline | None) -> Deadline:
    """The rule from what an umpire has typed; pauses and extensions stay. Raises BadInput."""
    kept = {"pauses": old.pauses, "more": old.more} if old else {}
    try:
        return msgspec.convert({**raw, **kept}, Deadline)
    except msgspec.ValidationError as fault:
        told, _, path = str(fault).partition(" - at `$.")
        raise BadInput(path.rstrip("`") or "deadline", shape_reason(told)) from None
