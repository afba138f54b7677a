"""Forces of a land war in words, and what fills the sentences of its questions and commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask_babel import ngettext

from tactical.kernel.questions import questions
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.presenting.sentences import tell
from webapp.presenting.spoken import PLACES, Case, Gap
from webapp.systems import land_war
from webapp.systems.land_war import card_name

# -- Forces and generals of a land war's commands in words; a choice still to be made reads as a range.


def bounds(value: Any) -> tuple[int, int]:
    """The least and the most of a number, of a range or of a list of numbers."""
    if isinstance(value, bool) or value is None:
        return 0, 0
    if isinstance(value, int):
        return value, value
    if isinstance(value, Mapping):
        return int(value.get("from", 0)), int(value.get("to", 0))
    numbers = [each for each in value if isinstance(each, int)] if isinstance(value, Sequence) else []
    return (min(numbers), max(numbers)) if numbers else (0, 0)


def troops(it: Mapping[str, Any], ending: str = "") -> str:
    """Units, elephants and trains of a command; empty for none. `ending` is what the fields' names end in."""
    said = []
    for name, some, several in (
        ("units", lambda n: ngettext("%(num)d unit", "%(num)d units", n), _("%(low)s to %(high)s units")),
        (
            "elephants",
            lambda n: ngettext("%(num)d elephant", "%(num)d elephants", n),
            _("%(low)s to %(high)s elephants"),
        ),
        (
            "trains",
            lambda n: ngettext("%(num)d supply train", "%(num)d supply trains", n),
            _("%(low)s to %(high)s supply trains"),
        ),
    ):
        low, high = bounds(it.get(f"{name}{ending}"))
        if high:
            said.append(some(high) if low == high else several % {"low": low, "high": high})
    return ", ".join(said)


def one_group(value: Any) -> tuple[str, ...] | None:
    """A list of generals; the only one of a list of such lists; None while one of several is still to be chosen."""
    found = list(value or ())
    if found and all(isinstance(each, list | tuple) for each in found):
        return tuple(found[0]) if len(found) == 1 else None
    return tuple(each for each in found if isinstance(each, str))


def with_force(people: str, force: str) -> str:
    """Generals with a force; whichever there is."""
    if people and force:
        return _("%(generals)s with %(troops)s", generals=people, troops=force)
    if people:
        return _("%(generals)s without troops", generals=people)
    return force


def army(march: Mapping[str, Any], name: Callable[[Any], str]) -> str:
    """The army on the march: its generals and what goes with them."""
    generals = ", ".join(name(each) for each in (march.get("general"), *(march.get("companions") or ())) if each)
    force = troops(march.get("force") or march)
    return with_force(generals, force) if march.get("legs") else generals


def points_left(points: int) -> str:
    """How far an army may still go."""
    return ngettext("%(num)d point left", "%(num)d points left", points)


def by_die(words: str, roll: str) -> str:
    """What is tried, then the die that it needs."""
    return _("%(deed)s – %(die)s", deed=words, die=roll) if roll else words


# -- What fills the sentences of the land war: who comes, from where, with what, and by which die.


def march_of(case: Case) -> Mapping[str, Any]:
    """The army on the march; empty when none is."""
    return case.view.get("march") or {}


def battle_of(case: Case) -> Mapping[str, Any]:
    """The battle that is fought; empty when none is."""
    return case.view.get("battle") or {}


def step_back(case: Case, back: int) -> str:
    """Where the march stands (1), or stood before its last step (2)."""
    path = tuple(march_of(case).get("path") or ())
    return case.name(path[-back]) if len(path) >= back else ""


def place(case: Case) -> str:
    """The space that it names; where it names none that of the battle or of the army on the march."""
    if any(name in case.it for name in PLACES):
        return case.name(case.named) if case.named else ""
    field = battle_of(case).get("space") if "battle" in needs(case) else None
    return case.name(field) if field else step_back(case, 1)


def needs(case: Case) -> tuple[str, ...]:
    """What must be under way for the question."""
    row = questions(case.speaker.system).get(case.kind)
    return row.needs if row else ()


def comes(case: Case) -> str:
    """The army on the march with its last step."""
    moving = march_of(case)
    if not moving:
        return ""
    values = {"side": case.side(moving["side"]), "army": army(moving, case.name)}
    if crossing := moving.get("crossing"):
        text = _("%(side)s at sea: %(army)s, from %(start)s to %(place)s.")
        return tell(text, **values, start=step_back(case, 1), place=case.name(crossing["to"]))
    text = _("%(side)s on the march: %(army)s at %(place)s.")
    if step_back(case, 2):
        text = _("%(side)s on the march: %(army)s, from %(start)s to %(place)s.")
    return tell(text, **values, start=step_back(case, 2), place=step_back(case, 1))


def tries(case: Case) -> str:
    """The interceptions that have been declared."""
    declared = (one for one in case.it.get("declared") or () if isinstance(one, Mapping))
    text = _("%(who)s, from %(place)s")
    return "; ".join(
        tell(text, who=case.names(*(one.get("generals") or ())), place=case.name(one.get("space") or ""))
        for one in declared
    )


def left(case: Case) -> int:
    """How many are still to be done."""
    found = case.it.get("left")
    if isinstance(found, Mapping):
        return sum(found.values())
    return int(found or (case.view.get("play") or {}).get("campaign") or 0)


def who(case: Case) -> str:
    """The generals of a command, with the one on the march where they go with him, and what they take along."""
    first = case.it.get("general")
    if "general" not in case.it and "generals" not in case.it:
        first = march_of(case).get("general")
    others = [each for field in ("companions", "generals") for each in one_group(case.it.get(field)) or ()]
    return with_force(case.names(first if isinstance(first, str) else "", *others), troops(case.it))


def other(case: Case) -> bool:
    """Is it another general than the one on the march?"""
    return case.it.get("general", "") not in ("", march_of(case).get("general"))


def fleet(case: Case) -> str:
    """The warships of a voyage, at the end of a sentence; empty for none."""
    low, high = bounds(case.it.get("ships"))
    count = str(high) if low == high else _("%(low)s to %(high)s", low=low, high=high)
    return "; " + _("warships: %(count)s", count=count) if high else ""


def more(case: Case) -> str:
    """The supply trains that a card brings, at the end of a sentence; empty for none."""
    _low, high = bounds(case.it.get("trains"))
    return _("%(deed)s, and %(troops)s", deed="", troops=troops({"trains": high})) if high else ""


def card_in_hand(case: Case) -> str:
    """A battle card, or a strategy card played as one, with how many of it are held: of whoever may see his own."""
    card = case.it.get("card")
    if not isinstance(card, str):
        return ""
    if (number := count(card)) is not None:
        return case.name(number, "card")
    name = card_name(case.speaker.system, card)
    cards = (battle_of(case).get("hands") or {}).get(case.prompt.get("seat"))
    held_of_it = cards.count(card) if isinstance(cards, list | tuple) else 0
    plain = case.it.get("as_kind", card) == card
    return f"{name} ×{held_of_it}" if held_of_it and plain else name


def goal(case: Case) -> str:
    """Where a retreat leads, by its last space; empty for the city."""
    to = case.it.get("to")
    last = to[-1] if isinstance(to, list | tuple) and len(to) == 1 else to
    return case.name(last) if isinstance(last, str) and last != "city" else ""


def within(case: Case) -> str:
    """Who goes into the city before a retreat."""
    names = case.names(*(one_group(case.it.get("generals_inside")) or ()))
    return with_force(names, troops(case.it, "_inside"))


def displaced(case: Case) -> str:
    """The general who was displaced, where that is why."""
    why = str(case.it.get("why") or "")
    return case.name(why) if why in case.view.get("generals", {}) else ""


def roll(die: Callable[[Any], str]) -> Gap:
    """What is rolled, by the position."""
    return lambda case: die(case.state)


def of_generals(die: Callable[[Any, tuple[str, ...]], str]) -> Gap:
    """What is rolled for the generals of a command."""

    def rolled(case: Case) -> str:
        alone = case.it.get("general")
        return die(case.state, one_group(case.it.get("generals")) or ((alone,) if alone else ()))

    return rolled


def besieging(read: Callable[[Any, str], Sequence[tuple[int, int]]]) -> Gap:
    """What besieging a space comes to, by the system's own table (`read`: state and general)."""

    def told(case: Case) -> str:
        if case.state is None or case.state.march is None:
            return ""
        general, at = str(case.it.get("general") or march_of(case).get("general") or ""), case.state.march.at
        return land_war.siege(case.state, at, case.name(at), read(case.state, general))

    return told


def side(case: Case) -> str:
    """The side that it names, once that is chosen; where it names none that with the initiative in the battle."""
    found = case.it.get("side") or battle_of(case).get("initiative")
    return case.side(found) if isinstance(found, str) else ""


def free(case: Case) -> bool:
    """Does a matched card give the attack without a roll?"""
    battle = battle_of(case)
    return battle.get("played") == "double_envelopment" and bool(battle.get("free_initiative", True))


def battle_card(case: Case, kind: Any) -> str:
    """A battle card by its kind."""
    return card_name(case.speaker.system, kind) if isinstance(kind, str) else ""


GAPS: Mapping[str, Gap] = {
    "army": lambda case: army(march_of(case), case.name),
    "as_itself": lambda case: case.get("held") if case.it.get("as_kind") == case.it.get("card") else "",
    "as_kind": lambda case: battle_card(case, case.it.get("as_kind")),
    "avoidance": of_generals(land_war.avoidance),
    "card": lambda case: case.name(card, "card") if isinstance(card := case.it.get("card"), int | str) else "",
    "change_of_command": roll(land_war.change_of_command),
    "comes": comes,
    "displaced": displaced,
    "elephants_die": roll(land_war.charge),
    "field": lambda case: case.name(battle_of(case).get("space") or ""),
    "fleet": fleet,
    "free": free,
    "goal": goal,
    "held": card_in_hand,
    "initiative": roll(land_war.initiative),
    "interception": of_generals(land_war.interception),
    "interceptors": lambda case: case.names(*(march_of(case).get("intercepted") or ())),
    "left": left,
    "more": more,
    "other": other,
    "place": place,
    "played": lambda case: battle_card(case, battle_of(case).get("played")),
    "points": lambda case: points_left(int(march_of(case).get("points") or 0)),
    "pursuit": roll(land_war.pursuit),
    "round": lambda case: int(battle_of(case).get("rounds") or 0) + 1 if battle_of(case) else 0,
    "several": lambda case: case.get("left") > 1,
    "side": side,
    "start": lambda case: step_back(case, 2),
    "stopping": roll(land_war.stopping),
    "tries": tries,
    "walls": lambda case: case.get("field") if case.it.get("to") == "city" and battle_of(case) else "",
    "who": who,
    "within": within,
    "withdrawal": roll(land_war.withdrawal),
}
