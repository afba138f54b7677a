"""Pointing at the board by touch: the other tablet and the television show it, the own side's stays its own."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import DUEL, PHONE, SIDE, TABLET
from webapp.pages.battle import marks, open_sea

pytestmark = pytest.mark.browser

SEA = {
    **DUEL,
    "board": {"kind": "open", "width": 20, "height": 14},
    "options": {},
    "ships": {
        name: {**{key: value for key, value in ship.items() if key not in ("at", "facing")}, "at": at, "facing": 90}
        for (name, ship), at in zip(DUEL["ships"].items(), ([2, 2], [2, 6], [8, 2], [2, 10]), strict=True)
    },
}
SPOT = """([x, y]) => {
  const at = new DOMPoint(x, y).matrixTransform(document.getElementById('board').getScreenCTM());
  return [at.x, at.y];
}"""


def tap_at(tablet, at):
    """Tap a point of the drawing."""
    tablet.page.touchscreen.tap(*tablet.page.evaluate(SPOT, list(at)))


def arm(tablet, choice):
    """Say what the next tap on the board is for."""
    if not tablet.page.locator("#arm").is_visible():
        tablet.page.locator("#cameras-more").tap()
    tablet.page.locator("#arm").tap()
    wanted = tablet.page.locator(f"[data-point={choice}]")
    wanted.tap()
    expect(wanted).to_have_attribute("aria-pressed", "true")


def seated(room, tablet, position=None, size=TABLET):
    game, tokens = room.battle(**({"position": position} if position else {}))
    found = [tablet(tokens[side], size) for side in ("rome", "carthage")]
    for each, side in zip(found, ("rome", "carthage"), strict=True):
        each.go(f"/g/{game}?seat={side}")
        expect(each.page.locator("#live.on")).to_be_attached()
    return game, found


@pytest.mark.parametrize(
    ("position", "size"),
    [(None, TABLET), *screens((SEA, PHONE), (SEA, TABLET), (SEA, SIDE), (None, PHONE), (None, SIDE))],
)
def test_a_tap_points_before_all_and_the_mark_goes_by_itself(room, tablet, position, size):
    game, (rome, carthage) = seated(room, tablet, position, size)
    free = "r2" if position and size is SIDE else "r1"  # there the bar that is opened lies over the first
    ship = rome.page.locator(f".ship[data-ship={free}]")
    x, y = float(ship.get_attribute("data-x")), float(ship.get_attribute("data-y"))
    arm(rome, "all")
    tap_at(rome, (x, y + 4))  # on a ship: she is pointed at, not chosen
    for each in (rome, carthage):
        expect(each.page.locator(".ping .ping-who")).to_have_text("Rome")
        expect(each.page.locator("#pinged")).to_contain_text("Rome points at")
    expect(rome.page.locator("#point-bar")).to_be_hidden()
    expect(rome.page.locator("#sheet-head")).to_have_count(0)
    television = tablet().go(f"/display/{game}")
    expect(television.page.locator(".ping")).to_have_count(1)
    if size is TABLET:
        for each in (rome, carthage, television):
            expect(each.page.locator(".ping")).to_have_count(0, timeout=20_000)
            expect(each.page.locator("#pinged")).to_have_count(0)
    assert rome.version == 0 and not rome.refusals


def test_for_the_own_side_the_others_see_nothing(room, tablet):
    game, (rome, carthage) = seated(room, tablet)
    arm(rome, "own")
    tap_at(rome, marks.place((5, 2)))
    expect(rome.page.locator("#pinged")).to_contain_text("For your side alone")
    carthage.catch_up(0, room.store.game(game).revision)
    expect(carthage.page.locator(".ping")).to_have_count(0)
    assert "data-ping=" not in carthage.page.content()
    arm(carthage, "all")
    tap_at(carthage, marks.place((5, 3)))
    expect(carthage.page.locator(".ping .ping-who")).to_have_text("Carthage")
    expect(rome.page.locator(".ping")).to_have_count(2)


def test_a_drag_moves_the_board_and_points_at_nothing(room, tablet):
    game, (rome, _carthage) = seated(room, tablet)
    rome.page.keyboard.press("+")
    rome.page.keyboard.press("+")
    arm(rome, "all")
    board = rome.page.locator("#board")
    before = board.get_attribute("viewBox")
    board.hover()
    box = board.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    rome.page.mouse.move(*middle)
    rome.page.mouse.down()
    rome.page.mouse.move(middle[0] + 40, middle[1] + 30, steps=4)
    rome.page.mouse.up()
    expect(board).not_to_have_attribute("viewBox", before)
    expect(rome.page.locator("#point-bar")).to_be_visible()
    rome.page.keyboard.press("Escape")
    expect(rome.page.locator("#point-bar")).to_be_hidden()
    assert room.store.file.rows("select * from pings where game = ?", game) == []


@pytest.mark.parametrize("position", [None, SEA], ids=["hexes", "sea"])
def test_a_tap_measures_from_the_chosen_ship(room, tablet, position):
    game, (rome, _carthage) = seated(room, tablet, position)
    rome.go(f"/g/{game}?seat=rome&ship=r1")
    expect(rome.page.locator("#live.on")).to_be_attached()
    arm(rome, "ruler")
    tap_at(rome, (3.5 * open_sea.BASE, 3 * open_sea.BASE) if position else marks.place((3, 2)))
    said = rome.page.locator("#over input[name=place][size]")
    expect(said).to_have_value(re.compile(r"3\.5,3" if position else "0404"))
    expect(rome.page.locator("#over select[name=ship]")).to_have_value("r1")
    rome.page.locator("#over-close").tap()
    expect(rome.page.locator("#over")).to_be_hidden()
    expect(rome.page.locator("#ship-name")).to_have_text("Aquila")
