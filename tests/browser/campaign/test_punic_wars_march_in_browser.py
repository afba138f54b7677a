"""5.0 A tablet draws a leader's way by taps upon the map and walks it by the button; a phone shows it whole."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from tests.browser.campaign.test_punic_wars_turn import second_turn

pytestmark = pytest.mark.browser


def test_5_0_taps_draw_the_way_and_the_button_walks_it(table):
    table.set_up("punic_wars", position={**second_turn(), "phase": "campaign"})
    tablet = table.tablet("carthage")
    page = tablet.page
    page.locator("[data-leader=cc]").click()
    expect(page.locator(".march .hint")).to_have_text("Tap a hex to see the route there.")
    assert page.locator(".map .within").count() > 10
    page.locator(".cell[data-space='2814']").click()
    expect(page.locator(".map .march-step.danger").first).to_be_attached()
    steps = page.locator(".way-steps li").count()
    assert steps == page.locator(".map .march-step").count() > 1
    expect(page.locator("[data-march]")).to_have_count(1)
    page.locator(".cell[data-space='2616']").click()
    expect(page.locator(".way-steps")).to_contain_text("Clupea")
    version = table.version
    page.locator("[data-march]").click()
    tablet.sees_version(version + 1)
    assert table.state.leaders["cc"].at == "2616"
    assert table.state.points("2616", "carthage", "naval") == 3


@pytest.mark.parametrize("language", screens("ru", "it", "en"))  # Russian has the longest words
def test_3_3_on_a_phone_nothing_runs_off_to_the_side(table, language):
    table.set_up("punic_wars", position={**second_turn(), "phase": "campaign"})
    tablet = table.tablet("carthage", width=390, height=844)
    page = tablet.page
    page.goto(f"{table.address}/?lang={language}")
    for address in (f"/g/{table.id}?seat=carthage&pick=cc&space=2814", "/campaign/house/punic_wars"):
        page.goto(f"{table.address}{address}")
        expect(page.locator("html")).to_have_attribute("lang", language)
        root = "document.scrollingElement"
        assert page.evaluate(f"{root}.scrollWidth") <= 390
        assert page.evaluate("(document.getElementById('side') || document.body).scrollWidth") <= 390
    page.goto(f"{table.address}/g/{table.id}?seat=carthage&pick=cc&space=2814")
    for target in page.locator("#side button:visible, #side select:visible, #side .walkers a:visible").all():
        box = target.bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44
