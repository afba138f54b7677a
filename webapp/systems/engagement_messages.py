"""L1.4 The link's events as sentences: in the campaign's journal and chronicle, and in the battle's journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import ngettext

from webapp.http.language import gettext as _
from webapp.presenting import event_words
from webapp.presenting.engagement_labels import way_word
from webapp.presenting.engagement_meetings import side_name
from webapp.presenting.sentences import Several, Values, fill, join_parts

Data = Mapping[str, Any]
SOFT = frozenset(("way", "battle_opened", "report", "ships_unready", "naval_round", "regrouped", "no_engagement"))
LOUD = frozenset(("engagement", "battle_opened", "settled", "over"))  # how fleets met, what came of it, the war's end


def sentence(system: str, it: Data) -> str | None:
    """A campaign's event of the link (its paragraph begins with L) in words; None for any other."""
    return LINK[str(it["type"])](system, it) if is_ours(it) else None


def is_ours(it: Data) -> bool:
    """Is it an event of the link itself, whatever else a system calls by the same word?"""
    return str(it.get("rule", "")).startswith("L") and it.get("type") in LINK


def fill_sentence(system: str, text: str, **values: Any) -> str:
    """A sentence in the reader's language, with its side declined where it names one, and its place."""
    words: dict[str, Any] = {**values}
    if "side" in values:
        words["side"] = event_words.side(system, str(values["side"]))
    if "place" in values:
        words["place"] = event_words.space(system, str(values["place"]))
    return fill(text, words.__getitem__)


def engagement(system: str, it: Data) -> str:
    met = []
    carried = it.get("transports") or {}
    for side, sent in (it.get("ships") or {}).items():
        if isinstance(sent, list):
            ships = sent or [_("no warship")]
        else:
            ships = [ngettext("%(num)d naval point", "%(num)d naval points", int(sent))]
        if carried.get(side):
            ships = [*ships, ngettext("%(num)d transport", "%(num)d transports", carried[side])]
        parts = {"side": event_words.side(system, side), "ships": join_parts(ships)}
        met.append(_("%(side.bare)s (%(ships)s)") % Values(parts.__getitem__))
    text = _("Fleets meet off %(place)s: %(fleets)s.")
    return fill_sentence(system, text, place=it.get("place"), fleets="; ".join(met))


def way(system: str, it: Data) -> str:
    wished, agreed = way_word(str(it.get("way"))), way_word(str(it.get("agreed")))
    if not it.get("agreed"):
        text = _("%(side)s %(side|proposes|propose)s how to settle the meeting: “%(way)s”.")
    elif it["agreed"] == it.get("way"):
        text = _("%(side)s %(side|chooses|choose)s “%(way)s”. That is how the meeting will be settled.")
    else:
        text = _("%(side)s %(side|makes|make)s another proposal: “%(way)s”. The earlier choice stands: “%(agreed)s”.")
    return fill_sentence(system, text, side=it.get("side"), way=wished, agreed=agreed)


def battle_opened(system: str, it: Data) -> str:
    text = _("A battle in this program is opened: %(models)s %(models|model|models)s for each naval unit.")
    return fill_sentence(system, text, models=int(it.get("models_per_unit") or 1))


def battle(system: str, it: Data) -> str:
    return _("It is fought in this program as battle %(game)s.", game=it.get("game"))


def report(system: str, it: Data) -> str:
    text = _("%(side)s %(side|vouches|vouch)s for the reported outcome.")
    return fill_sentence(system, text, side=it.get("side"))


def settled(system: str, it: Data) -> str:
    if it.get("winner"):
        text = _("The meeting at sea is settled: %(side)s %(side|wins|win)s.")
        said = fill_sentence(system, text, side=it["winner"])
    else:
        said = _("The meeting at sea is settled: nobody wins.")
    return " ".join((said, *(_losses(side, lost) for side, lost in (it.get("sides") or {}).items())))


def _losses(side: str, lost: Data) -> str:
    parts = []
    if lost.get("sunk"):
        parts.append(ngettext("%(num)d ship sunk", "%(num)d ships sunk", lost["sunk"]))
    if lost.get("captured"):
        parts.append(ngettext("%(num)d ship captured", "%(num)d ships captured", lost["captured"]))
    if lost.get("transports"):
        parts.append(ngettext("%(num)d transport lost", "%(num)d transports lost", lost["transports"]))
    return _("%(side)s: %(losses)s.", side=side_name(side), losses=", ".join(parts) or _("no losses"))


def convoy(system: str, it: Data) -> str:
    lost = int(it.get("lost") or 0)
    if not it.get("arrives") and lost:
        text = _("The convoy does not arrive; %(lost)s %(lost|CU is|CUs are)s lost.")
    elif not it.get("arrives"):
        text = _("The convoy does not arrive, but loses nothing.")
    elif lost:
        text = _("The convoy arrives; %(lost)s %(lost|CU is|CUs are)s lost.")
    else:
        text = _("The convoy arrives without losses.")
    return fill_sentence(system, text, lost=lost)


def ships_home(system: str, it: Data) -> str:
    ships = Several(map(str, it.get("ships") or ()))
    unready = Several(name for name in ships if name not in (it.get("ready") or ()))
    text = _("%(ships)s (%(side.bare)s) %(ships|returns|return)s to port.")
    said = [fill_sentence(system, text, side=it.get("side"), ships=ships)] if ships else []
    if unready:
        said.append(fill_sentence(system, _("%(ships)s %(ships|is|are)s unready."), ships=unready))
    if it.get("damage"):
        hurt = ", ".join(f"{name} −{hull}" for name, hull in it["damage"].items())
        said.append(_("Hull damage: %(ships)s.", ships=hurt))
    return " ".join(said) or fill_sentence(system, _("No ship of %(side)s returns to port."), side=it.get("side"))


LINK: dict[str, Callable[[str, Data], str]] = {
    each.__name__: each for each in (engagement, way, battle_opened, battle, report, settled, convoy, ships_home)
}
