"""The ruler: the engine's own range, arc and line of sight from a ship to all others and to a place."""

from __future__ import annotations

import html
import re

import pytest

from kit.readers import DUEL
from tactical.geometry import geometry
from tactical.rules import missiles

WALL = {**DUEL, "board": {"columns": 12, "rows": 9, "land": [[5, 2], [5, 1], [4, 2], [5, 0], [4, 1]]}}
SEA = {
    **DUEL,
    "board": {"kind": "open", "width": 20, "height": 14},
    "ships": {
        name: {**{key: value for key, value in ship.items() if key not in ("at", "facing")}, "at": at, "facing": 90}
        for (name, ship), at in zip(DUEL["ships"].items(), ([2, 2], [2, 6], [8, 2], [2, 10]), strict=True)
    },
}


def rows(page):
    """The table of the page: by name what stands in the other columns."""
    found = {}
    for row in re.findall(r"<tr><th scope=\"row\">.*?</tr>", page, re.S):
        head, *cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)
        found[re.sub(r"\s*<.*", "", head)] = [html.unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in cells]
    return found


def test_from_a_ship_to_all_others_as_the_engine_measures(battle, store):
    rome = battle(WALL)["rome"]
    state = store.load(rome.game).state
    for ship in state.ships:
        found = rows(rome.get("/ruler", ship=ship).text)
        assert len(found) == len(state.ships) - 1
        for name, other in state.ships.items():
            if name != ship:
                here = state.ships[ship]
                reach, _straight, _way, arc, sight = found[other.name]
                assert int(reach) == missiles.range_between(state, here, other)
                assert (sight == "clear") == missiles.sees(state, here, other)
                assert (arc == "forward or abeam") == geometry(state).in_arc(here, other)
    assert rows(rome.get("/ruler", ship="r1").text)["Tanit"][4] == "blocked"


def test_to_a_hex_by_its_printed_number(battle):
    rome = battle()["rome"]
    found = rows(rome.get("/ruler", ship="r1", place="0306").text)["0306"]
    assert found[:2] == ["2", "2"] and found[2].startswith("south") and found[4] == "clear"


def test_at_sea_in_base_lengths_and_degrees(battle, store):
    rome = battle(SEA)["rome"]
    found = rows(rome.get("/ruler", ship="r1", place="5,2").text)
    assert found["5,2"][1:3] == ["3.0", "90°, ahead"]
    assert found["Tanit"][1] == "6.0" and found["Lupa"][2] == "180°, 90° to starboard"
    state = store.load(rome.game).state
    assert int(found["Tanit"][0]) == missiles.range_between(state, state.ships["r1"], state.ships["c1"])


@pytest.mark.parametrize("place", ["9999", "12", "x", "1,2,3", "ж"])
def test_a_place_that_is_none_is_refused_in_a_sentence(battle, place):
    for position in (None, SEA):
        answer = battle(position)["rome"].get("/ruler", ship="r1", place=place)
        assert answer.status_code == 422 and 'role="alert"' in answer.text and "Tanit" in answer.text


def test_every_seat_measures_and_a_stranger_does_not(battle, app):
    seats = battle()
    for seat in ("rome", "carthage", "spectator", "umpire"):
        assert seats[seat].get("/ruler").status_code == 200
    assert app.test_client().get(f"/g/{seats['rome'].game}/ruler").status_code == 401
    assert seats["rome"].get("/ruler", ship="nobody").status_code == 404


def test_the_players_own_table_is_measured_by_hand(battle):
    ships = {
        name: {key: value for key, value in ship.items() if key not in ("at", "facing")}
        for name, ship in DUEL["ships"].items()
    }
    page = battle({**DUEL, "board": {"kind": "table"}, "ships": ships})["rome"].get("/ruler").text
    assert "with your own ruler" in page and "<table" not in page


def test_the_sheet_leads_to_it(battle):
    seats = battle()
    assert re.search(
        r'id="ruler" data-panel href="/g/\w+/ruler\?seat=rome&amp;ship=r1"', seats["rome"].get("", ship="r1").text
    )
