"""Calendars: time zones and hours that exist, entries of a calendar file, and the address that a program subscribes to.

icalendar, which few requests need, is loaded when one does.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from flask import Response

from tactical.kernel.record import BadInput
from webapp.http.seats import store
from webapp.storage.file.database import HOLDERS
from webapp.storage.journal.store import Store

if TYPE_CHECKING:
    import icalendar

# -- Time zones, and hours that exist in them.

NOT_PLACES = frozenset(("Factory", "localtime", "posixrules"))  # what a machine's list of zones holds beside zones


@cache
def zones() -> tuple[str, ...]:
    """The names of time zones, in their order."""
    return tuple(sorted(available_timezones() - NOT_PLACES))


def zone_of(name: str) -> ZoneInfo:
    """The time zone that somebody has named earlier. Raises BadInput."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # the first is a KeyError
        raise BadInput("zone", "name a time zone, such as Europe/Rome") from None


def check_zone(name: str) -> None:
    """Raises BadInput for what is entered as a time zone and is none."""
    if name not in zones():
        raise BadInput("zone", "name a time zone, such as Europe/Rome")


def check_exists(moment: datetime, at: str) -> None:
    """Raises BadInput for an hour of its own zone that does not exist, since the clocks are put forward then."""
    there = moment.astimezone(UTC).astimezone(moment.tzinfo)
    if there.replace(tzinfo=None) != moment.replace(tzinfo=None):
        zone = getattr(moment.tzinfo, "key", "UTC")
        raise BadInput(
            at,
            "there is no %(hour)s on %(day)s in %(zone)s: the clocks are put forward",
            hour=f"{moment:%H:%M}",
            day=f"{moment:%Y-%m-%d}",
            zone=zone,
        )


# -- A calendar file (RFC 5545, RFC 7986): of a group's deadlines, of a season's dates.

LOOKS = timedelta(hours=1)  # how often a program should look for changes
SHORT = timedelta(minutes=15)  # how long an entry of a moment is, so that programs show it


@dataclass(frozen=True)
class Entry:
    """An entry: from a moment until another, or for a moment.

    Its `name` stays while its moment moves: of two entries of one name a program shows the one of the higher `changes`,
    else the one that was written later. `remind`: hours before it, 0 for no alarm.
    """

    name: str
    said: str
    at: datetime
    until: datetime | None = None
    place: str = ""
    link: str = ""
    changes: int = 0
    changed: str = ""
    remind: int = 0


def calendar_file(name: str, title: str, zone: ZoneInfo, entries: Iterable[Entry]) -> Response:
    """The entries as a file of this name, of a calendar of this title, which a program may show in a zone.

    Moments are those of UTC, which every program knows alike. A calendar without an entry holds that zone, since it
    must have one component or more.
    """
    import icalendar

    found = icalendar.Calendar()
    for field, value in (("prodid", "-//Navarch//EN"), ("version", "2.0"), ("name", title), ("x-wr-calname", title)):
        found.add(field, value)
    found.add("x-wr-timezone", zone.key)
    found.add("refresh-interval", LOOKS, parameters={"VALUE": "DURATION"})
    found.add("x-published-ttl", icalendar.vDuration(LOOKS))
    for each in entries:
        found.add_component(event_of(each))
    if not found.subcomponents:
        found.add_component(icalendar.Timezone.from_tzid("UTC"))
    answer = Response(found.to_ical(), mimetype="text/calendar")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.ics"'
    return answer


def event_of(entry: Entry) -> icalendar.Event:
    """An entry as icalendar writes it."""
    import icalendar

    found = icalendar.Event()
    found.add("uid", f"{entry.name}@navarch")
    found.add("dtstamp", datetime.fromisoformat(store().now()))
    found.add("sequence", entry.changes)
    if entry.changed:
        found.add("last-modified", datetime.fromisoformat(entry.changed))
    found.add("dtstart", entry.at.astimezone(UTC))
    if entry.until is None:
        found.add("duration", SHORT)
    else:
        found.add("dtend", entry.until.astimezone(UTC))
    found.add("summary", entry.said)
    if entry.place:
        found.add("location", entry.place)
    if entry.link:
        found.add("url", entry.link)
    if entry.remind:
        alarm = icalendar.Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", entry.said)
        alarm.add("trigger", timedelta(hours=-entry.remind))
        found.add_component(alarm)
    return found


# -- The address to which a calendar program subscribes. It holds a key of its own for each who holds a link to the
# seat, which shows that seat's deadlines and nothing else. It ends with that link, or when its holder wants another.


def key_of(store: Store, game: str, seat: str, token: str) -> str:
    """The key of who holds this token (its hash) of a seat; empty where nobody does.

    It follows from the hash and from how many keys he had before, and says nothing of them.
    """
    return next((key for known, key in keys_of(store, game, seat) if known == token), "")


def is_key(store: Store, game: str, seat: str, key: str) -> bool:
    """Is this the key of somebody who holds the seat?"""
    return any([hmac.compare_digest(each.encode(), key.encode()) for _token, each in keys_of(store, game, seat)])


def keys_of(store: Store, game: str, seat: str) -> Sequence[tuple[str, str]]:
    """The hashes of the tokens of a seat, each with its key."""
    held = " union all ".join(
        f"select token, calendars from {table} where game = ?1 and seat = ?2" for table in HOLDERS
    )
    secret = store.secret("feeds").encode()
    texts = (
        (row["token"], f"{game} {seat} calendar {row['calendars']} by {row['token']}")
        for row in store.file.rows(held, game, seat)
    )
    return [(token, hmac.new(secret, text.encode(), "sha256").hexdigest()[:40]) for token, text in texts]


def end_key(store: Store, token: str) -> None:
    """Who holds this token (its hash) gets another key; the one that he had ends."""
    with store.write() as db:
        for table in HOLDERS:
            db.conn.execute(f"update {table} set calendars = calendars + 1 where token = ?", (token,))
