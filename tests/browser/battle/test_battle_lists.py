"""Lists, replay, sheet and lesson on every screen: nothing cut off, nothing below the fold, nothing over the board."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from kit.board_seen import SHARE
from kit.tablets import DUEL, PHONE, SIDE, TABLET

pytestmark = pytest.mark.browser
CUT = "e => e.scrollWidth > e.clientWidth + 1"


def screens(page: Page) -> Iterator[None]:
    """The same page on each screen."""
    for size in (TABLET, PHONE, SIDE):
        page.set_viewport_size(size)
        yield


def test_25_the_list_is_whole_and_the_fleets_names_are_uncut(room, tablet):
    ships = {name: {**ship} for name, ship in DUEL["ships"].items()}
    ships["c1"] |= {"oars_broken": True, "breaches": 2, "name": "Akrokorinthos"}
    game, tokens = room.battle(position={**DUEL, "ships": ships})
    rome = tablet(tokens["rome"], at=f"/g/{game}?seat=rome&view=list&ship=r1")
    pane = rome.page.locator("#list-pane")
    expect(pane).to_contain_text("As seen from Aquila")
    for _screen in screens(rome.page):
        assert not pane.evaluate(CUT), "a column is cut off"
    row = rome.page.locator(".ships tr", has_text="Akrokorinthos")
    expect(row).to_contain_text("oars broken")
    expect(row).to_contain_text("south-east, ahead")
    rome.go(f"/g/{game}?seat=rome&view=fleet")
    names = rome.page.locator(".card-name")
    expect(names).to_have_count(2)
    for _screen in screens(rome.page):
        assert not any(each.evaluate(CUT) for each in names.all())


def test_26_the_replays_board_is_seen_without_scrolling(room, tablet):
    game, tokens = room.battle()
    room.store.submit(game, 0, "rome", {"type": "plot", "ship": "r1", "speed": 2}, None, None)
    rome = tablet(tokens["rome"], at=f"/g/{game}/replay/1")
    for _screen in screens(rome.page):
        expect(rome.page.locator(".replay-board")).to_be_in_viewport(ratio=0.99)
        expect(rome.page.locator("#play")).to_be_visible()
        assert not rome.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def test_27_the_lesson_leaves_the_board_to_be_seen(room, tablet):
    _game, tokens = room.battle("first_oars")
    athens = tablet(tokens["athens"])
    for _screen in screens(athens.page):
        expect(athens.page.locator(".lesson h2")).to_be_in_viewport(ratio=1)
        assert athens.page.evaluate(SHARE) >= 0.6


def test_polish_a_hull_of_ten_stands_in_one_row(room, tablet):
    ships = {**DUEL["ships"], "c1": {**DUEL["ships"]["c1"], "type": "hepteres"}}
    game, tokens = room.battle(position={**DUEL, "ships": ships})
    carthage = tablet(tokens["carthage"], at=f"/g/{game}?seat=carthage&ship=c1")
    boxes = carthage.page.locator(".value:has(#v-hull) .box")
    expect(boxes).to_have_count(10)
    for _screen in screens(carthage.page):
        assert len(set(boxes.evaluate_all("all => all.map(e => Math.round(e.getBoundingClientRect().top))"))) == 1


def test_the_trays_buttons_share_its_width(room, tablet):
    ships = {name: {**DUEL["ships"][name]} for name in ("r1", "c1")}
    ships["r1"] |= {"at": [4, 4], "stepped": True}
    ships["c1"] |= {"at": [5, 4], "facing": "N"}
    _game, tokens = room.battle(position={**DUEL, "ships": ships, "step": "board", "phase": 3})
    carthage = tablet(tokens["carthage"])
    buttons = carthage.page.locator(".tray-acts .act, .tray-acts .ask, .tray-acts > .next").filter(visible=True)
    for _screen in screens(carthage.page):
        is_phone = carthage.page.viewport_size["width"] < 600  # there is no room for the way to the next ship
        expect(buttons).to_have_count(2 if is_phone else 3)
        wide = buttons.evaluate_all("all => all.map(e => Math.round(e.getBoundingClientRect().width))")
        assert max(wide) - min(wide) <= 1 and not any(each.evaluate(CUT) for each in buttons.all())
