"""`make soak`: random play at length, for every system; not part of `make test`."""

import random

import pytest

from tactical.kernel.random_play import play_at_random
from webapp.systems import systems

GAMES = {"galley": 60, "hannibal": 100, "hamilcar": 100, "sword_of_rome": 60, "punic_wars": 30}
CASES = [
    (system.name, scenario.id, seed)
    for system in systems().values()
    for scenario in system.scenarios()
    for seed in range(GAMES.get(system.name, 20) // (6 if system.name == "galley" else 1))
]


@pytest.mark.soak
@pytest.mark.parametrize("name, scenario, seed", CASES)
def test_a_game_at_random_has_no_fault(name, scenario, seed):
    played = play_at_random(systems()[name], scenario, random.Random(seed), limit=60_000)
    assert played.faults == [] and played.over
