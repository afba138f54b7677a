"""A tablet that follows a battle is brought what is new by its stream, in real Chromium; it asks for nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request

from kit.serving import Server
from kit.tablets import PHONE, SHOWN, TABLET

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


def learnt(page: Page) -> None:
    """Wait until the page has asked for its table when its stream was open: the stream knows what it holds."""
    with page.expect_response(TABLE) as answered:
        page.reload()
    while "x-live" not in answered.value.headers:
        with page.expect_response(TABLE) as answered:
            page.evaluate("navarch.refresh()")
    answered.value.finished()


def plotted(room, game: str, ship: str, speed: int) -> int:
    """Carthage's plot from elsewhere; gives the version."""
    command = {"type": "plot", "ship": ship, "speed": speed}
    room.store.submit(game, room.store.game(game).version, "carthage", command, None, None)
    return int(room.store.game(game).version)


@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_what_others_do_comes_by_the_stream_alone(room, tablet, size):
    game, tokens = room.battle()
    carthage = tablet(tokens["carthage"], size)
    learnt(carthage.page)
    asked = Asked(carthage.page)
    for ship, speed in SPEEDS.items():
        carthage.until(plotted(room, game, ship, speed))
    assert asked.tables == []
    told = carthage.page.locator("#side").inner_text()
    carthage.page.reload()
    assert carthage.page.locator("#side").inner_text() == told


def test_after_a_tap_and_a_look_the_stream_goes_on_from_there(room, tablet):
    game, tokens = room.battle()
    carthage = tablet(tokens["carthage"])
    learnt(carthage.page)
    carthage.tap("#chip-c2")
    carthage.tap(carthage.page.get_by_role("button", name="2", exact=True))
    ship = carthage.page.locator("#ship-name").inner_text()
    asked = Asked(carthage.page)
    carthage.until(plotted(room, game, "c1", 1))
    assert asked.tables == [] and carthage.page.locator("#ship-name").inner_text() == ship
    assert carthage.refusals == []


def test_a_page_whose_stream_was_cut_is_brought_what_is_new_again(room, tablet):
    game, tokens = room.battle()
    carthage = tablet(tokens["carthage"])
    learnt(carthage.page)
    carthage.context.set_offline(True)
    version = plotted(room, game, "c1", 1)
    carthage.context.set_offline(False)
    carthage.until(version)
    carthage.until(plotted(room, game, "c2", 1))
    asked = Asked(carthage.page)
    carthage.until(plotted(room, game, "c1", 2))
    carthage.faults.clear()
    assert len(asked.tables) <= 1, "at most a look that was owed"


def test_a_look_of_which_the_stream_heard_nothing_is_fetched_and_kept(room, tablet):
    game, tokens = room.battle()
    carthage = tablet(tokens["carthage"])
    learnt(carthage.page)

    def unnamed(route):  # as when the request goes to another process
        route.continue_(headers={name: value for name, value in route.request.headers.items() if name != "x-live"})

    carthage.page.route(TABLE, unnamed)
    carthage.tap("#chip-c2")
    ship = carthage.page.locator("#ship-name").inner_text()
    asked = Asked(carthage.page)
    for plot, speed in SPEEDS.items():
        carthage.until(plotted(room, game, plot, speed))
        assert carthage.page.locator("#ship-name").inner_text() == ship
    assert asked.tables


def test_the_real_server_brings_it_compressed_whichever_process_is_asked(browser, tmp_path: Path):
    server = Server(tmp_path, "--processes", "2")
    context = browser.new_context(viewport=TABLET, has_touch=True, service_workers="block", locale="en-GB")
    try:
        page = context.new_page()
        with page.expect_response(re.compile(r"/g/\w+/stream")) as opened:
            page.goto(server.links["umpire"])
        assert opened.value.headers["content-encoding"] == "gzip"
        game, token = re.search(r"/g/(\w+)", page.url), server.links["umpire"].rpartition("/")[2]
        assert game is not None
        state = json.load(server.call(f"/games/{game[1]}", token))
        ship = next(each for each in state["offers"] if each["type"] == "plot")["fields"]["ship"]
        asked = Asked(page)
        for speed in range(8):  # the first may find a stream that knows nothing of the page
            asked.tables.clear()
            command = {"type": "plot", "ship": ship, "speed": 1 + speed % 2}
            wanted = {"seen": state["version"] + speed, "command": command}
            given = json.load(server.call(f"/games/{game[1]}/commands", token, wanted))
            for _ in range(1500):
                if page.evaluate(SHOWN)[0] >= given["version"]:
                    break
                page.wait_for_timeout(20)
            assert page.evaluate(SHOWN)[0] == given["version"]
            if speed and not asked.tables:
                return
        raise AssertionError("each change was fetched")
    finally:
        context.close()
        server.stop()


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


def test_what_the_page_only_learns_is_put_in_if_it_is_newer(room, tablet):
    """The stream takes what the page was answered for seen, and tells nothing of it any more."""
    game, tokens = room.battle()
    carthage = tablet(tokens["carthage"])
    page, silent, held = carthage.page, [], []
    page.route("**/stream?*", lambda route: silent.append(route))
    page.route(TABLE, lambda route: held.append(route))
    page.reload()
    while not held:
        page.wait_for_timeout(20)
    version = plotted(room, game, "c1", 1)
    page.unroute(TABLE)
    held[0].continue_()
    carthage.until(version)


def test_a_page_that_has_heard_of_more_than_there_is_looks_once(room, tablet):
    """As of what was lost when the server went back to a backup."""
    game, tokens = room.battle()
    carthage = tablet(tokens["carthage"])
    learnt(carthage.page)
    asked = Asked(carthage.page)
    with carthage.page.expect_response(TABLE) as answered:
        carthage.page.evaluate("navarch.hear(999)")
    answered.value.finished()
    carthage.page.evaluate(FENCE)
    assert len(asked.tables) == 1
    carthage.until(plotted(room, game, "c1", 1))
