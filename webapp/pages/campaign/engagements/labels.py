"""L1.2, L2.2 The words of the link: the ways to settle, and the levels of seamanship."""

from __future__ import annotations

from flask_babel import pgettext

from webapp.http.language import gettext as _


def way_word(way: str) -> str:
    """L1.2 The three ways."""
    known = {
        "own_table": _("The game's dice table"), "battle": _("A battle on the table here"),
        "report": _("A report from a table elsewhere"),
    }  # fmt: skip
    return known.get(way, way)


def abandon_word() -> str:
    """L1.2.a Leaving a battle that is on the table."""
    return _("Abandon it; the game's dice table settles")


def level_word(level: str) -> str:
    """A level of seamanship."""
    poor = pgettext("seamanship", "poor")  # the rowers' word is another in some languages
    known = {"poor": poor, "fair": _("fair"), "good": _("good"), "excellent": _("excellent")}
    return known.get(level, level)
