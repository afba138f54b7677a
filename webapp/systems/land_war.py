"""The land war on points as a picture, its battles, rolls and stakes, its events in words."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask_babel import lazy_gettext as _l
from flask_babel import ngettext

from strategic.point_to_point.battle import BATTLES, HandAhead, attackers_share, hands_of, meeting_here
from strategic.point_to_point.meeting import intercept_modifier
from strategic.point_to_point.rulebook import Task, book_of
from strategic.point_to_point.state import SIDES as BOTH_SIDES
from strategic.point_to_point.state import Campaign, Leader, Province, enemy
from strategic.point_to_point.survey import commander, majorities, rating, side_of_prompt
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Kind
from webapp.http.language import gettext as _
from webapp.http.language import tag, with_sign
from webapp.presenting import naming, presentation
from webapp.presenting.campaign_labels import Words, seat_word
from webapp.presenting.naming import data_text, say_value, saying
from webapp.presenting.presentation import (
    BattleCard,
    BattlePanel,
    BattleSide,
    Course,
    Picture,
    Siege,
    Stack,
    View,
    at_least,
    at_most,
)
from webapp.presenting.presentation import Leader as Person
from webapp.presenting.sentences import Extras, Several, fill, join_parts, sentences

# -- A battle on land by cards, as a panel: who fights, round by round, what each played, and the own cards with
# counts.
#
# Whoever plays the land war on points fights alike; the views carry the battle in the same shape.

SIDES = ("rome", "carthage")


def panel(system: str, leaders: Callable[[View], Mapping[str, Leader]], view: View, seat: str) -> BattlePanel | None:
    """The battle that is being fought; None when there is none or the cards have not been dealt."""
    battle = view.get("battle")
    if not battle or not battle.get("hands"):
        return None
    sides = battle["attacker"], other(battle["attacker"])
    return BattlePanel(
        title=_("Battle at %(place)s", place=say_value(system, battle["space"])),
        rule="battle.1",
        round=int(battle.get("rounds") or 0) + 1,
        initiative=seat_word(battle["initiative"]),
        played=card_name(system, battle["played"]) if battle.get("played") else "",
        played_kind=str(battle.get("played") or ""),
        played_by=str(battle["initiative"]) if battle.get("played") else "",
        sides=tuple(_side(system, leaders(view), view, battle, side) for side in sides),
        own=_own(system, battle, seat),
        won=_("%(side)s has won the battle.", side=seat_word(battle["winner"])) if battle.get("winner") else "",
    )


def card_name(system: str, kind: str) -> str:
    """A battle card's kind."""
    return say_value(system, kind, "kind")


def other(side: str) -> str:
    """The other side."""
    return SIDES[1 - SIDES.index(side)]


def _side(system: str, leaders: Mapping[str, Leader], view: View, battle: Mapping[str, Any], side: str) -> BattleSide:
    commander = str((battle.get("commanders") or {}).get(side) or "")
    held = battle["hands"].get(side, ())
    shown = (battle.get("shown") or {}).get(side) or ()
    return BattleSide(
        side=side,
        name=seat_word(side),
        role=_("attacks") if battle["attacker"] == side else _("defends"),
        commander=say_value(system, commander) if commander else _("no general"),
        cards=held if isinstance(held, int) else len(held),
        rating=_("battle rating %(rating)s", rating=leaders[commander].battle) if commander in leaders else "",
        units=_units(view, battle, side),
        shown=tuple(card_name(system, kind) for kind in shown if isinstance(kind, str) and kind),
    )


def _units(view: View, battle: Mapping[str, Any], side: str) -> tuple[int, int] | None:
    """The units of a side that still fight, and those with which it began."""
    began = (battle.get("start") or {}).get(side)
    here = ((view.get("spaces") or {}).get(battle["space"]) or {}).get(side) or {}
    now = sum(int(here.get(kind) or 0) for kind in ("units", "elephants"))
    return (min(now, began), began) if isinstance(began, int) else None


def _own(system: str, battle: Mapping[str, Any], seat: str) -> tuple[BattleCard, ...]:
    """The seat's own cards by kind, the most of a kind first."""
    held = battle["hands"].get(seat)
    if not isinstance(held, list | tuple):
        return ()
    counted = Counter(kind for kind in held if isinstance(kind, str) and kind)
    return tuple(BattleCard(kind, card_name(system, kind), count) for kind, count in counted.most_common())


# -- The land war on points as a picture: who holds what, who stands where, which provinces are whose.

LETTERS = (("elephants", "E"), ("trains", "T"))
Places = Mapping[str, Mapping[str, Any]]


def picture(
    system: str,
    view: View,
    provinces: Mapping[str, Province],
    leaders: Mapping[str, Leader],
    courses: tuple[Course, ...],
) -> Picture:
    """Who holds what and who stands where, field by field from the view."""
    places: Places = view.get("spaces", {})
    return Picture(
        holders=holders(view),
        areas=dict(areas(view, provinces)),
        stacks=tuple(stacks(system, view, places, leaders)),
        sieges={
            space: Siege(space, place.get("besieger"), place["siege"])
            for space, place in places.items()
            if place.get("siege")
        },
        courses=courses,
        meeting=presentation.meeting(view),
        battle=presentation.battle(view),
    )


def holders(view: View) -> dict[str, str]:
    """Who holds each space that somebody holds."""
    return {space: place["control"] for space, place in view.get("spaces", {}).items() if place.get("control")}


def areas(view: View, provinces: Mapping[str, Province]) -> Mapping[str, str]:
    """The provinces with who has the majority in them."""
    return majorities(provinces, holders(view))


def stacks(system: str, view: View, places: Places, leaders: Mapping[str, Leader]) -> list[Stack]:
    """The armies with their generals, before the walls and within."""
    people: dict[tuple[str, str, bool], list[Person]] = {}
    for name, general in view.get("generals", {}).items():
        if general.get("status") == "board" and general.get("space"):
            leader = leaders[name]
            key = (general["space"], leader.side, bool(general.get("inside")))
            people.setdefault(key, []).append(
                Person(name, data_text(system, leader.name), f"{leader.strategy}-{leader.battle}")
            )
    found = []
    for space, place in places.items():
        for side in BOTH_SIDES:
            found += stack(space, side, place.get(side, {}), people.get((space, side, False), []), False)
            inside = place.get("inside", {}) if place.get("control") == side else {}
            found += stack(space, side, inside, people.get((space, side, True), []), True)
    return found


def stack(space: str, side: str, troops: Mapping[str, int], people: list[Person], inside: bool) -> list[Stack]:
    """One army, if there is anybody; elephants are among its units."""
    extras = tuple((letter, troops[name]) for name, letter in LETTERS if troops.get(name))
    if not (troops.get("units") or extras or people):
        return []
    size = (troops.get("units") or 0) + (troops.get("elephants") or 0)
    return [Stack(space, side, str(size), tuple(people), extras, inside)]


# -- The rolls of the land war before they are thrown: who needs what. Ratings and places are open to both sides.


def interception(state: Campaign | None, generals: Sequence[str]) -> str:
    """interception.2a The die of those who would try against the army on the march."""
    if state is None or state.march is None:
        return ""
    leader = commander(state, generals)
    if leader is None:
        return ""
    side = enemy(state.march.side)
    limit = book_of(state).limit(state, leader, "intercept", False)
    return at_most(limit, intercept_modifier(state, side, state.march.at))


def avoidance(state: Campaign | None, generals: Sequence[str]) -> str:
    """avoid.2 The die of those who would slip away."""
    return _by_task(state, commander(state, generals) if state is not None else None, "avoid", False)


def pursuit(state: Campaign | None) -> str:
    """pursuit.2a The die of the army that goes after them."""
    return _by_task(state, state.march.general if state is not None and state.march else None, "pursue", True)


def initiative(state: Campaign | None) -> str:
    """round.4 The die of the side that is asked."""
    if state is None or state.battle is None or not state.agenda:
        return ""
    side, battle = side_of_prompt(state), state.battle
    return _by_task(state, battle.commanders.get(side), "counter_attack", side == battle.attacker)


def withdrawal(state: Campaign | None) -> str:
    """round.1a The die of the side that would leave the battle."""
    if state is None or state.battle is None or not state.agenda:
        return ""
    return at_most(rating(state, state.battle.commanders.get(side_of_prompt(state))))


def stopping(state: Campaign | None) -> str:
    """round.1b The die of the side that would stop a withdrawal."""
    if state is None or state.battle is None or not state.agenda:
        return ""
    return _by_task(state, state.battle.commanders.get(side_of_prompt(state)), "stop", False)


def change_of_command(state: Campaign | None) -> str:
    """battle.1c The die by which the other consul commands."""
    return at_least(state.tables.battle.change_of_command) if state is not None else ""


def siege(state: Campaign, space: str, name: str, read: Sequence[tuple[int, int]]) -> str:
    """tables.siege What besieging a space comes to, `read` for each face: points, losses, and the points needed."""
    return fill(
        _(
            "Besiege %(place)s: a point in %(won)s of %(of)s, losses in %(lost)s of %(of)s; "
            "%(needed)s %(needed|point takes|points take)s it"
        ),
        {
            "place": name,
            "won": sum(points > 0 for points, _lost in read),
            "lost": sum(lost > 0 for _points, lost in read),
            "of": len(read),
            "needed": state.tables.siege.takes - state.spaces[space].siege,
        }.__getitem__,
    )


def _by_task(state: Campaign | None, leader: str | None, task: Task, attacks: bool) -> str:
    return at_most(book_of(state).limit(state, leader, task, attacks)) if state is not None and leader else ""


def charge(state: Campaign | None) -> str:
    """battle.4a The die of the elephants, above the Roman commander's rating."""
    if state is None or state.battle is None:
        return ""
    roman = state.battle.commanders.get("rome")
    needed = rating(state, roman) + 1 if roman else state.tables.battle.elephants_without_general
    return at_least(max(1, needed - book_of(state).charge_modifier(state)))


# -- battle.5 The coming battle of a land war in words: the cards that each side would hold, and what they are for.

PARTS: Words = {
    "commander": _l("general"),
    "units": _l("units"),
    "interception": _l("interception"),
    "failed_avoid": _l("failed to avoid"),
    "latium": _l("Latium"),
    "tribe": _l("tribe"),
    "allies": _l("allied provinces"),
}


def lines_of_hands(hands: tuple[HandAhead, HandAhead] | None) -> tuple[str, ...]:
    """The hands of attacker and defender in words; nothing where it does not come to battle."""
    if hands is None:
        return ()
    told = [
        _(
            "%(side)s %(cards)s (%(parts)s)",
            side=seat_word(hand.side),
            cards=ngettext("%(num)d battle card", "%(num)d battle cards", hand.cards),
            parts=", ".join(f"{PARTS.get(name, name)} {with_sign(count)}" for name, count in hand.parts.items()),
        )
        for hand in hands
    ]
    return (_("In a battle: %(attacker)s against %(defender)s.", attacker=told[0], defender=told[1]),)


def chance_to_win(meeting: Any) -> tuple[str, ...]:
    """battle.6 Who wins at what chance, and what is assumed; nothing where the program does not deal the cards."""
    source = random_source(random.Random(0).randrange)  # the same position reads the same chance
    share = attackers_share(meeting, Dice(source=source, secret=source))
    if share is None:
        return ()
    attacker = meeting.fighting().attacker
    return (
        _(
            "Chance to win: %(attacker)s %(won)s%%, %(defender)s %(lost)s%%.",
            attacker=seat_word(attacker),
            won=round(100 * share),
            defender=seat_word(enemy(attacker)),
            lost=100 - round(100 * share),
        ),
        _(
            "The chance comes from %(battles)s battles that the program has played out: "
            "cards dealt at random, nobody withdraws, no events, no elephant charge.",
            battles=BATTLES,
        ),
    )


def battle_words(meeting: Any) -> tuple[str, ...]:
    """The battle that is to begin, in words: who wins at what chance, both hands; nothing where there is none."""
    if meeting is None:
        return ()
    chance = chance_to_win(meeting)
    return (*chance[:1], *lines_of_hands(hands_of(meeting)), *chance[1:])


def stakes(state: Campaign, seat: str) -> tuple[str, ...]:
    """The battle that the open question decides about."""
    return battle_words(meeting_here(state)) if state.agenda else ()


# -- The events of the land war on points, where a function decides or counts something; sentences are in data/events.

Data = Mapping[str, Any]
Sentences = dict[str, Callable[[Data], str]]


def side_of(it: Data, key: str = "side") -> str:
    """A side of an event."""
    return seat_word(str(it.get(key) or ""))


def troops(it: Data) -> str:
    """What goes along: units, elephants, trains; "no units" for a general alone."""
    parts = []
    if units := _number(it.get("units")):
        parts.append(ngettext("%(num)d unit", "%(num)d units", units))
    if beasts := _number(it.get("elephants")):
        parts.append(ngettext("%(num)d elephant", "%(num)d elephants", beasts))
    if trains := _number(it.get("trains")):
        parts.append(ngettext("%(num)d supply train", "%(num)d supply trains", trains))
    return join_parts(parts) or _("no units")


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def roll_words(it: Data) -> str:
    """Whether a roll succeeded, and what it was thrown against."""
    result = _("and succeeds") if it.get("success") else _("and fails")
    if isinstance(it.get("rating"), int):
        return _("%(result)s (needed: %(rating)s or less)", result=result, rating=it["rating"])
    return result


def lost_by_side(lost: Any) -> str:
    """Losses as a number, or a number for each side."""
    if isinstance(lost, Mapping):
        return ", ".join(f"{seat_word(str(who))} {count}" for who, count in lost.items()) or _("none")
    return str(lost)


def party(system: str, it: Data) -> Several:
    """A general and the generals who go with him; the side where nobody leads."""
    leading = [one for one in (it.get("general"), *it.get("companions", ())) if one]
    names = (naming.data_name(system, tag(), "general", str(one)) for one in leading)
    return Several(names if leading else (naming.side(system, str(it.get("side") or "")),))


def extras(system: str) -> Extras:
    """What the sentences of the land war ask for besides an event's fields."""
    return {
        "lost_each": lambda it: lost_by_side(it.get("lost", 0)),
        "party": lambda it: party(system, it),
        "result": roll_words,
        "troops": troops,
    }


def retreat_words(system: str, it: Data) -> str:
    """A retreat: into the city, or along a path, whose last space counts."""
    goal = it.get("to")
    goal = goal[-1] if isinstance(goal, list | tuple) and goal else goal
    values = {"side": naming.side(system, str(it.get("side") or "")), "lost": _number(it.get("lost"))}
    if not goal or goal == "city":
        text = _("%(side)s retreats into the city and loses %(lost)s %(lost|unit|units)s.")
        return fill(text if values["lost"] else _("%(side)s retreats into the city."), values.__getitem__)
    values["to"] = naming.space(system, goal)
    text = _("%(side)s retreats to %(to)s and loses %(lost)s %(lost|unit|units)s.")
    return fill(text if values["lost"] else _("%(side)s retreats to %(to)s."), values.__getitem__)


def sentences_of(system: str, kinds: Mapping[str, Kind], own: Sentences) -> Sentences:
    """The sentences of a system of the land war: its functions, then those of data/events, under all their names."""
    functions = {"retreated": lambda it: retreat_words(system, it), "battle_hands": _battle_hands, **own}
    old = {name: functions[kind] for kind in functions if kind in kinds for name in kinds[kind].old}
    return {**sentences(kinds, saying(system), extras(system)), **old, **functions}


def _battle_hands(it: Data) -> str:
    return _("The battle cards are dealt.")
