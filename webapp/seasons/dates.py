"""O10.1 The moments of a season by the clock of its zone: when a pairing is played, until when its result is due."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from strategic.season.state import Pairing, Round, Season
from tactical.kernel.record import BadInput


def zone_of(name: str) -> ZoneInfo:
    """The time zone. Raises BadInput."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # the first is a KeyError
        raise BadInput("zone", "name a time zone, such as Europe/Rome") from None


def moment(season: Season, text: str) -> datetime | None:
    """A moment of the season; None where none is set. An imported season of an unknown zone goes by UTC."""
    if not text:
        return None
    try:
        zone = zone_of(season.zone)
    except BadInput:
        zone = ZoneInfo("UTC")
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def begins(season: Season, now: Round, pairing: Pairing) -> datetime | None:
    """When a pairing is played: at its own time, or at its round's."""
    return moment(season, pairing.at or now.starts)


def is_overdue(season: Season, now: Round, at: datetime) -> bool:
    """Is the time of a round over?"""
    due = moment(season, now.due)
    return due is not None and now.published and at >= due
