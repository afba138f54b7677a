"""The group's page by touch: the umpire puts people into seats and sets the time, a player orders and writes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from kit.accessible import violations
from kit.club_room import Server, club_server, is_too_wide  # noqa: F401
from kit.screens import screens

pytestmark = pytest.mark.browser
SIZES = ({"width": 1024, "height": 768}, {"width": 390, "height": 844})


@pytest.mark.parametrize("size", screens(*reversed(SIZES)))
def test_a_group_is_set_up_ordered_and_written_to(chromium: Browser, server: Server, size: dict[str, int]):
    made = server.app.test_client().post("/api/v1/games", json={"system": "hannibal", "scenario": "second_punic_war"})
    game, tokens = made.json["id"], {seat["id"]: seat["token"] for seat in made.json["seats"]}
    umpire = chromium.new_context(viewport=size, has_touch=True).new_page()
    umpire.goto(f"{server.url}/join/{tokens['umpire']}")
    umpire.goto(f"{server.url}/g/{game}/group")
    umpire.get_by_text("Put somebody into a seat").tap()
    umpire.get_by_label("Seat", exact=True).first.select_option("rome")
    umpire.get_by_label("Name", exact=True).fill("Ada <b>")
    umpire.get_by_role("button", name="Put this person into the seat and send the link").tap()
    told = umpire.get_by_role("alert")
    expect(told).to_contain_text("Ada <b> plays now")
    link = (told.text_content() or "").split()[-1]
    umpire.get_by_text("Deadlines", exact=True).tap()
    umpire.get_by_role("button", name="Keep").last.tap()
    expect(umpire.get_by_text("As a calendar file")).to_be_visible()
    assert not is_too_wide(umpire) and violations(umpire) == []
    ada = chromium.new_context(viewport=size, has_touch=True).new_page()
    ada.goto(link)
    expect(ada.locator("[data-live]")).to_have_attribute("data-seat", "rome")
    ada.goto(f"{server.url}/g/{game}/group")
    ada.get_by_label("Intercept an army that passes?").select_option("do")
    ada.locator("#orders").get_by_role("button", name="Keep").tap()
    expect(ada.get_by_label("Intercept an army that passes?")).to_have_value("do")
    assert not is_too_wide(ada) and violations(ada) == []
    ada.get_by_role("link", name="Letters").tap()
    ada.get_by_label("To").select_option("carthage")
    ada.get_by_label("Letter").fill("Shall we share Sicily?")
    ada.get_by_role("button", name="Send").tap()
    expect(ada.locator(".letter")).to_contain_text("Shall we share Sicily?")
    cleo = chromium.new_context(viewport=size, has_touch=True).new_page()
    cleo.goto(f"{server.url}/join/{tokens['carthage']}")
    cleo.get_by_label("Menu", exact=True).tap()
    cleo.get_by_role("link", name="Letters 1").tap()
    expect(cleo.locator(".letter")).to_contain_text("Shall we share Sicily?")
    assert not is_too_wide(cleo) and violations(cleo) == []
    for page in (umpire, ada, cleo):
        page.context.close()
