"""Captains see which friends cannot go on, and make room for them; behind in points they take prizes."""

from __future__ import annotations

import pytest

from kit.fleet import go, position, ship
from tactical import GALLEY
from tactical.board import ahead, astern
from tactical.captains import Orders, choose
from tactical.captains.water import Water, chart, pose_at

FAR = {"c1": ship("carthage", (14, -4), "NW", "quinquereme")}


def plotted(state, name, level="able"):
    """The speed that the captain plots for a ship of Rome."""
    offers = [offer for offer in GALLEY.offers(state, "rome") if offer.fields.get("ship") == name]
    return choose(state, "rome", offers, Orders(level)).command["speed"]


@pytest.mark.parametrize("level", ["able", "seasoned"])
def test_g6_7_a_ship_clears_the_way_of_a_friend_that_owes_a_backing(level):
    """Both would lie there for the rest of the battle: one may not back, the other neither turn nor row on."""
    at = (5, 2)
    debtor = {"must_back": True, "speed": 0, "straight": 0}
    state = position(
        ships={
            "r1": ship("rome", at, "N", **debtor),
            "r2": ship("rome", astern(at, "N"), "N", speed=0, straight=0),
            **FAR,
        }
    )
    assert plotted(state, "r2", level) == -1


@pytest.mark.parametrize("level", ["able", "seasoned"])
def test_g4_3_of_two_friends_bow_to_bow_one_backs(level):
    at = (5, 2)
    state = position(
        ships={
            "r1": ship("rome", at, "SE", speed=0, straight=0),
            "r2": ship("rome", ahead(at, "SE"), "NW", speed=0, straight=0),
            **FAR,
        }
    )
    assert -1 in (plotted(state, "r1", level), plotted(state, "r2", level))


def test_g4_4_a_step_astern_counts_for_the_cycle_and_standing_does_not():
    water = chart(Water(20, 14, frozenset({(5, 6)}), False), 2)
    ((_, backed),) = water.onward(pose_at(5 << 10 | 3, 0, 0), True)
    assert backed >> 2 & 15 == 1
    ((_, stood),) = water.onward(pose_at(5 << 10 | 5, 0, 0), True)
    assert stood == pose_at(5 << 10 | 5, 0, 0)


def last_enemy(taken):
    """Rome's quinquereme waits before the beam of the last Punic ship, which is nearly sunk."""
    lost = {f"r{number}": ship("rome", None, None, "quinquereme", status="sunk") for number in range(2, 2 + taken)}
    return position(
        turn=2,
        phase=6,
        step="ram",
        ships={
            "r1": ship(
                "rome",
                (5, 5),
                "NE",
                "quinquereme",
                contact="c1",
                waited=1,
                speed=3,
                plot=3,
                stepped=True,
                steps_made=3,
                medium=8,
            ),
            "c1": ship("carthage", (6, 4), "N", "quinquereme", speed=0, plot=0, medium=8, damage=5),
            **lost,
        },
    )


@pytest.mark.parametrize("taken, deed", [(0, "ram"), (2, "hold")])
def test_g10_1_who_is_behind_does_not_sink_the_last_enemy(taken, deed):
    """Sunk, she ends the battle and leaves it lost; taken, she counts twice as much."""
    state = last_enemy(taken)
    choice = choose(state, "rome", GALLEY.offers(state, "rome"), Orders("able"))
    assert choice.command["type"] == deed


@pytest.mark.parametrize("taken, boards", [(0, False), (2, True)])
def test_g10_2_who_wins_by_prizes_alone_boards_at_even_odds(taken, boards):
    state = last_enemy(taken)
    state = go(state, ("hold", {"ship": "r1"}))
    choice = choose(state, "rome", GALLEY.offers(state, "rome"), Orders("able"))
    assert (choice.command["type"] == "board") is boards
