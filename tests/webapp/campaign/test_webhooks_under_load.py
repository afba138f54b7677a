"""A webhook that drips, fails or breaks stops neither the others nor the thread that calls."""

from __future__ import annotations

import socket
import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from webapp import create_app
from webapp.post import webhooks
from webapp.post.deadlines import waits
from webapp.post.postman import Notifier
from webapp.post.webhooks import Failed, calls, post
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store

WAIT = 30


class Receiver:
    """A server that takes one call after another and answers as `answer` says."""

    def __init__(self, answer: Any) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.called, self.stopped = threading.Event(), threading.Event()
        self._answer = answer
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.socket.getsockname()[1]}/hook"

    def _serve(self) -> None:
        while not self.stopped.is_set():
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.called.set()
            threading.Thread(target=self._answer, args=(connection, self.stopped), daemon=True).start()

    def stop(self) -> None:
        self.stopped.set()
        self.socket.close()


def drip(connection: socket.socket, stopped: threading.Event) -> None:
    """A byte now and then, never the end of a line."""
    try:
        while not stopped.wait(0.05):
            connection.sendall(b"H")
    except OSError:
        pass


def take(connection: socket.socket, stopped: threading.Event) -> None:
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
    connection.close()


@pytest.fixture
def slow() -> Iterator[Receiver]:
    receiver = Receiver(drip)
    yield receiver
    receiver.stop()


@pytest.fixture
def quick() -> Iterator[Receiver]:
    receiver = Receiver(take)
    yield receiver
    receiver.stop()


def test_a_call_has_a_deadline_as_a_whole(slow: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "DEADLINE", 0.3)
    with pytest.raises(Failed, match="too slow"):
        post(slow.url, {}, near=True)


def waiting(tmp_path: Path, *urls: str) -> tuple[Store, Notifier]:
    """Campaigns in which Rome waits and is called at each of the addresses."""
    store = Store(tmp_path / "games.db")
    app = create_app({"STORE": store, "CALLS_MAY_STAY_HOME": True})
    notifier: Notifier = app.extensions["navarch"].notifier
    for url in urls:
        game, _ = store.create("hannibal", scenario=store.systems["hannibal"].scenarios()[0].id)
        table = store.load(game.id)
        seat = table.system.waiting_for(table.state)[0]
        row = {
            "game": game.id,
            "seat": seat,
            "url": url,
            "at_once": 1,
            "daily": 0,
            "home": "",
            "told": -1,
            "lang": "en",
        }
        with store.write() as db:
            db.table("calls").insert(row)
    return store, notifier


def test_one_slow_end_does_not_stop_another(tmp_path: Path, slow: Receiver, quick: Receiver) -> None:
    store, notifier = waiting(tmp_path, slow.url, quick.url)
    notifier.start()
    for game in reversed(store.games()):
        store.announce(game.id, 0, 0)
    assert slow.called.wait(WAIT) and quick.called.wait(WAIT)


def test_a_game_that_cannot_be_told_of_holds_up_no_other_digest(
    tmp_path: Path, quick: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, notifier = waiting(tmp_path, quick.url, quick.url)
    with store.write() as db:
        db.conn.execute("update calls set daily = 1")
    bad, good = (call.game for call in calls(store))

    def fail_for_one(store: Store, table: Table) -> Any:
        if table.game.id == bad:
            raise LookupError("a fault of ours")
        return waits(store, table)

    monkeypatch.setattr("webapp.post.postman.waits", fail_for_one)
    told: list[str] = []
    notifier.run(None, datetime.now(UTC) + timedelta(days=9), lambda call, table, what: told.append(call.game))
    assert told == [good]


def test_the_thread_survives_what_goes_wrong(tmp_path: Path, quick: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    store, notifier = waiting(tmp_path, quick.url)
    met = threading.Event()
    real = notifier.run

    def broken(*args: Any, **kwargs: Any) -> None:
        if not met.is_set():
            met.set()
            raise sqlite3.OperationalError("database or disk is full")
        real(*args, **kwargs)

    monkeypatch.setattr(notifier, "run", broken)
    notifier.start()
    (game,) = store.games()
    store.announce(game.id, 0, 0)
    assert met.wait(WAIT)
    store.announce(game.id, 0, 0)
    assert quick.called.wait(WAIT)
