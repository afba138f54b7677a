"""Captains: they always answer, legally, from what their side sees alone."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import msgspec
import pytest

from kit.fleet import do, go, position, ship
from tactical import GALLEY
from tactical.board import from_column_row
from tactical.captains import LEVELS, Orders, choose, choose_all
from tactical.captains.reasons import KINDS
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Offer
from tactical.kernel.random_play import QUITTING, fill
from tactical.kernel.record import encode, read


def states(scenario, seed, wanted, options=None):
    """Positions of a battle played at random, some of each step."""
    generator = random.Random(seed)
    source = random_source(generator.randrange)
    state = GALLEY.start(scenario, None, options or {}, Dice(source=source)).state
    while not state.is_over:
        seat = generator.choice(GALLEY.waiting_for(state))
        offers = [offer for offer in GALLEY.offers(state, seat) if offer.type not in QUITTING]
        if generator.random() < wanted:
            yield state
        command = read(fill(generator.choice(offers), generator), GALLEY.command)
        state = GALLEY.apply(state, seat, command, Dice(source=source)).state


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("scenario", ["first_oars", "side", "mylae"])
def test_whoever_is_waited_for_has_a_legal_command_with_reasons(scenario, level):
    source = random_source(random.Random(1).randrange)
    asked = 0
    for state in states(scenario, f"{scenario} {level}", 0.06):
        for seat in GALLEY.waiting_for(state):
            choice = choose(GALLEY.view(state, seat), seat, GALLEY.offers(state, seat), Orders(level))
            GALLEY.apply(state, seat, read(choice.command, GALLEY.command), Dice(source=source))
            assert choice.reasons and {each.kind for each in choice.reasons} <= KINDS
            assert all(each.odds is None or each.odds >= 0 for each in choice.reasons)
            asked += 1
    assert asked


@pytest.mark.parametrize("level", LEVELS)
def test_a_captain_answers_every_offer_by_itself(level):
    """Each kind of command that is ever offered, asked alone, gets an answer of that kind."""
    met = set()
    for state in (in_contact(medium=8), *states("side", "two", 0.25)):
        for side in state.sides:
            for offer in GALLEY.offers(state, side):
                choice = choose(GALLEY.view(state, side), side, (offer,), Orders(level))
                assert choice.command["type"] in (offer.type, "done")
                met.add(offer.type)
    assert {"plot", "lock", "step", "fire", "finish", "ram", "hold", "board", "done", "agree"} <= met


def test_no_offer_at_all_is_refused():
    with pytest.raises(ValueError, match="no offer"):
        choose(position(ships={"r1": ship("rome", (1, 1)), "c1": ship("carthage", (5, 5))}), "rome", ())


@pytest.mark.parametrize("level", LEVELS)
def test_g3_1_two_states_that_differ_in_a_hidden_plot_give_the_same_choice(level):
    state = next(states("side", "hidden", 1.0))
    one = two = state
    for number, name in enumerate(name for name, each in state.ships.items() if each.side == "seleucids"):
        one = go(one, ("plot", {"ship": name, "speed": 2}))
        two = go(two, ("plot", {"ship": name, "speed": number % 2}))
    assert encode(one) != encode(two)
    for pick in (choose, choose_all):
        answers = [
            pick(GALLEY.view(each, "rhodes"), "rhodes", GALLEY.offers(each, "rhodes"), Orders(level))
            for each in (one, two, state)
        ]
        assert encode(answers[0]) == encode(answers[1]) == encode(answers[2])


@pytest.mark.parametrize("level", LEVELS)
def test_g10_1_a_captain_agrees_to_the_end_only_when_it_leads(level):
    state = position(
        ships={
            "r1": ship("rome", (1, 1)),
            "c1": ship("carthage", (5, 5)),
            "c2": ship("carthage", None, None, status="sunk"),
        }
    )
    state = go(state, ("agree", {"side": "carthage"}))
    assert choose(state, "rome", GALLEY.offers(state, "rome"), Orders(level)).command["type"] == "agree"
    state = go(state, ("agree", {"side": "carthage", "agreed": False}), ("agree", {"side": "rome"}))
    assert choose(state, "carthage", GALLEY.offers(state, "carthage"), Orders(level)).command["type"] != "agree"


def in_contact(**rival):
    """Rome's quinquereme waits before the beam of a Punic one."""
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
            "c1": ship("carthage", (6, 4), "N", "quinquereme", speed=0, plot=0, **rival),
        },
    )


@pytest.mark.parametrize("level", LEVELS)
def test_g6_2_a_ram_is_chosen_with_its_exact_odds(level):
    state = in_contact(medium=8, damage=4)
    choice = choose(state, "rome", GALLEY.offers(state, "rome"), Orders(level))
    assert choice.command == {"type": "ram", "ship": "r1"}
    assert choice.reasons[0].kind == "ram_sinks" and choice.reasons[0].rule == "G6.2"
    assert 0.6 < choice.reasons[0].odds < 1
    assert {each.command["type"] for each in choice.considered} == {"ram", "hold"}


@pytest.mark.parametrize("level", ["able", "seasoned"])
def test_g8_5_a_ship_without_marines_is_boarded_and_not_sunk(level):
    state = in_contact(medium=0, archers=1)
    state = go(state, ("adjust", {"ship": "r1", "changes": {"corvus": True}, "why": "a bridge"}))
    assert choose(state, "rome", GALLEY.offers(state, "rome"), Orders(level)).command["type"] == "hold"
    state = go(state, ("hold", {"ship": "r1"}))
    choice = choose(state, "rome", GALLEY.offers(state, "rome"), Orders(level))
    assert choice.command["type"] == "board" and choice.reasons[0].odds == 1


@pytest.mark.parametrize("level", ["able", "seasoned"])
def test_g8_4_a_hopeless_boarding_is_left(level):
    state = position(
        turn=2,
        phase=6,
        step="board",
        ships={
            "r1": ship("rome", (5, 5), "N", medium=2),
            "c1": ship("carthage", (5, 4), "NE", "hepteres", medium=15, tried_boarding=True),
        },
    )
    choice = choose(state, "rome", GALLEY.offers(state, "rome"), Orders(level))
    assert choice.command["type"] == "done" and choice.reasons[0].kind == "board_not"


@pytest.mark.parametrize("level", LEVELS)
def test_g1_4_a_ship_that_can_turn_does_not_row_off_the_board(level):
    state = position(
        turn=1,
        phase=6,
        step="move",
        ships={
            "r1": ship("rome", (5, -2), "N", speed=1, plot=1, straight=3),
            "c1": ship("carthage", (15, 0), "N", speed=0, plot=0),
        },
    )
    choice = choose(state, "rome", GALLEY.offers(state, "rome"), Orders(level))
    assert choice.command["type"] == "step" and choice.command["turn"] != "none"


def test_g1_5_on_the_players_own_table_a_captain_answers_too():
    raw = {
        "sides": {"rome": {"navy": "roman"}, "carthage": {}},
        "board": {"kind": "table"},
        "ships": {"r1": ship("rome", None, None, "quinquereme"), "c1": ship("carthage", None, None, "quinquereme")},
    }
    source = random_source(random.Random(5).randrange)
    state = GALLEY.start(None, {**raw, "turn_limit": 3}, {}, Dice(source=source)).state
    for _ in range(200):
        if state.is_over:
            break
        seat = GALLEY.waiting_for(state)[0]
        choice = choose(GALLEY.view(state, seat), seat, GALLEY.offers(state, seat))
        state = GALLEY.apply(state, seat, read(choice.command, GALLEY.command), Dice(source=source)).state
    assert state.is_over


def test_a_squadron_in_reserve_waits_until_the_enemy_is_near():
    ships = {
        "r1": ship("rome", (2, 3), "SE", "quinquereme", squadron="Back", medium=8),
        "c1": ship("carthage", (16, -2), "NW", "quinquereme", medium=2),
    }
    state = position(ships=ships)
    line = choose(state, "rome", GALLEY.offers(state, "rome"), Orders("able"))
    back = choose(state, "rome", GALLEY.offers(state, "rome"), Orders("able", {"Back": "reserve"}))
    assert line.command["speed"] > 0 >= back.command["speed"]
    assert "aim_reserve" in {each.kind for each in back.reasons}


def test_every_offer_of_the_dice_on_the_table_is_answered():
    offers = (Offer("keep", "L2.5.a", {"side": "rome"}),)
    state = position(ships={"r1": ship("rome", (1, 1)), "c1": ship("carthage", (5, 5))})
    assert choose(state, "rome", offers).command == {"type": "keep", "side": "rome"}
    assert msgspec.to_builtins(choose(state, "rome", offers))["reasons"][0]["kind"] == "keep"


def beside(**helper):
    """Rome's quinquereme lies beside an equal enemy, and a second one may lie beside it too."""
    ships = {
        "r1": ship("rome", (5, 5), "N", "quinquereme", medium=8),
        "c1": ship("carthage", (5, 4), "NE", "quinquereme", medium=9),
        "r2": ship("rome", (6, 4), "N", "quinquereme", **helper),
    }
    return position(turn=2, phase=6, step="board", ships=ships)


def test_g8_2_a_seasoned_captain_boards_an_equal_when_a_friend_may_join():
    asked = {}
    for level in LEVELS:
        state = beside(medium=8)
        choice = choose(state, "rome", GALLEY.offers(state, "rome"), Orders(level))
        asked[level] = choice.command["type"], choice.reasons[0].kind, choice.reasons[0].odds
    assert asked["able"][0] == "done"
    assert asked["seasoned"][:2] == ("board", "board_with_friends") and 0.6 < asked["seasoned"][2] < 1


@pytest.mark.parametrize("helper", [{"medium": 0}, {"medium": 8, "tried_boarding": True}])
def test_g8_1_a_friend_that_cannot_board_is_not_counted_on(helper):
    state = beside(**helper)
    choice = choose(state, "rome", GALLEY.offers(state, "rome"), Orders("seasoned"))
    assert "board_with_friends" not in {each.kind for each in choice.reasons}


def test_g3_1_what_boards_and_shoots_hangs_on_nothing_that_a_view_hides():
    """The fire and board steps hide nothing; a seasoned captain's answer in them is the same from state and view."""
    looked = set()
    for state in states("mylae", "seen", 0.15):
        if state.step in ("fire", "board"):
            for seat in GALLEY.waiting_for(state):
                seen = GALLEY.view(state, seat)
                answers = [choose(each, seat, GALLEY.offers(state, seat), Orders("seasoned")) for each in (state, seen)]
                assert encode(answers[0]) == encode(answers[1])
                looked.add(state.step)
    assert looked == {"fire", "board"}


@pytest.mark.parametrize("level", ["able", "seasoned"])
def test_g1_4_a_captain_who_is_ahead_turns_back_from_the_edge_where_he_may(level):
    """r1 may row on over the edge, or turn to a hex from which her next steps lead over it: much may still stop her."""
    at = from_column_row(0, 12)
    ships = {
        "r1": ship("rome", at, "SW", speed=4, plot=4, straight=3),
        "c1": ship("carthage", (15, 1), "N"),
        "c2": ship("carthage", None, None, status="sunk", damage=6),
    }
    state = position(ships=ships, step="move", phase=3, options={"edge": "withdraw"})
    assert state.sides["rome"].points > state.sides["carthage"].points
    choice = choose(state, "rome", GALLEY.offers(state, "rome"), Orders(level))
    assert choice.command == {"type": "step", "ship": "r1", "turn": "left"}, choice


@pytest.mark.parametrize("level", ["able", "seasoned"])
def test_g1_6_d_and_so_does_he_on_the_measured_sea(level):
    ships = {
        "r1": ship("rome", [0.5, 2], 300, speed=4, plot=4, straight=3),
        "c1": ship("carthage", [390, 390], 0),
        "c2": ship("carthage", None, None, status="sunk", damage=6),
    }
    board = {"kind": "open", "width": 400, "height": 400}
    state = position(ships=ships, board=board, step="move", phase=3, options={"edge": "withdraw"})
    choice = choose(state, "rome", GALLEY.offers(state, "rome"), Orders(level))
    battle = do(state, "rome", **{"kind": "step", **{k: v for k, v in choice.command.items() if k != "type"}}).state
    assert battle.ships["r1"].is_afloat, choice


def test_g8_2_boarding_is_with_friends_only_where_they_then_join():
    """Once the first is aboard, the captain sends a friend after her; for odds of nothing alone that is all that counts."""
    counted = Counter()
    for own, first, second, enemy in product((1, 3, 5), (2, 5, 8), (0, 2, 8), (4, 6, 9, 12)):
        ships = {
            "r1": ship("rome", (5, 5), "N", "quinquereme", medium=own),
            "c1": ship("carthage", (5, 4), "NE", "quinquereme", medium=enemy),
            "r2": ship("rome", (6, 4), "N", "quinquereme", medium=first),
            "r3": ship("rome", (4, 4), "N", "quinquereme", medium=second),
        }
        state = position(turn=2, phase=6, step="board", ships=ships)
        choice = choose(state, "rome", GALLEY.offers(state, "rome"), Orders("seasoned"))
        if choice.command["type"] != "board" or choice.reasons[0].kind != "board_with_friends":
            continue
        state = do(state, "rome", "board", 6, ship=choice.command["ship"], target="c1").state
        then = choose(state, "rome", GALLEY.offers(state, "rome"), Orders("seasoned"))
        counted[then.reasons[0].kind] += 1
    assert counted.keys() == {"board_joins"} and counted.total() > 5, counted
