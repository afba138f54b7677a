"""Why an engine or the server refuses, in the reader's language, with names for ids that know their grammar."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tactical.kernel.reason import EITHER, Reason
from webapp.http.language import gettext
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.names import full_name
from webapp.presenting.naming import data_text, say_value
from webapp.presenting.sentences import Either, Several, Values

SEATS = (
    "active",
    "seat",
    "others",
    "asked",
    "side",
    "sides",
    "phasing",
    "winner",
    "loser",
    "power",
    "runner",
    "player",
)
PERSONS = ("general", "commander", "leader", "generals", "leaders")  # gaps that hold persons


def refusal_text(system: str, why: Reason) -> str:
    """A reason in the reader's language; `system` says whose ids are in it, "" that nobody knows."""
    form = gettext(why.form)
    return form % Values(lambda name: gap_text(system, name, why.values[name])) if why.values else form


def gap_text(system: str, name: str, value: Any) -> Any:
    """What fills a gap: a number as it is, the names of what the engine knows by id, several as a list."""
    if isinstance(value, int | float):
        return value
    if isinstance(value, Iterable) and not isinstance(value, str):
        return (Either if name == EITHER else Several)(one(system, name, str(each)) for each in value)
    return one(system, name, str(value))


def one(system: str, name: str, value: str) -> str:
    """One thing by its name."""
    value = value.strip("'")
    if name in SEATS and value.islower():
        return full_name(seat_word(value))
    if value.replace("_", "").isalnum() and value == value.lower():
        return full_name(say_value(system, value) if system else value, name in PERSONS)
    return full_name(data_text(system, value.removeprefix("the ")))
