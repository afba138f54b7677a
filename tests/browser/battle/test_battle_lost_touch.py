"""A page that gets an answer which does not fit asks for the whole table, shows it, and goes on by fragments."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import PHONE, TABLET

pytestmark = pytest.mark.browser
UNFIT = '<hx-partial hx-target="#nowhere" hx-swap="outerMorph"><i id="nowhere"></i></hx-partial>'
WHOLE, WRONG = "", "an answer that does not fit"


def listening(rome, address: str, unfit: int) -> list[str]:
    """What the page says it has, each time it asks; the first so many answers of one address do not fit."""
    held: list[str] = []

    def deliver(route):
        held.append(route.request.headers.get("x-fragments", ""))
        if address in route.request.url and held.count(WRONG) < unfit:
            held.append(WRONG)
            answer = route.fetch()
            route.fulfill(
                response=answer, body=answer.text() + UNFIT
            )  # all that is right, and a part that has no place
        else:
            route.continue_()

    rome.page.route(re.compile(r"/g/\w+/(command|table)\?"), deliver)
    return held


def is_as_loaded_anew(rome) -> bool:
    """Does the page show what a fresh one would?"""
    parts = ("#side", ".strip", ".tray-acts", ".top", "#board")
    shown = [rome.page.locator(part).first.text_content() for part in parts]
    rome.page.reload()
    return shown == [rome.page.locator(part).first.text_content() for part in parts]


@pytest.mark.parametrize("size", screens(PHONE, TABLET))
def test_an_answer_to_a_tap_that_does_not_fit_is_healed_by_the_whole_table(room, tablet, size):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"], size)
    held = listening(rome, "/command", 1)
    rome.page.get_by_role("button", name="All cruise").first.tap()
    rome.until(1)
    assert held[held.index(WRONG) + 1] == WHOLE, "it says that it has nothing"
    assert room.store.game(game).version == 1, "the tap counts once"
    rome.tap(rome.page.get_by_role("button", name="Lock the plots"))
    assert len(held[-1].split()) > 5, "it goes on by fragments"
    assert room.state(game).sides["rome"].locked and rome.refusals == []
    assert is_as_loaded_anew(rome)


def test_news_that_do_not_fit_are_healed_however_often(room, tablet):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"])
    held = listening(rome, "/table", 3)
    names = [name for name, ship in room.state(game).ships.items() if ship.side == "carthage"]
    plots = [{"type": "plot", "ship": name, "speed": 2} for name in names]
    command = {"type": "together", "commands": [*plots, {"type": "lock", "side": "carthage"}]}
    room.store.submit(game, 0, "carthage", command, None, None)
    rome.until(1)
    assert [held[place + 1] for place, each in enumerate(held) if each == WRONG] == [WHOLE] * 3
    expect(rome.page.locator(".heads")).to_contain_text("locked")
    rome.tap(rome.page.get_by_role("button", name="All cruise").first)
    assert is_as_loaded_anew(rome) and room.store.game(game).version == 2
