"""Courses by touch: a line rows with its flagship, a place on the measured sea is tapped; fire is held in one tap."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import DUEL, PHONE, SIDE, TABLET
from tactical.offers import waiting_for
from webapp.captains.courses import courses

pytestmark = pytest.mark.browser
QUIET = {"archers": 0, "catapults": 0, "speed": 3, "facing": "S"}
AT = {"r1": [4, 1], "r2": [6, 0], "c1": [4, 14], "c2": [6, 13]}
FAR = {
    **DUEL,
    "board": {"columns": 12, "rows": 20},
    "step": "move",
    "phase": 2,
    "ships": {name: {**ship, **QUIET, "at": AT[name]} for name, ship in DUEL["ships"].items()},
}
AT_SEA = "(it, at) => { const on = new DOMPoint(at[0] * 54, at[1] * 54).matrixTransform(it.getScreenCTM()); return [on.x, on.y]; }"
FAR["ships"]["c1"] |= {"facing": "N", "speed": 0}
FAR["ships"]["c2"] |= {"facing": "N", "speed": 0}


@pytest.mark.parametrize("size", screens(PHONE, TABLET))
def test_a_hex_ahead_is_tapped_for_the_course_and_again_to_row(room, tablet, size):
    game, tokens = room.battle(position=FAR)
    rome = tablet(tokens["rome"], size)
    rome.tap("#chip-r1")
    two_ahead = rome.page.locator('.reach [data-to="4,3"]')
    rome.tap(two_ahead)
    expect(rome.page.locator("#plan")).to_contain_text("2 steps to")
    expect(rome.page.locator(".route-end")).to_be_visible()
    assert room.store.game(game).version == 0, "the first tap shows and does nothing"
    rome.tap(two_ahead)
    expect(rome.page.locator("#ship-name")).to_have_text("Lupa")
    assert room.state(game).ships["r1"].at == (4, 2), "the step that is due is made at once"
    assert [leg.turn for leg in courses(room.store, game)["r1"].legs] == ["none"]
    assert rome.refusals == []


def test_the_line_rows_with_its_flagship_and_the_turn_runs_to_its_end(room, tablet):
    game, tokens = room.battle(position=FAR)
    rome = tablet(tokens["rome"])
    rome.go(f"/g/{game}?seat=rome&ship=r1&to=4,4")
    rome.tap("#line-follows")
    state = room.state(game)
    assert state.turn == 2 and state.ships["r1"].at == (4, 4) and state.ships["r2"].at == (6, 3)
    steps = [entry for entry in room.store.entries(game) if entry.command["type"] == "step"]
    assert len(steps) == 6
    expect(rome.page.locator("#ship-name")).to_have_count(0)
    expect(rome.page.get_by_role("button", name="All cruise").first).to_be_visible()


def test_on_the_measured_sea_any_place_is_tapped(room, tablet):
    hull = {"type": "trireme", "medium": 2, "archers": 0, "speed": 3, "straight": 5}
    position = {
        "board": {"kind": "open", "width": 16, "height": 12},
        "sides": DUEL["sides"],
        "step": "move",
        "phase": 2,
        "ships": {
            "r1": {**hull, "side": "rome", "name": "Aquila", "at": [3, 3], "facing": 90},
            "c1": {**hull, "side": "carthage", "name": "Tanit", "at": [14, 10], "facing": 270, "speed": 0},
        },
    }
    position["sides"] = {"rome": {"name": "Rome"}, "carthage": {"name": "Carthage"}}
    game, tokens = room.battle(position=position)
    rome = tablet(tokens["rome"])
    rome.go(f"/g/{game}?seat=rome&ship=r1")
    spot = rome.page.locator("#board").evaluate(
        "it => { const at = new DOMPoint(5 * 54, 5 * 54).matrixTransform(it.getScreenCTM()); return [at.x, at.y]; }"
    )
    rome.page.touchscreen.tap(*spot)
    expect(rome.page.locator("#plan")).to_contain_text("steps")
    rome.tap("#row-there")
    assert 120 < room.state(game).ships["r1"].facing < 150


def test_on_the_measured_sea_a_course_is_drawn_to_any_place(room, tablet):
    hull = {"type": "trireme", "medium": 2, "archers": 0, "speed": 3, "straight": 5}
    position = {
        "board": {"kind": "open", "width": 16, "height": 12},
        "step": "move",
        "phase": 2,
        "sides": {"rome": {"name": "Rome"}, "carthage": {"name": "Carthage"}},
        "ships": {
            "r1": {**hull, "side": "rome", "name": "Aquila", "at": [3, 3], "facing": 90},
            "c1": {**hull, "side": "carthage", "name": "Tanit", "at": [14, 10], "facing": 270, "speed": 0},
        },
    }
    game, tokens = room.battle(position=position)
    rome = tablet(tokens["rome"])
    rome.go(f"/g/{game}?seat=rome&ship=r1")
    spots = [rome.page.locator("#board").evaluate(AT_SEA, at) for at in ([3, 3], [4, 4], [5, 5])]
    rome.page.mouse.move(*spots[0])
    rome.page.mouse.down()
    for x, y in spots[1:]:
        rome.page.mouse.move(x, y, steps=4)
    rome.page.mouse.up()
    rome.until(1)
    assert 120 < room.state(game).ships["r1"].facing < 150 and rome.refusals == []


def test_fire_is_held_for_the_turn_in_one_tap(room, tablet):
    archers = {
        name: {**ship, "archers": 1, "at": [2 * number + 2, 4]}
        for number, (name, ship) in enumerate(DUEL["ships"].items())
    }
    game, tokens = room.battle(position={**DUEL, "ships": archers, "step": "fire", "phase": 1})
    rome = tablet(tokens["rome"])
    rome.tap(rome.page.locator(".tray-acts").get_by_role("button", name="Hold fire this turn"))
    assert "rome" not in waiting_for(room.state(game)) and room.state(game).sides["rome"].forgoes == ("fire",)
    expect(rome.page.locator("#news")).to_contain_text("Rome holds fire this turn.")


PLOT = {**FAR, "step": "plot", "phase": None}


def drawn(page, way: list[str], ship: str = "r1") -> None:
    """Draw with the finger from a ship through hexes, by the marks on the board."""
    at = [page.locator(f"#at-{ship} .touch")] + [page.locator(f'[data-to="{to}"], [data-hex="{to}"]') for to in way]
    spots = [each.bounding_box() for each in at]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in spots]
    page.mouse.move(*middles[0])
    page.mouse.down()
    for x, y in middles[1:]:
        page.mouse.move(x, y, steps=4)
    expect(page.locator("#drawn")).to_have_attribute("d", re.compile("L"))
    page.mouse.up()


@pytest.mark.parametrize("size", screens(PHONE, TABLET, SIDE))
def test_a_course_is_drawn_from_the_ship_and_the_plot_is_set(room, tablet, size):
    game, tokens = room.battle(position=PLOT)
    rome = tablet(tokens["rome"], size)
    rome.go(f"/g/{game}?seat=rome&ship=r1")
    box = rome.page.locator("#board").get_attribute("viewBox")
    drawn(rome.page, ["4,2", "5,2"])
    expect(rome.page.locator("#ship-name")).to_have_text("Lupa")
    assert room.state(game).ships["r1"].plot == 2
    assert [leg.turn for leg in courses(room.store, game)["r1"].legs] == ["none", "left"]
    expect(rome.page.locator("#drawn")).to_have_count(0)  # the finger's own line goes
    if size is SIDE:  # a low window has no strip
        rome.go(f"/g/{game}?seat=rome&ship=r1")
    else:
        rome.page.locator("#chip-r1").tap()
    expect(rome.page.locator(".board .route")).to_have_count(1)
    if size is not SIDE:
        rome.page.locator("#chip-r2").tap()
        expect(rome.page.locator("#ship-name")).to_have_text("Lupa")
    if size is TABLET:
        assert rome.page.locator("#board").get_attribute("viewBox") == box, "the board has not moved with the finger"
    assert rome.refusals == []


def test_the_line_follows_the_course_that_is_drawn(room, tablet):
    game, tokens = room.battle(position=PLOT)
    rome = tablet(tokens["rome"])
    rome.go(f"/g/{game}?seat=rome&ship=r1")
    rome.page.locator("#with-line").tap()
    drawn(rome.page, ["4,2", "4,3"])
    expect(rome.page.locator(".tray-acts").get_by_role("button", name="Lock the plots")).to_be_visible()
    rome.until(1)
    assert [room.state(game).ships[name].plot for name in ("r1", "r2")] == [2, 2]
