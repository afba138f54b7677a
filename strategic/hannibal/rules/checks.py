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
from tactical.kernel.reason import Reason, because
from tactical.kernel.record import BadInput

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
