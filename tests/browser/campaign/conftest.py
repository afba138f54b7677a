"""A real house on a real port, Chromium, and tablets that sit at a campaign."""

from __future__ import annotations

import copy
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect
from werkzeug.serving import make_server

from kit.patience import PATIENT
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import plain
from webapp import create_app
from webapp.storage.journal.store import Store, all_systems

expect.set_options(timeout=30_000)


class Tablet:
    """A browser with one seat. It acts only through what stands on its page."""

    def __init__(self, browser: Browser, house: str, token: str, width: int, height: int, scheme: str = "day") -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, service_workers="block"
        )
        self.context.add_init_script(PATIENT)
        self.context.add_cookies([{"name": "scheme", "value": scheme, "url": house}])
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        self.page.on("response", self.note)
        self.page.goto(f"{house}/join/{token}")

    def note(self, answer: Response) -> None:
        """Keep which command was refused, so that a fault says more than its number."""
        if answer.status >= 400:
            self.faults.append(f"{answer.status} {answer.request.method} {answer.url} {answer.request.post_data}")

    def answered(self) -> None:
        """Wait until no tap of this page is under way: what follows a tap must not overtake it."""
        self.page.wait_for_load_state()
        expect(self.page.locator("#side form.htmx-request")).to_have_count(0)

    @property
    def version(self) -> int:
        return int(self.page.locator("#table").get_attribute("data-version") or 0)

    def is_asked(self) -> bool:
        """Does the page say that it is this seat's turn?"""
        return self.page.locator(".wait.mine").count() > 0

    @property
    def revision(self) -> int:
        return int(self.page.locator("#table").get_attribute("data-revision") or 0)

    def sees_version(self, version: int) -> None:
        """Wait until the page shows at least this version."""
        self.until(lambda: self.version >= version, f"version {version}")

    def sees_revision(self, revision: int) -> None:
        """Wait until the page shows at least this revision: a version, or dice that are awaited."""
        self.until(lambda: self.revision >= revision, f"revision {revision}")

    def until(self, has_come: Callable[[], bool], what: str) -> None:
        """Wait for a moment as a reader does; the content policy forbids to ask the page in a loop of its own."""
        for _look in range(600):  # thirty seconds: machines are slow when all tests run
            if has_come():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"the page never showed {what}; it shows version {self.version}, revision {self.revision}")

    def tap(self, wanted: Any) -> None:
        """Tap something that changes a battle's table, and wait until it has."""
        self.page.evaluate("document.getElementById('state').dataset.old = '1'")
        (self.page.locator(wanted) if isinstance(wanted, str) else wanted).tap()
        self.page.locator("#state:not([data-old])").wait_for(state="attached")

    def catch_up(self, version: int, revision: int = 0) -> None:
        """Wait until a battle's page shows at least this version and revision."""
        shown = self.page.locator("#table")
        self.until(lambda: int(shown.get_attribute("data-version") or 0) >= version, f"version {version}")
        self.until(lambda: int(shown.get_attribute("data-revision") or 0) >= revision, f"revision {revision}")

    def offer(self, title: str) -> Any:
        """The box of one kind of offer."""
        return self.page.locator("section.offer").filter(has=self.page.get_by_role("heading", name=title)).first

    def presses(self, box: Any) -> None:
        """The first button of an offer, or of a ringed space where the map answers; where it asks twice, both times."""
        for closed in box.locator("details.twice:not([open]) > summary").all()[:1]:
            closed.click(timeout=4000)
        buttons = box.locator("button:not([data-step])")
        if not buttons.count() and self.page.locator(".spot.hot").count():
            space = self.page.locator(".spot.hot").first.get_attribute("data-mark")
            self.page.locator(f".cell[data-space='{space}']").dispatch_event("click")
            buttons = self.page.locator(
                f"#table[data-space='{space}'] :is(button[data-goal], section.place section.offer button:not([data-step]))"
            )
        buttons.first.click(timeout=4000)

    def throws(self, *faces: int) -> None:
        """Enter dice thrown by hand."""
        for face in faces:
            self.page.locator(f"[data-face='{face}']").click()
        self.page.get_by_role("button", name="Enter").click()

    def close(self) -> None:
        assert self.faults == [], self.faults
        self.context.close()


class Table:
    """The house with one campaign in it."""

    def __init__(self, store: Store, browser: Browser, address: str) -> None:
        self.store, self.browser, self.address = store, browser, address
        self.tablets: list[Tablet] = []

    def set_up(self, system: str = "hannibal", **wanted: Any) -> None:
        if "position" not in wanted:
            wanted.setdefault("scenario", self.store.systems[system].scenarios()[0].id)
        game, self.tokens = self.store.create(system, **wanted)
        self.id = game.id

    def tablet(self, seat: str, width: int = 1024, height: int = 768, scheme: str = "day") -> Tablet:
        made = Tablet(self.browser, self.address, self.tokens[seat], width, height, scheme)
        self.tablets.append(made)
        return made

    @property
    def version(self) -> int:
        return self.store.game(self.id).version

    @property
    def state(self) -> Any:
        return self.store.load(self.id).state

    def events(self) -> list[str]:
        """The kinds of all events so far."""
        return [event.type for entry in self.store.entries(self.id) for event in entry.events]


@pytest.fixture
def table(tmp_path: Path, chromium: Browser) -> Iterator[Table]:
    store = Store(tmp_path / "games.db", all_systems(), random_source(random.Random(11).randrange))
    app = create_app({"STORE": store})
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    made = Table(store, chromium, f"http://127.0.0.1:{server.server_port}")
    yield made
    for tablet in made.tablets:
        tablet.close()
    app.extensions["navarch"].hub.close()
    server.shutdown()


class Position:
    """Hannibal's first turn as a position that a test may change before it is set up."""

    def __init__(self) -> None:
        rules, source = all_systems()["hannibal"], random_source(random.Random(4).randrange)
        scenario = rules.scenarios()[0].id
        self.raw = copy.deepcopy(plain(rules.start(scenario, None, {}, Dice(source=source, secret=source)).state))

    def army(self, side: str, space: str, units: int, generals: tuple[str, ...] = (), elephants: int = 0) -> None:
        """Put an army somewhere; the generals bring nothing from where they stood."""
        for name in generals:
            self.raw["spaces"][self.raw["generals"][name]["space"]][side] = {"units": 0, "elephants": 0}
            self.raw["generals"][name]["space"] = space
        self.raw["spaces"][space][side] = {"units": units, "elephants": elephants}

    def plays(self, side: str) -> None:
        """It is this side's turn to play a card."""
        prompt = {"kind": "card", "seat": side, "rule": "strategy.4", "about": {}}
        self.raw.update(phase="strategy", first=side, active=side, agenda=[prompt])


@pytest.fixture
def position() -> Position:
    return Position()
