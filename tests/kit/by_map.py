"""Tablets that play a campaign by touch upon the map and by plain buttons: no list, no folded part, no JSON field.

What a finger opens or chooses is kept by the page itself; `closes` fails when a list was used, a part was unfolded, or
a text field was written into.
"""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from kit.two_tablets import TwoTablets

WATCH = """
window.opened = [];
addEventListener("click", (e) => { const fold = e.target.closest("details:not(.twice) > summary"); if (fold) opened.push(fold.textContent); }, true);
addEventListener("change", (e) => { if (e.target.matches("select, textarea")) opened.push(e.target.name); }, true);
addEventListener("focusin", (e) => { if (e.target.matches("select, textarea")) opened.push(e.target.name); }, true);
"""


class ByMap(TwoTablets):
    """Every act is a tap of a finger; each waits until all pages show what the server has kept."""

    def __init__(self, table: Any, sides: tuple[str, ...], size: tuple[int, int] = (1024, 768)) -> None:
        self.table = table
        self.tablets = {side: table.tablet(side, *size) for side in sides}
        for tablet in self.tablets.values():
            tablet.page.add_init_script(WATCH)
            tablet.page.reload()

    def closes(self) -> None:
        """No list was opened, nothing unfolded but what is asked twice, no text written; the head has fitted the screen."""
        for side, tablet in self.tablets.items():
            assert tablet.page.evaluate("strip.lastElementChild.getBoundingClientRect().right <= innerWidth"), side
            opened = tablet.page.evaluate("window.opened")
            assert opened == [], (side, opened)
            expect(tablet.page.locator("#side textarea")).to_have_count(0)

    def taps(self, side: str, space: str) -> None:
        """Tap a space where it is drawn; what is outside the view is dragged into its middle, nearer when it is small."""
        page = self.page(side)
        root = page.locator("#table")
        for _try in range(4):
            if root.get_attribute("data-space") == space:
                return
            x, y = self.shown(page, space)
            page.touchscreen.tap(x, y)
            try:
                expect(root).to_have_attribute("data-space", space, timeout=4000)
            except AssertionError:
                page.locator("[data-zoom=in]").tap()
        expect(root).to_have_attribute("data-space", space)

    def shown(self, page: Page, space: str) -> tuple[float, float]:
        """The point of a space, after the map has been dragged so far that it lies free."""
        page.evaluate("document.getElementById('map').scrollIntoView({block: 'start'})")
        for _drag in range(6):
            x, y = self.point(page, space)
            box = page.locator("#map").bounding_box()
            assert box is not None
            middle = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.4
            if abs(x - middle[0]) < box["width"] * 0.3 and abs(y - middle[1]) < box["height"] * 0.28:
                break
            dx = max(-box["width"] * 0.4, min(box["width"] * 0.4, middle[0] - x))
            dy = max(-box["height"] * 0.35, min(box["height"] * 0.35, middle[1] - y))
            page.wait_for_load_state()
            page.mouse.move(*middle)
            page.mouse.down()
            page.mouse.move(middle[0] + dx, middle[1] + dy, steps=3)
            page.mouse.up()
        return self.point(page, space)

    def point(self, page: Page, space: str) -> tuple[float, float]:
        """Where a space is drawn: its mark, else the middle of its hex."""
        found: list[float] = page.evaluate(
            """space => {
              const one = document.querySelector(`.cells .cell[data-space="${space}"] path`);
              const mark = document.querySelector(`[data-mark="${space}"]`);
              const box = (mark || one).getBoundingClientRect();
              if (!mark) return [box.x + box.width / 2, box.y + box.height / 2];
              const at = mark.getScreenCTM();
              return [at.e, at.f];
            }""",
            space,
        )
        return found[0], found[1]

    def picks(self, side: str, number: int) -> None:
        """Tap a card of the hand."""
        page = self.page(side)
        page.locator(f".card[href*='pick={number}']").first.tap()
        expect(page.locator("#table")).to_have_attribute("data-pick", str(number))

    def puts_by(self, side: str) -> None:
        """Close the panel of a space and put back a card."""
        for name in ("Close", "Put it back"):
            link = self.page(side).locator("#side").get_by_role("link", name=name)
            if link.count():
                link.first.tap()
                expect(link).to_have_count(0)

    def does(self, side: str, title: str, words: str | re.Pattern[str] = "", *faces: int, space: str = "") -> None:
        """Tap a space, if one is named, then the button of an offer that says these words; dice are thrown by hand."""
        before = self.table.version
        if space:
            self.taps(side, space)
        self.button(side, title, words).tap()
        self.settled(before, faces)

    def settles(self, side: str, way: str) -> None:
        """Say how a meeting at sea is to be settled."""
        before = self.table.version
        self.page(side).locator("#ways").get_by_role("button", name=way).tap()
        self.settled(before)

    def opens_the_battle(self, side: str) -> None:
        """Put the agreed battle on the table; all tablets go there."""
        self.closes()
        before = self.table.version
        self.page(side).locator("#open-battle").get_by_role("button", name="Open the battle").tap()
        self.settled(before)
        for one in self.tablets:
            self.page(one).locator("#to-battle").tap()
            expect(self.page(one).locator(".stakes")).to_contain_text("At stake")

    def comes_home(self, side: str) -> None:
        """The battle is over: the first button of its page enters the outcome, and all tablets go back to the campaign."""
        before = self.table.version
        self.page(side).locator("#enter-outcome-battle").tap()
        expect(self.page(side).locator("#entered")).to_be_visible()
        assert self.table.version > before
        for one in self.tablets:
            self.page(one).locator("a.button:visible").filter(has_text="To the campaign").first.tap()
            expect(self.page(one).locator("#table")).to_be_visible()
        self.sees_all()

    def sets(self, side: str, title: str, words: str, label: str, number: int) -> None:
        """Write a number into the form of an offer that says these words."""
        box = self.tablets[side].offer(title)
        box.locator("form.ask").filter(has_text=words).get_by_label(re.compile(f"^{label}")).fill(str(number))

    def button(self, side: str, title: str, words: str | re.Pattern[str]) -> Locator:
        """The button of an offer: of a ready answer, or of the form that says these words above its numbers."""
        if title in ("March", "Sail"):
            by_goal = self.page(side).locator("[data-march]:visible" if title == "March" else "[data-sail]:visible")
            if by_goal.count():
                return by_goal.first
        boxes = (
            self.page(side)
            .locator("#side section.offer:visible")
            .filter(has=self.page(side).get_by_role("heading", name=title))
        )
        for closed in boxes.locator("details.twice:not([open]) > summary:visible").all()[:1]:  # it asks twice
            closed.tap()
        for field in boxes.locator("form.ask:visible input[type=number]").all():  # an amount is said by whoever plays
            if not field.input_value():
                field.fill(str(field.get_attribute("max")))
        if not words:
            return boxes.first.locator("button:not([data-step]):visible").first
        ready = boxes.locator("form.ready button:visible").filter(has_text=words)
        form = boxes.locator("form.ask:visible").filter(has_text=words).locator("button:not([data-step])")
        return ready.or_(form).first

    def ringed(self, side: str) -> str:
        """The first space that the map points out."""
        found = self.page(side).locator(".spot.hot").first
        expect(found).to_be_attached()
        return str(found.get_attribute("data-mark"))

    def asks(self, *sides: str) -> None:
        """These sides and nobody else have something to answer."""
        for side, tablet in self.tablets.items():
            expect(tablet.page.locator(".wait.mine")).to_have_count(1 if side in sides else 0)


WISHES = (  # what a side presses when it only wants the war to go on: the first of these that its page offers
    "Accept battle",
    "Stand and fight",
    "Match the attack",
    "Attack",
    "Let it pass",
    "Leave it unmatched",
    "Fight",
    "Throw for the battle",
    "Engage",
    "Accept the battle",
    "Nothing more",
    "End the march",
    "End the move",
    "End the action",
    "Accept",
    "Place a consul",
    "Say who plays first",
)


def carry_on(by: ByMap, until: Any, most: int = 90) -> None:
    """Whoever is asked taps what brings the war on, until the position is as wanted; the server throws the dice."""
    for _act in range(most):
        if until(by.table.state):
            return
        by.sees_all()
        side = next(side for side, tablet in by.tablets.items() if tablet.is_asked())
        before = by.table.version
        one_act(by, side)
        by.server_throws(before)
    raise AssertionError(by.table.events()[-12:])


def one_act(by: ByMap, side: str) -> None:
    """The most wished-for button; else a ringed space and what it offers; else a card, to be given up."""
    page = by.page(side)
    by.puts_by(side)
    switches = page.locator("form.switches button.main")
    if switches.count():
        return switches.tap()
    for wish in WISHES:
        button = by.button(side, wish, "")
        if button.count():
            return button.tap()
    ringed = page.locator(".spot.hot")
    if ringed.count() and not page.locator(".card.playable").count():
        by.taps(side, by.ringed(side))
        return page.locator(
            "button[data-goal]:visible, [data-march]:visible, [data-sail]:visible, section.place "
            "section.offer button:not([data-step]):visible"
        ).first.tap()
    if page.locator(".card.playable").count():
        page.locator(".card.playable").first.tap()
        expect(page.locator("#card-title")).to_be_visible()
        return by.button(side, "Discard a card", "").tap()
    return page.locator("#side section.offer button:not([data-step]):visible").first.tap()
