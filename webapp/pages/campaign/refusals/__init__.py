"""The engines' refusals, the server's and the undo's reasons in the reader's language, with names for ids.

An engine says why in an English sentence with ids; each sentence's form stands in `data/refusals/<system>.toml`, so
that it can be translated. tests/webapp/test_refusals_told.py holds these lists against the sources.
"""

from __future__ import annotations

import data
from strategic import NAMES
from tactical.kernel.record import Input
from webapp.http.language import gettext
from webapp.http.sentence_forms import understood
from webapp.pages.campaign.labels import seat_said
from webapp.pages.campaign.naming import said, told
from webapp.pages.campaign.refusals import table

SHARED = ("point_to_point", "naval")  # chapters that several systems play


class Forms(Input, frozen=True):
    """data/refusals/<part>.toml: sentences with gaps, in English; the catalogues translate them."""

    forms: tuple[str, ...]


def read_forms(part: str) -> tuple[str, ...]:
    """The forms of a system or of a shared chapter; none for one that has no such file."""
    path = f"refusals/{part}.toml"
    return data.read(path, Forms).forms if (data.ROOT / path).exists() else ()


FORMS: dict[str, tuple[str, ...]] = {
    name: (*(form for part in (name, *SHARED) for form in read_forms(part)), *table.FORMS) for name in NAMES
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
    return told(system, value.removeprefix("the "))
