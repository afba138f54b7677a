"""The players' own table: a roster that fills the screen, whole fleets in a tap, contacts and shots in two or three."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import PHONE, TABLET
from tactical.offers import waiting_for

pytestmark = pytest.mark.browser
NAMES = ("Aquila", "Lupa", "Fortuna", "Victoria", "Concordia", "Minerva", "Iuno", "Diana", "Mars", "Apollo")
ROUND = [TABLET, {"width": 820, "height": 1180}, PHONE, {"width": 844, "height": 390}]
# What sticks out of the roster at the right, beside lines that are pushed sideways; how wide the three pictures are;
# in how many lines the ranges stand; whether the whole button that closes the sheet can be tapped.
HELD = """() => {
  const edge = document.getElementById("roster").getBoundingClientRect().right + 0.5;
  const all = [...document.querySelectorAll("#roster :is(a, button, span, strong, label)")]
    .filter((it) => it.checkVisibility() && !it.closest(".enemies ul, .touches-foes, .unseen"));
  const out = all.filter((it) => it.getBoundingClientRect().right > edge).map((it) => it.textContent.trim());
  const pictures = [...document.querySelectorAll(".way svg")].map((it) => it.getBoundingClientRect().width);
  const tops = [...document.querySelectorAll(".volley:first-of-type .range")].map((it) => it.getBoundingClientRect().top);
  const enemies = [...document.querySelectorAll(".enemies a > strong")].map((it) => it.textContent);
  const close = document.querySelector(".sheet-head > a:last-child"), { left, right, top, bottom } = close.getBoundingClientRect();
  const closes = [left + 2, right - 2].every((x) => close.contains(document.elementFromPoint(x, (top + bottom) / 2)));
  return { out, pictures, lines: new Set(tops).size, enemies, closes };
}"""
# A browser that reads codes, before whose camera the card of a ship lies.
READS = """(address) => {
  window.BarcodeDetector = class { async detect() { return [{ rawValue: address }]; } };
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement("canvas");
    canvas.getContext("2d").fillRect(0, 0, 9, 9);
    return canvas.captureStream(5);
  };
}"""
FOES = ("Tanit", "Melqart", "Elissa", "Baal", "Astarte", "Reshef", "Eshmun", "Kusor", "Dagon", "Anat")
MOST = 25  # taps that a turn of ten ships a side may take


def own_table(each: int) -> dict:
    """So many ships a side on a table without hexes."""
    ships = {}
    for side, names in (("rome", NAMES), ("carthage", FOES)):
        for number, name in enumerate(names[:each]):
            ships[f"{side[0]}{number}"] = {"side": side, "name": name, "type": "quinquereme", "speed": 2}
    sides = {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage"}}
    return {"board": {"kind": "table"}, "sides": sides, "ships": ships}


def pass_over(room, game: str, side: str, until: str) -> None:
    """Let a side do the least there is until a step comes in which it has nothing to do or which is asked for."""
    for _ in range(40):
        state = room.state(game)
        if state.step == until or side not in waiting_for(state):
            return
        version = room.store.game(game).version
        if state.step == "move":
            due = [name for name, ship in state.ships.items() if ship.side == side and state.is_due(ship)]
            steps = [{"type": "step", "ship": name, "turn": "none"} for name in due]
            command = {"type": "together", "commands": [*steps, {"type": "done", "side": side}]}
        else:
            command = {"type": "done", "side": side}
        room.store.submit(game, version, side, command, None, None)


@pytest.mark.parametrize(("size", "scheme"), screens((TABLET, "day"), (PHONE, "night")))
def test_a_turn_of_ten_a_side_takes_few_taps(room, tablet, size, scheme):
    game, tokens = room.battle(position=own_table(10))
    seats = {side: tablet(tokens[side], size, scheme) for side in ("rome", "carthage")}
    taps = dict.fromkeys(seats, 0)
    rows = seats["rome"].page.locator(".roster-row")
    assert rows.count() == 10
    if size is TABLET:
        box = seats["rome"].page.locator("#roster").bounding_box()
        assert rows.nth(9).bounding_box()["y"] < box["y"] + box["height"], "ten ships fill no more than a screen"

    def tap(side: str, name: str) -> None:
        taps[side] += 1
        seats[side].tap(seats[side].page.get_by_role("button", name=name).first)

    for side in seats:
        tap(side, "All cruise")
        tap(side, "Lock the plots")
    while room.state(game).turn == 1:
        state = room.state(game)
        side = waiting_for(state)[0]
        seats[side].until(room.store.game(game).version)
        tap(side, "All went ahead; no ships touch" if state.step == "move" else "Done")
    assert max(taps.values()) <= MOST, taps
    assert all(seat.refusals == [] for seat in seats.values())
    print("taps a turn, ten a side on the own table:", taps)


@pytest.mark.parametrize("size", screens(TABLET, PHONE))
def test_a_contact_is_two_taps_and_a_shot_names_its_range(room, tablet, size):
    game, tokens = room.battle(position=own_table(3))
    for side in ("rome", "carthage"):
        names = [name for name, ship in room.state(game).ships.items() if ship.side == side]
        plots = [{"type": "plot", "ship": name, "speed": 2} for name in names]
        command = {"type": "together", "commands": [*plots, {"type": "lock", "side": side}]}
        room.store.submit(game, room.store.game(game).version, side, command, None, None)
    assert room.state(game).step == "fire"
    rome = tablet(tokens["rome"], size)
    rome.tap(rome.page.locator("#row-r0").get_by_role("link", name="Fire…"))
    volley = rome.page.locator("form.volley").first
    expect(volley.locator(".range").first).to_contain_text("%")
    volley.locator(".range").nth(1).tap()
    rome.tap(volley.get_by_role("button", name="Melqart"))
    shot = room.store.entry(game, room.store.game(game).version).command
    assert (shot["target"], shot["range"]) == ("c1", 2)
    for _ in range(12):
        if room.state(game).step == "move" and waiting_for(room.state(game))[0] == "rome":
            break
        for side in waiting_for(room.state(game)):
            if not (room.state(game).step == "move" and side == "rome"):
                pass_over(room, game, side, "end")
    assert room.state(game).step == "move" and waiting_for(room.state(game))[0] == "rome"
    rome.until(room.store.game(game).version)
    rome.tap(rome.page.locator("#row-r1").get_by_role("link", name="Touches…"))
    rome.tap(rome.page.get_by_role("button", name="bow to side"))
    assert room.state(game).ships["r1"].contact == "c0"
    expect(rome.page.locator("#row-r1")).to_contain_text("touches Tanit")
    expect(rome.page.locator("#ship-name")).to_have_count(0)
    expect(rome.page.locator(".totals")).to_have_text("2 ships have a step to make 1 has stepped 1 touches an enemy")
    rome.page.locator("#row-r2").get_by_role("link", name="Touches…").tap()
    rome.page.locator("#touch-c2").tap()
    expect(rome.page.locator("#touch-c2")).to_have_attribute("aria-current", "true")
    rome.tap(rome.page.locator("#way-parallel"))
    assert (room.state(game).ships["r2"].contact, room.state(game).ships["r2"].aspect) == ("c2", "parallel")
    rome.tap(rome.page.get_by_role("button", name="The rest went ahead").first)
    state = room.state(game)
    assert all(not state.is_due(ship) for ship in state.ships.values() if ship.side == "rome")


def test_the_roster_holds_at_every_size_with_both_sides_speeds(room, tablet):
    game, tokens = room.battle(position=own_table(10))
    for side, speed in (("rome", 2), ("carthage", 3)):
        names = [name for name, ship in room.state(game).ships.items() if ship.side == side]
        plots = [{"type": "plot", "ship": name, "speed": speed} for name in names]
        command = {"type": "together", "commands": [*plots, {"type": "lock", "side": side}]}
        room.store.submit(game, room.store.game(game).version, side, command, None, None)
    rome = tablet(tokens["rome"])
    for step in ("fire", "move"):
        while (state := room.state(game)).step != step or (step == "move" and not state.is_due(state.ships["r1"])):
            side = waiting_for(state)[0]
            due = [name for name, ship in state.ships.items() if ship.side == side and state.is_due(ship)]
            steps = [{"type": "step", "ship": name, "turn": "none"} for name in due if state.step == "move"]
            command = {"type": "together", "commands": [*steps, {"type": "done", "side": side}]}
            room.store.submit(game, room.store.game(game).version, side, command, None, None)
        rome.go(f"/g/{game}?ship=r1")
        for size in ROUND:
            rome.page.set_viewport_size(size)
            held = rome.page.evaluate(HELD)
            assert held["out"] == [] and held["enemies"] == ["3"] * 10 and held["closes"], (step, size, held)
            if step == "fire":
                assert held["lines"] == 1, size
            else:
                assert len(held["pictures"]) == 3 and min(held["pictures"]) >= 100, (size, held)


def test_a_card_before_the_camera_opens_the_ship_where_the_browser_reads_codes(room, tablet):
    game, tokens = room.battle(position=own_table(3))
    rome = tablet(tokens["rome"])
    expect(rome.page.locator("#roster")).to_be_visible()
    if not rome.page.evaluate("'BarcodeDetector' in window"):
        expect(rome.page.locator("#read-card")).to_be_hidden()
    rome.context.add_init_script(f"({READS})('http://club.example/g/{game}/sheet/r2')")
    rome.go(f"/g/{game}")
    rome.page.locator("#read-card").tap()
    expect(rome.page.locator("#ship-name")).to_have_text(NAMES[2])
