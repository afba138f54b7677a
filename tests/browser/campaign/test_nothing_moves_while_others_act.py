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


BOX = "sel => { const it = document.querySelector(sel).getBoundingClientRect(); return [it.x, it.y, it.width, it.height]; }"
CLIPPED = """() => [...document.querySelectorAll('#strip, #strip *, #sentence')].filter(it => !it.closest('[data-clip], .menu-body, svg')
    && getComputedStyle(it).clipPath === 'none' && it.scrollWidth > it.clientWidth + 1 && it.clientWidth).map(it => it.outerHTML.slice(0, 80))"""

LONG = "The Greeks, you must intercept Claudius, avoid it or let it pass at Ariminum, since 04:35."
OVER = """it => { const box = sentence.getBoundingClientRect(), own = it.getBoundingClientRect();
    return own.top < box.top || own.bottom > box.bottom; }"""


@pytest.mark.parametrize(("width", "height", "head", "least"), [(1024, 768, 52, 0.6 * 1024), (390, 844, 48, 390)])
def test_f1_the_frame_stands_still_and_its_head_is_not_clipped(table, position, width, height, head, least):
    position.plays("carthage")
    table.set_up(position=position.raw)
    tablet = table.tablet("carthage", width, height)
    page = tablet.page
    expect(page.locator("#map")).to_be_visible()
    stood = page.evaluate(BOX, ".mapbox")
    assert stood[2] >= least and stood[3] >= 0.28 * height
    assert page.evaluate(BOX, "#strip")[3] == head and page.evaluate(CLIPPED) == []
    for act in ACTS:
        table.store.submit(table.id, table.version, "carthage", act)
        tablet.sees_version(table.version)
        assert page.evaluate(BOX, ".mapbox") == stood
    page.locator("#sentence .wait").evaluate("(it, text) => { it.textContent = text; }", LONG)
    assert not page.locator("#sentence .wait").evaluate(OVER)
    page.locator(".cell[data-space=capua]").dispatch_event("click")
    expect(page.locator("#place-title")).to_have_text("Capua")
    assert page.evaluate(BOX, ".mapbox") == stood and page.evaluate(CLIPPED) == []


def test_back_closes_the_panel_of_a_space_and_the_circle_goes_to_where_it_happens(table, position):
    position.plays("carthage")
    table.set_up(position=position.raw)
    table.store.submit(table.id, 0, "carthage", ACTS[1])
    page = table.tablet("rome").page
    expect(page.locator("#table")).to_have_attribute("data-happens", "saguntum")
    page.locator(".cell[data-space=capua]").dispatch_event("click")
    expect(page.locator("#place-title")).to_have_text("Capua")
    page.evaluate("history.back()")
    expect(page.locator("#place-title")).to_have_count(0)
    expect(page.locator("#map")).to_be_visible()
    for _near in range(3):
        page.locator("[data-zoom=in]").tap()
    page.locator("[data-zoom=here]").tap()
    left, top, wide, high = map(float, (page.locator("#map").get_attribute("viewBox") or "").split())
    spot = page.locator("[data-mark=saguntum]").first.evaluate(
        "it => [it.transform.baseVal[0].matrix.e, it.transform.baseVal[0].matrix.f]"
    )
    assert abs(left + wide / 2 - spot[0]) < 2 and abs(top + high / 2 - spot[1]) < 2
