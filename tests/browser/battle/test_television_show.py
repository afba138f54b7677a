"""The television as a show: everything on it is read at four metres, and the camera goes to what happens."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kit.tablets import DUEL, TABLET

pytestmark = pytest.mark.browser
SCREEN = {"width": 1280, "height": 720}
SHIPS = {
    "r1": {"side": "rome", "name": "Aquila", "type": "quinquereme", "at": [4, 2], "facing": "SE", "speed": 3},
    "r2": {"side": "rome", "name": "Lupa", "type": "quadrireme", "at": [1, 4], "facing": "SE", "speed": 2},
    "c1": {"side": "carthage", "name": "Tanit", "type": "quinquereme", "at": [5, 2], "facing": "N", "damage": 7},
    "c2": {"side": "carthage", "name": "Melqart", "type": "trireme", "at": [9, 2], "facing": "NW", "speed": 2},
}
RAMMING = {**DUEL, "step": "ram", "phase": 3, "ships": SHIPS}
RAMMING["ships"]["r1"] = {**SHIPS["r1"], "contact": "c1"}
# Everything that is to be read, with its size on the screen in pixels.
SIZES = """() => [...document.querySelectorAll(".screen *")].filter((it) => !it.closest(".unseen, .margin, title, defs, .galley, .qr, .die") &&
  it.checkVisibility({ visibilityProperty: true }) && [...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
  .map((it) => [it.textContent.trim(), parseFloat(getComputedStyle(it).fontSize) * (it.ownerSVGElement ? it.getScreenCTM().a : 1)])"""
LED = "svg.board[style*='--pixel']"  # where the camera has been
SEEN = """() => {
  const svg = document.querySelector("svg.board"), on = svg.getScreenCTM(), frame = svg.getBoundingClientRect();
  const fleets = {};
  for (const it of document.querySelectorAll("[data-of]")) {
    const x = it.dataset.x * on.a + on.e, y = it.dataset.y * on.d + on.f, isIn = x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
    (fleets[it.dataset.side] ||= []).push(isIn);
  }
  return { long: svg.dataset.long * on.a, seen: Object.values(fleets).map((all) => all.filter(Boolean).length / all.length),
    names: [...document.querySelectorAll(".nm")].filter((it) => it.getBoundingClientRect().width).map((it) => it.textContent).sort() };
}"""
FAR = {
    "r3": {"side": "rome", "type": "quadrireme", "at": [20, 4], "facing": "N"},
    "c3": {"side": "carthage", "type": "quadrireme", "at": [1, 14], "facing": "N"},
}


def test_fleets_that_are_spread_out_are_seen_whole_in_the_plot_and_then_where_they_fight(room, tablet):
    spread = {**DUEL, "board": {"columns": 22, "rows": 16}, "ships": {**SHIPS, **FAR}}
    page = tablet(size=SCREEN).page
    wide = {}
    for step, phase in (("plot", None), ("fire", 3)):
        game, _tokens = room.battle(position={**spread, "step": step, "phase": phase})
        page.goto(f"{room.url}/display/{game}")
        expect(page.locator(LED)).to_be_attached()
        wide[step] = float(page.locator("svg.board").get_attribute("viewBox").split()[2])
    assert wide["fire"] < 0.7 * wide["plot"]


def test_the_camera_goes_to_a_ram_a_banner_says_it_and_all_is_large_enough(room, tablet):
    game, tokens = room.battle(position=RAMMING)
    page = tablet(size=SCREEN).go(f"/display/{game}").page
    board, banner = page.locator("svg.board"), page.locator("#banner")
    expect(page.locator(LED)).to_be_attached()
    whole = float(board.get_attribute("viewBox").split()[2])
    room.store.submit(game, 0, "rome", {"type": "ram", "ship": "r1"}, None, None)
    expect(banner).to_be_visible()
    expect(banner).to_contain_text("Tanit sunk")
    assert [small for small in page.evaluate(SIZES) if small[1] < 23.5] == []
    expect(page.locator(".silhouette.gone")).to_have_count(1)
    page.wait_for_function("whole => document.querySelector('svg.board').viewBox.baseVal.width < whole", arg=whole)
    calm = tablet(tokens["rome"], TABLET, at=f"/display/{game}").page
    expect(calm.locator("#banner")).to_be_hidden()
    expect(banner).to_be_hidden()
    assert abs(float(board.get_attribute("viewBox").split()[2]) - whole) < whole / 2


def test_mylae_opens_with_large_ships_and_the_names_of_the_flagships_alone(room, tablet):
    game, _tokens = room.battle("mylae")
    page = tablet(size=SCREEN).go(f"/display/{game}").page
    expect(page.locator(LED)).to_be_attached()
    found = page.evaluate(SEEN)
    assert found["long"] >= 64 and min(found["seen"]) >= 0.6, found
    flagships = [ship.name for ship in room.state(game).ships.values() if ship.flagship]
    assert found["names"] == sorted(flagships)


def test_a_victory_opens_on_the_television_after_its_banner(room, tablet):
    game, _tokens = room.battle(position=RAMMING)
    page = tablet(size=SCREEN).go(f"/display/{game}").page
    expect(page.locator(LED)).to_be_attached()
    room.store.submit(game, 0, "rome", {"type": "resign", "side": "rome"}, None, None)
    expect(page.locator("#banner")).to_contain_text("Victory: Carthage")
    expect(page.locator("#won")).to_contain_text("Carthage has won.")
    expect(page.locator("#banner")).to_be_hidden()
    assert page.locator("#won .victory-fleet li").count() == 4
