"""The clocks go on by themselves on tablets and television, and stand when the umpire stops them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import PHONE, TABLET
from webapp.storage.services import clocks

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", screens(TABLET, PHONE))
def test_the_clocks_of_those_who_are_awaited_run_and_the_umpire_stops_them(room, tablet, size):
    game, tokens = room.battle()
    umpire = tablet(tokens["umpire"], size)
    rome = tablet(tokens["rome"], size)
    rome.go(f"/g/{game}?seat=rome")
    expect(rome.page.locator("#live.on")).to_be_attached()
    expect(rome.page.locator(".clock")).to_have_count(0)
    umpire.go(f"/g/{game}/clocks?seat=umpire")
    umpire.page.get_by_label("Minutes for each side:").check()
    umpire.page.get_by_label("Minutes", exact=True).fill("30")
    umpire.page.get_by_role("button", name="Set the clocks").tap()
    expect(umpire.page.locator(".clocks-list .clock.runs")).to_have_count(2)

    running = rome.page.locator(".heads .clock.runs")
    expect(running).to_have_count(2)  # the page that was open has them, and they go on
    expect(running.first).to_have_text(re.compile(r"^29:5\d$"))
    for it in running.all():
        expect(it).to_be_in_viewport(ratio=1)
    shown = running.first.inner_text()
    expect(running.first).not_to_have_text(shown)
    television = tablet().go(f"/display/{game}")
    expect(television.page.locator(".screen-heads .clock.runs").first).to_have_text(re.compile(r"^29:\d\d$"))

    umpire.page.get_by_role("button", name="Stop the clocks").tap()
    expect(umpire.page.get_by_role("button", name="Start the clocks again")).to_be_visible()
    for each in (rome, television):
        expect(each.page.locator(".clock:not(.runs)")).to_have_count(2)
    assert clocks.clocks(room.store, game).is_stopped and rome.version == 0


def test_time_that_is_up_is_said_on_the_television(room, tablet):
    game, tokens = room.battle()
    clocks.set_clocks(room.store, game, clocks.Rule(60))
    clocks.give(room.store, game, "carthage", -60)
    television = tablet().go(f"/display/{game}")
    expect(television.page.locator(".clock-up:visible")).to_have_count(1)
    expect(television.page.locator(".clock.over")).to_have_text(re.compile(r"^−0:"))
    rome = tablet(tokens["rome"])
    rome.go(f"/g/{game}?seat=rome")
    expect(rome.page.locator(".clock.over")).to_have_attribute("title", "time is up")
