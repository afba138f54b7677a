"""What the trial on a tablet found and no other test holds: docs/table_answered.md names each."""

from __future__ import annotations

import re

import pytest
from readers import DUEL, commands_on

from tactical.position import read_position
from webapp.pages.battle.drawing.condition import short_name


def near(**more) -> dict:
    """Two fleets of the duel so near that they may fire and ram."""
    at = {"r1": [5, 2], "r2": [5, 4], "c1": [7, 1], "c2": [7, 3]}
    ships = {name: {**ship, "at": at[name], "archers": 2} for name, ship in DUEL["ships"].items()}
    return {**DUEL, "ships": ships, **more}


def test_20_all_at_one_target_says_dice_and_hits_and_one_die_is_one(battle):
    page = battle(near(step="fire", phase=1))["rome"].get().text
    assert re.search(r"Fire all at .*?\d+ dice, about \d\.\d hits", page, re.S)
    alone = near(step="fire", phase=1)
    alone["ships"] = {name: {**ship, "archers": 1} for name, ship in alone["ships"].items() if name in ("r1", "c1")}
    page = battle(alone)["rome"].get().text
    assert "1 die, about" in page and "1 dice" not in page


def test_21_a_step_over_the_edge_is_asked_first(battle):
    ships = {name: {**ship} for name, ship in DUEL["ships"].items()}
    ships["r1"] |= {"at": [0, 0], "facing": "N", "speed": 2}
    page = (
        battle({**DUEL, "ships": ships, "step": "move", "phase": 3, "options": {"edge": "withdraw"}})["rome"]
        .get(ship="r1")
        .text
    )
    asked = re.search(r'<details class="asks.*?</details>', page[page.index("Ahead") - 400 :], re.S)
    assert asked is not None and "She leaves the battle and does not come back." in asked[0]


def test_29_a_long_name_runs_over_no_neighbour(battle):
    assert short_name("Akrokorinthos") == "Akrokorinth…" and short_name("Aquila") == "Aquila"
    ships = {**DUEL["ships"], "r1": {**DUEL["ships"]["r1"], "name": "Concordia Augusta Victrix"}}
    page = battle({**DUEL, "ships": ships})["rome"].get().text
    names = re.findall(r'class="shipname"[^>]*>([^<]+)<', page)
    assert len(names) == 4 and max(map(len, names)) <= 12


def test_30_the_sheet_has_every_table_and_a_box_for_each_turn(battle):
    page = battle({**DUEL, "turn_limit": 15})["rome"].get("/print", layout="sheet", paper="a4").text
    tables = page[page.index("paper-tables") :]
    assert all(rule in tables for rule in ("G3.2", "G5.2", "G6.2", "G7.1", "G8.1")), "steps, fire, rams, oars, boarding"
    assert page[page.index('class="sheet-page') : page.index("paper-tables")].count("plotbox") == 15


def test_polish_a_captured_ship_shows_her_captors_colour_on_her_own_hull(battle):
    ships = {name: {**ship} for name, ship in DUEL["ships"].items()}
    ships["c1"] |= {"status": "captured", "captured_by": "rome", "speed": 0}
    state = read_position({**DUEL, "ships": ships}, {})
    reader = battle({**DUEL, "ships": ships})["rome"]
    drawn = re.search(r'id="at-c1".*?</a>', reader.get().text, re.S)
    assert drawn is not None and "side0" in drawn[0] and "-1" in drawn[0] and state.ships["c1"].captured_by == "rome"


@pytest.mark.parametrize("ships", [("r1", "c1"), ("r2", "c2")])
def test_polish_the_chances_of_a_meeting_add_up_to_a_hundred(battle, ships):
    mine, other = ships
    meeting = {name: {**ship} for name, ship in DUEL["ships"].items() if name in ships}
    meeting[mine] |= {"at": [4, 4], "facing": "N", "contact": other, "stepped": True}
    meeting[other] |= {"at": [4, 3], "facing": "S"}
    page = battle({**DUEL, "ships": meeting, "step": "ram", "phase": 3})["rome"].get().text
    said = re.search(r"she rams (\d+) %, is rammed (\d+) %, both (\d+) %", page)
    assert said is not None and sum(map(int, said.groups())) == 100
    assert [each for each in commands_on(page) if '"ram"' in each]
