"""G1.6 Captains on the measured sea: always a command that the rules take, and better than chance."""

from __future__ import annotations

import random

import pytest

from kit.sea import moving
from tactical import GALLEY
from tactical.captains.captain import choose, play
from tactical.captains.reasons import Orders
from tactical.kernel.dice import Dice
from tactical.kernel.record import read


@pytest.mark.parametrize("level", ["raw", "able", "seasoned"])
def test_g1_6_a_captain_of_any_level_always_has_a_command_at_sea(level):
    begun = GALLEY.start("open_first_turns", None, {}, Dice()).state
    fought = play(GALLEY, begun, {"rhodes": Orders(level), "carthage": None}, random.Random(2))
    assert fought.state.is_over and fought.commands > 20


def test_g1_6_an_able_captain_wins_most_battles_at_sea_against_chance():
    begun = GALLEY.start("open_first_turns", None, {}, Dice()).state
    won = 0
    for seed in range(8):
        mine = "rhodes" if seed % 2 else "carthage"
        other = "carthage" if seed % 2 else "rhodes"
        won += play(GALLEY, begun, {mine: Orders("able"), other: None}, random.Random(seed)).winner == mine
    assert won >= 5


def test_g1_6_a_captain_turns_to_ram_an_enemy_on_the_beam_within_reach():
    idle = {"medium": 2, "archers": 0, "crew": "average", "type": "trireme"}
    battle = moving(
        {
            "r1": {**idle, "side": "rome", "at": [20, 20], "facing": 0, "speed": 1},
            "c1": {**idle, "side": "carthage", "at": [20.75, 19.3], "facing": 320, "speed": 0, "damage": 4},
        }
    )
    choice = choose(battle, "rome", GALLEY.offers(battle, "rome"), Orders("able"))
    assert choice.command["type"] == "step" and choice.command["angle"] > 20
    after = GALLEY.apply(battle, "rome", read(choice.command, GALLEY.command), Dice()).state
    assert after.ships["r1"].contact == "c1"
