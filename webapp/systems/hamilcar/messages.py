"""Hamilcar's events where a function decides something about a fleet; the other sentences are in data/events."""

from __future__ import annotations

from typing import Any

from flask_babel import ngettext

from tactical.kernel.vocabulary import kinds
from webapp.http.language import gettext as _
from webapp.presenting import event_words
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.engagement_labels import level_word
from webapp.presenting.names import full_name
from webapp.presenting.naming import say_value
from webapp.presenting.sentences import Several, fill, join_parts, together, weighing
from webapp.systems import land_war
from webapp.systems.land_war import Data, Sentences, party, side, troops


def ships(it: Data, key: str = "ships") -> str:
    """Ships by name; how many, where they have none."""
    value = it.get(key)
    if isinstance(value, int):
        return ngettext("%(num)d ship", "%(num)d ships", value)
    return join_parts(map(str, value)) if value else _("no ships")


def sailed(it: Data) -> str:
    """An army at sea: who, with what, from where to where, on which ships."""
    values = {
        "party": party("hamilcar", it),
        "troops": troops(it),
        "start": event_words.space("hamilcar", it["start"]),
        "to": event_words.space("hamilcar", it["to"]),
        "ships": ships(it),
    }
    if any(it.get(name) for name in ("units", "elephants", "trains")):
        text = _("%(party)s %(party|sails|sail)s with %(troops)s from %(start)s to %(to)s.")
    else:
        text = _("%(party)s %(party|sails|sail)s from %(start)s to %(to)s without troops.")
    with_ships = _("Warships: %(ships)s.")
    return fill(f"{text} {with_ships}" if it.get("ships") else text, values.__getitem__)


def engaged(it: Data) -> str:
    goal = _("the transports") if it.get("target") == "transports" else _("the warships")
    values = {"side": event_words.side("hamilcar", it["side"]), "goal": goal, "hits": int(it.get("hits") or 0)}
    if values["hits"]:
        text = fill(_("%(side)s engages %(goal)s: %(hits)s %(hits|hit|hits)s."), values.__getitem__)
    else:
        text = fill(_("%(side)s engages %(goal)s and scores no hit."), values.__getitem__)
    return text + (" " + _("A prize may be taken.") if it.get("prize") else "")


def ships_hit(it: Data) -> str:
    values: dict[str, Any] = {"side": event_words.side("hamilcar", it["side"])}
    values |= {how: Several(it.get(how) or ()) for how in ("sunk", "taken")}
    parts = []
    if values["sunk"]:
        parts.append(_("%(sunk)s (%(side.bare)s) %(sunk|is|are)s sunk."))
    if values["taken"]:
        parts.append(_("%(taken)s (%(side.bare)s) %(taken|is|are)s taken."))
    return " ".join(fill(part, values.__getitem__) for part in parts or [_("%(side)s loses no ships.")])


def naval_battle(it: Data) -> str:
    held = it.get("cards") or {}
    counted = ", ".join(f"{seat_word(str(who))} {count}" for who, count in held.items())
    return _(
        "The fleets join battle; %(side)s begins. Tactics cards in hand: %(cards)s.",
        side=side(it, "first"),
        cards=counted,
    )


def ships_home(it: Data) -> str:
    values = {
        "side": full_name(side(it)),
        "ships": ships(it),
        "ready": join_parts(map(str, it.get("ready") or ())) or _("no ships"),
    }
    return fill(_("Ships of %(side)s back in port: %(ships)s. Ready for sea: %(ready)s."), values.__getitem__)


def seamanship(it: Data) -> str:
    known = level_word(str(it.get("level")))
    return _("Rome's seamanship is now %(level)s.", level=known)


def reform_name(kind: str) -> str:
    """6.5.3.b What a reform of the fleet is about."""
    known = {
        "seamanship": _("seamanship"),
        "corvus": _("the corvus"),
        "ship": _("a new ship"),
        "repair": _("repairs"),
        "none": _("no change"),
    }
    return known.get(kind, say_value("hamilcar", kind))


def reform(it: Data) -> str:
    return _(
        "%(general)s reforms the fleet: %(kind)s.",
        general=say_value("hamilcar", it["general"]),
        kind=reform_name(str(it["kind"])),
    )


OWN: Sentences = {
    each.__name__: each for each in (engaged, naval_battle, reform, sailed, seamanship, ships_hit, ships_home)
}
KINDS = kinds("point_to_point", "hamilcar")
SENTENCES = land_war.sentences_of("hamilcar", KINDS, OWN)
LOUD = weighing(KINDS, "loud")
SOFT = weighing(KINDS, "soft")
TOGETHER = together(KINDS)
