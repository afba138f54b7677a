"""Live updates: one event for each change, to resume from; also what another process writes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from players import Player
from toy import SYSTEMS

from webapp import stream
from webapp.store import Store
from webapp.stream import Hub, versions

SHOT = {"type": "shoot", "side": "red"}


class Listener:
    """A client that reads a stream in a thread of its own."""

    def __init__(self, events: Iterator[str]) -> None:
        self.heard: list[str] = []
        self.ended = threading.Event()
        self._thread = threading.Thread(target=self._read, args=(events,), daemon=True)
        self._thread.start()

    def _read(self, events: Iterator[str]) -> None:
        for text in events:
            self.heard.append(text)
        self.ended.set()

    @property
    def versions(self) -> list[str]:
        return [text for text in self.heard if "event: version" in text]


def until(what: Callable[[], bool]) -> None:
    """Wait for it, at most ten seconds."""
    end = time.monotonic() + 10
    while not what():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.01)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PING", 0.05)
    monkeypatch.setattr(stream, "LOOK", 0.02)


def test_an_event_has_an_id_a_kind_and_the_number() -> None:
    assert list(versions(6, 8)) == [
        "id: 7\nevent: version\ndata: 7\n\n",
        "id: 8\nevent: version\ndata: 8\n\n",
    ]


def test_each_change_is_one_event(store: Store) -> None:
    hub, game = Hub(store), store.create("toy", "duel")[0].id
    listener = Listener(hub.stream(game, None))
    until(lambda: len(listener.heard) == 1)
    store.submit(game, 0, "red", SHOT)
    store.submit(game, 1, "red", SHOT)
    store.undo(game, 2, "umpire")
    until(lambda: len(listener.versions) == 3)
    assert [text.split()[1] for text in listener.versions] == ["1", "2", "3"]
    hub.close()


def test_a_client_that_comes_back_hears_what_it_missed(store: Store) -> None:
    hub, game = Hub(store), store.create("toy", "duel")[0].id
    for seen in range(3):
        store.submit(game, seen, "red", SHOT, [1, 1])
    listener = Listener(hub.stream(game, 1))
    until(lambda: len(listener.versions) == 2)
    late = Listener(hub.stream(game, 99))
    until(lambda: len(late.heard) == 1)
    store.submit(game, 3, "red", SHOT, [1, 1])
    until(lambda: len(late.versions) == 1)
    assert [text.split()[1] for text in listener.versions[:2]] == ["2", "3"]
    hub.close()


def test_another_process_is_heard_too(store: Store, tmp_path: Path, quick: None) -> None:
    hub, game = Hub(store), store.create("toy", "duel")[0].id
    listener = Listener(hub.stream(game, None))
    until(lambda: len(listener.heard) >= 1)
    other = Store(tmp_path / "games.db", SYSTEMS)  # no hub of this one knows of it
    other.submit(game, 0, "red", SHOT)
    until(lambda: len(listener.versions) == 1)
    hub.close()


def test_pings_come_in_between(store: Store, quick: None) -> None:
    hub, game = Hub(store), store.create("toy", "duel")[0].id
    listener = Listener(hub.stream(game, None))
    until(lambda: listener.heard.count(": ping\n\n") >= 2)
    assert listener.versions == []
    hub.close()


def test_a_roll_that_is_awaited_is_told_without_a_version(store: Store) -> None:
    hub, game = Hub(store), store.create("toy", "duel", dice="physical")[0].id
    listener = Listener(hub.stream(game, None))
    until(lambda: len(listener.heard) == 1)
    store.submit(game, 0, "red", SHOT)
    until(lambda: "event: waiting\ndata: 0\n\n" in listener.heard)
    assert listener.versions == []
    hub.close()


def test_the_stream_ends_when_the_game_is_gone(store: Store) -> None:
    hub, game = Hub(store), store.create("toy", "duel")[0].id
    listener = Listener(hub.stream(game, None))
    until(lambda: len(listener.heard) == 1)
    store.delete(game)
    assert listener.ended.wait(10)


def test_nothing_is_kept_for_clients_that_have_left(store: Store, quick: None) -> None:
    hub, game = Hub(store), store.create("toy", "duel")[0].id
    events = hub.stream(game, None)
    next(events)
    assert hub._watched[game] == 1
    events.close()
    assert not hub._watched and not hub._known
    until(lambda: hub._watcher is None)


def test_the_address_answers_with_events(app: Flask, game: Player) -> None:
    game.give("red", 0, "shoot", side="red")
    path = f"/api/v1/games/{game.id}/stream"
    assert game.client.get(path).status_code == 401
    answer = game.client.get(path, headers={**game.headers("blue"), "Last-Event-ID": "0"}, buffered=False)
    assert answer.status_code == 200 and answer.mimetype == "text/event-stream"
    parts = answer.iter_encoded()
    assert b"retry" in next(parts)
    assert next(parts) == b"id: 1\nevent: version\ndata: 1\n\n"
    answer.close()
    app.extensions["navarch-hub"].close()
