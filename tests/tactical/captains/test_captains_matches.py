"""How good captains are, in few battles; docs/captains.md has the figures of many."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tactical import GALLEY
from tactical.captains import TEMPERS, Orders
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


def deeds(temper, games=8):
    """What the ships of an able captain of a temper did against an even one, from both sides: rams, boardings, losses."""
    found = Counter()
    for number in range(games):
        sides = ("athens", "corinth") if number % 2 else ("corinth", "athens")
        players = {sides[0]: Orders("able", temper=temper), sides[1]: Orders("able")}
        fought = battle("first_oars", players, number // 2, True)
        ships = fought.state.ships
        told = [event for entry in fought.entries for event in entry.events]
        found.update(
            each.type for each in told if each.type in ("ram", "board") and ships[each.data["ship"]].side == sides[0]
        )
        found["lost"] += sum(it.side == sides[0] and it.status in ("sunk", "captured") for it in ships.values())
    return found


def test_tempers_play_differently():
    even, careful, boarder, rammer = (deeds(temper) for temper in (None, *TEMPERS))
    assert boarder["board"] > 2 * max(1, even["board"]) and boarder["ram"] < even["ram"]
    assert rammer["ram"] > 1.2 * even["ram"] and rammer["ram"] > 2 * boarder["ram"]
    assert careful["lost"] < even["lost"]


def test_wilson_intervals_are_those_of_the_books():
    assert wilson(0, 0).high == 1.0
    found = wilson(75, 100)
    assert (found.share, found.low, found.high) == (0.75, 0.657, 0.8245)
    assert wilson(100, 100).low == pytest.approx(0.963, abs=1e-4)
