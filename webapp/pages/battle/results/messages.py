"""Every event of a galley journal as a sentence in the reader's language. Events are stored as data, never as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask_babel import ngettext

from tactical.battle import Battle
from tactical.kernel.vocabulary import kinds
from webapp.http.language import gettext as _
from webapp.http.signs import minus, with_sign
from webapp.pages.battle.dice.roll_words import head_on_sums
from webapp.pages.battle.results import hand_messages
from webapp.presenting import server_events
from webapp.presenting.battle_labels import (
    aspect_word,
    figures,
    heading_word,
    hex_name,
    level_word,
    ship_name,
    side_name,
    step_word,
)
from webapp.presenting.names import Name, full_name
from webapp.presenting.sentences import Several, fill, tellers, weighing


@dataclass(frozen=True)
class Line:
    """One thing that happened: the paragraph, the sentence, the faces that fell, and how much it weighs.

    `weight` is "loud" for what decides a battle, "plain", or "soft" for book-keeping.
    """

    rule: str
    text: str
    dice: tuple[int, ...] = ()
    weight: str = "plain"
    kind: str = ""


Data = Mapping[str, Any]
MARKS = frozenset(("captain",))  # they tell how an entry came about: a sign beside it, no line of their own
KINDS = kinds("kernel", "galley")
TELLERS = tellers(KINDS)
LOUD = weighing(KINDS, "loud")
SOFT = weighing(KINDS, "soft")


def line(battle: Battle, happened: Data) -> Line:
    """The sentence for one event, given flat (as `Event.flat` makes it)."""
    kind = str(happened.get("type", ""))
    weight = "loud" if kind in LOUD else "soft" if kind in SOFT else "plain"
    faces = happened.get("dice") or ()
    return Line(str(happened.get("rule", "")), sentence(battle, kind, happened), tuple(faces), weight, kind)


def lines(battle: Battle, events: Sequence[Data]) -> list[Line]:
    """The sentences for the events of one entry; a fleet's steps without incident are drawn into one."""
    found: list[Line] = []
    moved: list[Data] = []
    ahead: list[Data] = []
    events = [happened for happened in events if happened.get("type") not in MARKS]
    for happened in events:
        if happened.get("type") == "plot" and len(events) > 3:
            moved.append(happened)
            continue
        if happened.get("type") == "step" and happened.get("turn") == "none" and len(events) > 3:
            ahead.append(happened)
            continue
        found.append(line(battle, happened))
    if ahead:
        names = ", ".join(ship_name(battle, each["ship"]) for each in ahead)
        found.insert(0, Line("G4.1", _("Ahead: %(ships)s.", ships=names), (), "soft", "step"))
    if moved:
        said = ", ".join(f"{ship_name(battle, each['ship'])} {minus(each['speed'])}" for each in moved)
        found.insert(0, Line("G3.1", _("Speeds set: %(speeds)s.", speeds=said), (), "soft", "plot"))
    return found


def sentence(battle: Battle, kind: str, it: Data) -> str:
    """One event in words: by the function that decides something about it, else by its sentence in data/events."""
    if kind in WRITERS:
        return WRITERS[kind](battle, it)
    teller = TELLERS.get(kind)
    return teller.tell(it, partial(say, battle), {}) if teller else unknown(battle, it)


class Point(Name):
    """A point of the measured sea: where a sentence has a word for a hex and one for a point, it takes the last."""

    def agree(self, forms: Sequence[str]) -> str:
        return forms[-1]


def say(battle: Battle, word: str, field: str, value: Any) -> Any:
    """A field of an event as players say it, by the word that data/events has for it; below zero with a minus sign."""
    if word == "ship":
        return ship_name(battle, value)
    if word == "ships":
        return Several(ship_name(battle, each) for each in value or ())
    if word == "side":
        return full_name(side_name(battle, value))
    if word == "hex":
        said = hex_name(tuple(value)) if value else ""
        return said if battle.has_hexes else Point(said)
    if word == "number" and isinstance(value, int) and value < 0:
        return minus(value)
    return WORDED[word](value) if word in WORDED else value


WORDED: dict[str, Callable[[Any], str]] = {
    "aspect": aspect_word,
    "heading": heading_word,
    "level": level_word,
    "step": step_word,
}


def unknown(battle: Battle, it: Data) -> str:
    """An event that this page does not know yet: its kind and its data, so that nothing is hidden."""
    rest = ", ".join(f"{key} {value}" for key, value in it.items() if key not in ("rule", "type", "dice"))
    return f"{it.get('type')}: {rest}" if rest else str(it.get("type"))


def reveal(battle: Battle, it: Data) -> str:
    said = ", ".join(f"{ship_name(battle, name)} {minus(speed)}" for name, speed in it.get("speeds", {}).items())
    return _("The plots are shown: %(speeds)s.", speeds=said)


def fire(battle: Battle, it: Data) -> str:
    shots = figures(str(it["weapon"]), len(it.get("dice", ())) or 1)
    ship, target = ship_name(battle, it["ship"]), ship_name(battle, it["target"])
    effect = fire_effect(it)
    return _(
        "%(ship)s fires at %(target)s with %(shots)s at range %(range)s – %(effect)s.",
        ship=ship,
        shots=shots,
        target=target,
        range=it.get("range"),
        effect=effect,
    )


def fire_effect(it: Data) -> str:
    """What a volley did."""
    parts = []
    if it.get("hull"):
        parts.append(_("%(count)s hull damage", count=it["hull"]))
    dead = it.get("dead") or {}
    if dead:
        fallen = ", ".join(figures(figure, count) for figure, count in dead.items())
        parts.append(_("killed: %(fallen)s", fallen=fallen))
    if it.get("kills", 0) > sum(dead.values()):
        parts.append(_("nobody is left to hit"))
    return "; ".join(parts) or _("no effect")


def bow_to_bow(battle: Battle, it: Data) -> str:
    ship, target, sums = ship_name(battle, it["ship"]), ship_name(battle, it["target"]), head_on_sums(battle, it)
    rams = it.get("rams", [])
    if len(rams) == 2:
        return _("%(ship)s and %(target)s meet bow to bow: each rams the other.", ship=ship, target=target) + sums
    winner = ship_name(battle, rams[0]) if rams else ""
    said = _("%(ship)s and %(target)s meet bow to bow: %(winner)s rams.", ship=ship, target=target, winner=winner)
    return said + sums


def ram(battle: Battle, it: Data) -> str:
    ship, target = ship_name(battle, it["ship"]), ship_name(battle, it["target"])
    modifier, full = it.get("modifier", 0), it.get("full_speed")
    parts = [str(it["dice"][0])] if it.get("dice") else []
    parts.append(_("ram %(modifier)s", modifier=with_sign(modifier)))
    if full:
        parts.append(_("full speed +1"))
    return _(
        "%(ship)s rams %(target)s: %(sum)s = %(damage)s hull damage and a breach.",
        ship=ship,
        target=target,
        sum=", ".join(parts),
        damage=it.get("damage"),
    )


def over(battle: Battle, it: Data) -> str:
    score = ", ".join(f"{side_name(battle, side)} {count}" for side, count in it.get("points", {}).items())
    values = {
        "score": score,
        "why": why_over(str(it.get("why"))),
        "winner": full_name(side_name(battle, it.get("winner"))),
    }
    if it.get("winner"):
        return fill(_("The battle is over: %(winner)s %(winner|wins|win)s (%(score)s; %(why)s)."), values.__getitem__)
    return fill(_("The battle is over: a draw (%(score)s; %(why)s)."), values.__getitem__)


def faces_given(battle: Battle, it: Data) -> str:
    count = int(it.get("count") or 0)
    return ngettext("The umpire set %(num)d die by hand.", "The umpire set %(num)d dice by hand.", count)


def why_over(why: str) -> str:
    """Why a battle ended."""
    known = {
        "no_ships": _("a side has no ship left"),
        "turn_limit": _("the turn limit was reached"),
        "resigned": _("the other side gave up"),
        "agreed": _("all sides agreed"),
        "no_warships": _("a side has no warship left"),
        "evaded": _("the other side evaded"),
    }
    return known.get(why, why)


def of_the_server(sentence: Callable[[Data], str]) -> Callable[[Battle, Data], str]:
    """A sentence that needs no battle, as a writer."""
    return lambda battle, it: sentence(it)


WRITERS: dict[str, Callable[[Battle, Data], str]] = {
    each.__name__: each for each in (reveal, fire, bow_to_bow, ram, over, faces_given)
} | hand_messages.WRITERS
WRITERS |= {kind: of_the_server(sentence) for kind, sentence in server_events.SENTENCES.items()}
