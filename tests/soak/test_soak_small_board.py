"""`make soak`: two ships on five by five, the whole board; and random play of two and three ships from odd positions."""

import itertools
import random

import pytest

from tactical.hexes import HEADINGS
from tests.tactical.odd_positions import odd_position
from tests.tactical.small_board import WATER, explore, is_symmetric, positions
from tests.tactical.test_neighbours import is_sound, order_does_not_matter, walk

TRIREME = {"type": "trireme", "medium": 1}
SHEETS = {
    "elite": {**TRIREME, "crew": "elite", "speed": 1, "plot": 1},
    "poor": {"type": "quinquereme", "crew": "poor", "heavy": 1, "damage": 6, "speed": 1, "plot": 1},
    "owing": {**TRIREME, "speed": -1, "plot": -1, "must_back": True},
    "free": {**TRIREME, "free_turn": "any", "speed": 1, "plot": 1},
    "fast": {**TRIREME, "crew": "elite", "speed": 6, "plot": 6, "straight": 2},
    "broken": {**TRIREME, "crew": "poor", "oars_broken": True, "speed": 1, "plot": 1, "breaches": 1, "damage": 5},
    "carrying": {"type": "transport", "speed": 1, "plot": 1},
    "shooting": {"type": "bireme", "archers": 1, "catapults": 1, "speed": 0, "plot": 0},
}
PAIRS = list(itertools.combinations_with_replacement(SHEETS, 2))
CHUNK, CHUNKS = 20_000, 50  # a million positions of two and three sides


@pytest.mark.soak
@pytest.mark.parametrize("red, blue", PAIRS)
def test_g6_10_every_position_of_two_ships_is_sound(red, blue):
    seen: set[bytes] = set()
    for battle in positions(WATER, HEADINGS, [(SHEETS[red], SHEETS[blue])], (6,)):
        explore(battle, "fate", is_sound, seen)
    print(f"{red} and {blue}: {len(seen)} states")
    assert len(seen) > 1000


@pytest.mark.soak
@pytest.mark.parametrize("red, blue", PAIRS)
def test_g4_1_every_position_of_two_ships_is_symmetric(red, blue):
    for battle in positions(WATER[:10], HEADINGS, [(SHEETS[red], SHEETS[blue])], (6,)):
        explore(battle, "fate", lambda each: is_symmetric(each, "fate"), set(), depth=3)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_g2_3_a_million_odd_positions_are_sound(chunk):
    rng = random.Random(f"soak {chunk}")
    for number in range(CHUNK // 20):
        battle = odd_position(rng, sides=rng.choice([2, 2, 3]), table=number % 10 == 9)
        is_sound(battle)
        order_does_not_matter(battle, rng)
        walk(chunk * CHUNK + number, 20)
