"""A real server, a real Chromium with a touch screen, and tablets that sit down at a battle."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.serving import make_server

from kit.patience import PATIENT
from kit.readers import DUEL as READ
from tactical.kernel.dice import random_source
from webapp import create_app
from webapp.storage.journal.store import Store

sync_api = pytest.importorskip("playwright.sync_api")
SHOWN = "() => { const t = document.getElementById('table'); return [Number(t.dataset.version), Number(t.dataset.revision)]; }"
TABLET, PHONE = {"width": 1024, "height": 768}, {"width": 390, "height": 844}
SIDE = {"width": 844, "height": 390}
DUEL = {**READ, "turn_limit": 5, "options": {"edge": "wall"}}


class Room:
    """A server with its store, and the games played in it."""

    def __init__(self, path: Path) -> None:
        self.store = Store(path, source=random_source(random.Random(7).randrange))
        self.app = create_app({"STORE": self.store})
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.server = make_server("127.0.0.1", 0, self.app, threaded=True)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def battle(self, scenario: str | None = None, **wanted: Any) -> tuple[str, dict[str, str]]:
        game, tokens = self.store.create(
            "galley", scenario, None if scenario else wanted.pop("position", DUEL), **wanted
        )
        return game.id, tokens

    def state(self, game: str) -> Any:
        return self.store.load(game).state

    def close(self) -> None:
        self.app.extensions["navarch"].hub.close()
        self.server.shutdown()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    opened = Room(tmp_path_factory.mktemp("room") / "games.db")
    yield opened
    opened.close()


class Tablet:
    """One touch screen at one seat: it taps what is on its page."""

    def __init__(
        self, browser: Any, room: Room, size: dict[str, int], scheme: str = "day", patient: bool = True
    ) -> None:
        self.room, self.url = room, room.url
        self.context = browser.new_context(viewport=size, has_touch=True, service_workers="block", locale="en-GB")
        if patient:
            self.context.add_init_script(PATIENT)
        self.context.add_cookies([{"name": "scheme", "value": scheme, "url": room.url}])
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.faults: list[str] = []
        self.refusals: list[str] = []
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)

    def sit(self, token: str) -> Tablet:
        self.page.goto(f"{self.url}/join/{token}")
        return self

    def take(self, token: str) -> Tablet:
        """Take a seat without a look at its page, which costs as much as any other."""
        self.context.request.get(f"{self.url}/join/{token}", max_redirects=0, headers={"Sec-Fetch-Dest": "document"})
        return self

    def go(self, path: str) -> Tablet:
        self.page.goto(self.url + path)
        return self

    @property
    def version(self) -> int:
        return int(self.page.locator("#table").get_attribute("data-version") or 0)

    def tap(self, wanted: Any) -> None:
        """Tap something that changes the table, and wait until it has."""
        target = self.page.locator(wanted) if isinstance(wanted, str) else wanted
        self.page.evaluate("document.getElementById('state').dataset.old = '1'")
        target.tap()
        self.page.locator("#state:not([data-old])").wait_for(state="attached")
        self.page.wait_for_load_state()  # of a page that was loaded whole, the scripts are awaited too
        refused = self.page.locator("#refused")
        if refused.count():
            self.refusals.append(refused.inner_text())

    def until(self, version: int) -> None:
        """Wait until a change from elsewhere has arrived by itself."""
        self.catch_up(version, 0)

    def catch_up(self, version: int, revision: int, patience: int = 30_000) -> None:
        """Wait until the page shows at least this version and revision. (Polled from here: the page forbids eval.)"""
        for _ in range(patience // 20):
            shown = self.shown()
            if shown[0] >= version and shown[1] >= revision:
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"the page still shows {self.shown()}, not {(version, revision)}")

    def shown(self) -> tuple[int, int]:
        """Version and revision on the page."""
        return tuple(self.page.evaluate(SHOWN))


@pytest.fixture
def tablet(browser: Any, room: Room) -> Iterator[Callable[..., Tablet]]:
    opened: list[Tablet] = []

    def open_one(
        token: str | None = None,
        size: dict[str, int] = TABLET,
        scheme: str = "day",
        patient: bool = True,
        at: str = "",
    ) -> Tablet:
        opened.append(Tablet(browser, room, size, scheme, patient))
        if token and at:
            return opened[-1].take(token).go(at)
        return opened[-1].sit(token) if token else opened[-1]

    yield open_one
    for each in opened:
        faults = [fault for fault in each.faults if "status of 4" not in fault]
        each.context.close()
        assert not faults, faults
