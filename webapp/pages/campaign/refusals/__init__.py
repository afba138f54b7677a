"""The engines' refusals, the server's and the undo's reasons in the reader's language, with names for ids.

An engine says why in an English sentence with ids; here each sentence's form is known, so that it can be translated.
tests/webapp/test_refusals_told.py holds these lists against the sources.
"""

from __future__ import annotations

from webapp.http.language import gettext
from webapp.pages.campaign.labels import seat_said
from webapp.pages.campaign.naming import said
from webapp.pages.campaign.refusals import hamilcar, hannibal, land_war, naval, punic_wars, sword_of_rome, table
from webapp.pages.campaign.refusals.matching import understood
from webapp.pages.lobby.labels import translated

FORMS: dict[str, tuple[str, ...]] = {
    "hamilcar": (*hamilcar.FORMS, *land_war.FORMS, *naval.FORMS, *table.FORMS),
    "hannibal": (*hannibal.FORMS, *hamilcar.FORMS, *land_war.FORMS, *naval.FORMS, *table.FORMS),
    "punic_wars": (*punic_wars.FORMS, *naval.FORMS, *table.FORMS),
    "sword_of_rome": (*sword_of_rome.FORMS, *naval.FORMS, *table.FORMS),
}
SEATS = ("seat", "others", "asked", "side", "phasing", "winner", "loser")


def refusal_said(system: str, reason: str) -> str:
    """A reason in the reader's language; one that is not known here stays as it is."""
    known = understood(FORMS.get(system, table.FORMS), reason)
    if known is None:
        return reason
    form, parts = known
    return gettext(form, **{name: filled(system, name, value) for name, value in parts.items()})


def filled(system: str, name: str, value: str) -> str:
    """What fills a gap: the names of what the engine knows by id."""
    return ", ".join(one(system, name, part) for part in value.split(", "))


def one(system: str, name: str, value: str) -> str:
    """One thing by its name."""
    value = value.strip("'")
    if name in SEATS and value.islower():
        return seat_said(value)
    if value.replace("_", "").isalnum() and value == value.lower():
        return said(system, value) if system else value
    return translated(value.removeprefix("the "))
