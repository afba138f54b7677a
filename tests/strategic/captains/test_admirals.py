"""Admirals command whole wars against each other, each order with its reason, from their side's view alone."""

import random
from collections import Counter

import pytest

from strategic import SYSTEMS
from strategic.captains import choose
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import read

SYSTEM = SYSTEMS["open_campaign"]
WARS = [each.id for each in SYSTEM.scenarios()]
SHORT = "pirates_of_crete"


@pytest.mark.parametrize(
    "war", [each if each == SHORT else pytest.param(each, marks=pytest.mark.soak) for each in WARS]
)
def test_admirals_play_a_ready_made_war_to_its_end(war):
    chance = random.Random(7)
    source = random_source(chance.randrange)
    state = SYSTEM.start(war, None, {}, Dice(source=source, secret=source)).state
    why = Counter()
    while not SYSTEM.is_over(state):
        seat = SYSTEM.waiting_for(state)[0]
        choice = choose(SYSTEM.name, SYSTEM.view(state, seat), seat, SYSTEM.offers(state, seat))
        assert choice.reasons
        why[choice.reasons[0].kind] += choice.command["type"] == "order"
        state = SYSTEM.apply(
            state, seat, read(choice.command, SYSTEM.command), Dice(source=source, secret=source)
        ).state
    assert state.result is not None and len([kind for kind, count in why.items() if count]) >= 3
    assert not SYSTEM.invariants(state)
