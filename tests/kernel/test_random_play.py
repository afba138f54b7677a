"""The driver of random play: which faults of an engine it finds."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from kernel.morra import MORRA, Adjust, Game, Show
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Outcome, System
from tactical.kernel.random_play import complaints, play_at_random
from tactical.kernel.record import BadInput


def raising(fault: Exception, command: type) -> System:
    """Morra, whose engine fails at every command of this kind."""

    def apply(game: Game, seat: str, said: Any, dice: Dice) -> Outcome[Game]:
        if isinstance(said, command):
            raise fault
        return MORRA.apply(game, seat, said, dice)

    return replace(MORRA, apply=apply)


@pytest.mark.parametrize(
    "fault", [AssertionError("a"), ValueError("v"), KeyError("k"), TypeError("t"), IndexError("i"), Illegal("M1", "no")]
)
def test_a_position_that_cannot_be_adjusted_is_a_fault(fault: Exception) -> None:
    played = play_at_random(raising(fault, Adjust), "match", random.Random(1))
    assert "adjusted without a change it is refused" in played.faults[0] and type(fault).__name__ in played.faults[0]


@pytest.mark.parametrize(
    "fault", [AssertionError("a"), ValueError("v"), KeyError("k"), TypeError("t"), IndexError("i")]
)
def test_a_command_on_offer_that_fails_is_a_fault_of_the_game(fault: Exception) -> None:
    played = play_at_random(raising(fault, Show), "match", random.Random(1))
    assert any("failed" in each and type(fault).__name__ in each for each in played.faults)


def test_a_position_that_cannot_be_posted_back_is_a_fault() -> None:
    def start(scenario: str | None, position: Any, options: Any, dice: Dice) -> Outcome[Game]:
        if position is not None:
            raise BadInput("round", "never")
        return MORRA.start(scenario, None, options, dice)

    played = play_at_random(replace(MORRA, start=start), "match", random.Random(1))
    assert "posted as a position it is refused: BadInput('round: never')" in played.faults[0]


def test_an_engagement_that_outlives_the_game_is_a_fault() -> None:
    class Met(Game, frozen=True):
        engagement: str | None = None

    system = replace(MORRA, state=Met)
    assert complaints(system, Met(winner="red", engagement="1.1")) == ["the game is over and an engagement is open"]
    assert complaints(system, Met(winner="red")) == []


def test_a_seat_that_is_not_waited_for_may_interrupt() -> None:
    """Red shows first here; only who interrupts can speak before."""

    def offers(game: Game, seat: str) -> Any:
        return () if seat == "umpire" else MORRA.offers(game, seat)

    red_first = replace(MORRA, offers=offers, waiting_for=lambda game: MORRA.waiting_for(game)[:1])

    def first(interrupting: int) -> set[str]:
        games = [
            play_at_random(red_first, "match", random.Random(seed), interrupting=interrupting) for seed in range(9)
        ]
        assert [fault for played in games for fault in played.faults] == []
        return {played.entries[1].seat for played in games}

    assert first(0) == {"red"} and first(2) == {"red", "blue"}
