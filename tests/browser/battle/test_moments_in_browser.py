"""The replay by touch: from one event of weight to the next, back, and a link that opens at the moment."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import DUEL, PHONE, TABLET

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", screens(PHONE, TABLET))
def test_a_tap_goes_to_the_next_event_of_weight_and_the_link_opens_there(room, tablet, size):
    game, tokens = room.battle(position={**DUEL, "turn_limit": 1})
    for command in ({"type": "plot", "ship": "r1", "speed": 1}, {"type": "resign", "side": "rome"}):
        room.store.submit(game, room.store.game(game).version, "rome", command, None, None)
    last = room.store.game(game).version
    rome = tablet(tokens["rome"], size, at=f"/g/{game}/replay/0")
    replay = rome.page.locator("#replay")
    expect(rome.page.locator("#earlier")).to_have_attribute("aria-disabled", "true")
    rome.page.locator("#later").tap()
    expect(replay).to_have_attribute("data-number", str(last))
    expect(rome.page).to_have_url(re.compile(rf"/replay/{last}\b"))
    rome.page.locator("#before").tap()
    expect(replay).to_have_attribute("data-number", str(last - 1))
    address = rome.page.locator("#moment").get_attribute("href")
    assert not rome.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    other = tablet(tokens["carthage"], size).go(address)
    expect(other.page.locator("#replay")).to_have_attribute("data-number", str(last - 1))
