"""Whose taps are counted: a player who means the same in every battle and sees only what the page shows."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from playwright.sync_api import Page, TimeoutError

from tactical.offers import waiting_for
from webapp.storage.journal.store import Store

STEP = '"type":"step"'  # in a button's command
PATIENCE, BETWEEN = 60_000, 20  # milliseconds until a page must show what is new; between two looks
LOOKS = 200  # until a page that offers nothing counts as a fault
SHOWN = "() => document.getElementById('table').dataset.version"
CLOSE = 2  # steps at which the fleet fires
CONTROLS = """() => {
  const inside = (each) => each.closest('.tray-acts') ? 'tray' : each.closest('#dice-form') ? 'dice' : 'side';
  const found = [...document.querySelectorAll('#table button, #table summary.ask, #table a.button[data-go]')]
    .filter((each) => each.checkVisibility() && !each.disabled)
    .filter((each) => !each.closest('details.menu, .values, .lesson, .results'));
  found.forEach((each, place) => { each.dataset.tap = place; });
  return found.map((each) => ({ place: inside(each), label: each.textContent.trim(), value: each.value || '',
    ask: each.matches('summary') ? each.parentElement.querySelector('button').value : '',
    link: each.getAttribute('href') || '' }));
}"""


class Words(StrEnum):
    """How the labels begin that the player looks for; each is a sentence of the battle's pages."""

    CRUISE = "All cruise"
    WHOLE_TURN = "All ahead, the whole turn"
    ALL_AHEAD = "All ahead"
    ALL_WENT = "All went ahead"
    REST_WENT = "The rest went ahead"
    ALL_MEET = "Ahead: all ships that meet an enemy"
    ALL_BLOCKED = "Ahead: all ships whose path is blocked"
    AHEAD = "Ahead"
    MEETS = "meets"
    TOUCHES = "Touches…"
    ALL_FIRE = "All fire at"
    HOLD_FIRE = "Hold fire this turn"
    ALL_RAM = "All ram"
    RAM = "Ram "
    BOARD_GOOD = "Board where the odds are good"
    BOARD = "Board "
    BOARD_NONE = "Board no ship this turn"
    TAKES = "then takes her"


FORWARD = (Words.WHOLE_TURN, Words.ALL_AHEAD, Words.ALL_WENT, Words.REST_WENT, Words.ALL_MEET, Words.ALL_BLOCKED)
TAKES = re.compile(rf"{Words.TAKES} (?:over |under )?(\d+)\s%")
CLOSE_SHEET = "×"


@dataclass
class Hand:
    """One side's player, who means the same in every battle.

    All cruise and row ahead. A ship that meets an enemy rams it. Once a turn, at close range, the fleet fires at the
    enemy whom most of it reaches; else nobody fires. Who is more likely to win a fight than not boards; where nobody
    is, the side boards no ship for the rest of the turn.
    """

    page: Page
    store: Store
    game: str
    side: str
    rng: random.Random
    taps: Counter[int] = field(default_factory=Counter)
    fired: set[int] = field(default_factory=set)
    touched: set[int] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)
    looks: int = 0  # in a row that found nothing to tap

    @property
    def battle(self) -> Any:
        """The battle as it stands."""
        return self.store.load(self.game).state

    def catch_up(self) -> None:
        """Wait until the page shows the newest position; a course that is being rowed brings newer ones meanwhile."""
        for _ in range(PATIENCE // BETWEEN):
            if int(self.page.evaluate(SHOWN)) == self.store.game(self.game).version:
                return
            self.page.wait_for_timeout(BETWEEN)
        newest = self.store.game(self.game).version
        raise AssertionError(f"{self.side}'s page shows {self.page.evaluate(SHOWN)}, not {newest}")

    def act(self) -> bool:
        """Do one thing, in one tap or two; False when there is nothing to do.

        The turn is read once the page has caught up: a course that is being rowed may have ended the one before.
        """
        self.catch_up()
        turn = self.battle.turn
        controls = self.page.evaluate(CONTROLS)
        if any(each["place"] == "dice" for each in controls):
            return self.throw(turn)
        if self.side not in waiting_for(self.battle) or self.store.game(self.game).waiting is not None:
            return False
        wanted = next(self.wishes(turn, controls), None)
        if wanted is None:  # the page's parts come one after another: another look may find what has come since
            self.looks += 1
            assert self.looks < LOOKS, f"{self.side} finds nothing to tap in {self.battle.step}: {controls}"
            self.page.wait_for_timeout(BETWEEN)
            return True
        self.looks = 0
        self.do(turn, controls, wanted)
        return True

    def wishes(self, turn: int, controls: list[dict[str, str]]) -> Iterator[int]:
        """The places of what the player would tap, the best first."""
        step = self.battle.step
        for choose in (getattr(self, f"in_{step}"), self.closing, lambda _turn, shown: first(shown, CLOSE_SHEET)):
            found = choose(turn, controls)
            if found is not None:
                yield found

    def in_plot(self, turn: int, controls: list[dict[str, str]]) -> int | None:
        """All cruise."""
        unset = any(
            ship.side == self.side and ship.plot is None
            for ship in self.battle.ships.values()
            if ship.is_afloat and not ship.boarding
        )
        if not unset:
            return None
        found = first(controls, Words.CRUISE)
        return first(controls, CLOSE_SHEET) if found is None else found

    def in_move(self, turn: int, controls: list[dict[str, str]]) -> int | None:
        """A whole course, all ahead, or each ship that is left; on the own table two ships touch an enemy in turn 3."""
        touches = first(controls, Words.TOUCHES) if turn >= 3 and len(self.touched) < 2 * (turn - 2) else None
        aspects = [place for place, each in enumerate(controls) if '"aspect":"side"' in each["value"]]
        if aspects:
            self.touched.add(len(self.touched))
            return self.rng.choice(aspects)
        if touches is not None:
            return touches
        for word in FORWARD:
            found = first(controls, word)
            if found is not None:
                return found
        steps = [place for place, each in enumerate(controls) if STEP in each["value"] + each["ask"]]
        meets = [place for place in steps if Words.MEETS in controls[place]["label"]]
        ahead = [place for place in steps if controls[place]["label"].startswith(Words.AHEAD)]
        return next(iter(meets or ahead or steps), None)

    def in_fire(self, turn: int, controls: list[dict[str, str]]) -> int | None:
        """Once a turn all at one enemy, at close range; then no more."""
        fires = [place for place, each in enumerate(controls) if each["label"].startswith(Words.ALL_FIRE)]
        if fires and turn not in self.fired and self.is_close():
            self.fired.add(turn)
            return fires[0]
        return first(controls, Words.HOLD_FIRE)

    def in_ram(self, turn: int, controls: list[dict[str, str]]) -> int | None:
        """Ram."""
        return next(
            (found for word in (Words.ALL_RAM, Words.RAM) if (found := first(controls, word)) is not None), None
        )

    def in_board(self, turn: int, controls: list[dict[str, str]]) -> int | None:
        """Board where the odds are good; where they are nowhere, say so for the turn."""
        together = first(controls, Words.BOARD_GOOD)
        if together is not None:
            return together
        boards = [
            place
            for place, each in enumerate(controls)
            if each["label"].startswith(Words.BOARD) and '"board"' in each["value"]
        ]
        good = next((place for place in boards if chance(controls[place]["label"]) >= 50), None)
        return first(controls, Words.BOARD_NONE) if good is None else good

    def in_end(self, turn: int, controls: list[dict[str, str]]) -> int | None:
        """Nothing."""
        return None

    def closing(self, turn: int, controls: list[dict[str, str]]) -> int | None:
        """Lock, or be done."""
        found = [place for place, each in enumerate(controls) if each["place"] == "tray" and not each["link"]]
        return next(
            (
                place
                for place in found
                if "lock" in controls[place]["value"] or "done" in controls[place]["value"] + controls[place]["ask"]
            ),
            None,
        )

    def is_close(self) -> bool:
        """Is an enemy within two steps of one of the side's ships? On the own table always, from turn 3 on."""
        battle = self.battle
        if not battle.has_places:
            return False
        return any(
            near[0][1] <= CLOSE
            for ship in battle.ships.values()
            if ship.side == self.side and ship.is_afloat and (near := battle.enemies_of(ship))
        )

    def do(self, turn: int, controls: list[dict[str, str]], place: int) -> None:
        """Tap, and once more where the page asks."""
        self.tap(turn, f"[data-tap='{place}']", settles=not controls[place]["ask"])
        if controls[place]["ask"]:
            self.tap(turn, "details.asks[open] .asked button")

    def throw(self, turn: int) -> bool:
        """Tap a face for each die on the pad; the last confirms."""
        count = int(self.page.locator("#dice-form").get_attribute("data-count") or 1)
        for number in range(count):
            self.tap(turn, f"#dice-form [data-face='{self.rng.randint(1, 6)}']", settles=number == count - 1)
        return True

    def tap(self, turn: int, css: str, settles: bool = True) -> None:
        """One tap; wait until the table has changed by it."""
        if settles:
            self.page.evaluate("document.getElementById('state').dataset.old = '1'")
        try:
            self.page.locator(css).first.tap(timeout=3_000)
        except TimeoutError:
            return  # a live update came first: the next look finds the buttons anew
        self.taps[turn] += 1
        if settles:
            self.page.wait_for_selector("#state:not([data-old])", state="attached")
            refused = self.page.locator("#refused")
            if refused.count():
                self.refused.append(refused.inner_text())


def first(controls: list[dict[str, str]], word: str) -> int | None:
    """The first control that begins with a word."""
    return next((place for place, each in enumerate(controls) if each["label"].startswith(word)), None)


def chance(label: str) -> int:
    """The chance to take her in the end, as a button says it."""
    found = TAKES.search(label)
    return int(found[1]) if found else 0
