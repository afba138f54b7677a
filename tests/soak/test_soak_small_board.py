"""`make soak`: two ships on five by five, the whole board; and random play of two and three ships from odd positions.

What each test has looked at is added up at the end of the run (tests/kit/soak_counts.py).
"""

import itertools
import random

import pytest

from kit.lengths import ODD_BATTLES, SMALL_BOARD_PAIRS, SMALL_BOARD_TURNED, scaled
from kit.odd_positions import odd_position
from kit.small_board import CENTRE, WATER, explore, is_symmetric, positions
from tactical.board import HEADINGS
from tests.tactical.test_neighbours import is_sound, order_does_not_matter, orders_agree, walk

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
ALL_PAIRS = list(itertools.combinations_with_replacement(SHEETS, 2))
# Every sheet first meets its neighbour in the list; the other pairs follow where the soak is longer.
BESIDE = [pair for pair in itertools.pairwise([*SHEETS, *list(SHEETS)[:1]])]
RING = [pair if pair in ALL_PAIRS else pair[::-1] for pair in BESIDE]
PAIRS = [*RING, *(pair for pair in ALL_PAIRS if pair not in RING)]
OPTIONS = (
    {"edge": "withdraw"},
    {"sprint": "maximum"},
    {"order": "initiative"},
    {"ships_block_sight": True},
    {"arcs": "forward"},
    {"model": "squadron"},
)
IN_TURN = [
    (*pair, OPTIONS[(number + number // 6) % 6]) for number, pair in enumerate(PAIRS[: scaled(SMALL_BOARD_PAIRS)])
]
CHUNK = 20_000  # positions of three ships and more in each part


def sheets(red, blue):
    return [(SHEETS[red], SHEETS[blue])]


@pytest.mark.soak
@pytest.mark.parametrize("red, blue", PAIRS[: scaled(SMALL_BOARD_PAIRS)])
def test_g6_10_every_position_of_two_ships_is_sound(red, blue, record_property):
    seen: set[bytes] = set()
    for battle in positions(WATER, HEADINGS, sheets(red, blue), (6,)):
        explore(battle, "fate", is_sound, seen)
    record_property("states of two ships", len(seen))
    assert len(seen) > 1000


@pytest.mark.soak
@pytest.mark.parametrize("red, blue, option", IN_TURN)
def test_g6_10_every_position_with_an_option_is_sound_in_any_order(red, blue, option, record_property):
    seen: set[bytes] = set()
    pairs = []

    def look(battle):
        is_sound(battle)
        pairs.append(orders_agree(battle))

    for battle in positions(WATER[:10], HEADINGS, sheets(red, blue), (6,), **option):
        explore(battle, "fate", look, seen)
    record_property("states of two ships with an option", len(seen))
    for battle in positions([CENTRE], ("N", "S", "SE"), sheets(red, blue), (None,), **option):
        explore(battle, "fate", look, seen, until="move")
    record_property("pairs of orders of two ships", sum(pairs))
    assert len(seen) > 1000 and sum(pairs) > 1000


@pytest.mark.soak
@pytest.mark.parametrize("red, blue", PAIRS[: scaled(SMALL_BOARD_TURNED)])
def test_g4_1_every_position_of_two_ships_is_symmetric(red, blue, record_property):
    seen: set[bytes] = set()
    for battle in positions(WATER[:10], HEADINGS, sheets(red, blue), (6,)):
        here: set[bytes] = set()
        explore(battle, "fate", lambda each: is_symmetric(each, "fate"), here, depth=3)
        seen |= here
    record_property("states turned and exchanged", len(seen))
    assert len(seen) > 100


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(scaled(ODD_BATTLES)))
def test_g2_3_odd_positions_are_sound(chunk, record_property):
    rng = random.Random(f"soak {chunk}")
    crowded = pairs = 0
    for number in range(CHUNK // 20):
        battle = odd_position(rng, sides=rng.choice([2, 2, 3]), table=number % 10 == 9)
        is_sound(battle)
        order_does_not_matter(battle, rng)
        walked = walk(chunk * CHUNK + number, 20)
        crowded, pairs = crowded + walked.crowded, pairs + walked.pairs
    record_property("positions of three ships and more", crowded)
    record_property("pairs of orders in odd positions", pairs)
    assert crowded > CHUNK / 2
