"""The button at the bottom always brings the game on: whoever taps nothing else comes to the end of every battle."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest

from kit.readers import DUEL, commands_on
from tactical.setup import all_scenarios

NEAR = {
    **DUEL,
    "ships": {
        name: {**ship, "at": {"r1": [5, 2], "r2": [5, 4], "c1": [7, 1], "c2": [7, 3]}[name], "archers": 2}
        for name, ship in DUEL["ships"].items()
    },
}
TAPS = 3000  # that a battle may take at most


def bar(page: str) -> str:
    """The buttons at the bottom."""
    return page.split('id="next-order"')[1].split("</section>")[0]


def main_button(page: str) -> dict[str, str]:
    """The first button at the bottom, or the question that stands in it: its attributes."""
    found = re.search(r'<button form="orders"([^>]*)>', bar(page))
    assert found is not None, f"nothing to tap: {bar(page)}"
    return {key: html.unescape(value) for key, value in re.findall(r'([\w-]+)="([^"]*)"', found[1])}


def taps_to_the_end(store: Any, seats: dict[str, Any]) -> int:
    """Each side taps only its main button until the battle is over. Every tap must bring the game on."""
    taps, pages = 0, dict[str, str]()
    game = next(iter(seats.values())).game
    csrf = {seat: re.search(r'name="csrf-token" content="([^"]+)"', it.get().text)[1] for seat, it in seats.items()}
    while not (table := store.load(game)).game.over:
        side = table.waiting_for[0]
        seat = seats[side]
        page = pages.pop(side, "") or seat.get().text
        button = main_button(page)
        form = {"csrf_token": csrf[side], "seen": table.game.version, "view": "board", button["name"]: button["value"]}
        address = button.get("formaction") or f"/g/{game}/command?seat={side}"
        answer = seat.client.post(address, data=form, headers={"HX-Request": "true"})
        assert answer.status_code == 200, (button, answer.text[:2000])
        now = store.game(game)
        assert (now.version, now.revision) != (table.game.version, table.game.revision), f"in a circle: {button}"
        pages = {side: answer.text}
        taps += 1
        assert taps < TAPS
    return taps


@pytest.mark.parametrize("board", [DUEL["board"], {"kind": "table"}, {"kind": "open", "width": 20, "height": 20}])
def test_who_taps_only_the_main_button_comes_to_the_end(battle, store, board):
    ships = {name: {**ship} for name, ship in NEAR["ships"].items()}
    for ship in ships.values():
        if board.get("kind") == "table":
            ship.pop("at"), ship.pop("facing")
        elif board.get("kind") == "open":
            ship["facing"] = 0 if ship["side"] == "rome" else 180
    taps_to_the_end(store, battle({**NEAR, "board": board, "ships": ships, "turn_limit": 3}))


@pytest.mark.soak
@pytest.mark.parametrize("name", all_scenarios())
def test_who_taps_only_the_main_button_ends_every_scenario(battle, store, name, record_property):
    record_property(f"taps to the end of {name}", taps_to_the_end(store, battle(scenario=name)))


def test_in_the_plot_it_locks_and_asks_while_ships_have_no_speed(battle, store):
    rome = battle()["rome"]
    page = rome.get(ship="r1").text
    assert "2 ships have no speed yet: they cruise." in bar(page) and 'class="asks"' in bar(page)
    command = json.loads(main_button(page)["value"])
    assert [each["type"] for each in command["commands"]] == ["plot", "plot", "lock"]
    rome.give(json.dumps(command["commands"][0]), 0)
    assert "1 ship has no speed yet: she cruises." in bar(rome.get().text)
    rome.give(json.dumps(command["commands"][1]), 1)
    assert json.loads(main_button(rome.get().text)["value"]) == command["commands"][2]
    assert 'class="asks"' not in bar(rome.get().text)


def test_in_the_move_it_rows_and_stands_at_the_bottom_alone_with_a_ship_chosen_or_not(battle):
    seats = battle({**DUEL, "step": "move", "phase": 3})
    for query in ({}, {"ship": "r1"}):
        page = seats["rome"].get(**query).text
        assert "All ahead, the whole turn (2)" in bar(page) and page.count("All ahead, the whole turn") == 1


def test_the_place_is_never_empty(battle, store):
    seats = battle(NEAR)
    rome, carthage = seats["rome"], seats["carthage"]
    rome.give(main_button(rome.get().text)["value"], 0)
    assert "It is the other side" in bar(rome.get().text) and "You are watching." in bar(seats["spectator"].get().text)
    carthage.give('{"type":"resign","side":"carthage"}', 1)
    assert 'id="result"' in bar(rome.get().text)


def test_an_umpire_speaks_for_one_side_at_a_time_and_the_others_buttons_stand_above(battle):
    umpire = battle({**NEAR, "step": "fire", "phase": 1})["umpire"]

    def done(part: str) -> list[str]:
        return [found["side"] for each in commands_on(part) if (found := json.loads(each))["type"] == "done"]

    page = umpire.get().text
    assert done(bar(page)) == ["rome"] and sorted(done(page)) == ["carthage", "rome"]
    assert "Rome: Done firing" in bar(page) and len(re.findall(r"<(?:button|a) ", bar(page))) <= 3
    assert done(bar(umpire.get(ship="c1").text)) == ["carthage"], "the chosen ship's side"


def test_what_there_is_to_say_about_a_ship_stands_below_what_can_be_done_with_her(battle):
    ships = {**DUEL["ships"], "r1": {**DUEL["ships"]["r1"], "breaches": 2, "damage": 4}}
    page = battle({**DUEL, "ships": ships, "step": "move", "phase": 3})["rome"].get(ship="r1").text
    assert page.index('id="ship-orders"') < page.index('id="sheet-says"') < page.index('id="values"')
