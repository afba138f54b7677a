"""The same for a campaign: a guest asks, the umpire's page shows it by itself, and the guest sits down."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_the_umpire_of_a_campaign_lets_a_guest_in_with_one_tap(table):
    table.set_up()
    umpire = table.tablet("umpire")
    umpire.page.locator("#side").wait_for()
    context = table.browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    guest = context.new_page()
    guest.goto(f"{table.address}/rejoin?code={table.id}")
    guest.get_by_label("Your name").fill("Ada")
    guest.get_by_role("button", name="Take the seat Rome").tap()
    expect(guest.locator("#asking")).to_contain_text("The umpire has been notified")
    asked = umpire.page.locator(".asks-seat")
    expect(asked).to_contain_text("Ada asks for the seat Rome")
    asked.get_by_role("button", name="Yes, let them in").tap()
    expect(guest).to_have_url(re.compile(rf"/g/{table.id}\?seat=rome"))
    expect(guest.locator("#table")).to_have_attribute("data-seat", "rome")
    expect(asked).to_have_count(0)
    context.close()
