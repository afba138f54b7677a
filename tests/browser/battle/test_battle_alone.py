"""A first battle alone against the captain, from the start page to its end, by touch; nothing but what the page offers."""

from __future__ import annotations

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from kit.lengths import BATTLES_ALONE, scaled
from kit.newcomer import Newcomer
from kit.screens import screens
from kit.tablets import PHONE, TABLET

pytestmark = pytest.mark.browser
FIRST = "First oars: two triremes a side"
WAYS = list(product((FIRST, "Mylae, 260 BC"), ("asks", 1, 2, 3), ("raw", "able", "seasoned")))
ALONE = [WAYS[7 * number % len(WAYS)] for number in range(len(WAYS))]  # every title, way and level among the first


@pytest.fixture(autouse=True)
def no_pause(room):
    """The captain moves at once, not at a pace that people can follow."""
    room.app.extensions["navarch"].captains.pace = 0


def played_out(room, newcomer):
    """The battle is over, on the page too; the newcomer and the captain have played it, and nothing was refused."""
    expect(newcomer.page.locator("h1.when")).to_have_text("The battle is over")
    state, side = room.state(newcomer.game), newcomer.page.locator("#table").get_attribute("data-seat")
    assert state.is_over and state.result is not None
    assert newcomer.tablet.refusals == [], "a button that the page offered was refused"
    entries = [entry for entry in room.store.entries(newcomer.game) if entry.command["type"] != "start"]
    by_captain = [entry for entry in entries if any(it.type == "captain" for it in entry.events)]
    assert {entry.seat for entry in by_captain} == set(state.sides) - {side}
    assert len(by_captain) > state.turn and {entry.seat for entry in entries} == set(state.sides)
    return state


@pytest.mark.parametrize("size", screens(PHONE, TABLET))
def test_a_first_battle_alone_is_played_to_its_end_by_touch(room, tablet, size):
    newcomer = Newcomer(room, tablet(size=size))
    newcomer.begins(FIRST)
    newcomer.plays()
    played_out(room, newcomer)
    expect(newcomer.page.locator("#over .victory")).to_be_visible()  # it opens by itself
    expect(newcomer.page.locator("#result")).to_have_attribute("href", re.compile(f"/g/{newcomer.game}/report"))


@pytest.mark.soak
@pytest.mark.parametrize(("title", "how", "level"), ALONE[: scaled(BATTLES_ALONE)])
def test_a_battle_alone_ends_whatever_is_tried_out(room, tablet, title, how, level):
    newcomer = Newcomer(room, tablet(), how == "asks", None if how == "asks" else how)
    newcomer.begins(title, level)
    newcomer.plays(3000)
    played_out(room, newcomer)
