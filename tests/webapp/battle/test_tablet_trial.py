"""What the trial on a tablet found and no other test holds."""

from __future__ import annotations

import html
import json
import re

import pytest

from kit.readers import DUEL, commands_on
from tactical.position import read_position
from webapp.pages.battle.results import line


def near(**more) -> dict:
    """Two fleets of the duel so near that they may fire and ram."""
    at = {"r1": [5, 2], "r2": [5, 4], "c1": [7, 1], "c2": [7, 3]}
    ships = {name: {**ship, "at": at[name], "archers": 2} for name, ship in DUEL["ships"].items()}
    return {**DUEL, "ships": ships, **more}


def test_20_all_at_one_target_says_dice_and_hits_and_one_die_is_one(battle):
    page = battle(near(step="fire", phase=1))["rome"].get().text
    assert re.search(r"All fire at .*?\d+ dice, about \d\.\d hits", page, re.S)
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


def test_29_no_name_is_cut_on_the_board(battle):
    ships = {**DUEL["ships"], "r1": {**DUEL["ships"]["r1"], "name": "Concordia Augusta Victrix"}}
    page = battle({**DUEL, "ships": ships})["rome"].get().text
    names = re.findall(r'class="nm"[^>]*>([^<]+)<', page)
    assert len(names) == 4 and "Concordia Augusta Victrix" in names


def test_30_the_sheet_has_every_table_and_a_box_for_each_turn(battle):
    page = battle({**DUEL, "turn_limit": 15})["rome"].get("/print", layout="sheet", paper="a4").text
    tables = page[page.index("paper-tables") :]
    assert all(rule in tables for rule in ("G3.2", "G5.2", "G6.2", "G7.1", "G8.1")), "steps, fire, rams, oars, boarding"
    assert page[page.index('class="sheet-page') : page.index("paper-tables")].count("plotbox") == 15


@pytest.mark.parametrize("kind", ["hexes", "table"])
def test_a_sheet_of_tokens_is_printed_for_any_table(battle, kind):
    ships = {
        name: {**ship, **({"at": None, "facing": None} if kind == "table" else {})}
        for name, ship in DUEL["ships"].items()
    }
    rome = battle({**DUEL, "ships": ships, "board": {**DUEL["board"], "kind": kind}})["rome"]
    assert "Tokens to lay by the models" in rome.get("/print").text
    page = rome.get("/print", layout="tokens").text
    assert page.count('<div class="token ') == 96 and page.count('<div class="token oars"') == 8


def test_what_happened_has_its_sound_once_and_a_hidden_plot_has_none(battle, store):
    unarmed = {name: {**ship, "medium": 4, "archers": 0} for name, ship in DUEL["ships"].items()}
    seats = battle({**DUEL, "ships": unarmed})
    rome, carthage = seats["rome"], seats["carthage"]

    def heard(page):
        return json.loads(html.unescape(re.search(r'data-sounds="([^"]*)"', page)[1]))

    for seat, ships in ((rome, ("r1", "r2")), (carthage, ("c1", "c2"))):
        for name in ships:
            command = json.dumps({"type": "plot", "ship": name, "speed": 2})
            seat.give(command, store.game(rome.game).version)
    assert heard(rome.get().text) == []
    for side, seat in seats.items():
        if side in ("rome", "carthage"):
            seat.give(json.dumps({"type": "lock", "side": side}), store.game(rome.game).version)
    assert [sounds for _number, sounds in heard(rome.get().text)] == [["drum"]]
    step = next(
        each for each in commands_on(rome.get(ship="r1").text + carthage.get(ship="c1").text) if '"step"' in each
    )
    (rome if '"r1"' in step else carthage).give(step, store.game(rome.game).version)
    assert heard(rome.get().text)[-1][1] == ["oars"]


def test_polish_a_captured_ship_shows_her_captors_colour_on_her_own_hull_and_keeps_her_name(battle):
    ships = {name: {**ship} for name, ship in DUEL["ships"].items()}
    ships["c1"] |= {"status": "captured", "captured_by": "rome", "speed": 0}
    state = read_position({**DUEL, "ships": ships}, {})
    page = battle({**DUEL, "ships": ships})["rome"].get().text
    drawn, name = re.search(r'id="at-c1".*?</a>', page, re.S), re.search(r'id="name-c1".*?</g>', page, re.S)
    assert name is not None and "data-prize" in name[0] and f">{ships['c1']['name']}<" in name[0]
    assert drawn is not None and "side0" in drawn[0] and "-1" in drawn[0] and state.ships["c1"].captured_by == "rome"


@pytest.mark.parametrize("ships", [("r1", "c1"), ("r2", "c2")])
def test_polish_the_chances_of_a_meeting_add_up_to_a_hundred(battle, ships):
    mine, other = ships
    meeting = {name: {**ship} for name, ship in DUEL["ships"].items() if name in ships}
    meeting[mine] |= {"at": [4, 4], "facing": "N", "contact": other, "stepped": True}
    meeting[other] |= {"at": [4, 3], "facing": "S"}
    page = battle({**DUEL, "ships": meeting, "step": "ram", "phase": 3})["rome"].get().text
    said = re.search(r"she rams (\d+)%, is rammed (\d+)%, both (\d+)%", page)
    assert said is not None and sum(map(int, said.groups())) == 100
    assert [each for each in commands_on(page) if '"ram"' in each]


def test_the_ship_on_her_sheet_shows_her_damage_and_the_water_in_her(battle):
    ships = {**DUEL["ships"], "r1": {**DUEL["ships"]["r1"], "damage": 4, "breaches": 2, "oars_broken": True}}
    rome = battle({**DUEL, "ships": ships})["rome"]

    def figure(ship: str) -> str:
        return rome.get(ship=ship).text.split('<div class="ship-figure plans">')[1].split('id="values"')[0]

    hurt, whole = figure("r1"), figure("r2")
    assert (hurt.count('class="p-open"'), whole.count('class="p-open"')) == (4, 0)
    assert (hurt.count('class="p-hole"'), whole.count('class="p-hole"')) == (2, 0)
    assert 'class="b-stump"' in hurt and "b-stump" not in whole
    assert re.search(r"<strong>4</strong>\s*of 8", hurt) and re.search(r"<strong>(\d)</strong>\s*of \1", whole)
    assert "oars broken" in hurt and "2 open breaches" in hurt


def test_a_meeting_bow_to_bow_says_both_sums(battle):
    state = read_position(DUEL, {})
    met = {
        "type": "bow_to_bow",
        "rule": "G6.1",
        "ship": "r1",
        "target": "c2",
        "dice": [2, 2],
        "rolled_by": ["c2", "r1"],
    }
    said = line(state, {**met, "rams": ["c2"], "margin": 1}).text
    assert said.endswith("Melqart rams. Melqart 2 + 1 (better rowers) = 3, Aquila 2.")
    assert line(state, {**met, "rams": ["c2", "r1"], "margin": 0}).text.endswith("rams the other. Melqart 2, Aquila 2.")


def test_on_the_own_table_no_board_is_spoken_of_and_nobody_is_the_others(battle):
    ships = {
        name: {key: it for key, it in ship.items() if key not in ("at", "facing")}
        for name, ship in DUEL["ships"].items()
    }
    page = battle({**DUEL, "board": {"kind": "table"}, "ships": ships})["rome"].get(ship="r1").text
    assert 'id="ship-name"' in page and "Draw her course" not in page
    moving = battle({**DUEL, "board": {"kind": "table"}, "ships": ships, "step": "move", "phase": 3})["rome"]
    assert "All went ahead" in moving.get().text
    moving.give('{"type":"step","ship":"r1","turn":"none"}', 0)
    assert "The rest went ahead" in moving.get().text


def test_a_squadron_needs_a_name_and_a_backing_speed_has_a_minus(battle):
    assert re.search(r'id="squadron-name"[^>]* required', battle()["rome"].get(view="fleet").text)
    ships = {**DUEL["ships"], "r1": {**DUEL["ships"]["r1"], "speed": -1}}
    page = battle({**DUEL, "ships": ships, "step": "fire", "phase": 1})["rome"].get().text
    assert '<span class="chip-speed">−1</span>' in page


def put_in_a_fight(seats, store) -> None:
    """The umpire's adjustment at the end of a move: two ships grapple, and the dice of their fight are due."""
    fight = {"boarding": "c1", "speed": 0, "stopped": True}
    command = {"type": "adjust", "ships": {"r1": fight, "c1": fight}, "why": "they grappled"}
    umpire = seats["umpire"]
    assert umpire.give(json.dumps(command), store.game(umpire.game).version).status_code == 200


def test_g2_3_a_the_umpire_lets_the_dice_fall_after_an_adjustment(battle, store):
    ships = {
        "r1": {**DUEL["ships"]["r1"], "at": [5, 5], "speed": 1, "corvus": False, "heavy": 9},
        "c1": {**DUEL["ships"]["c1"], "at": [5, 4], "speed": 1, "heavy": 1},
    }
    seats = battle({**DUEL, "ships": ships, "step": "move", "phase": 6})
    put_in_a_fight(seats, store)
    go_on = '{"type":"go_on"}'
    page = seats["umpire"].get().text
    assert go_on in commands_on(page) and "Roll these dice" in page and "The dice that are due were not rolled" in page
    assert go_on not in commands_on(seats["rome"].get().text)
    seats["umpire"].give(go_on, store.game(seats["umpire"].game).version)
    state = store.load(seats["umpire"].game).state
    assert not state.stands and "The umpire resumes the game." in seats["umpire"].get("/log").text
