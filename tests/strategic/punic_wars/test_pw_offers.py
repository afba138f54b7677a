"""4.1 Every combination of the choices of every offer is accepted; nothing that is offered is refused."""

from __future__ import annotations

import json
import random
from itertools import product

import pytest

from kit.pw_bold import wish
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.control import control
from strategic.punic_wars.rules.pieces import ENEMY
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import encode, read


def combinations(offer):
    """All commands that an offer stands for; of a long range only its ends and its middle."""
    names, choices = list(offer.fields), []
    for value in offer.fields.values():
        if isinstance(value, dict):
            low, high = value["from"], value["to"]
            choices.append(sorted({low, (low + high) // 2, high}))
        else:
            choices.append(value if isinstance(value, list) else [value])
    for chosen in product(*choices):
        yield {"type": offer.type, **dict(zip(names, chosen, strict=True))}


def refused(state, seat):
    """Offered commands that `apply` refuses."""
    found = []
    for offer in PUNIC_WARS.offers(state, seat):
        for command in combinations(offer):
            source = random_source(random.Random(1).randrange)
            try:
                PUNIC_WARS.apply(state, seat, read(command, PUNIC_WARS.command), Dice(source=source, secret=source))
            except Illegal as illegal:
                found.append((command, str(illegal)))
    return found


@pytest.mark.parametrize("scenario, seed", [("1", 3), ("2", 5), ("3", 4)])
def test_4_1_every_combination_of_an_offer_is_accepted(scenario, seed):
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    state = PUNIC_WARS.start(scenario, None, {"turn_limit": 9}, Dice(source=source, secret=source)).state
    for number in range(120):
        if state.result is not None:
            break
        for seat in PUNIC_WARS.waiting_for(state):
            if number % 8 == 0 or state.pending is not None:
                assert refused(state, seat) == []
        seat = rng.choice(PUNIC_WARS.waiting_for(state))
        command = wish(state, seat, PUNIC_WARS.offers(state, seat), rng)
        dice = Dice(source=source, secret=source)
        state = PUNIC_WARS.apply(state, seat, read(command, PUNIC_WARS.command), dice).state


@pytest.mark.parametrize("scenario, seed", [("1", 8), ("2", 9), ("3", 10)])
def test_4_1_the_umpires_state_posted_as_a_position_is_the_same_to_the_byte(scenario, seed):
    """4.1: at any moment, in mid-rule too, with the same offers to every seat."""
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    state = PUNIC_WARS.start(scenario, None, {"turn_limit": 9}, Dice(source=source, secret=source)).state
    for number in range(150):
        if number % 5 == 0 or state.pending is not None:
            seen = json.loads(encode(PUNIC_WARS.view(state, "umpire")))
            again = PUNIC_WARS.start(None, seen, {}, Dice()).state
            assert encode(again) == encode(state)
            assert PUNIC_WARS.offers(again, "umpire") == PUNIC_WARS.offers(state, "umpire")
        if state.result is not None:
            break
        seat = rng.choice(PUNIC_WARS.waiting_for(state))
        command = wish(state, seat, PUNIC_WARS.offers(state, seat), rng)
        dice = Dice(source=source, secret=source)
        state = PUNIC_WARS.apply(state, seat, read(command, PUNIC_WARS.command), dice).state


def others(state, seat):
    """Stacks of the enemy that the seat has not looked into, each with one point more or fewer of a kind it has."""
    enemy = ENEMY[seat]
    for at in state.hexes_of(enemy):
        stack = state.stack(at, enemy)
        if state.occupied(at, seat) or not stack.land:
            continue
        for land in (stack.land + 1, stack.land - 1):
            if land:
                yield state.with_stack(at, enemy, stack.with_points("land", land))


@pytest.mark.parametrize("scenario, seed", [("1", 1), ("2", 2)])
def test_9_12_a_seat_cannot_tell_two_hidden_strengths_apart(scenario, seed):
    """9.12: equal bytes of view and offers, as long as the control of regions, which is public (14.11), is the same."""
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    state = PUNIC_WARS.start(scenario, None, {}, Dice(source=source, secret=source)).state
    compared = 0
    for _ in range(60):
        if state.result is not None:
            break
        for seat in ("carthage", "rome"):
            for other in others(state, seat):
                if control(other) == control(state):
                    compared += 1
                    assert encode(PUNIC_WARS.view(other, seat)) == encode(PUNIC_WARS.view(state, seat))
                    assert PUNIC_WARS.offers(other, seat) == PUNIC_WARS.offers(state, seat)
        seat = rng.choice(PUNIC_WARS.waiting_for(state))
        command = wish(state, seat, PUNIC_WARS.offers(state, seat), rng)
        dice = Dice(source=source, secret=source)
        state = PUNIC_WARS.apply(state, seat, read(command, PUNIC_WARS.command), dice).state
    assert compared > 100
