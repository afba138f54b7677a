"""Seeded random play of all three scenarios, with the invariants after every command and a replay at the end."""

from __future__ import annotations

import random

import pytest
from pw_bold import play
from pw_table import points, table

from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.state import Campaign
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import decode, encode

SCENARIOS = ("1", "2", "3")


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("seed", range(2))
def test_random_play_with_a_purpose(scenario, seed):
    options = {"turn_limit": 3, "naval_battles": "ask" if seed else "table"}
    assert play(scenario, seed, options).faults == []


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_play_of_any_offer(scenario):
    assert play_at_random(PUNIC_WARS, scenario, random.Random(7), {"turn_limit": 3}).faults == []


@pytest.mark.soak
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("seed", range(30))
def test_thirty_games_of_each_scenario(scenario, seed):
    played = play(scenario, 1000 + seed, {"turn_limit": 8, "naval_battles": "ask" if seed % 3 == 0 else "table"}, 20000)
    assert played.faults == [] and played.over


def test_the_invariants_find_what_is_wrong():
    state = table({"2908": {"rome": points(2)}}, {"rc": "2908"})
    assert PUNIC_WARS.invariants(state) == ()
    more = state.with_stack("2908", "rome", state.stack("2908", "rome").with_points("land", 3))
    assert any("accounted" in broken for broken in PUNIC_WARS.invariants(more))
    inland = state.with_stack("2907", "rome", state.stack("2908", "rome").with_points("naval", 1))
    assert any(broken.startswith("5.32") for broken in PUNIC_WARS.invariants(inland))


def test_a_position_survives_its_json():
    state = table({"2908": {"rome": points(2, 1, "naval")}}, {"rc": ("2908", {"land": 1})})
    assert decode(encode(state), Campaign) == state
