"""G1.6 on the pages: a battle on the measured sea is drawn, stepped and told everywhere."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from kit.readers import commands_on
from kit.sea import long_coast
from tactical import position
from tactical.position import CORNERS

PAGES = ("", "/log", "/report", "/replay", "/display", "/print", "/log/3")
TYPE = {"medium": 2, "archers": 1, "type": "trireme"}
COAST = [[[16, 0], [20, 0], [20, 9], [16.5, 8]]]


def at_sea(**more: Any) -> dict[str, Any]:
    """Two triremes and a coast, in a move step."""
    ships = {
        "r1": {**TYPE, "side": "rome", "name": "Aquila", "at": [5, 7], "facing": 90, "speed": 2},
        "c1": {**TYPE, "side": "carthage", "name": "Tanit", "at": [8, 7.5], "facing": 300, "speed": 2},
        **more.pop("ships", {}),
    }
    board = {"kind": "open", "width": 20, "height": 14, "coast": COAST}
    sides = {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage"}}
    return {"board": board, "sides": sides, "ships": ships, "step": "move", "phase": 3, **more}


def test_g1_6_the_board_shows_hulls_at_any_angle_the_coast_and_the_chips(battle: Any) -> None:
    reader = battle(position=at_sea())["rome"]
    page = reader.get(ship="r1").text
    assert 'class="land"' in page and re.search(r'transform="rotate\(300\) scale', page)
    chips = [json.loads(each) for each in commands_on(page) if '"step"' in each]
    assert {each.get("angle") for each in chips if each["type"] == "step"} == {-60, -30, 0, 30, 60}
    assert 'name="angle:int"' in page and 'data-facing="90"' in page
    assert "5.0 × 7.0" in page and "90°" in page


def test_g1_6_a_chip_and_the_number_give_the_step(battle: Any) -> None:
    readers = battle(position=at_sea())
    command = '{"type":"step","ship":"r1","angle":30}'
    assert readers["rome"].give(command, 0).status_code == 200
    said = readers["rome"].post("/command", True, type="step", ship="r1", **{"angle:int": "12"}, seen=1)
    assert "G3.2" in said.text, "she has already made her step in this phase"
    answer = readers["carthage"].post("/command", True, type="step", ship="c1", **{"angle:int": "-7"}, seen=1)
    assert answer.status_code == 200 and "293°" in readers["carthage"].get(ship="c1").text


def test_g1_6_fire_says_the_measured_range(battle: Any) -> None:
    reader = battle(position=at_sea(step="fire"))["rome"]
    page = reader.get(ship="r1").text
    assert re.search(r'data-ship="c1"', page) and 'class="ring"' in page
    fire = [each for each in commands_on(page) if '"fire"' in each]
    assert fire and "range" not in fire[0]


@pytest.mark.parametrize("scenario", ["open_first_turns", "open_tyndaris"])
def test_g1_6_every_page_of_a_battle_at_sea_is_there(battle: Any, store: Any, scenario: str) -> None:
    readers = battle(scenario=scenario)
    game, rng = readers["umpire"].game, random.Random(4)
    for number in range(70):
        table = store.load(game)
        waiting = table.system.waiting_for(table.state)
        if not waiting:
            break
        found = [each for each in table.system.offers(table.state, waiting[0]) if each.type not in ("resign", "agree")]
        offer = rng.choice(found)
        raw = {"type": offer.type, **{name: one(rng, value) for name, value in offer.fields.items()}}
        store.submit(game, table.game.version, waiting[0], raw, None, None)
        if number % 10 == 0:
            for seat, reader in readers.items():
                for page in PAGES:
                    assert reader.get(page).status_code in (200, 302, 303, 404), (seat, page)
                assert reader.get(ship=next(iter(table.state.ships))).status_code == 200


def one(rng: random.Random, value: Any) -> Any:
    """One of an offer's choices."""
    if isinstance(value, list):
        return rng.choice(value)
    return rng.randint(value["from"], value["to"]) if isinstance(value, dict) else value


def test_g1_6_the_list_measures_from_hull_to_hull_and_tells_degrees(battle: Any) -> None:
    """G1.3: the range that the rules use; the bearing from north and from her bow."""
    page = (
        battle(position=at_sea(ships={"c2": {**TYPE, "side": "carthage", "name": "Byrsa", "at": [5, 2], "facing": 0}}))[
            "rome"
        ]
        .get(view="list", ship="r1")
        .text
    )
    near, far = (re.search(rf'id="row-{name}".*?</tr>', page, re.S)[0] for name in ("c1", "c2"))  # type: ignore[index]
    assert re.search(r'class="number".*?3</td>', near) and "99°, 9° to starboard" in near
    assert re.search(r'class="number".*?5</td>', far) and "0°, 90° to port" in far
    assert page.index('id="row-r1"') < page.index('id="row-c1"') < page.index('id="row-c2"')


def test_g1_6_every_page_draws_the_longest_coast_with_few_corners(battle: Any) -> None:
    board = {"kind": "open", "width": 40, "height": 40, "coast": [long_coast(CORNERS)]}
    reader = battle(position=at_sea(board=board))["rome"]
    drawn = reader.get().text
    shallows = re.findall(r'class="shallow-[12]" d="([^"]+)"', drawn)
    assert len(shallows) == 2 and all(0 < path.count("L") < 1500 for path in shallows)
    assert {page: reader.get(page).status_code for page in ("/log", "/print")} == {"/log": 200, "/print": 200}


def test_g1_6_a_battle_of_before_the_limits_with_a_longer_coast_is_played_on(battle: Any, monkeypatch: Any) -> None:
    board = {"kind": "open", "width": 40, "height": 40, "coast": [long_coast(CORNERS + 500)]}
    with monkeypatch.context() as before:
        before.setattr(position, "CORNERS", CORNERS + 500)
        readers = battle(position=at_sea(board=board))
    umpire = readers["umpire"]
    assert umpire.get().status_code == 200
    for number, command in enumerate(
        (
            {"type": "adjust", "ship": "r1", "changes": {"damage": 1}, "why": "A rock."},
            {"type": "adjust", "changes": {"board.height": 41}, "why": "A larger sea."},
        )
    ):
        assert umpire.give(json.dumps(command), number).status_code == 200
    longer = {"type": "adjust", "changes": {"board.coast": [area(CORNERS + 600)]}, "why": "A longer coast."}
    assert umpire.give(json.dumps(longer), 2).status_code in (400, 422)


def area(corners: int) -> dict[str, Any]:
    """That coast as GeoJSON writes it."""
    return {"type": "Polygon", "coordinates": [long_coast(corners)]}
