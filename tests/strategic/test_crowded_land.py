"""Crowded wars: few spaces, many armies. Nobody stands alone among enemies, what is paid is gone, nothing stays open.

The systems' invariants are asked after every command; a second reckoning from the sources agrees with the engines.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from kit.commands_of import legal_but_not_offered
from kit.crowded import SIDES, TABLES, WARS, play, start
from kit.facts_of import facts_of
from kit.land_oracle import Chart, interceptors, provinces_of, shut_in, sieges
from kit.lengths import CROWDED_PARTS, CROWDED_WARS, OFFERED_WARS, scaled
from strategic.hamilcar import sequence as first_war
from strategic.hannibal import sequence as second_war
from strategic.point_to_point.meeting import named_tries, watchers
from strategic.point_to_point.state import replace
from strategic.point_to_point.survey import clear_lone, is_shut_in, lone_among_enemies, lone_pairs, provinces_under
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Outcome
from tactical.kernel.record import encode

COMMANDS = 150  # a card or two of each side, in most positions
SEQUENCES = {"hannibal": second_war.SEQUENCE, "hamilcar": first_war.SEQUENCE}
CHARTS = {name: Chart(name) for name in WARS}
GENERALS = {name: {who: leader.side for who, leader in TABLES[name].LEADERS.items()} for name in WARS}
CARDS = ("activate", "campaign", "points", "place_pcs", "raise_unit", "discard", "build_ships", "training", "event")
SEEN = {  # what crowded wars must have come to, or the dealer has gone tame
    "hannibal": {
        *("battle", "interception", "went_back", "avoided", "pursuit", "overrun", "retreated", "withdrew", "displaced"),
        *("siege_roll", "besieged", "sortie", "arranged", "naval_roll", "siege_lifted"),
    },
    "hamilcar": {
        *("battle", "interception", "went_back", "avoided", "pursuit", "overrun", "retreated", "withdrew", "displaced"),
        *("siege_roll", "sortie", "arranged", "caught", "turned_back", "settled", "trains_captured", "siege_lifted"),
    },
}


def trains(state: Any, side: str) -> int:
    """All trains of a side."""
    return sum(place.outside(side).trains + place.within(side).trains for place in state.spaces.values())


def is_paid(before: Any, command: Mapping[str, Any], outcome: Outcome[Any]) -> None:
    """strategy.1, 8.2.1.a, 6.1.2 The card played is out of the hand; trains and Council PCs that pay are gone."""
    after, kind = outcome.state, command["type"]
    if kind in CARDS:
        side = before.asks().seat
        assert command["card"] in before.hands[side]
        # where the card began a new turn the hands are dealt anew
        assert after.turn != before.turn or command["card"] not in after.hands[side]
    if kind == "activate" and command.get("trains"):
        side = before.leaders[command["general"]].side
        assert trains(after, side) == trains(before, side) - command["trains"]
    if kind == "burn_trains":
        side = before.marching().side
        assert trains(after, side) == trains(before, side) - command["count"]
    if kind == "hire":
        assert len(after.council) == len(before.council) - len(command["cells"])


def agrees(name: str) -> Any:
    """A watch that reckons each position again from the sources."""
    chart, counted = CHARTS[name], {"interceptions": 0, "sieges": 0}

    def watch(before: Any, command: Mapping[str, Any], outcome: Outcome[Any]) -> None:
        state, raw = outcome.state, json.loads(encode(outcome.state))
        if state.result is not None:
            return
        for side in SIDES:
            assert provinces_of(chart, raw, side) == set(provinces_under(state, side))
            cities = {space for space in state.spaces if chart.is_city(space) and is_shut_in(state, side, space)}
            assert shut_in(chart, raw, side) == cities
        besieged = {space: place.besieger for space, place in state.spaces.items() if place.siege}
        assert sieges(chart, raw) == besieged
        counted["sieges"] += len(besieged)
        prompt = state.asks()
        if prompt is not None and prompt.kind == "intercept" and prompt.seat:
            named = {each["space"] for each in named_tries(state)}
            assert interceptors(chart, raw, GENERALS[name]) == set(watchers(state)) - named
            counted["interceptions"] += 1

    watch.counted = counted  # type: ignore[attr-defined]
    return watch


@pytest.mark.parametrize("name", WARS)
def test_movement_land_5a_nobody_stands_alone_in_crowded_wars_and_what_is_paid_is_gone(name: str) -> None:
    """movement.land.1e, siege.7 And the second reckoning of sieges, interceptions and control agrees."""
    seen, oracle = set[str](), agrees(name)
    for seed in range(10):
        seen |= play(name, seed, COMMANDS, (is_paid, oracle))
    assert SEEN[name] <= seen, SEEN[name] - seen
    assert oracle.counted["interceptions"] > 20 and oracle.counted["sieges"] > 100


@pytest.mark.soak
@pytest.mark.parametrize("part", range(scaled(CROWDED_PARTS)))
@pytest.mark.parametrize("name", WARS)
def test_many_crowded_wars(name: str, part: int, record_property: Callable[[str, int], None]) -> None:
    options = ({}, {"island_allies": "island"})[part % 2]
    for seed in range(1000 + CROWDED_WARS * part, 1000 + CROWDED_WARS * (part + 1)):
        for kind in play(name, seed, 400, (is_paid, agrees(name)), **options):
            record_property(f"{name} event {kind}", 1)


@pytest.mark.parametrize("name", WARS)
def test_movement_land_5a_the_one_place_finds_whoever_is_put_alone_among_enemies(name: str) -> None:
    """movement.land.1e It finds both, leaves a contested space alone, and what it has cleared is clear."""
    found = {"among": 0, "pairs": 0}
    for seed in range(120):
        state, rng = start(name, seed)
        board = [who for who, general in state.generals.items() if general.status == "board"]
        for who in board:
            space = state.generals[rng.choice(board)].space
            state = replace(
                state,
                generals={**state.generals, who: replace(state.generals[who], space=space, inside=False)},
            )
        found["among"] += len(set(lone_among_enemies(state)))
        found["pairs"] += len(set(lone_pairs(state)))
        state, events = clear_lone(state)
        assert all(event.type in ("displaced", "trains_captured", "siege_train_lost") for event in events)
        assert not list(lone_among_enemies(state)) and not list(lone_pairs(state))
    assert min(found.values()) > 5, found


# What is legal is offered, inside lists too; and whoever can do something is asked, with an empty hand too.

LARGE = (
    "impulse",
    "strategy",
    "move",
    "march",
    "play",
)  # their many offers are looked at in tests/test_every_system.py
TRIES = 40  # near misses of a position
EVERY_KIND = {"hannibal": {"intercept", "avoid", "attack"}, "hamilcar": {"intercept", "avoid", "sea_intercept"}}


def offers_all(name: str, seed: int, seen: set[str]) -> Any:
    """A watch that tries near misses of what is on offer, and everything again with empty battle hands."""
    system, facts, throw = WARS[name], facts_of(name), random.Random(seed)

    def watch(before: Any, command: Mapping[str, Any], outcome: Outcome[Any]) -> None:
        state = outcome.state
        prompt = state.asks()
        if state.result is not None or prompt is None or prompt.kind in LARGE:
            return
        for seat in system.waiting_for(state):
            tried = (system, state, seat, throw, TRIES, facts.one_by_one, facts.free)
            assert not legal_but_not_offered(*tried), (name, seed)
        seen.add(prompt.kind)
        if prompt.kind in ("attack", "match", "counter_attack") and prompt.seat:
            empty = with_empty_hand(state, prompt.seat)
            is_asked(system, empty, prompt.seat)
            for card in BATTLE_EVENTS.get(name, ()):
                is_asked(system, holding(empty, prompt.seat, card), prompt.seat)

    return watch


def with_empty_hand(state: Any, seat: str) -> Any:
    """The same battle, the side's cards on the pile."""
    battle = state.fighting()
    pile = (*battle.discard, *battle.hands[seat])
    return replace(state, battle=replace(battle, hands={**battle.hands, seat: ()}, discard=pile))


BATTLE_EVENTS = {"hannibal": (6, 59)}  # strategy cards that answer in the rounds of a battle


def holding(state: Any, seat: str, card: int) -> Any:
    """The same with this card in the side's hand, in the place of its first one, which goes where the card was."""
    if card in state.hands[seat] or not state.hands[seat]:
        return state
    out = state.hands[seat][0]

    def swapped(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(out if each == card else card if each == out else each for each in cards)

    piles = {name: swapped(getattr(state, name)) for name in ("deck", "discard", "removed")}
    return replace(state, hands={side: swapped(cards) for side, cards in state.hands.items()}, **piles)


NO_ANSWERS = {"concede", "pass", "done", "stand"}


def is_asked(system: Any, state: Any, seat: str) -> None:
    """round.6 Posted as it is, the side is still asked if anything but giving up is on offer to it there."""
    step = SEQUENCES[system.name].steps[state.asks().kind]
    could = {offer.type for offer in step.offers(state, seat)} - NO_ANSWERS
    posted = system.start(None, json.loads(encode(system.view(state, "umpire"))), {}, Dice((1,) * 9)).state
    if could:
        assert posted.asks() == state.asks(), (could, state.fighting().hands)


@pytest.mark.parametrize("wars", [4, pytest.param(scaled(OFFERED_WARS), marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", WARS)
def test_whatever_is_legal_is_offered_in_crowded_wars_and_whoever_can_answer_is_asked(name: str, wars: int) -> None:
    seen: set[str] = set()
    for seed in range(wars):
        play(name, 400 + seed, COMMANDS, (offers_all(name, seed, seen),))
    assert EVERY_KIND[name] <= seen, seen
