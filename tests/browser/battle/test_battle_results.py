"""One sees what happened: cards that stay until they are read, marks on the ships, motion, a tray that keeps what matters."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import DUEL, PHONE, TABLET
from tactical import GALLEY
from tactical.offers import to_act, waiting_for

pytestmark = pytest.mark.browser
RAMMING = {
    **DUEL,
    "ships": {
        "r1": {"side": "rome", "name": "Aquila", "type": "quinquereme", "at": [4, 2], "facing": "SE", "speed": 3},
        "r2": {"side": "rome", "name": "Lupa", "type": "quadrireme", "at": [1, 4], "facing": "SE", "speed": 2},
        "c1": {"side": "carthage", "name": "Tanit", "type": "quinquereme", "at": [6, 2], "facing": "N", "speed": 0},
        "c2": {"side": "carthage", "name": "Melqart", "type": "trireme", "at": [9, 2], "facing": "NW", "speed": 2},
    },
}


MOVES = """(() => { window.moves = []; const animate = Element.prototype.animate; let drawn = 0;
    document.addEventListener("htmx:before:swap", () => { drawn = 0; requestAnimationFrame(() => { drawn += 1; }); });
    Element.prototype.animate = function (frames, how) {
      if (this.dataset.ship) window.moves.push([this.dataset.ship, how.duration, drawn]);
      return animate.call(this, frames, how); }; })()"""


def plotted(room, game: str) -> None:
    """Both sides have plotted and locked."""
    for side, speeds in (("rome", {"r1": 3, "r2": 1}), ("carthage", {"c1": 0, "c2": 1})):
        plots = [{"type": "plot", "ship": name, "speed": speed} for name, speed in speeds.items()]
        command = {"type": "together", "commands": [*plots, {"type": "lock", "side": side}]}
        room.store.submit(game, room.store.game(game).version, side, command, None, None)


def until_contact(room, game: str) -> None:
    """Every step ahead until a ship is in contact and may ram."""
    plotted(room, game)
    for _ in range(40):
        state = room.state(game)
        side = waiting_for(state)[0]
        if state.step == "ram":
            return
        if state.step == "move":
            step = next(offer for offer in GALLEY.offers(state, side) if offer.type == "step")
            command = {"type": "step", "ship": step.fields["ship"], "turn": "none"}
        else:
            command = {"type": "done", "side": side}
        room.store.submit(game, room.store.game(game).version, side, command, None, None)
    raise AssertionError(f"nobody met anybody: {to_act(room.state(game), 'rome')}")


@pytest.mark.parametrize(("size", "scheme"), screens((PHONE, "night"), (TABLET, "day")))
def test_whoever_is_rammed_is_told_until_it_is_read(room, tablet, size, scheme):
    game, tokens = room.battle(position=RAMMING)
    until_contact(room, game)
    rome, carthage = tablet(tokens["rome"]), tablet(tokens["carthage"], size, scheme)
    assert carthage.page.locator("#results").count() == 0
    rome.tap(rome.page.get_by_role("button", name="Ram Tanit").first)
    rammed = room.state(game).ships["c1"].damage
    assert rammed > 0
    own = rome.page.locator("#results")
    expect(own).to_contain_text("Aquila rams Tanit")
    expect(own.locator(".die").first).to_be_visible()
    version = room.store.game(game).version
    carthage.until(version)
    card = carthage.page.locator("#results .result.hurts")
    expect(card).to_be_in_viewport()
    expect(card).to_contain_text(f"hull 8 → {8 - rammed} of 8")
    expect(card).to_contain_text("breaches 0 → 1")
    expect(card.locator("a.rule").first).to_have_text("G6.2")
    expect(carthage.page.locator("#at-c1 .struck")).to_be_attached()
    expect(carthage.page.locator("#chip-c1.struck-chip")).to_be_attached()
    for _ in range(6):  # the enemy is done with this and that: the card stays
        state = room.state(game)
        if "rome" in waiting_for(state) and state.step in ("fire", "board", "ram"):
            room.store.submit(game, room.store.game(game).version, "rome", {"type": "done", "side": "rome"}, None, None)
    carthage.until(room.store.game(game).version)
    expect(card).to_contain_text("Aquila rams Tanit")
    carthage.page.locator("#results-read").tap()
    expect(carthage.page.locator("#results")).to_have_count(0)
    expect(carthage.page.locator("#at-c1 .struck")).to_have_count(0)
    carthage.page.reload()
    expect(carthage.page.locator("#results")).to_have_count(0)


def test_a_step_glides_and_nothing_moves_for_whom_motion_is_too_much(room, chromium, tablet):
    game, tokens = room.battle(position=RAMMING)
    plotted(room, game)
    while room.state(game).step != "move":
        side = waiting_for(room.state(game))[0]
        room.store.submit(game, room.store.game(game).version, side, {"type": "done", "side": side}, None, None)
    lively = chromium.new_context(viewport=TABLET, service_workers="block", reduced_motion="no-preference")
    page = lively.new_page()
    page.add_init_script(MOVES)
    page.goto(f"{room.url}/join/{tokens['rome']}")
    calm = tablet(tokens["rome"])
    calm.page.add_init_script(MOVES)
    calm.page.reload()
    state = room.state(game)
    side = waiting_for(state)[0]
    ship = to_act(state, side)[0]
    step = {"type": "step", "ship": ship, "turn": "none"}
    room.store.submit(game, room.store.game(game).version, side, step, None, None)
    calm.until(room.store.game(game).version)
    expect(page.locator("#table")).to_have_attribute("data-version", str(room.store.game(game).version))
    expect(page.locator(f"svg.board [data-ship='{ship}']")).to_be_attached()
    assert page.evaluate("window.moves") == [[ship, 180, 0]], "it begins before a frame shows her at her goal"
    assert calm.page.evaluate("window.moves") == []
    lively.close()
