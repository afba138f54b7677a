"""The game's own dates in words: 5 June 260 BC, 5 to 11 June 260 BC."""

from __future__ import annotations

from babel.dates import get_month_names
from flask_babel import get_locale

from strategic.open_campaign.rules.calendar import after, parts
from webapp.http.language import gettext as _


def month_said(month: int) -> str:
    """A month's name as it stands in a date."""
    return str(get_month_names("wide", "format", get_locale())[month])


def year_said(year: int) -> str:
    """A year before or after Christ."""
    return _("%(year)s BC", year=-year) if year < 0 else _("AD %(year)s", year=year)


def day_said(date: str) -> str:
    """A date without its year: 5 June. Raises BadInput for what is no date."""
    _year, month, day = parts(date)
    return _("%(day)s %(month)s", day=day, month=month_said(month))


def date_said(date: str) -> str:
    """A date with its year. Raises BadInput for what is no date."""
    return f"{day_said(date)} {year_said(parts(date)[0])}"


def span_said(date: str, days: int) -> str:
    """So many days from a date on. Raises BadInput for what is no date."""
    last = after(date, days - 1)
    if days == 1:
        return date_said(date)
    if parts(date)[:2] == parts(last)[:2]:
        return _("%(first)s to %(last)s", first=parts(date)[2], last=date_said(last))
    return _("%(first)s to %(last)s", first=day_said(date), last=date_said(last))
