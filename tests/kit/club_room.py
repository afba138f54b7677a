"""A server that can be stopped, and a Chromium before it: a test module imports the fixtures `server` and `chromium`."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page
from werkzeug.serving import make_server

from webapp import create_app


class Server:
    """The application at one port of this machine; `stop` cuts it off, `start` brings it back at the same port."""

    def __init__(self, database: Path) -> None:
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.app = create_app({"DATABASE": str(database)})
        self.port = 0
        self.start()

    def start(self) -> None:
        """Serve."""
        self._server = make_server("127.0.0.1", self.port, self.app, threaded=True)
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Serve no more: connections are refused."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture(name="server")
def club_server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "club.db")
    yield server
    server.stop()


def is_too_wide(page: Page) -> bool:
    """Must the reader scroll sideways?"""
    wide: bool = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return wide
