"""The events of the land war on points, where a function decides or counts something; sentences are in data/events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import ngettext

from tactical.kernel.vocabulary import Kind
from webapp.http.language import gettext as _
from webapp.http.language import tag
from webapp.presenting import event_words
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.event_words import saying
from webapp.presenting.sentences import Extras, Several, fill, join_parts, sentences

Data = Mapping[str, Any]
Sentences = dict[str, Callable[[Data], str]]


def side(it: Data, key: str = "side") -> str:
    """A side of an event."""
    return seat_word(str(it.get(key) or ""))


def troops(it: Data) -> str:
    """What goes along: units, elephants, trains; "no units" for a general alone."""
    parts = []
    if units := _number(it.get("units")):
        parts.append(ngettext("%(num)d unit", "%(num)d units", units))
    if beasts := _number(it.get("elephants")):
        parts.append(ngettext("%(num)d elephant", "%(num)d elephants", beasts))
    if trains := _number(it.get("trains")):
        parts.append(ngettext("%(num)d supply train", "%(num)d supply trains", trains))
    return join_parts(parts) or _("no units")


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def roll_words(it: Data) -> str:
    """Whether a roll succeeded, and what it was thrown against."""
    result = _("and succeeds") if it.get("success") else _("and fails")
    if isinstance(it.get("rating"), int):
        return _("%(result)s (needed: %(rating)s or less)", result=result, rating=it["rating"])
    return result


def lost_by_side(lost: Any) -> str:
    """Losses as a number, or a number for each side."""
    if isinstance(lost, Mapping):
        return ", ".join(f"{seat_word(str(who))} {count}" for who, count in lost.items()) or _("none")
    return str(lost)


def party(system: str, it: Data) -> Several:
    """A general and the generals who go with him; the side where nobody leads."""
    leading = [one for one in (it.get("general"), *it.get("companions", ())) if one]
    names = (event_words.data_name(system, tag(), "general", str(one)) for one in leading)
    return Several(names if leading else (event_words.side(system, str(it.get("side") or "")),))


def extras(system: str) -> Extras:
    """What the sentences of the land war ask for besides an event's fields."""
    return {
        "lost_each": lambda it: lost_by_side(it.get("lost", 0)),
        "party": lambda it: party(system, it),
        "result": roll_words,
        "troops": troops,
    }


def retreat_words(system: str, it: Data) -> str:
    """A retreat: into the city, or along a path, whose last space counts."""
    goal = it.get("to")
    goal = goal[-1] if isinstance(goal, list | tuple) and goal else goal
    values = {"side": event_words.side(system, str(it.get("side") or "")), "lost": _number(it.get("lost"))}
    if not goal or goal == "city":
        text = _("%(side)s retreats into the city and loses %(lost)s %(lost|unit|units)s.")
        return fill(text if values["lost"] else _("%(side)s retreats into the city."), values.__getitem__)
    values["to"] = event_words.space(system, goal)
    text = _("%(side)s retreats to %(to)s and loses %(lost)s %(lost|unit|units)s.")
    return fill(text if values["lost"] else _("%(side)s retreats to %(to)s."), values.__getitem__)


def sentences_of(system: str, kinds: Mapping[str, Kind], own: Sentences) -> Sentences:
    """The sentences of a system of the land war: its functions, then those of data/events, under all their names."""
    functions = {"retreated": lambda it: retreat_words(system, it), "battle_hands": _battle_hands, **own}
    old = {name: functions[kind] for kind in functions if kind in kinds for name in kinds[kind].old}
    return {**sentences(kinds, saying(system), extras(system)), **old, **functions}


def _battle_hands(it: Data) -> str:
    return _("The battle cards are dealt.")
