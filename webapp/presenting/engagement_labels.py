"""L1.2, L2.2 The words of the link: the ways to settle, and the levels of seamanship."""

from __future__ import annotations

from flask_babel import pgettext

from strategic.naval.engagement import Engagement
from webapp.http.language import gettext as _


def way_word(way: str) -> str:
    """L1.2 The three ways."""
    known = {
        "own_table": _("The game's dice table"),
        "battle": _("A battle in this program"),
        "report": _("A report of a battle on another table"),
    }
    return known.get(way, way)


def consent_word(engagement: Engagement) -> str:
    """L1.2 Whose consent is needed, as the group has said at the start."""
    if engagement.deciding == "umpire":
        return _("In this campaign the umpire decides how a meeting at sea is settled.")
    if engagement.deciding == "table":
        return _(
            "In this campaign fleets fight their battles in this program, unless both sides agree on something else."
        )
    if engagement.deciding == "both":
        return _("Both sides must choose the same. A side that has chosen must wait for the other.")
    return _("The game's dice table needs nobody's consent; a battle or a report needs both sides'.")


def abandon_word() -> str:
    """L1.2.a Leaving a battle that is on the table."""
    return _("Abandon it: the game's dice table decides")


def level_word(level: str) -> str:
    """A level of seamanship."""
    poor = pgettext("seamanship", "poor")  # the rowers' word is another in some languages
    known = {"poor": poor, "fair": _("fair"), "good": _("good"), "excellent": _("excellent")}
    return known.get(level, level)


def lost_word(how: str) -> str:
    """How ships were lost."""
    known = {"sunk": _("sunk"), "storm": _("storm"), "winter": _("winter at sea"), "port": _("with their port")}
    return known.get(how) or how.replace("_", " ")
