"""A campaign on the television: large, legible, and live."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from kit.club_room import Server, club_server, is_too_wide
from kit.screens import screens
from strategic.captains.stand_in import choose
from webapp.storage.journal.store import Store

__all__ = ["club_server"]


def test_a18_the_television_follows_the_campaign(server: Server, browser: Browser) -> None:
    store: Store = server.app.extensions["navarch"].store
    game, _ = store.create("hannibal", "second_punic_war")
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.goto(f"{server.url}/display/{game.id}")
    assert not is_too_wide(page)
    board = page.locator(".screen-board").bounding_box()
    assert board is not None and board["width"] > 1300 and board["height"] > 950
    was = page.locator("#table").get_attribute("data-version")
    table = store.load(game.id)
    seat = table.waiting_for[0]
    offer = next(each for each in table.offers(seat) if each.type != "resign")
    fields = {name: value[0] if isinstance(value, list) else value for name, value in offer.fields.items()}
    store.submit(game.id, table.game.version, seat, {"type": offer.type, **fields}, "digital")
    expect(page.locator("#table")).not_to_have_attribute("data-version", was or "", timeout=8000)
    assert page.locator("#map").bounding_box() == board, "the map keeps its place"


@pytest.mark.parametrize(("width", "height", "scheme"), screens((1024, 768, "day"), (390, 844, "night")))
def test_what_happened_since_i_looked_is_played_by_touch(
    server: Server, browser: Browser, width: int, height: int, scheme: str
) -> None:
    store: Store = server.app.extensions["navarch"].store
    game, tokens = store.create("hannibal", "second_punic_war")
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    context.add_cookies([{"name": "scheme", "value": scheme, "url": server.url}])
    page = context.new_page()
    page.goto(f"{server.url}/join/{tokens['rome']}")
    for _ in range(3):
        table = store.load(game.id)
        seat = table.waiting_for[0]
        offers = [offer for offer in table.offers(seat) if offer.type != "resign"]
        command = choose("hannibal", table.view(seat), seat, offers).command
        store.submit(game.id, table.game.version, seat, command, "digital")
    store.looked(game.id, "rome", 0)
    page.goto(f"{server.url}/campaign/{game.id}/replay?seat=rome")
    expect(page.locator("#replay")).to_have_attribute("data-number", "1")
    assert not is_too_wide(page)
    page.locator("#after").tap()
    expect(page.locator("#replay")).to_have_attribute("data-number", "2")
    page.locator("#before").tap()
    expect(page.locator("#replay")).to_have_attribute("data-number", "1")
    page.locator("#slide").fill("3")
    expect(page.locator("#replay")).to_have_attribute("data-number", "3")
    expect(page).to_have_url(re.compile("/replay/3"))
    link = page.locator("#moment").get_attribute("href") or ""
    page.goto(server.url + link.replace("at=3", "at=2"))
    page.wait_for_load_state()
    expect(page.locator("#replay")).to_have_attribute("data-number", "2")
    assert not is_too_wide(page)
    context.close()
