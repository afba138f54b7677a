"""9.12 What a seat may not know changes nothing of what it sees and is offered."""

from __future__ import annotations

import random

import pytest

from kit.pw_bold import wish
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.control import control
from strategic.punic_wars.rules.pieces import ENEMY
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import encode, read


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
