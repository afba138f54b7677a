"""A war that goes on by fingers alone: whoever is asked taps what the page points out, and plays some cards in earnest.

What stops a finger (a ringed space without a button, a question without anything to tap) fails with what stood there.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import Error, Locator, Page, expect

from kit.by_map import ByMap

EARNEST = 2  # cards that each side plays in each turn; the others it gives up, so that a turn ends
MARCHES = 2  # goals that are tapped before an army is left where it stands
TAPS = 8  # to come from a question to what answers it
LETS_BE = frozenset(
    (
        "concede",
        "discard",
        "done",
        "drop",
        "end_action",
        "finish",
        "go_back",
        "halt",
        "note",
        "pass",
        "stand",
        "arrange",
    )
)
BUTTONS = "#side button:not([data-step]):not(.danger)"
GO = "#side button:is(.main, [data-goal], [data-march], [data-sail]):visible, section.place section.offer button:not([data-step]):visible"
READ = """selector => [...document.querySelectorAll(selector)].map((one, at) => ({
  at, text: one.textContent.trim(), is_main: one.classList.contains('main'), value: one.value,
  kind: one.form?.querySelector("input[name='type']")?.value || '', seen: one.checkVisibility() && !one.disabled,
}))"""
RINGED = """() => {
  const hot = [...document.querySelectorAll('#rings .spot.hot')].map(one => one.dataset.mark);
  if (hot.length) return hot;
  const middle = one => { const box = one.getBBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const cells = [...document.querySelectorAll('.cells .cell')].map(one => [one.dataset.space, ...middle(one)]);
  const nearest = ([x, y]) => cells.reduce((best, one) =>
    Math.hypot(one[1] - x, one[2] - y) < Math.hypot(best[1] - x, best[2] - y) ? one : best)[0];
  return [...document.querySelectorAll('#march-ground .within')].map(one => nearest(middle(one)));
}"""


class Walk:
    """All tablets of a war, until it has come as far as wanted."""

    def __init__(self, by: ByMap, seed: int) -> None:
        self.by, self.table = by, by.table
        self.random = random.Random(seed)
        self.earnest: Counter[tuple[str, int]] = Counter()
        self.marches = 0

    def goes_on(self, until: Callable[[Any], bool], most: int = 700) -> None:
        """Whoever is asked acts, and the server throws what dice it takes."""
        for _act in range(most):
            if self.table.store.game(self.table.id).over or until(self.table.state):
                return
            self.by.sees_all()
            side = next(side for side, tablet in self.by.tablets.items() if tablet.is_asked())
            before = self.table.version
            self.acts(side)
            self.by.server_throws(before)
        raise AssertionError(self.table.events()[-12:])

    def acts(self, side: str) -> None:
        """Tap on until the server has heard an act."""
        before, page = self.table.version, self.by.page(side)
        self.by.puts_by(side)
        barren: set[str] = set()
        for _tap in range(TAPS):
            button = self.chosen(side, barren)
            if button is not None and self.presses(button, before):
                return
        raise AssertionError((side, barren, page.locator("#side").inner_text()[:1500]))

    def presses(self, button: Locator, before: int) -> bool:
        """Has the server heard a button? Its empty amounts are counted up; a tap on a page that was renewed is given again."""
        for empty in button.locator("xpath=ancestor::form[1]").locator("input[type=number]").all():
            if not empty.input_value() and empty.is_visible():
                empty.locator("xpath=following-sibling::button").tap()
        for _try in range(3):
            with suppress(Error):
                button.tap(timeout=6000)
            for _look in range(100):
                if self.by.is_heard(before):
                    return True
                button.page.wait_for_timeout(50)
        return False

    def chosen(self, side: str, barren: set[str]) -> Locator | None:
        """The button that is pressed next; none after a tap that only led nearer to one."""
        page, state = self.by.page(side), self.table.state
        if (switches := page.locator("form.switches button.main")).count():
            return switches
        cards = page.locator("#hand a.card.playable")
        playing = page.locator("#card-title").count() > 0 and cards.count() > 0
        ringed = [space for space in dict.fromkeys(page.evaluate(RINGED)) if space not in barren]
        if cards.count() and not playing:
            self.marches = 0
            card = cards.nth(self.random.randrange(cards.count()))
            card.tap(position={"x": 20, "y": 20})
            expect(page.locator("#card-title")).to_be_visible()
            return None
        gives_up = playing and self.earnest[side, state.turn] >= EARNEST
        if gives_up and (button := self.button(page, lambda one: kind_of(one) == "discard")) is not None:
            return button
        if ringed and self.marches < MARCHES:
            space = self.random.choice(ringed)
            self.by.taps(side, space)
            if (go := page.locator(GO)).count():
                self.marches += 1
                self.earnest[side, state.turn] += playing
                return go.first
            barren.add(space)
            self.by.puts_by(side)
            return None
        walkers = page.locator("#side .walkers a:not([aria-current]):visible")
        if walkers.count() and self.marches < MARCHES:
            walkers.nth(self.random.randrange(walkers.count())).tap()
            expect(page.locator("#side .walkers a[aria-current]").first).to_be_attached()
            return None
        self.earnest[side, state.turn] += playing
        if self.marches >= MARCHES and (rest := self.button(page, lambda one: kind_of(one) in LETS_BE)) is not None:
            return rest
        self.marches = 0
        for wanted in (
            lambda one: one["is_main"],
            lambda one: kind_of(one) not in LETS_BE,
            lambda one: True,
        ):
            if (button := self.button(page, wanted)) is not None:
                return button
        twice = page.locator("#side details.twice:not([open]) > summary:visible")
        if twice.count():
            twice.first.tap()
            return page.locator("#side details.twice[open] button").first
        return None

    def button(self, page: Page, is_wanted: Callable[[dict[str, Any]], bool]) -> Locator | None:
        """One of the wanted buttons of the panel that are seen."""
        found = [one for one in page.evaluate(READ, BUTTONS) if one["seen"] and kind_of(one) and is_wanted(one)]
        if not found:
            return None
        return page.locator(BUTTONS).nth(self.random.choice(found)["at"])


def kind_of(button: dict[str, Any]) -> str:
    """What kind of command a button gives; empty for one that gives none."""
    if button["kind"]:
        return str(button["kind"])
    try:
        command = json.loads(button["value"])
    except ValueError:
        return ""
    return str(command.get("type", "")) if isinstance(command, dict) else ""
