"""O9.1 What brings points, in words, for whoever may know of it."""

from __future__ import annotations

from collections.abc import Callable

from flask_babel import lazy_gettext as _l
from flask_babel import ngettext

from strategic.open_campaign.rules.world import chart
from webapp.http.language import gettext as _
from webapp.presenting.place_names import place_name
from webapp.systems.open_campaign.knowledge import View

KINDS = {
    "port": _l("A port held"),
    "warships": _l("Warships in a place"),
    "cleared": _l("No enemy in a place"),
    "transports": _l("Each transport in a place"),
    "taken": _l("Each ship captured, wherever it was"),
}
SENTENCES: dict[str, Callable[[str], str]] = {
    "port": lambda place: _("%(place)s held", place=place),
    "warships": lambda place: _("Warships at %(place)s", place=place),
    "cleared": lambda place: _("No enemy at %(place)s", place=place),
    "transports": lambda place: _("Each transport at %(place)s", place=place),
    "taken": lambda place: _("Each ship captured"),
}


def goal_line(view: View, goal: View) -> str:
    """A goal in words: what, how many points, when it counts, and what it has brought where that day is past."""
    space = chart(view["world"]).spaces.get(goal["space"])
    what = SENTENCES[goal["what"]](place_name(space.name) if space else goal["space"])
    points = str(ngettext("%(num)d point", "%(num)d points", goal["points"]))
    when = _("at the end of turn %(turn)s", turn=goal["by"]) if goal["by"] else _("at the end of the campaign")
    won = [_("counted: %(points)s", points=goal["won"])] if goal["won"] is not None else []
    return f"{what}: {', '.join((points, when, *won))}"
