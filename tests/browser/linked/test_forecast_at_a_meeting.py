"""Beside the choice of table or dice: a forecast of the meeting, begun by touch, watched while it runs, and stopped."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_who_must_choose_sees_first_what_captains_make_of_the_fleets(house: Any) -> None:
    house.campaign(scenario="off_mylae")
    page = house.tablet("rome", width=390).page
    fleets = house.state.engagement.fleets
    page.locator("#forecast-meeting").tap()
    expect(page.locator("p.fleet")).to_have_count(len(fleets))
    expect(page.locator("p.fleet").first).to_contain_text("× quinquereme")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("select[name=battles]").select_option("500")
    page.get_by_role("button", name="Begin").tap()

    expect(page.locator("#forecast progress")).to_have_attribute("max", "500")
    expect(page.locator("#forecast")).to_contain_text("95% interval")  # while it still runs
    page.get_by_role("button", name="Stop").tap()
    expect(page.locator("#forecast")).to_contain_text("Stopped.")
    fought = int(page.locator("#forecast progress").get_attribute("value") or 0)
    assert 0 < fought < 500
    for name in ("Rome", "Carthage"):
        expect(page.locator("#forecast table.fates").first).to_contain_text(name)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert house.state.engagement is not None, "a forecast changes nothing"
