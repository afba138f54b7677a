"""A server in this process with a war of one's own, and browsers at its seats."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page
from werkzeug.serving import make_server

from kit.patience import PATIENT
from webapp import create_app
from webapp.storage.journal.store import Store, all_systems


class Tables:
    """The server, whose dice show their most, and its pages; `faults` holds what their consoles said."""

    def __init__(self, browser: Browser, file: Path) -> None:
        self.browser, self.store = browser, Store(file, all_systems(), lambda sides: sides)
        self.server = make_server("127.0.0.1", 0, create_app({"STORE": self.store}), threaded=True)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.faults: list[str] = []
        self.tokens: dict[str, str] = {}
        self.id = ""

    def begin(self, **wanted: Any) -> None:
        """Begin a war."""
        game, self.tokens = self.store.create("open_campaign", **wanted)
        self.id = game.id

    def play(self, *commands: dict[str, Any]) -> None:
        """Give commands as the sides that they name, else as the umpire."""
        for command in commands:
            self.store.submit(self.id, self.store.game(self.id).version, command.get("side", "umpire"), command)

    def sit(self, seat: str, width: int = 390, height: int = 844, **more: Any) -> Page:
        """A browser that has taken a seat."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, service_workers="block", **more
        )
        context.add_init_script(PATIENT)
        page = context.new_page()
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        context.request.get(
            f"{self.address}/join/{self.tokens[seat]}", max_redirects=0, headers={"Sec-Fetch-Dest": "document"}
        )
        return page

    def close(self) -> None:
        """Stop the server."""
        self.server.shutdown()
        self.store.file.close()
