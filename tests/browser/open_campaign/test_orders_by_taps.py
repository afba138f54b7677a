"""O4.5 on a phone: a fleet, a goal and a stance by taps; the chart stays where it is; one filled button; no page load."""

import pytest
from playwright.sync_api import expect

from kit.open_war import position, spot_on
from webapp import create_app
from webapp.pages.open_campaign.founding import HIGH, WIDE, paper

pytestmark = pytest.mark.browser


def filled(page):
    return page.locator("button.main:visible, a.main:visible")


def at(tables, page, place):
    """Where a place lies on the phone's chart, in the window's pixels."""
    with create_app({"STORE": tables.store}).test_request_context("/"):
        x, y = spot_on(tables.store.load(tables.id), "rhodes", "narrow", place)
    box = page.locator(".narrow .seachart").bounding_box()
    return box["x"] + x * box["width"] / 390, box["y"] + y * box["height"] / 236


def drag(page, grip, goal):
    """M8: a finger takes the goal and leaves it elsewhere."""
    one = grip.bounding_box()
    page.mouse.move(one["x"] + one["width"] / 2, one["y"] + one["height"] / 2)
    page.mouse.down()
    page.mouse.move(*goal, steps=4)
    page.mouse.up()


def test_o4_5_with_a_thumb_an_order_is_given_by_dragging_and_taps_and_the_chart_stands_still(tables):
    tables.begin(position=position())
    page = tables.sit("rhodes")
    page.goto(f"{tables.address}/open/{tables.id}/orders?seat=rhodes&fleet=guard&near=0")
    page.evaluate("window.same = true")
    box = page.locator("section.sea").bounding_box()
    page.touchscreen.tap(*at(tables, page, "hierapytna"))
    expect(page.locator(".panel h2")).to_have_text("Guard: Go Hierapytna, accept")
    drag(page, page.locator(".narrow .aim .grip"), at(tables, page, "telos"))
    expect(page.locator(".panel h2")).to_have_text("Guard: Go Telos, accept")
    page.get_by_role("link", name="Avoid").tap()
    expect(page.locator(".panel h2")).to_have_text("Guard: Go Telos, avoid")
    expect(filled(page)).to_have_count(1)
    assert page.locator("section.sea").bounding_box() == box
    button = filled(page).bounding_box()
    assert button["y"] + button["height"] <= 844 and button["height"] >= 44
    filled(page).tap()
    expect(page.locator(".panel h2")).to_have_text("Escort")
    assert tables.store.load(tables.id).state.orders["rhodes"]["guard"].to == "telos"
    tables.play({"type": "ready", "side": "cretans"})
    expect(page.locator(".sentence small")).to_contain_text("1 of 2 sides are ready")  # the stream has told it
    assert page.evaluate("window.same"), "the page was loaded anew"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert not tables.faults


def test_o1_2_a_corner_of_a_new_world_is_where_the_thumb_was(tables):
    tables.begin(position=position())
    page = tables.sit("rhodes")
    page.goto(f"{tables.address}/open/new")
    sea = page.locator(".tapped")
    sea.scroll_into_view_if_needed()
    box = sea.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 4)
    corner = page.locator("input[name=corner]")
    expect(corner).to_have_count(1)
    x, y = paper().at(tuple(map(float, corner.get_attribute("value").split(","))))
    assert abs(x - WIDE / 2) < 4 and abs(y - HIGH / 4) < 4 and box["width"] < WIDE / 2
