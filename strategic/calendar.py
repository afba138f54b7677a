"""O3.6 The game's own date, before and after Christ: years as historians count them, without leap days."""

from __future__ import annotations

import re

from tactical.kernel.record import BadInput

MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
YEAR = sum(MONTHS)


def parts(date: str) -> tuple[int, int, int]:
    """Year (negative before Christ), month and day. Raises BadInput for what is no date."""
    found = re.fullmatch(r"(-?\d{1,4})-(\d{2})-(\d{2})", date)
    if found:
        year, month, day = map(int, found.groups())
        if year and 1 <= month <= 12 and 1 <= day <= MONTHS[month - 1]:
            return year, month, day
    raise BadInput("date", "a date must be written as -260-03-01 (year, month, day)")


def after(date: str, days: int) -> str:
    """The date so many days later; after the year -1 comes the year 1."""
    year, month, day = parts(date)
    day += days
    while day > MONTHS[month - 1]:
        day -= MONTHS[month - 1]
        month += 1
        if month > 12:
            month, year = 1, year + 1 or 1
    return f"{year}-{month:02}-{day:02}"
