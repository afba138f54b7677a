"""Whole campaigns at random: nothing offered is refused, nothing is lost, and battles on the table come home."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kit.ledger import unbooked
from kit.lengths import WARS_AT_RANDOM, scaled
from strategic.hamilcar import HAMILCAR
from strategic.hamilcar.state import BOTH, State
from strategic.naval.handoff import battle_position, outcome_of
from tactical import GALLEY
from tactical.kernel.dice import Dice, Source, random_source
from tactical.kernel.protocol import Offer
from tactical.kernel.random_play import fill, play_at_random, random_offer
from tactical.kernel.record import decode, plain, read

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"naval_stores": True, "lone_consul_fleet": True, "extended_contract": True, "elected_consuls": 1},
    {"cards": "table", "epic_battles": True, "crews_at_sea": True, "war_in_numidia": True},
    {"more_allies": True, "fixed_roman_reinforcements": True, "carthaginian_militia": True, "elected_consuls": 2},
)


@pytest.mark.parametrize("number", [0, 2, *(pytest.param(number, marks=pytest.mark.soak) for number in (1, 3))])
def test_a_whole_war_at_random_without_fault_and_with_its_books_in_order(number: int) -> None:
    played = play_at_random(HAMILCAR, "first_punic_war", random.Random(number), OPTIONS[number])
    assert played.faults == [] and played.over
    check_books(played)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(scaled(WARS_AT_RANDOM["hamilcar"])))
def test_many_wars_at_random(seed: int) -> None:
    played = play_at_random(HAMILCAR, "first_punic_war", random.Random(seed), OPTIONS[seed % len(OPTIONS)])
    assert played.faults == [] and played.over
    check_books(played)


def check_books(played: Any) -> None:
    """Nothing comes or goes without an event, in any entry of the journal."""
    before: State = decode(played.states[0], State)
    for entry, written in zip(played.entries[1:], played.states[1:], strict=True):
        after: State = decode(written, State)
        assert unbooked(before, after, entry.events) == [], entry.command
        before = after


def linked_war(seed: int, limit: int = 20_000) -> tuple[State, dict[str, int]]:
    """A campaign in which engagements are settled by all three ways, battles by random play on the table."""
    generator = random.Random(seed)
    source = random_source(generator.randrange)
    state = HAMILCAR.start("first_punic_war", None, {}, Dice(source=source, secret=source)).state
    settled = {"own_table": 0, "battle": 0, "report": 0}
    for _ in range(limit):
        if HAMILCAR.is_over(state):
            return state, settled
        prompt = state.asks()
        assert prompt is not None
        if prompt.seat == BOTH:
            way = generator.choice(("own_table", "battle", "report"))
            settled[way] += 1
            state = settle(state, way, generator, source)
            continue
        seat = generator.choice(HAMILCAR.waiting_for(state))
        command = fill(random_offer(worth_playing(state, seat, generator), generator, ()), generator)
        state = give(state, seat, command, source)
    raise AssertionError("the war does not end")


def worth_playing(state: State, seat: str, generator: random.Random) -> tuple[Offer, ...]:
    """The offers without giving up, and mostly without doing nothing, so that fleets meet."""
    offers = [offer for offer in HAMILCAR.offers(state, seat) if offer.type != "resign"]
    active = [offer for offer in offers if offer.type not in ("pass", "discard", "done", "halt")]
    return tuple(active if active and generator.randrange(4) else offers)


def give(state: State, seat: str, command: dict[str, Any], source: Source) -> State:
    """One command, with the books and the invariants checked."""
    outcome = HAMILCAR.apply(state, seat, read(command, HAMILCAR.command), Dice(source=source, secret=source))
    assert unbooked(state, outcome.state, outcome.events) == [], command
    assert HAMILCAR.invariants(outcome.state) == (), command
    after: State = outcome.state
    return after


def settle(state: State, way: str, generator: random.Random, source: Source) -> State:
    """Settle the engagement: both consent, then fight it on the table, or report some outcome within what was sent."""
    name = state.engaged().id
    sides = ("rome", "carthage")
    for side in sides:
        command = {"type": "choose_way", "engagement": name, "way": way, "side": side}
        state = give(state, side, command, source)
        if state.naval is not None:
            return state
    if way == "battle":
        state = give(state, "rome", {"type": "open_battle", "engagement": name, "models_per_unit": 1}, source)
        position = battle_position(state.engaged(), 1, campaign="at random")
        battle = GALLEY.start(None, position, {}, Dice(source=source)).state
        while not GALLEY.is_over(battle):
            seat = generator.choice(GALLEY.waiting_for(battle))
            command = fill(random_offer(GALLEY.offers(battle, seat), generator, {"resign", "agree"}), generator)
            battle = GALLEY.apply(battle, seat, read(command, GALLEY.command), Dice(source=source)).state
        outcome = plain(outcome_of(battle, state.engaged()))
        return give(state, "carthage", {"type": "settle", "engagement": name, "outcome": outcome}, source)
    outcome = some_outcome(state, generator)
    state = give(state, "rome", {"type": "report", "engagement": name, "outcome": outcome, "side": "rome"}, source)
    return give(state, "carthage", {"type": "assent", "engagement": name, "side": "carthage"}, source)


def some_outcome(state: State, generator: random.Random) -> dict[str, Any]:
    """An outcome that could be reported."""
    sides: dict[str, dict[str, Any]] = {}
    for side, fleet in state.engaged().fleets.items():
        lost = generator.randrange(len(fleet.units) + 1)
        sides[side] = {
            "sunk": lost - lost // 2,
            "captured": lost // 2,
            "transports": generator.randrange(len(fleet.transports) + 1),
        }
    winner = generator.choice(("rome", "carthage", None))
    if winner is not None:
        loser = "rome" if winner == "carthage" else "carthage"
        may_evade = state.engaged().supremacy == loser  # L3.5
        sides[loser]["evaded" if may_evade and generator.randrange(2) else "fled"] = True
    return {"winner": winner, "turns": 1 + generator.randrange(15), "sides": sides}


def test_l1_3_a_war_with_battles_on_the_table_keeps_its_books() -> None:
    """L1.3, L3 No ship, troop unit or train appears or vanishes unaccounted, whichever way a battle is settled."""
    settled: dict[str, int] = {"own_table": 0, "battle": 0, "report": 0}
    for seed in range(2):
        state, count = linked_war(seed)
        assert state.result is not None
        settled = {way: settled[way] + count[way] for way in settled}
    assert sum(settled.values()) > 0


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(scaled(WARS_AT_RANDOM["linked"])))
def test_many_linked_wars(seed: int) -> None:
    state, _ = linked_war(seed)
    assert state.result is not None
