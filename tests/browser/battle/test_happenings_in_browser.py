"""What others did is shown entry after entry, a tap shows the end of it, and no order waits for it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import DUEL, PHONE, TABLET

pytestmark = pytest.mark.browser
NEVER_AGAIN = "retry: 3600000\n\n"
MOVING = {**DUEL, "step": "move", "phase": 3}
# When each ship begins to move, in milliseconds after the page stands; nothing is drawn while it is asked.
DELAYS = """() => Object.fromEntries([...document.querySelectorAll("svg.board [data-ship]")]
  .flatMap((ship) => ship.getAnimations().filter((it) => it.playState !== "finished").map((it) => [ship.dataset.ship, Math.round(it.effect.getTiming().delay)])))"""


@pytest.mark.parametrize("size", screens(PHONE, TABLET))
def test_the_enemys_steps_come_one_after_another_and_a_tap_shows_their_end(room, chromium, size):
    game, tokens = room.battle(position=MOVING)
    context = chromium.new_context(
        viewport=size, has_touch=True, service_workers="block", reduced_motion="no-preference"
    )
    page = context.new_page()
    page.route("**/stream?*", lambda route: route.fulfill(content_type="text/event-stream", body=NEVER_AGAIN))
    page.goto(f"{room.url}/join/{tokens['rome']}")
    page.locator("#happenings").wait_for(state="attached")
    for number, ship in enumerate(("c1", "c2")):
        room.store.submit(game, number, "carthage", {"type": "step", "ship": ship, "turn": "none"}, None, None)
    page.evaluate(
        "document.addEventListener('htmx:after:swap', () => document.getAnimations().forEach((it) => it.pause()))"
    )
    page.evaluate("navarch.refresh()")
    expect(page.locator("#table")).to_have_attribute("data-version", "2")
    delays = page.evaluate(DELAYS)
    assert delays["c2"] - delays["c1"] > 180, "the second begins when the first has arrived"
    ahead = page.get_by_role("button", name="All ahead").first
    expect(ahead).to_be_enabled()
    page.locator("svg.board").tap(position={"x": size["width"] / 2, "y": 200}, force=True)
    assert page.evaluate(DELAYS) == {}
    context.close()


SUNK = [
    [1, [], [], [["Kyme sunk", "Aiantis rams Kyme: 6 hull damage."]]],
    [2, [], [], [["Teos taken", "Aiantis boards Teos."]]],
]
VOLLEY = [
    [number, [], [["c1", "said alone", hull, dead]], []]
    for number, (hull, dead) in enumerate([(0, 1), (0, 0), (3, 2)], 1)
]
BROUGHT = """(entries) => { document.getElementById("happenings").dataset.entries = JSON.stringify(entries);
  document.dispatchEvent(new CustomEvent("htmx:after:swap", { detail: { ctx: { request: { method: "GET", action: "" } } } })); }"""


def test_drum_oars_crash_and_water_are_heard_only_where_they_are_switched_on(room, tablet):
    _game, tokens = room.battle(position=MOVING)
    page = tablet(tokens["rome"]).page
    bring = """(entries) => { document.getElementById("happenings").dataset.sounds = JSON.stringify(entries);
      document.dispatchEvent(new CustomEvent("htmx:after:swap", { detail: { ctx: { request: { method: "GET", action: "" } } } })); }"""
    page.evaluate(bring, [[1, ["drum"]]])
    assert page.locator("html").get_attribute("data-sounds") is None
    page.evaluate("document.getElementById('sounds').click()")
    page.evaluate(bring, [[1, ["drum"]], [2, ["oars"]], [3, ["oars"]], [4, ["crash", "water"]]])
    expect(page.locator("html")).to_have_attribute("data-sounds", "oars crash water")
    assert page.evaluate("localStorage.getItem('navarch-sounds')") == "1"


@pytest.mark.parametrize("size", screens(PHONE, TABLET))
def test_a_great_moment_is_a_line_across_the_board_and_a_volley_one_sum(room, tablet, size):
    _game, tokens = room.battle(position=MOVING)
    rome = tablet(tokens["rome"], size)
    line = rome.page.locator("#moment")
    expect(line).to_be_hidden()
    rome.page.evaluate(BROUGHT, SUNK)
    expect(line).to_contain_text("Kyme sunk")
    expect(line).to_contain_text("6 hull damage")
    expect(line).to_contain_text("Teos taken")
    expect(line).to_be_hidden()
    rome.page.emulate_media(reduced_motion="no-preference")
    rome.page.evaluate(BROUGHT, [[each[0] + 2, *each[1:]] for each in VOLLEY])
    expect(rome.page.locator(".lost-hull")).to_have_text(["−3, 3 dead ·"])


SHOWN_NOW = """() => ({ splinters: document.querySelectorAll(".splinter").length, oars: document.querySelectorAll(".snapped").length,
  hulls: document.querySelectorAll(".going use").length, name: document.querySelector(".gone-name")?.textContent || "" })"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_ram_throws_splinters_and_who_sinks_lies_awash_under_her_name(room, tablet, motion):
    ships = {name: {**ship, "flagship": name == "c1"} for name, ship in MOVING["ships"].items()}
    ships["r1"] |= {"at": [4, 2], "facing": "SE", "contact": "c1"}
    ships["c1"] |= {"at": [5, 2], "facing": "N", "damage": 7}
    game, tokens = room.battle(position={**MOVING, "step": "ram", "ships": ships})
    rome = tablet()
    rome.page.emulate_media(reduced_motion=motion)
    rome.page.route("**/stream?*", lambda route: route.fulfill(content_type="text/event-stream", body=NEVER_AGAIN))
    rome.sit(tokens["rome"])
    rome.page.locator("#happenings").wait_for(state="attached")
    room.store.submit(game, 0, "rome", {"type": "ram", "ship": "r1"}, None, None)
    rome.page.evaluate(
        "document.addEventListener('htmx:after:swap', () => document.getAnimations().forEach((it) => it.pause()))"
    )
    rome.page.evaluate("navarch.refresh()")
    expect(rome.page.locator(".moment")).to_contain_text("Flagship Tanit sunk")
    found = rome.page.evaluate(SHOWN_NOW)
    if motion == "reduce":
        assert found == {"splinters": 0, "oars": 0, "hulls": 0, "name": ""}, "words alone"
    else:
        assert found.pop("hulls") > 0 and found == {"splinters": 9, "oars": 6, "name": "Tanit"}


def test_a_victory_opens_its_page_on_a_tablet_and_on_the_own_table(room, tablet):
    own = {
        name: {key: it for key, it in ship.items() if key not in ("at", "facing")}
        for name, ship in DUEL["ships"].items()
    }
    for position in (DUEL, {**DUEL, "board": {"kind": "table"}, "ships": own}):
        game, tokens = room.battle(position=position)
        carthage = tablet(tokens["carthage"])
        carthage.page.locator("#state").wait_for(state="attached")
        room.store.submit(game, 0, "rome", {"type": "resign", "side": "rome"}, None, None)
        expect(carthage.page.locator(".moment")).to_contain_text("Victory: Carthage")
        expect(carthage.page.locator("#over .victory")).to_contain_text("Carthage has won.")
        carthage.page.locator("#over-close").tap()
        expect(carthage.page.locator("#result")).to_be_visible()


def test_a_second_tap_while_the_first_is_on_its_way_is_answered(room, tablet):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"])
    held = []
    rome.page.route("**/command*", lambda route: held.append(route))
    cruise = rome.page.get_by_role("button", name="All cruise").first
    cruise.tap()
    cruise.tap()
    expect(rome.page.locator("#said")).to_contain_text("still on its way")
    held[0].continue_()
    rome.until(1)
    assert len(held) == 1 and room.store.game(game).version == 1
