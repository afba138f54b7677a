"""A tablet that follows a battle hears by its stream that something is new, and fetches it, in real Chromium."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Request

from kit.screens import screens
from kit.tablets import PHONE, TABLET

pytestmark = pytest.mark.browser
TABLE = re.compile(r"/g/\w+/table")
# A timer of the page that comes after those by which it would look again (80 ms): what has not begun by then will not.
FENCE = "() => new Promise((then) => setTimeout(then, 300))"
SPEEDS = {"c1": 1, "c2": 2}


class Asked:
    """The tables for which a page asks."""

    def __init__(self, page: Page) -> None:
        self.tables: list[str] = []
        page.on("request", self._heard)

    def _heard(self, request: Request) -> None:
        if TABLE.search(request.url):
            self.tables.append(request.url)


def plotted(room, game: str, ship: str, speed: int) -> int:
    """Carthage's plot from elsewhere; gives the version."""
    command = {"type": "plot", "ship": ship, "speed": speed}
    room.store.submit(game, room.store.game(game).version, "carthage", command, None, None)
    return int(room.store.game(game).version)


@pytest.mark.parametrize("size", screens(PHONE, TABLET))
def test_what_others_do_comes_in_one_small_answer_for_each_change(room, tablet, size):
    game, tokens = room.battle()
    carthage = tablet(tokens["carthage"], size)
    asked = Asked(carthage.page)
    for ship, speed in SPEEDS.items():
        with carthage.page.expect_response(TABLE) as answered:
            version = plotted(room, game, ship, speed)
        answered.value.finished()
        assert 'id="state"' in answered.value.text() and "<symbol" not in answered.value.text()
        carthage.until(version)
    assert len(asked.tables) <= len(SPEEDS) + 1, "at most the look at its stream's opening besides"
    told = carthage.page.locator("#side").inner_text()
    carthage.page.reload()
    assert carthage.page.locator("#side").inner_text() == told


def test_what_others_do_leaves_the_selected_ship_as_she_is(room, tablet):
    game, tokens = room.battle()
    carthage = tablet(tokens["carthage"])
    carthage.tap("#chip-c2")
    carthage.tap(carthage.page.get_by_role("button", name="2", exact=True))
    ship = carthage.page.locator("#ship-name").inner_text()
    carthage.until(plotted(room, game, "c1", 1))
    assert carthage.page.locator("#ship-name").inner_text() == ship
    assert carthage.refusals == []


def test_a_page_whose_stream_was_cut_is_brought_what_is_new_again(room, tablet):
    game, tokens = room.battle()
    carthage = tablet(tokens["carthage"])
    carthage.context.set_offline(True)
    version = plotted(room, game, "c1", 1)
    carthage.context.set_offline(False)
    carthage.until(version)
    carthage.until(plotted(room, game, "c2", 1))
    carthage.faults.clear()


def test_no_stream_is_opened_before_all_scripts_stand_and_htmx_has_its_settings(room, tablet):
    """What it brought would be put in by htmx's defaults, without what the scripts to come add."""
    game, tokens = room.battle()
    carthage = tablet(tokens["carthage"])
    page, held, asked = carthage.page, [], []
    page.route("**/static/battle.js*", lambda route: held.append(route))
    page.goto("about:blank")
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{room.url}/g/{game}?seat=carthage", wait_until="commit")
    while not page.evaluate("Boolean(window.navarch && navarch.refresh)"):
        page.wait_for_timeout(20)  # for all scripts before the one that is held back
    version = plotted(room, game, "c1", 1)
    page.evaluate(FENCE)
    assert not [url for url in asked if "/stream" in url or TABLE.search(url)]
    held[0].continue_()
    carthage.until(version)
