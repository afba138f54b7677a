"""No tap is swallowed in silence, and why one came to nothing stays to be read."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
NEVER_AGAIN = "retry: 3600000\n\n"
PLOT = {"type": "plot", "ship": "r1", "speed": 2}


def test_a_tap_on_what_has_only_just_come_is_answered(room, tablet):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"])
    rome.tap(rome.page.get_by_role("button", name="All cruise").first)
    said = rome.page.locator("#said")
    expect(said).to_be_hidden()
    rome.page.evaluate("navarch.patience = 3600000")
    lock = rome.page.get_by_role("button", name="Lock the plots")
    lock.tap()
    expect(said).to_contain_text("nothing was done. Tap again.")
    assert room.store.game(game).version == 1
    rome.page.evaluate("navarch.patience = 0")
    rome.tap(lock)
    expect(said).to_be_hidden()
    assert room.state(game).sides["rome"].locked


def test_the_second_of_two_taps_is_answered(room, tablet):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"])
    rome.page.evaluate("navarch.patience = 3600000")
    rome.page.get_by_role("button", name="All cruise").first.dblclick()
    rome.until(1)
    expect(rome.page.locator("#said")).to_have_text("Two taps so close together count as one.")
    assert room.store.game(game).version == 1


def test_a_refusal_stays_to_be_read_when_the_page_goes_on(room, tablet):
    game, tokens = room.battle()
    rome = tablet()
    rome.page.route("**/stream?*", lambda route: route.fulfill(content_type="text/event-stream", body=NEVER_AGAIN))
    rome.sit(tokens["rome"])
    room.store.submit(game, 0, "rome", PLOT)
    rome.page.get_by_role("button", name="All cruise").first.tap()
    expect(rome.page.locator("#refused")).to_contain_text("Aquila is plotted at speed 2")
    room.store.submit(game, 1, "carthage", {**PLOT, "ship": "c1"})
    rome.page.evaluate("navarch.refresh()")
    expect(rome.page.locator("#refused")).to_have_count(0)
    expect(rome.page.locator("#said")).to_contain_text("Aquila is plotted at speed 2")
    rome.tap(rome.page.get_by_role("button", name="All cruise").first)
    expect(rome.page.locator("#said")).to_be_hidden()
