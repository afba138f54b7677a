"""The Punic Wars' events as sentences in the reader's language: data/events/punic_wars.toml, and what is counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import ngettext

from strategic.punic_wars import PUNIC_WARS
from tactical.kernel.vocabulary import kinds
from webapp.http.language import gettext as _
from webapp.http.signs import with_sign
from webapp.presenting.campaign_labels import phase_word
from webapp.presenting.event_words import saying
from webapp.presenting.labels import translate
from webapp.presenting.sentences import Extras, sentences, together, weighing
from webapp.systems.land_war import lost_by_side
from webapp.systems.punic_wars.force import forces

Data = Mapping[str, Any]


def force(it: Data) -> str:
    """Land and naval points of a force."""
    return forces(int(it.get("land") or 0), int(it.get("naval") or 0))


def cause(it: Data) -> str:
    """Why attrition is rolled for, in a word or two."""
    known = {
        "sea": _("at sea"),
        "leaving": _("leaving a hex"),
        "entering": _("entering a hex"),
        "mountain": _("in the mountains"),
        "revolt": _("in revolt"),
        "unsupplied": _("out of supply"),
        "unpaid": _("unpaid"),
        "siege": _("under siege"),
    }
    return known.get(str(it.get("cause")), str(it.get("cause") or ""))


def reason(it: Data) -> str:
    """Why attrition is rolled for, with the modifier where there is one."""
    if not it.get("modifier"):
        return cause(it)
    return _("%(cause)s, modifier %(modifier)s", cause=cause(it), modifier=with_sign(int(it["modifier"])))


def losses(it: Data) -> str:
    """9.32 What each side loses in a combat."""
    return lost_by_side(it.get("losses") or {})


def outcome(result: str) -> str:
    """16.31 One of the five results of a diplomacy table."""
    known = {
        "none": _("nothing happens"),
        "revolt": _("revolt"),
        "war": _("war"),
        "alliance": _("alliance"),
        "defection": _("defection"),
    }
    return known.get(result, result)


def war(it: Data) -> str:
    """The war that begins, by its title."""
    titles = {each.id: each.title for each in PUNIC_WARS.scenarios()}
    return translate(titles.get(str(it["scenario"]), ""))


def adjustment_words(it: Data) -> str:
    """An adjustment of a journal that does not tell what was changed."""
    return ngettext(
        "The umpire changes %(num)d value of the position.",
        "The umpire changes %(num)d values of the position.",
        len(it.get("changes") or ()),
    )


EXTRAS: Extras = {
    "cause": cause,
    "force": force,
    "losses": losses,
    "reason": reason,
    "phase": lambda it: phase_word("punic_wars", str(it["phase"])),
    "result": lambda it: outcome(str(it["result"])),
    "war": war,
}
KINDS = kinds("punic_wars")
SENTENCES: Mapping[str, Callable[[Data], str]] = {
    **sentences(KINDS, saying("punic_wars"), EXTRAS),
    "adjusted": adjustment_words,
    "adjustment": lambda it: _("The umpire adjusts the position: %(why)s", why=it["why"]),
}
LOUD = weighing(KINDS, "loud")
SOFT = weighing(KINDS, "soft")
TOGETHER = together(KINDS)
