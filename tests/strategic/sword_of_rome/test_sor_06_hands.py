"""6.2 The hands with which a typed position begins."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome.tables import SEATS
from tactical.kernel.dice import Dice, random_source

ROME: dict[str, Any] = {"forces": {"roma": {"romans": {"units": 4}}}}


def begun(position: dict[str, Any]) -> Any:
    source = random_source(Random(1).randrange)
    return SWORD_OF_ROME.start(None, position, {}, Dice(source=source, secret=source))


def test_6_2_a_position_that_says_nothing_of_hands_is_dealt_its_first_ones() -> None:
    outcome = begun(ROME)
    assert set(outcome.state.hands) == set(SEATS) and all(outcome.state.hands.values())
    assert {each.only for each in outcome.events if each.type == "hand"} == {(seat,) for seat in SEATS}


@pytest.mark.parametrize(
    "more",
    [{"hands": {}}, {"hands": {"romans": [2]}}, {"round": 2}, {"acted": True}, {"options": {"cards": "entered"}}],
    ids=["nobody holds any", "one holds one", "later in the turn", "an action is over", "cards of the table"],
)
def test_6_2_and_in_any_other_position_nobody_is_dealt_a_card(more: dict[str, Any]) -> None:
    held = begun({**ROME, **more}).state.hands
    assert {seat: list(cards) for seat, cards in held.items()} == more.get("hands", {})
