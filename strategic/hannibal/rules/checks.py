"""What cannot be true of a campaign, of what is under way in it, and of any position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from strategic.hannibal.rules.survey import side_of
from strategic.hannibal.state import NO_CARD, State
from strategic.hannibal.tables import BATTLE_DECK, CARDS, CHART, HOUSE, LEADERS, TABLES, ground, room
from strategic.point_to_point.battle import UNSEEN
from strategic.point_to_point.sequence import land_faults
from strategic.point_to_point.state import SIDES
from tactical.kernel.protocol import Prompt
from tactical.kernel.questions import faults as question_faults
from tactical.kernel.record import BadInput, Reason, because

# -- Whether what is under way in a position hangs together: the agenda, the card played, the march, the battle.

MOMENTS = ("tribes", "storms", "weather", "fright")


def pending_faults(state: State) -> Iterator[tuple[str, Reason]]:
    """Each contradiction in what is under way, with the path to the field."""
    yield from question_faults("hannibal", state, state.agenda, SIDES)
    for number, prompt in enumerate(state.agenda):
        yield from _lists(f"agenda[{number}]", prompt)
    yield from _march(state)
    yield from _battle(state)
    if state.play is not None and state.play.card not in CARDS:
        yield "play.card", because("there is no card %(card)s", card=state.play.card)
    train = state.lasting.siege_train
    if train is not None and (train not in state.generals or state.generals[train].status != "board"):
        yield "lasting.siege_train", Reason("the siege train must be with a Carthaginian general on the board")


def _lists(at: str, prompt: Prompt) -> Iterator[tuple[str, Reason]]:
    """What stands in the lists of some prompts."""
    left, lines = prompt.about.get("left"), [line.id for line in TABLES.reinforcement]
    if prompt.kind == "reinforce" and isinstance(left, dict):
        for line, count in left.items():
            if line not in lines or type(count) is not int or count < 1:
                yield f"{at}.about.left", Reason("each line of reinforcements in the list must still have CUs to place")
    if prompt.kind == "place_consul" and any(name not in LEADERS for name in prompt.about.get("consuls") or [""]):
        yield f"{at}.about.consuls", Reason("name one or more generals")
    if prompt.kind == "counter" and prompt.about.get("moment") not in MOMENTS:
        yield f"{at}.about.moment", because("the moment must be one of %(moments)s", moments=MOMENTS)
    if prompt.kind == "choose" and prompt.about.get("card") not in CARDS:
        yield f"{at}.about.card", Reason("there is no such card")
    declared = prompt.about.get("declared")
    if prompt.kind == "intercept" and isinstance(declared, list):
        for named in declared:
            if not isinstance(named, dict) or set(named) != {"space", "generals", "units", "elephants"}:
                yield f"{at}.about.declared", Reason("each entry must name a space, generals, units and elephants")


def _march(state: State) -> Iterator[tuple[str, Reason]]:
    march = state.march
    if march is None:
        return
    if state.play is None:
        yield "play", Reason("a general can march only after a card has been played")
    if not march.path or any(space not in CHART.spaces for space in march.path):
        yield "march.path", Reason("the path of a march must lead through spaces of the map")
        return
    if len(march.legs) != len(march.path) - 1:
        yield "march.legs", Reason("a path must have one leg fewer than it has spaces")
    if any(name not in LEADERS for name in march.generals):
        yield "march.companions", Reason("there is no such general")
        return
    if march.crossing is not None and march.crossing.to not in CHART.ports():
        yield "march.crossing.to", Reason("a voyage must lead to a port")
    if state.battle is not None:  # a battle changes general and CUs before it closes the march
        return
    if state.generals[march.general].space != march.at:
        yield "march.general", Reason("the march must be where the marching general is")
    if march.crossing is None and not state.spaces[march.at].all_of(march.side).holds(march.force):
        yield "march.units", Reason("more CUs are marching than are there")


def _battle(state: State) -> Iterator[tuple[str, Reason]]:
    battle = state.battle
    if battle is None:
        return
    if battle.space not in CHART.spaces:
        yield "battle.space", because("there is no space called %(space)s", space=repr(battle.space))
        return
    if state.play is None:
        yield "play", Reason("a battle can be fought only after a card has been played")
    parts: dict[str, Mapping[Any, object]] = {
        "generals": battle.generals,
        "commanders": battle.commanders,
        "start": battle.start,
        "hands": battle.hands,
        "shown": battle.shown,
        "fewer": battle.fewer,
        "no_allies": battle.no_allies,
        "lost": battle.lost,
    }
    for name, part in parts.items():
        if set(part) != set(SIDES):
            yield f"battle.{name}", Reason("give a value for rome and one for carthage")
    named = {name for names in battle.generals.values() for name in names} | {*battle.commanders.values()} - {None}
    if any(name not in LEADERS for name in named):
        yield "battle.generals", Reason("there is no such general")


# -- What cannot be true of a campaign: used for positions, adjustments and random play.

MOST_UNITS = 120  # no counter limit is known; more than this is surely a typing error


def check(state: State) -> None:
    """Raise BadInput with the path of the first contradiction."""
    for path, reason in faults(state):
        raise BadInput(path, reason)


def faults(state: State) -> Iterator[tuple[str, Reason]]:
    """Each contradiction with the path to the field."""
    yield from _house(state)
    yield from _turn(state)
    if set(state.spaces) != set(CHART.spaces) or set(state.generals) != set(LEADERS):
        yield from _missing(state)
        return
    yield from _places(state)
    yield from _people(state)
    yield from _cards(state)
    yield from pending_faults(state)


def _house(state: State) -> Iterator[tuple[str, Reason]]:
    """reading.1 A group's own values, with which something can be played."""
    try:
        HOUSE.check_kept(state.house)
    except BadInput as fault:
        yield fault.path, fault.why


def _turn(state: State) -> Iterator[tuple[str, Reason]]:
    if not 1 <= state.turn <= TABLES.turns.last:
        yield "turn", because("turns must be from 1 to %(last)s", last=TABLES.turns.last)
    if (state.phase == "over") != (state.result is not None):
        yield "result", Reason("a campaign must have a result when its phase is over, and none before")
    for side in SIDES:
        if side not in state.hands:
            yield f"hands.{side}", Reason("this hand is missing")


def _missing(state: State) -> Iterator[tuple[str, Reason]]:
    """Spaces and generals that do not exist, or are not accounted for."""
    for at, given, known in (
        ("spaces", set(state.spaces), set(CHART.spaces)),
        ("generals", set(state.generals), set(LEADERS)),
    ):
        for name in sorted(given - known):
            yield f"{at}.{name}", Reason("nothing here has this name")
        for name in sorted(known - given):
            yield f"{at}.{name}", Reason("this value is missing")


def _places(state: State) -> Iterator[tuple[str, Reason]]:
    elephants = 0
    totals = dict.fromkeys(SIDES, 0)
    for space, place in state.spaces.items():
        at, land = f"spaces.{space}", ground(space)
        for name, troops in (("rome", place.rome), ("carthage", place.carthage), ("inside", place.inside)):
            if troops.units < 0 or troops.elephants < 0:
                yield f"{at}.{name}", Reason("a number of CUs cannot be below 0")
        for side in SIDES:
            totals[side] += place.all_of(side).size
        elephants += place.carthage.elephants + place.inside.elephants
        if place.rome.elephants or (place.control == "rome" and place.inside.elephants):
            yield f"{at}.rome.elephants", Reason("Rome has no elephants")
        if place.tribe and not land.tribe:
            yield f"{at}.tribe", Reason("no tribe lives here")
        if place.tribe and place.control == "rome":
            yield f"{at}.control", Reason("a tribe must be neutral or friendly to Carthage")
        if land.city and place.control is None:
            yield f"{at}.control", Reason("a walled city must belong to a side")
        if place.inside.size > room(space):
            yield (
                f"{at}.inside",
                because(
                    "there is room inside the walls for only %(room_left)s %(room_left|CU|CUs)s", room_left=room(space)
                ),
            )
        if not 0 <= place.siege < TABLES.siege.takes:
            yield f"{at}.siege", Reason("siege points must be 0, 1 or 2")
        if place.siege and not (land.city or place.tribe):
            yield f"{at}.siege", Reason("only cities and tribes can be besieged")
        if place.siege and (place.besieger is None or place.besieger == place.control):
            yield f"{at}.besieger", Reason("siege points need an enemy besieger")
        if place.rome.size and place.carthage.size and not _meeting(state, space):
            yield at, Reason("CUs of both sides cannot stand outside the walls")
    if elephants > 4:
        yield (
            "spaces",
            because(
                "%(elephants)s elephant %(elephants|CU is|CUs are)s placed, but the game has only four",
                elephants=elephants,
            ),
        )
    for side, total in totals.items():
        if total > MOST_UNITS:
            yield (
                "spaces",
                because(
                    "%(side)s has %(total)s %(total|CU|CUs)s, more than there are counters", side=side, total=total
                ),
            )
    for side in SIDES:
        held = [space for space in ("rome", "carthage") if state.spaces[space].control == side]
        if len(held) == 2 and state.result is None:
            yield (
                "spaces.rome.control",
                because("%(side)s would hold both capitals, and the campaign would be over", side=side),
            )


def _meeting(state: State, space: str) -> bool:
    """Are both sides outside just now? Only while an army arrives or a battle is fought, and when a war ended so."""
    return (
        state.result is not None
        or (state.march is not None and state.march.at == space)
        or (state.battle is not None and state.battle.space == space)
    )


def _is_home(state: State, name: str, space: str | None) -> bool:
    return space is not None and ground(space).city and state.spaces[space].control == side_of(name)


def _people(state: State) -> Iterator[tuple[str, Reason]]:
    for name, general in state.generals.items():
        at = f"generals.{name}"
        if (general.status == "board") != (general.space is not None):
            yield (
                f"{at}.space",
                Reason("a general on the board must have a space; a general off the board must have none"),
            )
        elif general.space is not None and general.space not in state.spaces:
            yield f"{at}.space", because("there is no space called %(space)s", space=repr(general.space))
        elif general.inside and not _is_home(state, name, general.space):
            yield f"{at}.inside", Reason("a general can be inside the walls of a friendly city only")
        if general.rank == "general" and side_of(name) == "rome":
            yield f"{at}.rank", Reason("a Roman general must be a consul or a proconsul")
        if general.rank != "general" and side_of(name) == "carthage":
            yield f"{at}.rank", Reason("a Carthaginian cannot be a consul or a proconsul")
        if general.status == "displaced" and side_of(name) == "rome":
            yield f"{at}.status", Reason("a displaced Roman general must be back in the pool")


def _cards(state: State) -> Iterator[tuple[str, Reason]]:
    known = [*state.deck, *state.discard, *state.removed]
    hands = [card for side in SIDES for card in state.hands.get(side, ())]
    for card in (*known, *hands):
        if card not in CARDS and not (card == NO_CARD and state.options.cards_on_table):
            yield "deck", because("there is no card %(card)s", card=card)
    twice = [card for card, count in Counter([*known, *hands]).items() if count > 1 and card != NO_CARD]
    if twice:
        yield "hands", because("card %(card)s is in two places", card=twice[0])
    if not state.options.cards_on_table and len(known) + len(hands) != len(CARDS):
        yield (
            "deck",
            because(
                "the position must account for all %(cards)s cards, but it has %(known)s",
                known=len(known) + len(hands),
                cards=len(CARDS),
            ),
        )
    fight = state.battle
    if fight is not None and not state.options.cards_on_table and (fight.deck or fight.discard):
        cards = Counter([*fight.deck, *fight.discard, *(card for hand in fight.hands.values() for card in hand)])
        if cards != Counter(BATTLE_DECK) and UNSEEN not in cards:
            yield "battle.deck", Reason("the battle deck is not complete")


# -- What must hold in every position of Hannibal.


def invariants(state: State) -> tuple[str, ...]:
    """setup.4 Complaints about a position: contradictions, who stands where, what is left open."""
    found = [f"{path}: {reason}" for path, reason in faults(state)]
    if state.result is None:
        found += land_faults(state)
        if state.engagement is not None and (state.march is None or state.march.crossing is None):
            found.append("fleets have met, and nobody sails")
    return tuple(found)
