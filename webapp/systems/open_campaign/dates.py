"""The game's own dates in words: 5 June 260 BC, 5 to 11 June 260 BC."""

from __future__ import annotations

from babel.dates import get_month_names
from flask_babel import get_locale

from strategic.calendar import after, parts
from webapp.http.language import gettext as _


def month_name(month: int) -> str:
    """A month's name as it stands in a date."""
    return str(get_month_names("wide", "format", get_locale())[month])


def year_words(year: int) -> str:
    """A year before or after Christ."""
    return _("%(year)s BC", year=-year) if year < 0 else _("AD %(year)s", year=year)


def day_words(date: str) -> str:
    """A date without its year: 5 June. Raises BadInput for what is no date."""
    _year, month, day = parts(date)
    return _("%(day)s %(month)s", day=day, month=month_name(month))


def date_words(date: str) -> str:
    """A date with its year. Raises BadInput for what is no date."""
    return f"{day_words(date)} {year_words(parts(date)[0])}"


def span_words(date: str, days: int) -> str:
    """So many days from a date on. Raises BadInput for what is no date."""
    last = after(date, days - 1)
    if days == 1:
        return date_words(date)
    if parts(date)[:2] == parts(last)[:2]:
        return _("%(first)s to %(last)s", first=parts(date)[2], last=date_words(last))
    return _("%(first)s to %(last)s", first=day_words(date), last=date_words(last))
