"""How good captains are, in few battles; docs/captains.md has the figures of many."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tactical import GALLEY
from tactical.captains import Orders
from tactical.captains.captain import play, wilson
from tactical.kernel.dice import Dice
from tactical.kernel.journal import replay
from tactical.kernel.record import encode


def battle(scenario, players, seed, keep=False):
    state = GALLEY.start(scenario, None, {}, Dice()).state
    return play(GALLEY, state, players, random.Random(seed), keep)


@pytest.mark.parametrize("side, other", [("rhodes", "seleucids"), ("seleucids", "rhodes")])
def test_an_able_captain_beats_random_play_from_either_side(side, other):
    for seed in range(2):
        fought = battle("side", {side: Orders("able"), other: None}, seed)
        assert fought.winner == side


def test_captains_neither_leave_the_board_nor_hold_still():
    fought = battle("mylae", {"rome": Orders("able"), "carthage": Orders("raw")}, 6)
    assert fought.state.is_over
    assert not [name for name, ship in fought.state.ships.items() if ship.status == "withdrawn"]
    assert sum(side.points for side in fought.state.sides.values()) > 20


def test_a_battle_of_captains_is_the_same_again_from_its_seed_and_from_its_journal():
    players = {"athens": Orders("seasoned"), "corinth": Orders("able")}
    one, two = battle("first_oars", players, 7, True), battle("first_oars", players, 7)
    assert encode(one.state) == encode(two.state)
    *_, (_, last) = replay(GALLEY, one.start, one.entries)
    assert encode(last.state) == encode(one.state)


def deeds(scenario, temper, games):
    """What the ships of an able captain of a temper did against an even one, from both sides: rams, boardings, losses."""
    found = Counter()
    for number in range(games):
        mine, other = list(GALLEY.start(scenario, None, {}, Dice()).state.sides)[:: -1 if number % 2 else 1]
        players = {mine: Orders("able", temper=temper), other: Orders("able")}
        fought = battle(scenario, players, number // 2, True)
        ships = fought.state.ships
        told = [event for entry in fought.entries for event in entry.events if event.type in ("ram", "board")]
        found.update(each.type for each in told if ships[each.data["ship"]].side == mine)
        found["lost"] += sum(it.side == mine and it.status in ("sunk", "captured") for it in ships.values())
    return found


def test_a_careful_captain_loses_fewer_ships_and_a_boarder_boards_where_others_ram():
    even, careful, boarder = (deeds("first_oars", temper, 16) for temper in (None, "careful", "boarder"))
    assert careful["lost"] < 0.9 * even["lost"]
    assert boarder["board"] > 4 * even["board"] and boarder["ram"] < 0.6 * even["ram"]


def test_a_rammer_rams_where_others_board():
    even, rammer = (deeds("side", temper, 4) for temper in (None, "rammer"))
    assert rammer["ram"] > 1.7 * even["ram"]


def test_wilson_intervals_are_those_of_the_books():
    assert wilson(0, 0).high == 1.0
    found = wilson(75, 100)
    assert (found.share, found.low, found.high) == (0.75, 0.657, 0.8245)
    assert wilson(100, 100).low == pytest.approx(0.963, abs=1e-4)
