"""Small things at the table: a phone on its side, the keyboard, a replay that plays, the television's code."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
ON_ITS_SIDE = {"width": 844, "height": 390}


def test_a_phone_on_its_side_keeps_board_and_orders_usable(room, tablet):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"], ON_ITS_SIDE, at=f"/g/{game}?seat=rome&ship=r1")
    expect(rome.page.locator(".orders.dial .act").first).to_be_in_viewport(ratio=1)
    rome.go(f"/g/{game}?seat=rome")
    board = rome.page.locator("#board-frame").bounding_box()
    assert board["height"] >= 240
    rome.tap(rome.page.get_by_role("button", name="All cruise").first)
    lock = rome.page.get_by_role("button", name="Lock the plots")
    expect(lock).to_be_in_viewport(ratio=1)
    rome.tap(lock)
    assert rome.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_keyboard_reaches_the_next_order_in_three_keys(room, tablet):
    _game, tokens = room.battle()
    rome = tablet(tokens["rome"])
    for key in ("Tab", "Enter", "Tab"):
        rome.page.keyboard.press(key)
    expect(rome.page.locator("#next-order > :first-child :focus")).to_contain_text("Lock the plots")
    rome.page.get_by_label("Menu").tap()
    expect(rome.page.locator("#menu .menu-body")).to_contain_text("Keys: N for the next ship")


def test_a_replay_plays_and_each_moment_has_its_address(room, tablet):
    game, tokens = room.battle()
    for speed in (1, 2, 3):
        version = room.store.game(game).version
        room.store.submit(game, version, "rome", {"type": "plot", "ship": "r1", "speed": speed}, None, None)
    rome = tablet(tokens["rome"], at=f"/g/{game}/replay/0")
    rome.page.locator("#pace").select_option("500")
    rome.page.locator("#play").tap()
    expect(rome.page.locator("#replay")).to_have_attribute("data-number", "3")
    expect(rome.page).to_have_url(re.compile(r"/replay/3"))
    assert rome.page.locator("svg.board").is_visible()
    slide = rome.page.locator("#slide")
    assert slide.bounding_box()["height"] >= 44
    slide.fill("1")
    expect(rome.page.locator("#replay")).to_have_attribute("data-number", "1")
    expect(rome.page.locator(".film-now")).to_contain_text("plotted at speed 1")
