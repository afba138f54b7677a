"""Events as lines that can be read, those of the link too; chances of a die in words."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flask_babel import ngettext

from tactical.kernel.corrections import HIDDEN
from tactical.kernel.protocol import ADJUSTED
from webapp.http.language import gettext as _
from webapp.presenting import naming
from webapp.presenting.campaign_labels import command_title, field_word, position_word, way_word
from webapp.presenting.map.sheet import has_map, sheet
from webapp.presenting.meetings import side_name
from webapp.presenting.naming import say_value
from webapp.presenting.refusals import SENTENCES
from webapp.presenting.sentences import Several, Values, fill, join_parts
from webapp.storage.journal.writing import FACES_GIVEN
from webapp.systems import presentation

# -- L1.4 The link's events as sentences: in the campaign's journal and chronicle, and in the battle's journal.

Data = Mapping[str, Any]
SOFT = frozenset(("way", "battle_opened", "report", "ships_unready", "naval_round", "regrouped", "no_engagement"))
LOUD = frozenset(("engagement", "battle_opened", "settled", "over"))  # how fleets met, what came of it, the war's end


def link_sentence(system: str, it: Data) -> str | None:
    """A campaign's event of the link (its paragraph begins with L) in words; None for any other."""
    return LINK[str(it["type"])](system, it) if is_ours(it) else None


def is_ours(it: Data) -> bool:
    """Is it an event of the link itself, whatever else a system calls by the same word?"""
    return str(it.get("rule", "")).startswith("L") and it.get("type") in LINK


def fill_sentence(system: str, text: str, **values: Any) -> str:
    """A sentence in the reader's language, with its side declined where it names one, and its place."""
    words: dict[str, Any] = {**values}
    if "side" in values:
        words["side"] = naming.side(system, str(values["side"]))
    if "place" in values:
        words["place"] = naming.space(system, str(values["place"]))
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
        parts = {"side": naming.side(system, side), "ships": join_parts(ships)}
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


# -- Events as lines that can be read: the kind in words, then who, where and how much, each by its name.

WHERE = ("to", "space", "at", "hex", "place", "start")  # what events call the space that they are about
APART = ("rule", "type", "dice", "faces", "roll", "rolls")


@dataclass(frozen=True)
class Told:
    """One event: its paragraph, its sentence, the faces that fell, its kind and the side that it is about."""

    rule: str
    text: str
    dice: tuple[int, ...]
    kind: str
    side: str = ""
    space: str = ""  # where it happened, when that is on the map


def lines_of(system: str, events: Iterable[Mapping[str, Any]], told: set[Hashable] | None = None) -> tuple[Told, ...]:
    """The events as lines, without those that repeat what was told; `told` is handed on from entry to entry."""
    kept = presentation(system).without_repeats(events, set() if told is None else told)
    return tuple(line(system, event) for event in kept)


def line(system: str, event: Mapping[str, Any]) -> Told:
    """One event as a line: in the system's own sentence where it has one."""
    kind = str(event.get("type", ""))
    text = _own(system, kind, event) or plainly(system, kind, event)
    side = event.get("side") or event.get("seat") or ""
    return Told(
        str(event.get("rule", "")),
        text,
        faces(event),
        kind,
        side if isinstance(side, str) else "",
        space_of(system, event),
    )


def space_of(system: str, event: Mapping[str, Any]) -> str:
    """Where an event happened: where it led to rather than where it began."""
    spots = sheet(system).spots if has_map(system) else {}
    return next((event[name] for name in WHERE if isinstance(event.get(name), str) and event[name] in spots), "")


def faces(event: Mapping[str, Any]) -> tuple[int, ...]:
    """The faces that an event carries."""
    for name in ("dice", "faces", "roll"):
        value = event.get(name)
        if isinstance(value, int):
            return (value,)
        if isinstance(value, list | tuple) and all(isinstance(face, int) for face in value):
            return tuple(value)
    return ()


def plainly(system: str, kind: str, event: Mapping[str, Any]) -> str:
    """Any event: its kind, its names, then its numbers with what they count."""
    names, numbers = [], []
    for key, value in event.items():
        if key in APART or value in (None, "", [], {}):
            continue
        text = say_value(system, value, key)
        if isinstance(value, str) or (isinstance(value, list | tuple) and value and isinstance(value[0], str)):
            names.append(text)
        else:
            numbers.append(f"{field_word(system, key)} {text}")
    rest = "; ".join(part for part in (", ".join(names), ", ".join(numbers)) if part)
    title = command_title(system, kind)
    return f"{title}: {rest}." if rest else f"{title}."


def adjustment_words(system: str, event: Mapping[str, Any]) -> str:
    """What the umpire set, before and after; of a hidden field only the name."""
    before = event.get("before", {})
    changes = "; ".join(
        _("%(field)s (hidden)", field=path_words(system, path))
        if value == HIDDEN
        else change_words(system, path, before.get(path), value)
        for path, value in event["changes"].items()
    )
    return _("The umpire adjusts the position: %(changes)s (%(why)s).", changes=changes, why=event.get("why"))


def change_words(system: str, path: str, old: Any, new: Any) -> str:
    """A field that was set, with what stood there and what stands there now."""
    return f"{path_words(system, path)} {say_value(system, old)} → {say_value(system, new)}"


def path_words(system: str, path: str) -> str:
    """A field of the position in words: what it belongs to, then what it is."""
    parts = [part for part in path.split(".") if part and part not in FAMILIES]
    return ", ".join(position_word(system, part) or say_value(system, part) for part in parts)


def faces_words(event: Mapping[str, Any]) -> str:
    """In a digital game the umpire gave faces."""
    count = int(event.get("count") or 0)
    return ngettext("The umpire set %(num)d die by hand.", "The umpire set %(num)d dice by hand.", count)


FAMILIES = ("position", "changes", "spaces", "generals", "leaders", "stacks", "forces")  # which a path need not say

# Events of this server rather than of a system.
EVERYWHERE: dict[str, Callable[[Mapping[str, Any]], str]] = {FACES_GIVEN: faces_words, **SENTENCES}


def _own(system: str, kind: str, event: Mapping[str, Any]) -> str | None:
    if kind == ADJUSTED and "hidden" in event:
        return adjustment_words(system, event)
    if kind in EVERYWHERE:
        return EVERYWHERE[kind](event)
    sentence = None if is_ours(event) else presentation(system).sentences.get(kind)
    return sentence(event) if sentence else link_sentence(system, event)
