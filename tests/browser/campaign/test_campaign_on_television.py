"""A campaign on the television: large, legible, and live."""

from __future__ import annotations

from club_room import Server, club_server, is_too_wide
from playwright.sync_api import Browser, expect

from webapp.storage.games import Store

__all__ = ["club_server"]


def test_a18_the_television_follows_the_campaign(server: Server, browser: Browser) -> None:
    store: Store = server.app.extensions["navarch"]
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
