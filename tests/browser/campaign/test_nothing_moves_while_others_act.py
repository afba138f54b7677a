"""The map's view and the panel's place stay while others act, and what a seat looks at stays with them."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
ACTS = (
    {"type": "arrange", "space": "saguntum", "generals": ["hannibal"], "elephants": 0, "units": 0},
    {"type": "activate", "card": 2, "general": "hannibal", "use": "ops"},
)


def test_view_and_scroll_stay_while_others_act(table, position):
    position.plays("carthage")
    table.set_up(position=position.raw)
    tablet = table.tablet("rome")
    page = tablet.page
    page.locator(".cell[data-space=capua]").dispatch_event("click")
    expect(page.locator("#place-title")).to_have_text("Capua")
    page.locator("[data-zoom=in]").tap()
    page.locator("#side").evaluate("it => { it.scrollTop = 60; }")
    scrolled = page.locator("#side").evaluate("it => it.scrollTop")
    looked = page.locator("#map").get_attribute("viewBox")
    for act in ACTS:
        table.store.submit(table.id, table.version, "carthage", act)
        tablet.sees_version(table.version)
        assert page.locator("#map").get_attribute("viewBox") == looked
        assert page.locator("#side").evaluate("it => it.scrollTop") == scrolled
    expect(page.locator("#place-title")).to_have_text("Capua")
