"""Taps that are quicker than their answers leave the page whole."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.campaign.test_punic_wars_turn import second_turn

pytestmark = pytest.mark.browser


def test_an_answer_to_a_button_that_is_gone_does_not_empty_the_page(table):
    table.set_up("punic_wars", position={**second_turn(), "phase": "campaign"})
    tablet = table.tablet("carthage")
    page = tablet.page
    page.locator(".cell[data-space='2516']").dispatch_event("click")
    expect(page.locator("#table")).to_have_attribute("data-space", "2516")
    held: list[Route] = []
    page.route("**/g/*", lambda route: held.append(route))
    page.locator(".cell[data-space='1607']").dispatch_event("click")
    tablet.until(lambda: len(held) == 1, "the first question")
    page.get_by_role("link", name="Close").click()
    tablet.until(lambda: len(held) == 2, "the second question")
    held[0].continue_()
    expect(page.locator("#table")).to_have_attribute("data-space", "2516")  # another tap has followed: it counts
    held[1].continue_()
    expect(page.locator("#place-title")).to_have_count(0)
    expect(page.locator("#side")).to_be_visible()
    expect(page.locator("#map")).to_be_visible()


def test_what_is_tapped_while_a_command_is_under_way_stays_open(table):
    table.set_up("punic_wars", position={**second_turn(), "phase": "campaign"})
    tablet = table.tablet("carthage")
    page = tablet.page
    page.locator(".cell[data-space='1607']").dispatch_event("click")
    expect(page.locator("#table")).to_have_attribute("data-space", "1607")
    held: list[Route] = []
    page.route(re.compile("/command"), lambda route: held.append(route))
    before = tablet.version
    page.locator("#side form button:not([data-step])").first.click()
    tablet.until(lambda: len(held) == 1, "the command")
    page.locator(".cell[data-space='2516']").dispatch_event("click")
    expect(page.locator("#table")).to_have_attribute("data-space", "2516")
    held[0].continue_()
    tablet.sees_version(before + 1)
    expect(page.locator("#table")).to_have_attribute("data-space", "2516")
    expect(page.locator("#place-title")).to_be_visible()
