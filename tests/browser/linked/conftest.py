"""A real house with a campaign that stands before a voyage, and tablets that sit at it and at its battle."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from werkzeug.serving import make_server

from kit.patience import PATIENT
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import plain
from webapp import create_app
from webapp.storage.journal.store import Store, all_systems

SHOWN = """() => { const part = document.getElementById('table') || document.getElementById('side');
    return part ? [Number(part.dataset.version), Number(part.dataset.revision)] : [-1, -1]; }"""
expect.set_options(timeout=30_000)


class Tablet:
    """One touch screen at one seat; it taps what stands on its page."""

    def __init__(self, browser: Browser, house: str, token: str, scheme: str = "day", width: int = 1024) -> None:
        self.house = house
        height = 768 if width > 600 else 844
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, service_workers="block", locale="en-GB"
        )
        self.context.add_init_script(PATIENT)
        self.context.add_cookies([{"name": "scheme", "value": scheme, "url": house}])
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        self.page.goto(f"{house}/join/{token}")

    def tap(self, wanted: Any) -> None:
        """Tap something that changes a battle's table, and wait until it has."""
        target = self.page.locator(wanted) if isinstance(wanted, str) else wanted
        self.page.evaluate("document.getElementById('state').dataset.old = '1'")
        target.tap()
        self.page.locator("#state:not([data-old])").wait_for(state="attached")
        self.page.wait_for_load_state()  # of a page that was loaded whole, the scripts are awaited too

    def catch_up(self, version: int, revision: int = 0) -> None:
        """Wait until the page shows at least this version and revision, by itself."""
        for _look in range(1500):  # half a minute, as for everything else here
            shown = self.page.evaluate(SHOWN)
            if shown[0] >= version and shown[1] >= revision:
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"the page still shows {self.page.evaluate(SHOWN)}, not {(version, revision)}")

    def close(self) -> None:
        self.context.close()
        assert [fault for fault in self.faults if "status of 4" not in fault] == []


class House:
    """The server with one campaign of Hamilcar."""

    def __init__(self, path: Path, browser: Browser, seed: int) -> None:
        self.store = Store(path, source=random_source(random.Random(seed).randrange))
        self.app = create_app({"STORE": self.store})
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.server = make_server("127.0.0.1", 0, self.app, threaded=True)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.browser, self.tablets = browser, list[Tablet]()

    def campaign(self, **wanted: Any) -> None:
        game, self.tokens = self.store.create("hamilcar", **wanted)
        self.id = game.id

    def tablet(self, seat: str, scheme: str = "day", width: int = 1024) -> Tablet:
        self.tablets.append(Tablet(self.browser, self.url, self.tokens[seat], scheme, width))
        return self.tablets[-1]

    @property
    def state(self) -> Any:
        return self.store.load(self.id).state

    def told(self) -> list[str]:
        """The kinds of all events of the campaign."""
        return [each.type for entry in self.store.entries(self.id) for each in entry.events]

    def close(self) -> None:
        for tablet in self.tablets:
            tablet.close()
        self.app.extensions["navarch"].hub.close()
        self.server.shutdown()


@pytest.fixture
def house(tmp_path: Path, chromium: Browser) -> Iterator[House]:
    opened = House(tmp_path / "games.db", chromium, seed=4)
    yield opened
    opened.close()


@pytest.fixture
def before_the_voyage() -> dict[str, Any]:
    """Duilius stands inland at Tyndaris with 3 CUs; two battered ships a side; the sea and Lipara are Carthage's."""
    source = random_source(random.Random(3).randrange)
    begun = all_systems()["hamilcar"].start("off_mylae", None, {}, Dice(source=source, secret=source)).state
    raw: dict[str, Any] = plain(begun)
    raw["spaces"]["tyndaris"]["rome"] = {"units": 3, "elephants": 0, "trains": 1}
    raw["spaces"]["messana"]["rome"] = {"units": 0, "elephants": 0, "trains": 0}
    raw["generals"]["gaius_duilius"]["space"] = "tyndaris"
    for side, damage in (("rome", 4), ("carthage", 7)):
        ships = raw["ships"][side][:2]
        raw["ships"][side] = [{**ship, "at_sea": False, "ready": True, "damage": damage} for ship in ships]
    raw["march"] = {"side": "rome", "general": "gaius_duilius", "points": 5, "path": ["tyndaris"]}
    raw.update(engagement=None, voyage=None, agenda=raw["agenda"][:2])
    return raw
