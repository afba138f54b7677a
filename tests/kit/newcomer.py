"""Somebody who plays for the first time, alone: waits for the captain, reads the page, taps the first sensible thing."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from typing import Any

from playwright.sync_api import expect

# What lies before the player, in the order in which somebody new takes it up; each gets a mark to be tapped by.
LOOK = """() => {
  const table = document.getElementById('table');
  const isThere = (each) => !each.disabled && each.checkVisibility();
  const all = (css) => [...table.querySelectorAll(css)].filter(isThere);
  const acts = all('#side .act:not(.danger)');
  const found = [...new Set([
    ...all('#lesson button.main'),
    ...all('.tray-acts > button.main'),
    ...acts.filter((each) => each.matches('.main')),
    ...acts.filter((each) => each.getAttribute('aria-pressed') !== 'true' && !each.closest('#squad, .menu')),
    ...all('.tray-acts > .act, .tray-acts > .asks > .ask, .tray-acts > .next'),
    ...all('#side .orders .act.danger'),
  ])];
  for (const each of document.querySelectorAll('[data-pick]')) delete each.dataset.pick;
  found.forEach((each, place) => { each.dataset.pick = place; });
  const state = [table.dataset.version, table.dataset.revision];
  return JSON.stringify({when: table.querySelector('.when').textContent.trim(), state, words: found.map((each) => each.textContent.trim())});
}"""
TWICE = 2  # how often the same thing may be tapped while nothing on the table changes
CURIOUS = 0.4  # how often somebody who tries things out takes another than the first
PATIENCE = 60_000  # milliseconds for a captain, who thinks in a process of its own that has to be started


def is_taken(answer: Any) -> bool:
    """Is it the answer to something that was done, not to a question?"""
    return answer.request.method == "POST" and "/hint?" not in answer.url


class Newcomer:
    """A player who knows no rule. `asks`: asks the captain each time, and does what it says; `seed`: tries things out."""

    def __init__(self, room: Any, tablet: Any, asks: bool = False, seed: int | None = None) -> None:
        self.room, self.tablet, self.page, self.asks = room, tablet, tablet.page, asks
        self.random = None if seed is None else random.Random(seed)
        self.game = ""
        self.taps = 0
        self.words: Counter[str] = Counter()
        self.same: Counter[tuple[str, ...]] = Counter()

    def begins(self, title: str, level: str | None = None) -> None:
        """From the start page: a battle alone, with what stands in the form or against a captain of this level."""
        self.tablet.go("/battles")
        self.page.get_by_role("link", name=re.split("[:,]", title)[0]).tap()
        form = self.page.locator("form#alone")
        if level is not None:
            form.locator(f"[name=level][value={level}]").check()
        form.get_by_role("button", name="Play alone").tap()
        expect(self.page.locator("#captains")).to_contain_text("A captain plays")
        self.game = re.search(r"/g/(\w+)", self.page.url).group(1)

    def plays(self, most: int = 600) -> None:
        """Tap until the page says that the battle is over."""
        while self.taps < most:
            self.waits()
            seen = json.loads(self.page.evaluate(LOOK))
            if seen["when"] == "The battle is over":
                return
            self.taps_on(seen)
        raise AssertionError(f"the battle is not over after {most} taps: {self.words.most_common(8)}")

    def waits(self) -> None:
        """Until the captain has nothing to do, and the page shows what it has done."""
        captains = self.room.app.extensions["navarch"].captains
        for _ in range(PATIENCE // 20):
            if captains.is_at_rest and self.is_mine(table := self.room.store.load(self.game)):
                return self.tablet.catch_up(table.game.version, table.game.revision)
            self.page.wait_for_timeout(20)
        raise AssertionError(f"the captain does not move: {self.room.store.load(self.game).waiting_for}")

    def is_mine(self, table: Any) -> bool:
        """Is the battle over, or nobody waited for but the player?"""
        side = self.page.locator("#table").get_attribute("data-seat")
        return table.game.over or tuple(table.waiting_for) == (side,)

    def taps_on(self, seen: dict[str, Any]) -> None:
        """Tap the first thing, or the next one where the first has brought nothing."""
        state = tuple(seen["state"])
        words = [word for word in seen["words"] if self.same[*state, word] < TWICE]
        assert words, f"the page offers nothing, or goes in a circle: {seen}"
        word = self.random.choice(words) if self.random and self.random.random() < CURIOUS else words[0]
        self.same[*state, word] += 1
        self.words[word] += 1
        self.taps += 1
        thing = self.page.locator(f"[data-pick='{seen['words'].index(word)}']")
        if thing.evaluate("each => each.matches('a')"):
            address = self.page.url
            self.tablet.tap(thing)
            return expect(self.page).not_to_have_url(address)
        if thing.evaluate("each => each.matches('summary')"):
            thing.tap()
            thing = self.page.locator(".asks[open] .asked button")
        elif self.asks and not word.startswith("Understood"):
            self.page.locator("#ask-hint").tap()
            thing = self.page.locator("#do-hint")
        lesson = self.page.locator("#lesson button.main")
        read = lesson.get_attribute("value") if word.startswith("Understood") else None
        with self.page.expect_response(is_taken) as answered:
            thing.tap()
        if answered.value.status >= 400:
            self.tablet.refusals.append(f"{word}: {answered.value.text()}")
        if read is not None:
            expect(self.page.locator(f"#lesson button.main[value='{read}']")).to_have_count(0)
        return None
