"""Why an engine or the server refuses, in the reader's language, with names for ids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tactical.kernel.reason import Reason
from webapp.http.language import gettext
from webapp.presenting.campaign_labels import seat_said
from webapp.presenting.naming import said, told

SEATS = ("seat", "others", "asked", "side", "phasing", "winner", "loser")  # gaps that hold seats


def refusal_said(system: str, why: Reason) -> str:
    """A reason in the reader's language; `system` says whose ids are in it, "" that nobody knows."""
    return gettext(why.form, **{name: filled(system, name, value) for name, value in why.values.items()})


def filled(system: str, name: str, value: Any) -> str:
    """What fills a gap: the names of what the engine knows by id."""
    several = value if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
    return ", ".join(one(system, name, str(each)) for each in several)


def one(system: str, name: str, value: str) -> str:
    """One thing by its name."""
    value = value.strip("'")
    if name in SEATS and value.islower():
        return seat_said(value)
    if value.replace("_", "").isalnum() and value == value.lower():
        return said(system, value) if system else value
    return told(system, value.removeprefix("the "))
