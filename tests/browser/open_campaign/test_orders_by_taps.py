"""O4.5 on a phone: a fleet, a goal and a stance by taps; the chart stays where it is; one filled button; no page load."""

import pytest
from playwright.sync_api import expect

from kit.open_war import position

pytestmark = pytest.mark.browser


def filled(page):
    return page.locator("button.main:visible, a.main:visible")


def test_o4_5_with_a_thumb_an_order_is_given_in_three_taps_and_the_chart_stands_still(tables):
    tables.begin(position=position())
    page = tables.sit("rhodes")
    page.goto(f"{tables.address}/open/{tables.id}/orders?seat=rhodes&fleet=guard")
    page.evaluate("window.same = true")
    box = page.locator(".sea").bounding_box()
    page.locator(".narrow .goal[aria-label='To Telos']").dispatch_event("click")
    expect(page.locator(".panel h2")).to_have_text("Guard: Go Telos, accept")
    page.get_by_role("link", name="Avoid").tap()
    expect(page.locator(".panel h2")).to_have_text("Guard: Go Telos, avoid")
    expect(filled(page)).to_have_count(1)
    assert page.locator(".sea").bounding_box() == box
    button = filled(page).bounding_box()
    assert button["y"] + button["height"] <= 844 and button["height"] >= 44
    filled(page).tap()
    expect(page.locator(".panel h2")).to_have_text("Escort")
    assert tables.store.load(tables.id).state.orders["rhodes"]["guard"].to == "telos"
    assert page.evaluate("window.same"), "the page was loaded anew"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert not tables.faults
