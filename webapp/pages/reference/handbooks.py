"""The handbooks for players, umpires and organizers: steps with pictures, which docs/handbook.py walks and takes."""

from __future__ import annotations

from flask import abort, render_template
from flask_babel import lazy_gettext as _l

import data
from tactical.kernel.record import Input
from webapp.pages.reference.blueprint import reference_blueprint
from webapp.pages.reference.told import reading

bp = reference_blueprint("handbooks")
TITLES = {
    "player": _l("For players at the table"),
    "umpire": _l("For the umpire"),
    "organizer": _l("For the organizer"),
}


class Step(Input, frozen=True):
    """One step: what is done, and how it is told."""

    id: str
    title: str
    text: str


class Handbook(Input, frozen=True):
    """A handbook in one language."""

    step: tuple[Step, ...]


def handbook(who: str, language: str) -> Handbook:
    """The handbook for somebody in a language. Raises TableError for one that nobody has written."""
    return data.read(f"handbooks/{who}.toml" if language == "en" else f"handbooks/{who}.{language}.toml", Handbook)


@bp.get("/handbook")
def handbooks() -> str:
    """The three handbooks."""
    return render_template("reference/handbooks.html", titles=TITLES)


@bp.get("/handbook/<who>")
def handbook_page(who: str) -> str:
    """One handbook."""
    if who not in TITLES:
        abort(404)
    return render_template(
        "reference/handbook.html", who=who, title=TITLES[who], titles=TITLES, steps=handbook(who, reading()).step
    )
