"""Where several seats are waited for at once, the order in which they speak decides nothing, in any system.

The galley's simultaneous steps are looked at closer in tests/tactical/test_neighbours.py and test_small_board.py.
"""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest
from commands_of import picked
from goldens.playing import kept, scenarios, states

from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, NotYours, System
from tactical.kernel.random_play import QUITTING
from tactical.kernel.record import BadInput, encode, read
from webapp.systems import systems

TRIED = 6  # pairs of commands in a position
COMPARED: dict[str, int] = {}


class Fated(Dice):
    """Dice whose faces hang on what they are thrown for, not on when; shuffles leave the order as it is."""

    def __init__(self) -> None:
        super().__init__(secret=lambda sides: 1)

    def roll(self, count: int, sides: int, rule: str, **about: str) -> tuple[int, ...]:
        fate = random.Random(f"{rule} {sorted(about.items())}")
        return tuple(fate.randint(1, sides) for _ in range(count))


def given(rules: System, state: Any, said: tuple[str, dict[str, Any]]) -> Any:
    """The position after a seat's command; None when it is refused."""
    try:
        return rules.apply(state, said[0], read(said[1], rules.command), Fated()).state
    except (Illegal, NotYours, BadInput):
        return None


def pairs(rules: System, state: Any, throw: random.Random) -> list[tuple[tuple[str, Any], tuple[str, Any]]]:
    """Commands of two seats that are both waited for."""
    said = {}
    for seat in rules.waiting_for(state):
        offers = [each for each in rules.offers(state, seat) if each.type not in QUITTING | rules.by_hand]
        said[seat] = [(seat, command) for offer in offers for command in picked(offer, 2, throw)]
    found = [
        pair for one, other in itertools.combinations(said, 2) for pair in itertools.product(said[one], said[other])
    ]
    return throw.sample(found, min(TRIED, len(found)))


@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_two_orders_of_the_same_commands_give_the_same_state(system: str, scenario: str) -> None:
    rules, throw = systems()[system], random.Random(13)
    for state in states(system, kept(system, scenario), 1 if system != "galley" else 9):
        if len(rules.waiting_for(state)) < 2:
            continue
        for one, other in pairs(rules, state, throw):
            first, second = given(rules, state, one), given(rules, state, other)
            both = None if first is None else given(rules, first, other)
            turned = None if second is None else given(rules, second, one)
            if both is None or turned is None:
                continue
            assert json.loads(encode(both)) == json.loads(encode(turned)), (one, other)
            COMPARED[system] = COMPARED.get(system, 0) + 1


def test_pairs_were_compared_where_two_are_asked_at_once() -> None:
    """The galley's plots and fire, the meetings at sea, the declarations of The Sword of Rome."""
    assert COMPARED.get("galley", 0) > 50 and COMPARED.get("sword_of_rome", 0) > 5, COMPARED
