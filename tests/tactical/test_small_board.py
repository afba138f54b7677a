"""G4.6, G6.10 Two ships on five by five: no dead end, no contradiction, the same turned round and with sides exchanged.

`make soak` does the whole board; here r1 lies in the middle, and every command of one phase and the turn's end is given.
"""

from __future__ import annotations

import pytest

from kit.small_board import CENTRE, explore, is_symmetric, positions
from tests.tactical.test_neighbours import is_sound

ELITE = {"type": "trireme", "crew": "elite", "speed": 1, "plot": 1, "medium": 1}
HEAVY = {"type": "quinquereme", "crew": "poor", "speed": 1, "plot": 1, "heavy": 1, "damage": 6}
OWING = {**ELITE, "speed": -1, "plot": -1, "must_back": True}
FREE = {**HEAVY, "free_turn": "any"}


@pytest.mark.parametrize("red, blue", [(ELITE, HEAVY), (OWING, HEAVY), (ELITE, FREE)])
def test_g6_10_every_position_of_two_ships_in_the_middle_is_sound(red, blue):
    seen: set[bytes] = set()
    for battle in positions([CENTRE], ("N", "S", "SE"), [(red, blue)], (6,)):
        explore(battle, "fate", is_sound, seen)
    assert len(seen) > 300


def test_g4_1_the_board_turned_and_the_sides_exchanged_give_the_same_battle():
    for battle in positions([CENTRE], ("S", "NE"), [(ELITE, HEAVY)], (6,)):
        explore(battle, "fate", lambda each: is_symmetric(each, "fate"), set(), depth=3)
