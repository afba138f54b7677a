"""A battle drawn by touch: four ships and a coast; saved, loaded on another tablet, begun, and its first step rowed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import PHONE, TABLET
from tactical.offers import waiting_for

pytestmark = pytest.mark.browser
SIDEWAYS = {"width": 844, "height": 390}


class Hand:
    """A finger on the page on which positions are drawn: each tap waits for what it has changed."""

    def __init__(self, tablet):
        self.tablet, self.page = tablet, tablet.page
        tablet.go("/positions/draw")

    def tap(self, target):
        """Tap what changes the draft."""
        before = self.page.locator("input[name=draft]").first.get_attribute("value")
        target.tap()
        expect(self.page.locator("#draw input[name=draft]").first).not_to_have_value(before)

    def adds(self, side, kind, at):
        self.page.locator(f"#add-{side}").select_option(kind)
        self.tap(self.page.locator(f"button[value='add.{side}']"))
        self.lays(at)

    def lays(self, at):
        hexed = self.page.locator(f"#sea-box [data-at='{at}']")
        hexed.scroll_into_view_if_needed()
        self.tap(hexed)

    def does(self, name):
        self.tap(self.page.locator(f"button[name=do][value='{name}']"))


@pytest.mark.parametrize("size", screens(PHONE, TABLET, SIDEWAYS))
def test_four_ships_and_a_coast_are_drawn_saved_loaded_begun_and_rowed(room, tablet, size):
    hand = Hand(tablet(None, size))
    assert not hand.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    hand.adds("rome", "quinquereme", "3,2")
    hand.adds("rome", "quadrireme", "3,4")
    hand.does("turn.1")
    hand.does("more.damage")
    hand.adds("carthage", "trireme", "9,0")
    hand.adds("carthage", "quinquereme", "9,2")
    hand.does("turn.-1")
    for _ in range(2):
        hand.does("more.speed")
    hand.page.locator("input[name='ship.name']").fill("Tanit")
    hand.page.locator("input[name='ship.name']").blur()
    expect(hand.page.locator("svg .lying[data-ship=c2]")).to_contain_text("Tanit")
    hand.does("tool.land")
    for at in ("6,0", "6,1", "7,-1"):
        hand.lays(at)
    expect(hand.page.locator("#ready")).to_be_visible()
    hand.lays("3,4")  # land under a ship: the engine says whose place is wrong
    expect(hand.page.locator("#problem")).to_contain_text("r2: Place")
    hand.does("before")
    expect(hand.page.locator("#ready")).to_be_visible()
    hand.page.locator("input[name=title]").first.fill("Off a cape")
    hand.page.get_by_role("button", name="Save for others to load").tap()
    expect(hand.page).to_have_url(re.compile(r"/positions/[A-Z0-9]{8}$"))
    code = hand.page.url[-8:]

    other = tablet(None, size)
    other.go("/positions")
    card = other.page.locator("li.card", has_text=code)
    expect(card).to_contain_text("Off a cape")
    card.get_by_role("link", name="View and start").tap()
    expect(other.page).to_have_url(re.compile(f"/positions/{code}"))
    other.page.get_by_role("button", name="Start this battle").tap()
    expect(other.page).to_have_url(re.compile(r"/seats/[A-Z0-9]{8}"))
    game = other.page.url[-8:]
    state = room.state(game)
    assert [ship.at for ship in state.ships.values()] == [(3, 2), (3, 4), (9, 0), (9, 2)]
    assert (state.ships["r2"].facing, state.ships["r2"].damage, state.ships["c2"].name) == ("NE", 1, "Tanit")
    assert set(state.board.land) == {(6, 0), (6, 1), (7, -1)}
    other.page.get_by_role("link", name="To the table").tap()
    expect(other.page).to_have_url(re.compile(f"/g/{game}"))
    rows(room, other, game)
    assert any(ship.steps_made for ship in room.state(game).ships.values())


def rows(room, umpire, game):
    """One ship has the speed that was drawn for her, the others rest; the umpire, who sits alone, rows her first step."""
    umpire.page.locator("#table").wait_for()
    for side in ("rome", "carthage"):
        plots = [
            {"type": "plot", "ship": name, "speed": 2 if name == "c2" else 0}
            for name, ship in room.state(game).ships.items()
            if ship.side == side
        ]
        command = {"type": "together", "commands": [*plots, {"type": "lock", "side": side}]}
        room.store.submit(game, room.store.game(game).version, side, command, None, None)
    while room.state(game).step != "move":
        side = waiting_for(room.state(game))[0]
        room.store.submit(game, room.store.game(game).version, side, {"type": "done", "side": side}, None, None)
    umpire.go(f"/g/{game}?seat=umpire&ship=c2")
    expect(umpire.page.locator("#ship-name")).to_have_text("Tanit")
    umpire.tap(umpire.page.locator("#side .orders .act", has_text="Ahead").first)


def test_a_coast_is_drawn_point_by_point_on_the_measured_sea(room, tablet):
    hand = Hand(tablet(None, TABLET))
    hand.page.locator("#settings > summary").tap()
    hand.page.locator("select[name=kind]").select_option("open")
    expect(hand.page.locator("svg[data-sea]")).to_be_visible()
    board = hand.page.locator("#sea-box svg")

    def touch(x, y):
        board.scroll_into_view_if_needed()
        before = hand.page.locator("#draw input[name=draft]").first.get_attribute("value")
        board.tap(position={"x": x, "y": y})
        expect(hand.page.locator("#draw input[name=draft]").first).not_to_have_value(before)

    for side, x in (("rome", 150), ("carthage", 420)):
        hand.tap(hand.page.locator(f"button[value='add.{side}']"))
        touch(x, 200)
    hand.does("turn.1")
    hand.does("tool.coast")
    for point in ((200, 380), (380, 380), (300, 460)):
        touch(*point)
    hand.does("close")
    expect(hand.page.locator("#sea-box svg use.land")).to_have_count(1)
    expect(hand.page.locator("#ready")).to_be_visible()
    hand.page.get_by_role("button", name="Start this battle").tap()
    expect(hand.page).to_have_url(re.compile("/positions$"))
    hand.page.get_by_role("button", name="Start this battle").tap()
    expect(hand.page).to_have_url(re.compile(r"/seats/[A-Z0-9]{8}"))
    state = room.state(hand.page.url[-8:])
    assert state.board.kind == "open" and len(state.board.coasts) == 1 and state.ships["c1"].facing == 15


def test_nobody_is_shown_json_unasked_and_taps_that_come_quickly_all_count(room, tablet):
    hand = Hand(tablet(None, TABLET))
    expect(hand.page.locator("textarea[name=text]")).to_be_hidden()
    hand.adds("rome", "quinquereme", "3,2")
    more = hand.page.locator("button[value='more.damage']")
    more.scroll_into_view_if_needed()
    box = more.bounding_box()
    for _ in range(3):
        hand.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(hand.page.locator("#value-damage")).to_have_text("3")
    hand.page.locator("#advanced > summary").tap()
    expect(hand.page.locator("textarea[name=text]")).to_have_value(re.compile('"damage": 3'))
