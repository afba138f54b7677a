"""Walk the steps of the handbooks in a real browser, and take a picture of each: `python tools/handbook.py`.

The steps stand in data/handbooks; each has a function here that does what its text says and returns the page to look
at. The tests walk the same steps, so a handbook cannot tell what the program does not do.
"""

from __future__ import annotations

import logging
import os
import random
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright
from werkzeug.serving import make_server

from benchmarks.browser import ARGS
from tactical.kernel.dice import random_source
from webapp import create_app
from webapp.storage.journal.store import Store

FOLDER = Path(__file__).parents[1] / "webapp/pages/reference/static/handbook"
TABLET = {"width": 1024, "height": 768}
DUEL = {
    "board": {"columns": 12, "rows": 9},
    "sides": {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage", "navy": "hellenistic"}},
    "ships": {
        "r1": {"side": "rome", "name": "Aquila", "type": "quinquereme", "at": [3, 3], "facing": "SE", "speed": 2},
        "r2": {"side": "rome", "name": "Lupa", "type": "quadrireme", "at": [2, 4], "facing": "SE", "speed": 2},
        "c1": {"side": "carthage", "name": "Tanit", "type": "quinquereme", "at": [7, 1], "facing": "NW", "speed": 2},
        "c2": {"side": "carthage", "name": "Melqart", "type": "trireme", "at": [7, 3], "facing": "NW", "speed": 2},
    },
}
FIRING = {
    **DUEL,
    "phase": 1,
    "step": "fire",
    "ships": {
        **DUEL["ships"],
        "c1": {**DUEL["ships"]["c1"], "at": [4, 3]},
    },
}  # type: ignore[dict-item]


class Walk:
    """A server and a browser in which the steps are walked."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser = browser
        self.faults: list[str] = []  # addresses at which the server failed
        self.store = Store(folder / "handbook.db", source=random_source(random.Random(11).randrange))
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        server = make_server("127.0.0.1", 0, create_app({"STORE": self.store}), threaded=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_port}"
        self.stop = server.shutdown

    def tablet(self) -> Page:
        """A tablet that sits nowhere yet."""
        context = self.browser.new_context(
            viewport=TABLET,
            has_touch=True,
            service_workers="block",
            locale="en-GB",  # type: ignore[arg-type]
        )
        context.on("response", lambda answer: self.faults.append(answer.url) if answer.status >= 500 else None)
        context.add_init_script("window.navarch = { patience: 0 }")  # a script is quicker than a person
        return context.new_page()

    def battle(self, seat: str, position: Any = DUEL, dice: str = "digital") -> tuple[Page, str]:
        """A tablet at a battle, and the game."""
        game, tokens = self.store.create("galley", None, position, title="Off the cape", dice=dice)
        page = self.tablet()
        page.goto(f"{self.url}/join/{tokens[seat]}")
        expect(page.locator("#live.on")).to_be_visible()
        return page, game.id

    def campaign(self, system: str, scenario: str, seat: str) -> tuple[Page, str]:
        """A tablet at a campaign, and the game."""
        game, tokens = self.store.create(system, scenario)
        page = self.tablet()
        page.goto(f"{self.url}/join/{tokens[seat]}")
        expect(page.locator("#table")).to_be_visible()
        return page, game.id

    @staticmethod
    def side_of(ship: str) -> str:
        """Whose ship of the duel it is."""
        return "rome" if ship.startswith("r") else "carthage"

    def submit(self, game: str, seat: str, **command: Any) -> None:
        """Another seat gives a command."""
        self.store.submit(game, self.store.game(game).version, seat, command)


def sit(walk: Walk) -> Page:
    page, _ = walk.battle("rome")
    expect(page.locator(".when .step")).to_have_text("Plot")
    return page


def plot(walk: Walk) -> Page:
    page, _ = walk.battle("rome")
    page.get_by_role("button", name="All cruise", exact=True).tap()
    expect(page.get_by_role("button", name="Lock").first).to_be_visible()
    return page


def lock(walk: Walk) -> Page:
    page, game = walk.battle("rome")
    for ship in ("c1", "c2"):
        walk.submit(game, "carthage", type="plot", ship=ship, speed=3)
    walk.submit(game, "carthage", type="lock", side="carthage")
    page.reload()
    page.get_by_role("button", name="All cruise", exact=True).tap()
    page.get_by_role("button", name="Lock").first.tap()
    expect(page.locator(".when .step")).not_to_have_text("Plot")
    return page


def move(walk: Walk) -> Page:
    page, game = walk.battle("rome")
    for ship in DUEL["ships"]:  # type: ignore[attr-defined]
        walk.submit(game, walk.side_of(ship), type="plot", ship=ship, speed=2)
    for side in ("rome", "carthage"):
        walk.submit(game, side, type="lock", side=side)
    while (state := walk.store.load(game).state).step != "move":
        side = next(side for side, about in state.sides.items() if not about.done)
        walk.submit(game, side, type="done", side=side)
    page.reload()
    ahead = page.get_by_role("button", name="All ahead")
    expect(ahead.first).to_be_visible()
    return page


def chances(walk: Walk) -> Page:
    page, _ = walk.battle("rome", FIRING)
    page.get_by_role("link", name="Next: Aquila").tap()
    expect(page.locator("#side button:visible", has_text="range 1").first).to_be_visible()
    return page


def dice(walk: Walk) -> Page:
    page, game = walk.battle("rome", FIRING, dice="physical")
    walk.submit(game, "rome", type="fire", ship="r1", weapon="archer", count=1, target="c1")
    page.reload()
    expect(page.locator("#dice-form")).to_be_visible()
    return page


def undo(walk: Walk) -> Page:
    page, _ = walk.battle("rome")
    page.get_by_role("button", name="All cruise", exact=True).tap()
    again = page.get_by_role("button", name="Undo")
    expect(again).to_be_enabled()
    again.tap()
    expect(page.get_by_role("button", name="All cruise", exact=True)).to_be_visible()
    return page


def begin(walk: Walk) -> Page:
    page = walk.tablet()
    page.goto(f"{walk.url}/new?system=galley&scenario=mylae")
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    return page


def seats(walk: Walk) -> Page:
    page = begin(walk)
    page.get_by_role("button", name="Start").tap()
    expect(page.locator("svg.qr").first).to_be_visible()
    return page


def watch(walk: Walk) -> Page:
    page, game = walk.battle("umpire")
    walk.submit(game, "rome", type="plot", ship="r1", speed=3)
    page.goto(f"{walk.url}/g/{game}/log?seat=umpire")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def correct(walk: Walk) -> Page:
    page, game = walk.battle("umpire")
    page.goto(f"{walk.url}/g/{game}?seat=umpire&ship=r1")
    page.locator("details:has(form.adjust) > summary").last.tap()
    why = page.locator("form.adjust [name=why]")
    why.fill("The model was set down wrongly")
    expect(why).to_be_visible()
    return page


def hand(walk: Walk) -> Page:
    page, game = walk.campaign("hannibal", "second_punic_war", "umpire")
    page.goto(f"{walk.url}/g/{game}?seat=umpire&space=saguntum")
    page.get_by_role("link", name="Change what is here").tap()
    units = page.get_by_role("spinbutton", name="Units", exact=True).first
    expect(units).to_have_value("8")
    units.fill("9")
    units.press("Tab")
    page.get_by_role("textbox", name="Why").fill("A unit was forgotten")
    return page


def screen(walk: Walk) -> Page:
    _, game = walk.battle("rome")
    page = walk.tablet()
    page.goto(f"{walk.url}/display/{game}")
    expect(page.locator("svg").first).to_be_visible()
    return page


def war(walk: Walk) -> Page:
    page = walk.tablet()
    page.goto(f"{walk.url}/new?system=hamilcar&scenario=first_punic_war")
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    return page


def group(walk: Walk) -> Page:
    page, game = walk.campaign("hamilcar", "first_punic_war", "umpire")
    page.goto(f"{walk.url}/g/{game}/group?seat=umpire")
    page.get_by_text("Put somebody into a seat").tap()
    page.get_by_label("Seat", exact=True).first.select_option("rome")
    page.get_by_label("Name", exact=True).fill("Ada")
    page.get_by_role("button", name="Put this person into the seat and send the link").tap()
    expect(page.get_by_role("alert")).to_contain_text("Ada plays now")
    return page


def time(walk: Walk) -> Page:
    page, game = walk.campaign("hamilcar", "first_punic_war", "umpire")
    page.goto(f"{walk.url}/g/{game}/group?seat=umpire")
    page.get_by_text("Deadlines", exact=True).tap()
    page.get_by_role("button", name="Keep").last.tap()
    expect(page.get_by_text("As a calendar file")).to_be_visible()
    page.locator("#time > summary").tap()
    return page


def orders(walk: Walk) -> Page:
    page, game = walk.campaign("hamilcar", "first_punic_war", "rome")
    page.goto(f"{walk.url}/g/{game}/group?seat=rome")
    page.get_by_label("May I play a counter-event?").select_option("empty")
    page.locator("#orders").get_by_role("button", name="Keep").tap()
    expect(page.get_by_label("May I play a counter-event?")).to_have_value("empty")
    page.locator("#orders").scroll_into_view_if_needed()
    return page


def meeting(walk: Walk) -> Page:
    page, _ = walk.campaign("hamilcar", "off_mylae", "umpire")
    expect(page.locator("#side")).to_be_visible()
    return page


def overview(walk: Walk) -> Page:
    page, _ = walk.campaign("hamilcar", "first_punic_war", "umpire")
    page.goto(f"{walk.url}/organizer")
    expect(page.get_by_role("link", name="Group").first).to_be_visible()
    return page


STEPS: dict[str, dict[str, Callable[[Walk], Page]]] = {
    "player": {"sit": sit, "plot": plot, "lock": lock, "move": move, "chances": chances, "dice": dice, "undo": undo},
    "umpire": {
        "begin": begin,
        "seats": seats,
        "watch": watch,
        "correct": correct,
        "hand": hand,
        "screen": screen,
    },
    "organizer": {
        "war": war,
        "group": group,
        "time": time,
        "orders": orders,
        "meeting": meeting,
        "overview": overview,
    },
}


def main(folder: Path = FOLDER) -> None:
    """Take every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as player, tempfile.TemporaryDirectory() as place:
        browser = player.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=list(ARGS)
        )
        walk = Walk(browser, Path(place))
        for who, steps in STEPS.items():
            for name, step in steps.items():
                page = step(walk)
                page.screenshot(path=folder / f"{who}-{name}.jpg", type="jpeg", quality=60)
                page.context.close()
        walk.stop()
        browser.close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
