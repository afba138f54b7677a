"""What asks while somebody types or slides, on a slow line: the page never shows an answer to an older question."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from kit.club_room import Server, club_server  # noqa: F401
from kit.open_tables import Tables
from kit.open_war import position
from kit.tablets import DUEL

pytestmark = pytest.mark.browser
LINES = pytest.mark.parametrize("latency", [800, 2500])  # milliseconds
WATCHED = """
const counts = { asked: 0, open: 0, older: '' };
const isOurs = (ctx) => ctx.sourceElement !== document.body; // the body's are those of the stream
const count = (name, change) => document.addEventListener(name, ({ detail: { ctx } }) => {
  if (isOurs(ctx)) change(ctx);
  Object.assign(document.documentElement.dataset, counts);
});
count('htmx:config:request', (ctx) => { ctx.number = ++counts.asked; });
count('htmx:before:request', () => { counts.open += 1; });
count('htmx:finally:request', () => { counts.open -= 1; });
count('htmx:after:swap', (ctx) => { if (ctx.number !== counts.asked) counts.older += ` ${ctx.number} of ${counts.asked}`; });
"""


def slow(page: Page, latency: int) -> None:
    """From now on each answer takes so many milliseconds longer."""
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    limits = {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
    line.send("Network.emulateNetworkConditions", limits)


def slide(page: Page, name: str, *values: int) -> None:
    """A finger on a slider: it rests at each of these values, as long as makes a question."""
    asked = int(page.locator("html").get_attribute("data-asked") or 0)
    for number, value in enumerate(values, asked + 1):
        page.locator(name).fill(str(value))
        expect(page.locator("html")).to_have_attribute("data-asked", str(number))


def answered(page: Page, questions: int) -> None:
    """Wait for all answers; so many questions were asked, and none was answered when another had followed."""
    told = page.locator("html")
    expect(told).to_have_attribute("data-asked", str(questions))
    expect(told).to_have_attribute("data-open", "0", timeout=15_000)
    expect(told).to_have_attribute("data-older", "")
    expect(page.locator("#link-state")).to_be_hidden()  # what was given up is not a lost connection


@LINES
@pytest.mark.parametrize("word", ["ram", "corvus"])
def test_the_search_shows_what_is_in_the_box(chromium: Browser, server: Server, latency: int, word: str):
    page = chromium.new_context(service_workers="block").new_page()
    page.add_init_script(WATCHED)
    page.goto(f"{server.url}/reference?q={word}")
    right = page.locator("#found").inner_text()
    page.goto(f"{server.url}/reference")
    slow(page, latency)
    for number, letter in enumerate(word, 1):
        page.locator("#q").press_sequentially(letter)
        expect(page.locator("html")).to_have_attribute("data-asked", str(number))
    expect(page.locator("#found h2")).to_be_visible(timeout=15_000)
    answered(page, len(word))
    assert page.locator("#found").inner_text() == right
    assert page.url.endswith(f"?q={word}")
    page.context.close()


@LINES
def test_a_replay_shows_the_moment_at_which_the_finger_rests(chromium: Browser, server: Server, latency: int):
    store = server.app.extensions["navarch"].store
    game, tokens = store.create("galley", position=DUEL)
    for speed in (1, 2, 3, 1):
        plot = {"type": "plot", "ship": "r1", "speed": speed}
        store.submit(game.id, store.game(game.id).version, "rome", plot)
    page = chromium.new_context(service_workers="block").new_page()
    page.add_init_script(WATCHED)
    page.goto(f"{server.url}/join/{tokens['rome']}")
    page.goto(f"{server.url}/g/{game.id}/replay/0")
    slow(page, latency)
    slide(page, "#slide", 1, 4, 2, 3)
    expect(page.locator("#replay")).to_have_attribute("data-number", "3", timeout=15_000)
    answered(page, 4)
    expect(page.locator("#slide")).to_have_value("3")
    expect(page).to_have_url(re.compile("/replay/3"))
    page.context.close()


@LINES
def test_o9_1_the_whole_war_and_o4_5_what_we_knew_are_of_the_turn_at_which_the_finger_rests(
    chromium: Browser, tmp_path: Path, latency: int
):
    tables = Tables(chromium, tmp_path / "games.db")
    tables.begin(position=position(turns=4))
    ready = [{"type": "ready", "side": side} for side in ("rhodes", "cretans")]
    tables.play(*ready * 3)
    page = tables.sit("rhodes")
    page.add_init_script(WATCHED)
    page.goto(f"{tables.address}/open/{tables.id}/orders?seat=rhodes")
    knew = page.locator(".knew b")
    words = [knew.inner_text()]
    slide(page, ".knew input[name=back]", 2)
    answered(page, 1)
    words.append(knew.inner_text())
    assert words[0] != words[1]
    slow(page, latency)
    slide(page, ".knew input[name=back]", 1, 0, 1, 2)
    answered(page, 5)
    expect(knew).to_have_text(words[1])
    expect(page.locator(".knew input[name=back]")).to_have_value("2")
    tables.play(*ready)
    page.goto(f"{tables.address}/open/{tables.id}/replay?seat=rhodes")
    slide(page, "input[name=turn]", 1, 4, 2, 3)
    answered(page, 4)
    expect(page.locator(".war span")).to_contain_text("Turn 3")
    expect(page.locator("input[name=turn]")).to_have_value("3")
    page.context.close()
    tables.close()
