"""What cannot be true of a campaign: used for positions, adjustments and random play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from strategic.hannibal.rules.check_pending import pending_faults
from strategic.hannibal.rules.house_rules import HOUSE
from strategic.hannibal.rules.survey import side_of
from strategic.hannibal.state import NO_CARD, State
from strategic.hannibal.tables import (
    BATTLE_DECK,
    CARDS,
    CHART,
    LEADERS,
    TABLES,
    ground,
    room,
)
from strategic.point_to_point.battle import UNSEEN
from strategic.point_to_point.tables import SIDES
from tactical.kernel.record import BadInput

MOST_UNITS = 120  # no counter limit is known; more than this is surely a typing error


def check(state: State) -> None:
    """Raise BadInput with the path of the first contradiction."""
    for path, reason in faults(state):
        raise BadInput(path, reason)


def faults(state: State) -> Iterator[tuple[str, str]]:
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


def _house(state: State) -> Iterator[tuple[str, str]]:
    """reading.1 A group's own values, with which something can be played."""
    try:
        HOUSE.check_kept(state.house)
    except BadInput as fault:
        yield fault.path, fault.reason


def _turn(state: State) -> Iterator[tuple[str, str]]:
    if not 1 <= state.turn <= TABLES.turns.last:
        yield "turn", f"turns run from 1 to {TABLES.turns.last}"
    if (state.phase == "over") != (state.result is not None):
        yield "result", "a campaign has a result exactly when its phase is over"
    for side in SIDES:
        if side not in state.hands:
            yield f"hands.{side}", "this hand is missing"


def _missing(state: State) -> Iterator[tuple[str, str]]:
    """Spaces and generals that do not exist, or are not accounted for."""
    for at, given, known in (
        ("spaces", set(state.spaces), set(CHART.spaces)),
        ("generals", set(state.generals), set(LEADERS)),
    ):
        for name in sorted(given - known):
            yield f"{at}.{name}", "there is no such thing"
        for name in sorted(known - given):
            yield f"{at}.{name}", "it is missing"


def _places(state: State) -> Iterator[tuple[str, str]]:
    elephants = 0
    totals = dict.fromkeys(SIDES, 0)
    for space, place in state.spaces.items():
        at, land = f"spaces.{space}", ground(space)
        for name, troops in (("rome", place.rome), ("carthage", place.carthage), ("inside", place.inside)):
            if troops.units < 0 or troops.elephants < 0:
                yield f"{at}.{name}", "there cannot be fewer than no CUs"
        for side in SIDES:
            totals[side] += place.all_of(side).size
        elephants += place.carthage.elephants + place.inside.elephants
        if place.rome.elephants or (place.control == "rome" and place.inside.elephants):
            yield f"{at}.rome.elephants", "Rome has no elephants"
        if place.tribe and not land.tribe:
            yield f"{at}.tribe", "no tribe lives here"
        if place.tribe and place.control == "rome":
            yield f"{at}.control", "a tribe is neutral or friendly to Carthage"
        if land.city and place.control is None:
            yield f"{at}.control", "a walled city always belongs to a side"
        if place.inside.size > room(space):
            yield f"{at}.inside", f"the walls hold {room(space)} CUs"
        if not 0 <= place.siege < TABLES.siege.takes:
            yield f"{at}.siege", "siege points are 0, 1 or 2"
        if place.siege and not (land.city or place.tribe):
            yield f"{at}.siege", "only cities and tribes are besieged"
        if place.siege and (place.besieger is None or place.besieger == place.control):
            yield f"{at}.besieger", "siege points need a besieger, the enemy"
        if place.rome.size and place.carthage.size and not _meeting(state, space):
            yield at, "CUs of both sides cannot stand outside the walls"
    if elephants > 4:
        yield "spaces", f"there are {elephants} elephant CUs and only four exist"
    for side, total in totals.items():
        if total > MOST_UNITS:
            yield "spaces", f"{side} has {total} CUs, more than there are counters"
    for side in SIDES:
        held = [space for space in ("rome", "carthage") if state.spaces[space].control == side]
        if len(held) == 2 and state.result is None:
            yield "spaces.rome.control", f"{side} holds both capitals: the campaign would be over"


def _meeting(state: State, space: str) -> bool:
    """Both sides are outside only while an army arrives, or a battle is fought."""
    return (state.march is not None and state.march.at == space) or (
        state.battle is not None and state.battle.space == space
    )


def _is_home(state: State, name: str, space: str | None) -> bool:
    return space is not None and ground(space).city and state.spaces[space].control == side_of(name)


def _people(state: State) -> Iterator[tuple[str, str]]:
    for name, general in state.generals.items():
        at = f"generals.{name}"
        if (general.status == "board") != (general.space is not None):
            yield f"{at}.space", "a general on the board has a space, another has none"
        elif general.space is not None and general.space not in state.spaces:
            yield f"{at}.space", f"there is no space '{general.space}'"
        elif general.inside and not _is_home(state, name, general.space):
            yield f"{at}.inside", "a general is inside the walls of a friendly city only"
        if general.rank == "general" and side_of(name) == "rome":
            yield f"{at}.rank", "a Roman general is a consul or a proconsul"
        if general.rank != "general" and side_of(name) == "carthage":
            yield f"{at}.rank", "Carthaginians are neither consuls nor proconsuls"
        if general.status == "displaced" and side_of(name) == "rome":
            yield f"{at}.status", "a displaced Roman is back in the pool"


def _cards(state: State) -> Iterator[tuple[str, str]]:
    known = [*state.deck, *state.discard, *state.removed]
    hands = [card for side in SIDES for card in state.hands.get(side, ())]
    for card in (*known, *hands):
        if card not in CARDS and not (card == NO_CARD and state.options.cards_on_table):
            yield "deck", f"there is no card {card}"
    twice = [card for card, count in Counter([*known, *hands]).items() if count > 1 and card != NO_CARD]
    if twice:
        yield "hands", f"card {twice[0]} is in two places"
    if not state.options.cards_on_table and len(known) + len(hands) != len(CARDS):
        yield "deck", f"{len(known) + len(hands)} of {len(CARDS)} cards are accounted for"
    fight = state.battle
    if fight is not None and not state.options.cards_on_table and (fight.deck or fight.discard):
        cards = Counter([*fight.deck, *fight.discard, *(card for hand in fight.hands.values() for card in hand)])
        if cards != Counter(BATTLE_DECK) and UNSEEN not in cards:
            yield "battle.deck", "the battle deck is not complete"
