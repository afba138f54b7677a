"""What saves taps: holding fire for a turn, all rams at once, a pad that asks for no needless die."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kit.readers import commands_on
from tactical.courses import orders

ARCHERS = {
    "board": {"columns": 12, "rows": 12},
    "step": "fire",
    "phase": 1,
    "sides": {"rome": {"name": "Rome"}, "carthage": {"name": "Carthage"}},
    "ships": {
        "r1": {"side": "rome", "name": "Aquila", "type": "quinquereme", "at": [3, 3], "facing": "SE", "archers": 2},
        "c1": {"side": "carthage", "name": "Tanit", "type": "quinquereme", "at": [3, 5], "facing": "N", "archers": 2},
    },
}


def forgo(page: str) -> list[dict]:
    return [found for each in commands_on(page) if (found := json.loads(each))["type"] == "forgo"]


def test_a_side_holds_fire_with_one_tap_and_takes_it_back_with_another(battle, store):
    seats = battle(ARCHERS)
    rome, carthage = seats["rome"], seats["carthage"]
    (held,) = forgo(rome.get().text)
    assert held == {"type": "forgo", "side": "rome", "step": "fire"}
    page = rome.give(json.dumps(held), 0).text
    assert "Rome holds fire this turn." in page and "Rome holds fire this turn." in carthage.get().text
    assert forgo(page) == [{**held, "forgone": False}], "it stands there to be taken back"
    for _ in range(3):
        carthage.give('{"type":"done","side":"carthage"}', store.game(rome.game).version)
    assert store.load(rome.game).state.phase == 4 and not store.load(rome.game).state.is_over
    rome.give(json.dumps({**held, "forgone": False}), store.game(rome.game).version)
    assert store.load(rome.game).state.sides["rome"].forgoes == ()
    assert rome.post("/undo", partial=True, seen=store.game(rome.game).version).status_code == 200
    assert store.load(rome.game).state.sides["rome"].forgoes == ("fire",)


def test_in_the_plot_both_words_stand_beside_the_fleets_speeds(battle):
    found = forgo(battle()["rome"].get().text)
    assert [(each["step"], each["forgone"]) for each in found] == [("fire", True), ("board", True)]


def meetings(same: bool = False) -> dict:
    """Two Romans in contact, each with an enemy, or both with one."""
    foes = {"c1": [4, 3], "c2": [8, 3]}
    ships = {
        name: {
            "side": "rome",
            "type": "quinquereme",
            "at": at,
            "facing": "SE",
            "speed": 2,
            "contact": foe,
            "stepped": True,
        }
        for name, at, foe in (("r1", [3, 3], "c1"), ("r2", [4, 2] if same else [7, 3], "c1" if same else "c2"))
    }
    ships |= {name: {"side": "carthage", "type": "quinquereme", "at": at, "facing": "N"} for name, at in foes.items()}
    ships["r2"]["facing"] = "S" if same else "SE"
    return {**ARCHERS, "step": "ram", "phase": 6, "ships": ships}


@pytest.mark.parametrize("same", [False, True])
def test_all_rams_are_one_command_where_no_two_meet_the_same_enemy(battle, store, same):
    rome = battle(meetings(same))["rome"]
    found = [each for each in commands_on(rome.get().text) if '"what":"ram"' in each]
    assert len(found) == (0 if same else 1)
    if found:
        rome.give(found[0], 0)
        said = [event.type for event in store.entry(rome.game, 1).events]
        assert said.count("ram") == 2


def test_the_pad_foresees_no_die_that_a_throw_may_make_needless(battle, store):
    """Bow to bow (G6.1): who rams is open until the dice lie there, so nobody's damage is asked with them."""
    position = meetings()
    position["ships"]["c1"]["facing"] = "NW"
    rome = battle(position, dice="physical")["rome"]
    page = rome.give('{"type":"ram","ship":"r1"}', 0).text
    assert page.count("Bow to bow: ") == 2 == page.count('class="slots"'), "both bows' dice, and no more"


ABREAST = {
    **ARCHERS,
    "step": "move",
    "phase": 6,
    "ships": {
        "r1": {"side": "rome", "type": "quinquereme", "at": [3, 3], "facing": "S", "speed": 3, "heavy": 6},
        "r2": {"side": "rome", "type": "quinquereme", "at": [6, 3], "facing": "S", "speed": 3, "heavy": 6},
        "r3": {"side": "rome", "type": "quinquereme", "at": [9, 3], "facing": "S", "speed": 3, "heavy": 1},
        "c1": {"side": "carthage", "type": "quinquereme", "at": [3, 4], "facing": "N", "medium": 2},
        "c2": {"side": "carthage", "type": "quinquereme", "at": [6, 4], "facing": "N", "medium": 2},
        "c3": {"side": "carthage", "type": "quinquereme", "at": [9, 4], "facing": "N", "medium": 9},
    },
}


def at_once(page: str, state: Any, what: str) -> list[tuple[str, list[Any]]]:
    """The page's commands of this kind for a whole fleet, each with the ships' commands that it stands for."""
    found = {each: json.loads(each) for each in commands_on(page)}
    return [
        (each, list(orders(state, command["side"], what, command.get("squadron"))))
        for each, command in found.items()
        if command.get("what") == what
    ]


def test_g4_6_all_who_meet_an_enemy_ahead_go_in_one_tap(battle, store):
    rome = battle(ABREAST)["rome"]
    page = rome.get().text
    assert "Ahead: all ships that meet an enemy (3)" in page
    ((command, steps),) = at_once(page, store.load(rome.game).state, "meet")
    assert [each.ship for each in steps] == ["r1", "r2", "r3"]
    assert rome.give(command, 0).status_code == 200
    ships = store.load(rome.game).state.ships
    assert [ships[name].contact for name in ("r1", "r2", "r3")] == ["c1", "c2", "c3"]


def test_who_meets_nobody_ahead_is_left_out_and_for_one_there_is_no_order_for_all(battle, store):
    alone = {**ABREAST, "ships": {**ABREAST["ships"], "c1": {**ABREAST["ships"]["c1"], "at": [3, 6]}}}
    rome = battle(alone)["rome"]
    ((_command, steps),) = at_once(rome.get().text, store.load(rome.game).state, "meet")
    assert [each.ship for each in steps] == ["r2", "r3"]
    alone["ships"]["c2"] = {**ABREAST["ships"]["c2"], "at": [6, 6]}
    assert "all who meet an enemy" not in battle(alone)["rome"].get().text


def test_g8_1_all_board_in_one_tap_where_the_odds_are_good(battle, store):
    rome = battle({**ABREAST, "step": "board"})["rome"]
    page = rome.get().text
    assert "Board where the odds are good (2)" in page and "ships taken in the end" in page
    ((command, boards),) = at_once(page, store.load(rome.game).state, "board")
    assert [(each.ship, each.target) for each in boards] == [("r1", "c1"), ("r2", "c2")], "r3 would lose her fight"
    assert rome.give(command, 0).status_code == 200
    assert all(store.load(rome.game).state.ships[name].tried_boarding for name in ("r1", "r2"))


def test_g4_3_all_whose_way_is_barred_run_up_in_one_tap(battle, store):
    """Not the ship behind a friend who has yet to step: she only waits."""
    land = {**ABREAST, "board": {"columns": 12, "rows": 12, "land": [[3, 4], [6, 4], [10, 4]]}}
    ship = ABREAST["ships"]["r1"]
    ships = {name: {**ship, "at": at} for name, at in (("r1", [3, 3]), ("r2", [6, 3]), ("r3", [9, 3]), ("r4", [9, 2]))}
    rome = battle({**land, "ships": {**ships, "c1": {**ABREAST["ships"]["c1"], "at": [3, 7]}}})["rome"]
    page = rome.get().text
    assert "Ahead: all ships whose path is blocked (2)" in page
    ((command, barred),) = at_once(page, store.load(rome.game).state, "run_up")
    assert [each.ship for each in barred] == ["r1", "r2"]
    assert rome.give(command, 0).status_code == 200
    ships = store.load(rome.game).state.ships
    assert all(ships[name].stopped and ships[name].at == tuple(ABREAST["ships"][name]["at"]) for name in ("r1", "r2"))
    assert not ships["r3"].stopped and not ships["r4"].stopped


TWO_PACES = {
    "board": {"columns": 12, "rows": 12},
    "sides": {"rome": {"name": "Rome"}, "carthage": {"name": "Carthage"}},
    "ships": {
        "r1": {"side": "rome", "name": "Pollux", "type": "quadrireme", "at": [3, 8], "facing": "N", "speed": 3},
        "r2": {"side": "rome", "name": "Minerva", "type": "quinquereme", "at": [3, 7], "facing": "N", "speed": 2},
        "c1": {"side": "carthage", "name": "Tanit", "type": "quinquereme", "at": [9, 2], "facing": "S", "speed": 2},
    },
}


def test_g4_3_the_plot_warns_of_a_ship_that_runs_up_on_a_friend_and_a_fleet_may_cruise_together(battle, store):
    rome = battle(TWO_PACES)["rome"]
    said = [json.loads(each) for each in commands_on(rome.get().text)]
    cruise = [each for each in said if each["type"] == "together" and all("ship" in one for one in each["commands"])]
    paces = [{one["ship"]: one["speed"] for one in each["commands"]} for each in cruise]
    together, apart = {"r1": 2, "r2": 2}, {"r1": 3, "r2": 2}
    assert together in paces and apart in paces
    page = rome.give(json.dumps(cruise[paces.index(apart)]), 0).text
    assert "Pollux runs up on Minerva in phase" in page
    assert "runs up" not in rome.get(ship="r2").text, "another ship's sheet does not tell of it"
    page = rome.give(json.dumps(cruise[paces.index(together)]), store.game(rome.game).version).text
    assert "runs up" not in page
