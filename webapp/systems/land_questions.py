"""The questions of a land war in words: who comes, from where, with what, and what is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from flask_babel import ngettext

from webapp.http.language import gettext as _
from webapp.presenting import naming
from webapp.presenting.naming import say_value
from webapp.presenting.presentation import Asked
from webapp.presenting.sentences import Name, full_name, tell
from webapp.systems.land_answers import army
from webapp.systems.land_war import card_name


class Question:
    """A question as it is to be told."""

    def __init__(self, system: str, view: Mapping[str, Any], asked: Asked) -> None:
        self.system, self.view, self.asked = system, view, asked
        self.march: Mapping[str, Any] = view.get("march") or {}
        self.battle: Mapping[str, Any] = view.get("battle") or {}

    def name(self, value: Any, field: str = "") -> str:
        """A space, general, ship or card by its name, with its grammar."""
        return full_name(say_value(self.system, value, field))

    def side(self, value: Any) -> Name:
        """A side by its name."""
        return naming.side(self.system, str(value or ""))

    @property
    def army(self) -> str:
        """Who is on the march, and with what."""
        return army(self.march, self.name)

    @property
    def here(self) -> str:
        """Where the march stands."""
        path = tuple(self.march.get("path") or ())
        return self.name(path[-1]) if path else ""

    @property
    def before(self) -> str:
        """Where it was before its last step."""
        path = tuple(self.march.get("path") or ())
        return self.name(path[-2]) if len(path) > 1 else ""

    @property
    def field(self) -> str:
        """Where the battle is fought."""
        return self.name(self.battle.get("space") or "")

    @property
    def left(self) -> int:
        """The number that is still to be done, in words."""
        left = self.asked.about.get("left")
        return left if isinstance(left, int) else sum(left.values()) if isinstance(left, Mapping) else 0


Posed = Callable[[Question], str]


def comes(it: Question) -> str:
    """The army on the march with its last step."""
    if not it.march:
        return ""
    if crossing := it.march.get("crossing"):
        return tell(
            _("%(side)s at sea: %(army)s, from %(start)s to %(place)s."),
            side=it.side(it.march["side"]),
            army=it.army,
            start=it.here,
            place=it.name(crossing["to"]),
        )
    if it.before:
        return tell(
            _("%(side)s on the march: %(army)s, from %(start)s to %(place)s."),
            side=it.side(it.march["side"]),
            army=it.army,
            start=it.before,
            place=it.here,
        )
    return tell(
        _("%(side)s on the march: %(army)s at %(place)s."), side=it.side(it.march["side"]), army=it.army, place=it.here
    )


def intercept(it: Question) -> str:
    declared = it.asked.about.get("declared") or ()
    tries = "; ".join(
        tell(
            _("%(who)s, from %(place)s"),
            who=", ".join(it.name(each) for each in one.get("generals") or ()),
            place=it.name(one.get("space") or ""),
        )
        for one in declared
        if isinstance(one, Mapping)
    )
    text = comes(it)
    return f"{text} " + tell(_("Will try: %(tries)s."), tries=tries) if tries else text


def interception_words(it: Question) -> str:
    by = ", ".join(it.name(each) for each in it.march.get("intercepted") or ())
    return tell(
        _("%(army)s, coming from %(start)s, is intercepted at %(place)s by %(generals)s."),
        army=it.army,
        start=it.before,
        place=it.here,
        generals=by,
    )


def march(it: Question) -> str:
    points = ngettext("%(num)d point left", "%(num)d points left", int(it.march.get("points") or 0))
    return tell(_("%(army)s at %(place)s, %(points)s."), army=it.army, place=it.here, points=points)


def put(it: Question) -> str:
    return ngettext(
        "%(num)d marker to place.",
        "%(num)d markers to place.",
        it.left,
    )


def remove(it: Question) -> str:
    text = ngettext(
        "%(num)d marker to take off.",
        "%(num)d markers to take off.",
        it.left,
    )
    why = str(it.asked.about.get("why") or "")
    reasons = {
        "battle": _("For the battle that was lost."),
        "points": _("For having fewer points."),
        "council": _("For the Council."),
    }
    if why in it.view.get("generals", {}):
        return tell(_("%(general)s was displaced."), general=it.name(why)) + " " + text
    return f"{reasons[why]} {text}" if why in reasons else text


def reinforce(it: Question) -> str:
    return ngettext(
        "%(num)d reinforcement to place.",
        "%(num)d reinforcements to place.",
        it.left,
    )


def campaign(it: Question) -> str:
    left = it.left or int((it.view.get("play") or {}).get("campaign") or 0)
    return ngettext("%(num)d general may still move.", "%(num)d generals may still move.", left)


def match(it: Question) -> str:
    played = it.battle.get("played")
    if not played:
        return ""
    return tell(
        _("%(side)s has played %(card)s. If you do not match it, the battle at %(place)s is lost."),
        side=it.side(it.battle["initiative"]),
        card=card_name(it.system, played),
        place=it.field,
    )


def at_battle(it: Question) -> str:
    return (
        tell(
            _("The battle at %(place)s, round %(round)s."), place=it.field, round=int(it.battle.get("rounds") or 0) + 1
        )
        if it.battle
        else ""
    )


def cancel(it: Question) -> str:
    to = str(it.asked.about.get("to") or "")
    if to == "city":
        return tell(_("The enemy withdraws from %(field)s into the city."), field=it.field)
    return tell(_("The enemy withdraws from %(field)s to %(place)s."), field=it.field, place=it.name(to))


def retreat(it: Question) -> str:
    return tell(_("The battle at %(place)s is lost."), place=it.field) if it.battle else ""


def choose(it: Question) -> str:
    card = it.asked.about.get("card")
    text = tell(_("For the card %(card)s."), card=it.name(card, "card")) if card else ""
    if it.left > 1:
        text += " " + ngettext("%(num)d still to name.", "%(num)d still to name.", it.left)
    return text


def counter(it: Question) -> str:
    moments = {
        "tribes": _("A Hostile Tribes card may hit the army."),
        "weather": _("The weather may end the move."),
        "fright": _("The elephants may be frightened before they charge."),
        "storms": _("A storm may strike at sea."),
        "epidemic": _("An epidemic may strike."),
    }
    return " ".join(part for part in (comes(it), moments.get(str(it.asked.about.get("moment")), "")) if part)


def generals(field: str) -> Posed:
    """Who is to be placed."""
    return lambda it: tell(_("To be placed: %(generals)s."), generals=it.name(it.asked.about.get(field) or ()))


POSED: Mapping[str, Posed] = {
    "intercept": intercept,
    "intercepted": interception_words,
    "avoid": comes,
    "pursuit": comes,
    "march": march,
    "move": march,
    "put": put,
    "remove": remove,
    "reinforce": reinforce,
    "campaign": campaign,
    "match": match,
    "attack": at_battle,
    "counter_attack": at_battle,
    "battle_events": at_battle,
    "elephants": at_battle,
    "join": at_battle,
    "command": at_battle,
    "take_initiative": at_battle,
    "cancel": cancel,
    "retreat": retreat,
    "choose": choose,
    "counter": counter,
    "place_consul": generals("consuls"),
    "place_general": generals("generals"),
}


TAPPED = frozenset(  # questions that a space of the map answers
    ("march", "move", "place_consul", "place_general", "points", "budget", "put", "reinforce", "remove", "retreat")
)


def question_of(system: str, own: Mapping[str, Posed], view: Any, asked: Asked | None) -> Asked | None:
    """The question with what it is about; of kinds that ask for nothing special the title says enough."""
    if asked is None:
        return None
    saying = own.get(asked.kind) or POSED.get(asked.kind)
    text = saying(Question(system, view, asked)) if saying else ""
    left = asked.about.get("left")
    hint = _("Tap a ringed space of the map.") if asked.kind in TAPPED else ""
    asked = replace(asked, count=left if isinstance(left, int) else None, hint=hint)
    return replace(asked, text=text, about={}) if text or not asked.about else asked
