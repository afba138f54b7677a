"""Hamilcar's events where a function decides something about a fleet; the other sentences are in data/events."""

from __future__ import annotations

from flask_babel import ngettext

from tactical.kernel.vocabulary import kinds
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import seat_said
from webapp.presenting.engagement_labels import level_word
from webapp.presenting.naming import said
from webapp.systems import land_war
from webapp.systems.land_war import Data, Sentences, party, side, troops
from webapp.systems.names import named
from webapp.systems.sentences import fill, weighing


def ships(it: Data, key: str = "ships") -> str:
    """Ships by name; how many, where they have none."""
    value = it.get(key)
    if isinstance(value, int):
        return ngettext("%(num)d ship", "%(num)d ships", value)
    return ", ".join(map(str, value)) if value else _("no ship")


def sailed(it: Data) -> str:
    """An army at sea: who, with what, from where to where, on which ships."""
    values = {
        "party": party("hamilcar", it),
        "troops": troops(it),
        "start": named(said("hamilcar", it["start"])),
        "to": named(said("hamilcar", it["to"])),
        "ships": ships(it) if it.get("ships") else _("none"),
    }
    return fill(
        _("By sea from %(start)s to %(to)s: %(party)s with %(troops)s; warships: %(ships)s."), values.__getitem__
    )


def engaged(it: Data) -> str:
    goal = _("the transports") if it.get("target") == "transports" else _("the warships")
    text = ngettext(
        "%(side)s engages %(goal)s: %(num)d hit.",
        "%(side)s engages %(goal)s: %(num)d hits.",
        int(it.get("hits") or 0),
        side=side(it),
        goal=goal,
    )
    return text + (" " + _("A prize may be taken.") if it.get("prize") else "")


def ships_hit(it: Data) -> str:
    parts = []
    if it.get("sunk"):
        parts.append(_("sunk: %(ships)s", ships=ships(it, "sunk")))
    if it.get("taken"):
        parts.append(_("taken: %(ships)s", ships=ships(it, "taken")))
    values = {"side": named(side(it)), "what": "; ".join(parts) or _("no ship")}
    return fill(_("Losses of %(side)s at sea – %(what)s."), values.__getitem__)


def naval_battle(it: Data) -> str:
    held = it.get("cards") or {}
    counted = ", ".join(f"{seat_said(str(who))} {count}" for who, count in held.items())
    return _(
        "The fleets join battle; %(side)s begins. Tactics in hand: %(cards)s.", side=side(it, "first"), cards=counted
    )


def ships_home(it: Data) -> str:
    values = {
        "side": named(side(it)),
        "ships": ships(it),
        "ready": ", ".join(map(str, it.get("ready") or ())) or _("no ship"),
    }
    return fill(_("Ships of %(side)s back in port: %(ships)s. Ready for sea: %(ready)s."), values.__getitem__)


def seamanship(it: Data) -> str:
    known = level_word(str(it.get("level")))
    return _("Rome's seamanship is now %(level)s.", level=known)


def reform_said(kind: str) -> str:
    """6.5.3.b What a reform of the fleet is about."""
    known = {
        "seamanship": _("seamanship"),
        "corvus": _("the corvus"),
        "ship": _("a new ship"),
        "repair": _("repairs"),
        "none": _("no change"),
    }
    return known.get(kind, said("hamilcar", kind))


def reform(it: Data) -> str:
    return _(
        "%(general)s reforms the fleet: %(kind)s.",
        general=said("hamilcar", it["general"]),
        kind=reform_said(str(it["kind"])),
    )


OWN: Sentences = {
    each.__name__: each for each in (engaged, naval_battle, reform, sailed, seamanship, ships_hit, ships_home)
}
KINDS = kinds("point_to_point", "hamilcar")
SENTENCES = land_war.told("hamilcar", KINDS, OWN)
LOUD = weighing(KINDS, "loud")
SOFT = weighing(KINDS, "soft")
