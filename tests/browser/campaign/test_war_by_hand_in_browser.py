"""A campaign of one's own drawn by touch: an army moved and made stronger, saved, loaded on another tablet, begun."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from kit.by_map import ByMap
from kit.patience import PATIENT

pytestmark = pytest.mark.browser
SIZES = {"tablet": (1024, 768), "phone": (390, 844), "sideways": (844, 390)}


class Hand(ByMap):
    """A finger on the page on which campaigns are drawn: each tap waits for what it has changed."""

    def __init__(self, table: Any, browser: Browser, size: tuple[int, int]) -> None:
        self.table = table
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=True,
            service_workers="block",
            locale="en-GB",
            reduced_motion="reduce",
        )
        self.context.add_init_script(PATIENT)
        self.sheet: Page = self.context.new_page()
        self.faults: list[str] = []
        self.sheet.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.sheet.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)

    def goes(self, path: str) -> None:
        self.sheet.goto(self.table.address + path)
        self.sheet.wait_for_load_state()

    def follows(self, link: Locator, address: str) -> None:
        """Tap what leads to another page, and wait until its scripts run."""
        link.tap()
        expect(self.sheet).to_have_url(re.compile(address))
        self.sheet.wait_for_load_state()

    def drafted(self, target: Locator) -> None:
        """Tap what changes the draft."""
        draft = self.sheet.locator("#draw input[name=draft]:not([form])")
        before = draft.get_attribute("value")
        target.tap()
        expect(draft).not_to_have_value(before or "")
        expect(self.sheet.locator("form.htmx-request")).to_have_count(0)

    def button(self, value: str) -> Locator:  # type: ignore[override]
        return self.sheet.locator(f"button[name=do][value='{value}']")

    def touches(self, space: str) -> None:
        """Tap a space of the map, nearer when a neighbour was hit."""
        shown = self.sheet.locator("#what")
        for _try in range(5):
            before = self.sheet.locator("#draw input[name=draft]:not([form])").get_attribute("value")
            x, y = self.shown(self.sheet, space)
            self.sheet.touchscreen.tap(x, y)
            expect(self.sheet.locator("#draw input[name=draft]:not([form])")).not_to_have_value(before or "")
            expect(self.sheet.locator("form.htmx-request")).to_have_count(0)
            if shown.input_value() == f"space.{space}":
                return
            self.sheet.locator("[data-zoom=in]").tap()
        expect(shown).to_have_value(f"space.{space}")

    def closes(self) -> None:
        told = [fault for fault in self.faults if "422" not in fault]  # what the engine refuses is no fault
        assert told == [], told
        self.context.close()


@pytest.fixture
def hands(table: Any, browser: Browser) -> Iterator[Any]:
    made: list[Hand] = []

    def hand(size: tuple[int, int]) -> Hand:
        made.append(Hand(table, browser, size))
        return made[-1]

    yield hand
    for each in made:
        each.closes()


@pytest.mark.parametrize(
    "size",
    [pytest.param(size, marks=() if name == "phone" else pytest.mark.soak, id=name) for name, size in SIZES.items()],
)
def test_an_army_is_moved_made_stronger_saved_loaded_and_the_war_begun(
    table: Any, hands: Any, size: tuple[int, int]
) -> None:
    hand = hands(size)
    page = hand.sheet
    hand.goes("/wars")
    hand.follows(page.get_by_role("link", name="The Second Punic War, 218 to 202 BC"), "/wars/draw.*hannibal")
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    expect(page.locator("#ready")).to_be_visible()
    expect(page.locator("textarea[name=text]")).to_be_hidden()
    page.locator("[data-zoom=in]").tap()
    hand.touches("saguntum")
    hand.drafted(hand.button("take.saguntum/carthage"))
    expect(page.locator("#in-hand")).to_be_visible()
    x, y = hand.shown(page, "gades")
    before = page.locator("#draw input[name=draft]:not([form])").get_attribute("value")
    page.touchscreen.tap(x, y)
    expect(page.locator("#draw input[name=draft]:not([form])")).not_to_have_value(before or "")
    expect(page.locator("#what")).to_have_value("space.gades")
    hand.drafted(hand.button("more.spaces.gades.carthage.units"))
    hand.drafted(hand.button("more.spaces.gades.carthage.units"))
    expect(page.locator("[name='f.spaces.gades.carthage.units']")).to_have_value("10")
    page.locator("#leader").select_option("fabius")
    hand.drafted(hand.button("bring"))
    hand.drafted(page.locator("#before"))
    hand.button("less.spaces.gades.siege").tap()
    expect(page.locator("#refusal")).to_contain_text("Gades, Siege points")
    expect(page.locator("#ready")).to_be_visible()
    page.locator("#keep input[name=title]").fill("The other way round")
    hand.follows(page.get_by_role("button", name="Save for others to load"), r"/wars/[A-Z0-9]{8}$")
    code = page.url[-8:]

    other = hands(size)
    other.goes("/wars")
    card = other.sheet.locator("li.card", has_text=code)
    expect(card).to_contain_text("The other way round")
    other.follows(card.get_by_role("link", name="View and start"), f"/wars/{code}")
    other.follows(other.sheet.get_by_role("button", name="Start this campaign"), r"/seats/[A-Z0-9]{8}")
    state = table.store.load(other.sheet.url[-8:]).state
    assert (state.spaces["gades"].carthage.units, state.spaces["saguntum"].carthage.units) == (10, 0)
    assert state.generals["hannibal"].space == "gades" and state.hands["rome"] and state.hands["carthage"]
    other.follows(other.sheet.get_by_role("link", name="To the table"), "/g/")
    expect(other.sheet.locator("#side")).to_be_visible()


def test_on_the_map_of_hexes_fleets_are_set_on_an_empty_sea(table: Any, hands: Any) -> None:
    hand = hands(SIZES["tablet"])
    hand.goes("/wars/draw?system=punic_wars&scenario=1")
    hand.drafted(hand.button("stands"))
    hand.drafted(hand.button("clear"))
    for _ in range(2):
        hand.sheet.locator("[data-zoom=in]").tap()
    hand.touches("2915")
    hand.sheet.locator("summary", has_text="Rome").first.tap()
    more = hand.button("more.stacks.2915.rome.naval")
    expect(more).to_be_visible()
    hand.drafted(more)
    hand.drafted(more)
    expect(hand.sheet.locator("[name='f.stacks.2915.rome.naval']")).to_have_value("2")
    expect(hand.sheet.locator("#ready")).to_be_visible()
    hand.follows(hand.sheet.get_by_role("button", name="Start…"), "/wars$")
    hand.follows(hand.sheet.get_by_role("button", name="Start this campaign"), r"/seats/[A-Z0-9]{8}")
    state = table.store.load(hand.sheet.url[-8:]).state
    assert {at: stack["rome"].naval for at, stack in state.stacks.items()} == {"2915": 2} and state.phase != "setup"
