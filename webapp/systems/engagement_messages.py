"""L1.4 The link's events as sentences: in the campaign's journal and chronicle, and in the battle's journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import ngettext

from webapp.http.language import gettext as _
from webapp.presenting.engagement_labels import level_word, way_word
from webapp.presenting.engagement_meetings import place_said, side_said

Data = Mapping[str, Any]
SOFT = frozenset(("way", "battle_opened", "report", "ships_unready", "naval_round", "regrouped", "no_engagement"))
LOUD = frozenset(("engagement", "battle_opened", "settled", "over"))  # how fleets met, what came of it, the war's end


def sentence(system: str, it: Data) -> str | None:
    """A campaign's event of the link (its paragraph begins with L), or of a fleet, in words; None for any other."""
    kind = str(it.get("type", ""))
    if str(it.get("rule", "")).startswith("L"):
        writer = LINK.get(kind)
    else:
        writer = FLEETS.get(kind)
    return writer(system, it) if writer is not None else None


def is_ours(it: Data) -> bool:
    """Is it an event of the link itself, whatever else a system calls by the same word?"""
    return str(it.get("rule", "")).startswith("L") and it.get("type") in LINK


def _ships(it: Data, key: str = "ships") -> str:
    return ", ".join(str(name) for name in it.get(key) or ())


def _side(it: Data) -> str:
    return side_said(str(it.get("side")))


# The link itself ------------------------------------------------------------------------------------------


def engagement(system: str, it: Data) -> str:
    met = []
    carried = it.get("transports") or {}
    for side, sent in (it.get("ships") or {}).items():
        if isinstance(sent, list):
            ships = ", ".join(sent) or _("no warship")
        else:
            ships = ngettext("%(num)d naval point", "%(num)d naval points", int(sent))
        if carried.get(side):
            more = ngettext("%(num)d transport", "%(num)d transports", carried[side])
            ships = _("%(ships)s, %(transports)s", ships=ships, transports=more)
        met.append(_("%(side)s (%(ships)s)", side=side_said(side), ships=ships))
    place = place_said(system, str(it.get("place")))
    return _("Fleets meet at %(place)s: %(fleets)s.", place=place, fleets="; ".join(met))


def way(system: str, it: Data) -> str:
    side, wished = side_said(str(it.get("side"))), way_word(str(it.get("way")))
    if it.get("agreed"):
        agreed = way_word(str(it["agreed"]))
        if it["agreed"] == it.get("way"):
            return _("%(side)s: the meeting is settled so: %(way)s.", side=side, way=agreed)
        return _(
            "%(side)s would settle it so: %(way)s. It stays as it was: %(agreed)s.",
            side=side,
            way=wished,
            agreed=agreed,
        )
    return _("%(side)s would settle it so: %(way)s.", side=side, way=wished)


def battle_opened(system: str, it: Data) -> str:
    count = int(it.get("models_per_unit") or 1)
    return ngettext(
        "The battle goes on the table: %(num)d model for each naval unit.",
        "The battle goes on the table: %(num)d models for each naval unit.",
        count,
    )


def battle(system: str, it: Data) -> str:
    return _("It is fought on the table as battle %(game)s.", game=it.get("game"))


def report(system: str, it: Data) -> str:
    return _("%(side)s vouches for the reported outcome.", side=side_said(str(it.get("side"))))


def settled(system: str, it: Data) -> str:
    if it.get("winner"):
        said = _("The meeting at sea is settled: %(side)s wins.", side=side_said(str(it["winner"])))
    else:
        said = _("The meeting at sea is settled: nobody wins.")
    return " ".join((said, *(_lost(side, lost) for side, lost in (it.get("sides") or {}).items())))


def _lost(side: str, lost: Data) -> str:
    parts = []
    if lost.get("sunk"):
        parts.append(ngettext("%(num)d ship sunk", "%(num)d ships sunk", lost["sunk"]))
    if lost.get("captured"):
        parts.append(ngettext("%(num)d ship captured", "%(num)d ships captured", lost["captured"]))
    if lost.get("transports"):
        parts.append(ngettext("%(num)d transport lost", "%(num)d transports lost", lost["transports"]))
    return _("%(side)s: %(losses)s.", side=side_said(side), losses=", ".join(parts) or _("no losses"))


def convoy(system: str, it: Data) -> str:
    lost = int(it.get("lost") or 0)
    units = ngettext("%(num)d unit is lost", "%(num)d units are lost", lost)
    if it.get("arrives"):
        return _("The convoy arrives; %(units)s.", units=units)
    return _("The convoy does not arrive; %(units)s.", units=units)


def ships_home(system: str, it: Data) -> str:
    said = [_("%(side)s: %(ships)s come home.", side=_side(it), ships=_ships(it))]
    unready = [str(name) for name in it.get("ships") or () if name not in (it.get("ready") or ())]
    if unready:
        said.append(_("Unready: %(ships)s.", ships=", ".join(unready)))
    if it.get("damage"):
        hurt = ", ".join(f"{name} −{hull}" for name, hull in it["damage"].items())
        said.append(_("Hull damage: %(ships)s.", ships=hurt))
    return " ".join(said)


LINK: dict[str, Callable[[str, Data], str]] = {
    each.__name__: each for each in (engagement, way, battle_opened, battle, report, settled, convoy, ships_home)
}


# Fleets: what befalls named ships in a campaign --------------------------------------------------------------


def ships_built(system: str, it: Data) -> str:
    return _("%(side)s launches %(ships)s.", side=_side(it), ships=_ships(it))


def ships_repaired(system: str, it: Data) -> str:
    return _("%(side)s repairs %(ships)s.", side=_side(it), ships=_ships(it))


def ships_unready(system: str, it: Data) -> str:
    return _("%(ships)s of %(side)s are unready.", side=_side(it), ships=_ships(it))


def ships_lost(system: str, it: Data) -> str:
    how = lost_word(str(it.get("how", "")))
    return _("%(side)s loses %(ships)s (%(how)s).", side=_side(it), ships=_ships(it), how=how)


def lost_word(how: str) -> str:
    """How ships were lost."""
    known = {"sunk": _("sunk"), "storm": _("storm"), "winter": _("winter at sea"), "port": _("with their port")}
    return known.get(how) or how.replace("_", " ")


def prizes(system: str, it: Data) -> str:
    said = []
    if it.get("ships"):
        said.append(_("%(side)s takes %(ships)s into its fleet, unready.", side=_side(it), ships=_ships(it)))
    if it.get("broken_up"):
        said.append(_("Broken up, as there are ten ships already: %(ships)s.", ships=_ships(it, "broken_up")))
    return " ".join(said)


def prizes_returned(system: str, it: Data) -> str:
    return _("%(side)s wins %(ships)s back, unready.", side=_side(it), ships=_ships(it))


def transports_lost(system: str, it: Data) -> str:
    return _(
        "%(side)s loses %(units)s units and %(trains)s trains aboard its transports.",
        side=_side(it),
        units=it.get("units", 0),
        trains=it.get("trains", 0),
    )


def prize_roll(system: str, it: Data) -> str:
    hits = int(it.get("hits") or 0)
    return ngettext(
        "%(side)s falls upon the transports: %(num)d is lost.",
        "%(side)s falls upon the transports: %(num)d are lost.",
        hits,
        side=_side(it),
    )


def supremacy(system: str, it: Data) -> str:
    return _("%(side)s has naval supremacy.", side=_side(it))


def seamanship(system: str, it: Data) -> str:
    return _("Roman seamanship is now %(level)s.", level=level_word(str(it.get("level"))))


def ships_hit(system: str, it: Data) -> str:
    said = []
    if it.get("sunk"):
        said.append(_("%(side)s: %(ships)s sunk.", side=_side(it), ships=_ships(it, "sunk")))
    if it.get("taken"):
        said.append(_("%(side)s: %(ships)s captured.", side=_side(it), ships=_ships(it, "taken")))
    return " ".join(said) or _("%(side)s: no ship is hit.", side=_side(it))


def transports_hit(system: str, it: Data) -> str:
    count = int(it.get("count") or 0)
    return ngettext(
        "%(side)s: %(num)d transport is hit.", "%(side)s: %(num)d transports are hit.", count, side=_side(it)
    )


def ship_aground(system: str, it: Data) -> str:
    return _("%(ship)s of %(side)s runs aground and is out of the battle.", ship=it.get("ship"), side=_side(it))


FLEETS: dict[str, Callable[[str, Data], str]] = {
    each.__name__: each
    for each in (
        ships_built,
        ships_repaired,
        ships_unready,
        ships_lost,
        prizes,
        prizes_returned,
        transports_lost,
        prize_roll,
        supremacy,
        seamanship,
        ships_hit,
        transports_hit,
        ship_aground,
    )
}
