"""A player who taps what the page offers, mostly the big buttons, now and then something else."""

from __future__ import annotations

import random
from typing import Any

# What can be tapped now, in order of preference: [kind, css]. The page decides; nothing here knows a rule.
LOOK = """() => {
  const has = (css) => { const found = document.querySelector(css); return found && !found.disabled ? true : false; };
  if (has('#dice-form')) return 'dice';
  if (document.querySelector('.roll')) return 'wait';
  const acts = [...document.querySelectorAll('#side .more[open] .act, #side .todo-list .act, #side .orders .act')].filter(b => !b.classList.contains('danger') && b.checkVisibility());
  const tray = [...document.querySelectorAll('.tray-acts > .act, .tray-acts > .asks > .ask')];
  const asks = tray.length > 0 && tray[0].matches('summary');
  const step = document.querySelector('.when .step')?.textContent || '';
  for (const b of document.querySelectorAll('[data-pick], [data-tray]')) { delete b.dataset.pick; delete b.dataset.tray; }
  acts.forEach((b, i) => b.dataset.pick = i); tray.forEach((b, i) => b.dataset.tray = i);
  return JSON.stringify({step, asks, acts: acts.map(b => b.textContent.trim()), tray: tray.map(b => b.textContent.trim())});
}"""


class Player:
    """One seat's hand. `physical` taps the faces of thrown dice; else the server throws."""

    def __init__(self, tablet: Any, physical: bool = False, seed: int = 3) -> None:
        self.tablet, self.page, self.physical = tablet, tablet.page, physical
        self.random = random.Random(seed)
        self.taps = 0
        self.kinds: set[str] = set()
        self.shot_at = (0, 0)

    def act(self) -> bool:
        """Tap one thing; False when there is nothing for this seat."""
        import json

        found = self.page.evaluate(LOOK)
        if found == "dice":
            self.throw()
            return True
        if found == "wait":
            return False
        page = json.loads(found)
        acts, tray = page["acts"], page["tray"]
        self.taps += 1
        goes_on = tray and not page["asks"] and tray[0].startswith(("Lock", "All ahead"))
        if tray and (goes_on or not acts):
            if page["step"] == "Fire" and self.random.random() < 0.2 and self.fire():
                return True
            self.kinds.add(tray[0])
            self.close_step()
            return True
        if not acts:
            return False
        wanted = self.choose(page["step"], acts)
        if wanted is None:
            self.close_step()
            return True
        self.kinds.add(acts[wanted].split(" ")[0])
        self.tablet.tap(self.page.locator(f"[data-pick='{wanted}']").first)
        return True

    def close_step(self) -> None:
        """Lock or be done, and say so once more where the page asks."""
        button = self.page.locator("[data-tray='0']")
        if button.evaluate("each => each.matches('summary')"):
            button.tap()
            self.taps += 1
            button = self.page.locator(".tray-acts .asks[open] .asked button")
        self.tablet.tap(button)

    def choose(self, step: str, acts: list[str]) -> int | None:
        """Which of the buttons: whole fleets first, then any."""
        if step == "Plot":
            wanted = "All cruise" if self.random.random() < 0.7 else "All at maximum!"
            return next(place for place, word in enumerate(acts) if word == wanted)
        if step == "Fire":
            fires = [place for place, word in enumerate(acts) if word.startswith("All fire")]
            return self.random.choice(fires) if fires and self.random.random() < 0.25 else None
        meets = [place for place, word in enumerate(acts) if "meets" in word]
        if step == "Move" and meets and self.random.random() < 0.6:
            return self.random.choice(meets)
        if step == "Move" and acts[0].startswith("All ahead"):
            return 0
        return self.random.randrange(len(acts)) if step == "Move" else 0

    def fire(self) -> bool:
        """Open a ship that may fire and tap a target."""
        ship = self.page.locator(".todo-list .todo-name").first
        if not ship.count():
            return False
        self.tablet.tap(ship)
        target = self.page.locator(".targets .act").first
        if target.count():
            self.kinds.add("target")
            self.tablet.tap(target)
        close = self.page.get_by_label("Close the sheet")
        if close.count() and not self.page.locator("#dice-form").count():
            self.tablet.tap(close)
        return True

    def throw(self) -> None:
        """Tap a face for each die and confirm; the first is corrected once."""
        self.taps += 1
        if not self.physical or self.random.random() < 0.1:
            self.tablet.tap("#dice-digital")
            return
        count = int(self.page.locator("#dice-form").get_attribute("data-count"))
        faces = self.page.locator(".faces .face")
        for _ in range(count):
            faces.nth(self.random.randrange(6)).tap()
        self.page.locator(".slot").first.tap()
        faces.nth(self.random.randrange(6)).tap()
        self.kinds.add("dice")
        self.tablet.tap("#dice-confirm")


class Captain(Player):
    """He goes for the enemy: fires whatever he has and meets whomever he can."""

    def choose(self, step: str, acts: list[str]) -> int | None:
        """The button that brings the fleets together, else as any player."""
        wanted = {"Fire": "All fire", "Move": "meets"}.get(step)
        found = [place for place, word in enumerate(acts) if wanted is not None and wanted in word]
        return found[0] if found else super().choose(step, acts)


def play(players: list[Player], room: Any, game: str, limit: int = 1500) -> None:
    """Let the players tap in turn until the battle is over."""
    idle = 0
    for _ in range(limit):
        if room.store.game(game).over:
            break
        acted = False
        for player in players:
            record = room.store.game(game)
            player.tablet.catch_up(record.version, record.revision)
            acted = player.act() or acted
        idle = 0 if acted else idle + 1
        assert idle < 5, "nobody finds anything to tap, and the battle is not over"
