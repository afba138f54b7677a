"""Where several seats are waited for at once, the order in which they speak decides nothing, in any system.

The galley's simultaneous steps are looked at closer in tests/tactical/test_neighbours.py and test_small_board.py.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from goldens.playing import kept, scenarios, states
from kit.commands_of import picked
from kit.lengths import TWO_ORDERS, seeds
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal, NotYours, System
from tactical.kernel.random_play import QUITTING, fill
from tactical.kernel.record import BadInput, encode, read
from webapp.storage.journal.store import all_systems

TRIED = 6  # pairs of commands in a position
COMPARED: dict[str, int] = {}
AT_SEA = {"sea_battles": "both"}
WARS = [  # what the goldens seldom come to: fleets that meet, both sides asked; the galley's own walks are elsewhere
    ("hannibal", "second_punic_war", AT_SEA | {"battles_at_sea": True}),
    ("hamilcar", "first_punic_war", AT_SEA),
    ("punic_wars", "1", AT_SEA),
    ("punic_wars", "2", AT_SEA),
    ("sword_of_rome", "five_powers", AT_SEA | {"battles_at_sea": True}),
]
EAGER = (
    "activate",
    "campaign_move",
    "sail",
    "sea_intercept",
    "try_sea",
    "declare",
    "contest",
    "move",
    "take",
    "attack",
)


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


def compared(rules: System, state: Any, throw: random.Random) -> int:
    """How many pairs of commands are legal in both orders; each pair gives one state."""
    if len(rules.waiting_for(state)) < 2:
        return 0
    found = 0
    for one, other in pairs(rules, state, throw):
        first, second = given(rules, state, one), given(rules, state, other)
        both = None if first is None else given(rules, first, other)
        turned = None if second is None else given(rules, second, one)
        if both is not None and turned is not None:
            assert json.loads(encode(both)) == json.loads(encode(turned)), (one, other)
            found += 1
    return found


@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_two_orders_of_the_same_commands_give_the_same_state(system: str, scenario: str) -> None:
    rules, throw = all_systems()[system], random.Random(13)
    for state in states(system, kept(system, scenario), 1 if system != "galley" else 9):
        COMPARED[system] = COMPARED.get(system, 0) + compared(rules, state, throw)


def played(rules: System, scenario: str, options: dict[str, Any], seed: int, length: int) -> Iterator[Any]:
    """The positions of a game at random in which whoever may put to sea is eager to."""
    throw = random.Random(seed)
    source = random_source(throw.randrange)
    state = rules.start(scenario, None, options, Dice(source=source, secret=source)).state
    for _ in range(length):
        if rules.is_over(state):
            return
        yield state
        seat = throw.choice(rules.waiting_for(state))
        offers = [each for each in rules.offers(state, seat) if each.type not in QUITTING | rules.by_hand]
        weights = [6 if each.type in EAGER else 1 for each in offers]
        command = fill(throw.choices(offers, weights)[0], throw)
        source = random_source(throw.randrange)
        state = rules.apply(state, seat, read(command, rules.command), Dice(source=source, secret=source)).state


@pytest.mark.parametrize("seed", seeds(range(2), TWO_ORDERS))
@pytest.mark.parametrize(("system", "scenario", "options"), WARS, ids=lambda value: str(value)[:20])
def test_in_random_wars_two_orders_give_the_same_state(
    system: str, scenario: str, options: dict[str, Any], seed: int
) -> None:
    """After every command after which two are asked at once."""
    rules, throw = all_systems()[system], random.Random(17)
    for state in played(rules, scenario, options, seed, 300):
        COMPARED[system] = COMPARED.get(system, 0) + compared(rules, state, throw)


def test_pairs_were_compared_where_two_are_asked_at_once() -> None:
    """The galley's plots and fire, the meetings at sea, bids and set-ups, the declarations of The Sword of Rome."""
    assert set(COMPARED) == set(all_systems())
    assert min(COMPARED.values()) > 40, COMPARED
