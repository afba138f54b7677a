"""The Sword of Rome's events as sentences in the reader's language: data/events, and what a function decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tactical.kernel.vocabulary import kinds
from webapp.http.language import gettext as _
from webapp.presenting.event_words import saying
from webapp.presenting.names import Name
from webapp.presenting.naming import attempt_text
from webapp.presenting.sentences import Extras, Several, fill, sentences, tell, together, weighing

Data = Mapping[str, Any]
SAY = saying("sword_of_rome")


def who(it: Data) -> Name:
    """The power, seat or side that an event is about; journals of before have one or another."""
    name: Name = SAY("power", "power", it.get("power") or it.get("seat") or it.get("side"))
    return name


def party(it: Data) -> Several:
    """A leader and those who go with him."""
    found: Several = SAY("leaders", "leaders", (it["leader"], *it.get("companions", ())))
    return found


def force(it: Data) -> Several:
    """Leaders, whose names a sentence may decline, and units."""
    count = int(it.get("units") or 0)
    leaders: Several = SAY("leaders", "leaders", it.get("leaders"))
    units = [fill(_("%(units)s %(units|CU|CUs)s"), {"units": count}.__getitem__)] if count or not leaders else []
    return Several((*leaders, *units))


def total(number: int) -> Callable[[Data], Any]:
    """What the attacker (0) or the defender (1) rolled."""
    return lambda it: it["totals"][number]


def sentence_of_a_declaration(it: Data) -> str:
    tries = "; ".join(attempt_text("sword_of_rome", dict(one)) for one in it.get("intercepts", ()))
    slips = SAY("sides", "powers", [one["power"] for one in it.get("avoids") or ()])
    if tries and slips:
        return tell(
            _("Declared: interception by %(tries)s; attempts to avoid battle by %(slips)s."), tries=tries, slips=slips
        )
    if tries:
        return _("Declared: interception by %(tries)s.", tries=tries)
    return (
        tell(_("Declared: attempts to avoid battle by %(slips)s."), slips=slips)
        if slips
        else _("Nobody intercepts or avoids battle.")
    )


def say_wish(it: Data) -> str:
    """What a seat has set by hand and waits for a word."""
    who_wishes = SAY("power", "seat", it.get("seat"))
    return tell(
        _("%(seat)s %(seat|asks|ask)s the others to agree to a change by hand: %(what)s"),
        seat=who_wishes,
        what=wish_text(it),
    )


def wish_text(it: Data) -> str:
    """What it would be told by, once it is granted: the sentences of its events."""
    return " ".join(SENTENCES[each["type"]](each) for each in it.get("what", ()) if each.get("type") in SENTENCES)


EXTRAS: Extras = {"force": force, "first": total(0), "party": party, "second": total(1), "who": who}
KINDS = kinds("approval", "sword_of_rome")
SENTENCES: Mapping[str, Callable[[Data], str]] = {
    **sentences(KINDS, SAY, EXTRAS),
    "declared": sentence_of_a_declaration,
    "declarations": sentence_of_a_declaration,
    "wished": say_wish,
}
LOUD = weighing(KINDS, "loud")
SOFT = weighing(KINDS, "soft")
TOGETHER = together(KINDS)
