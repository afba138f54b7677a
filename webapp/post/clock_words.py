"""Deadlines in words: always with the zone whose clock is meant."""

from __future__ import annotations

from datetime import datetime

from flask_babel import format_datetime

SHORT = "EEE d MMM, HH:mm"


def said_until(end: datetime, pattern: str = SHORT) -> str:
    """A moment by the clock of its own zone (`deadlines.in_zone`), with the zone's name."""
    zone = getattr(end.tzinfo, "key", "UTC")
    return f"{format_datetime(end.replace(tzinfo=None), pattern, rebase=False)} ({zone})"
