"""Live updates: one event for each change, to resume from; also what another process writes."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from kit.players import Player
from kit.toy import SYSTEMS
from webapp.http import streams
from webapp.http.rate_limit import TooMany
from webapp.http.streams import Hub, Shares, event
from webapp.storage.journal import records
from webapp.storage.journal.store import Store, touch
from webapp.storage.services import letters

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
    monkeypatch.setattr(streams, "PING", 0.05)
    monkeypatch.setattr(streams, "LOOK", 0.02)


def test_an_event_has_an_id_a_kind_and_the_number() -> None:
    assert event(7) == "id: 7\nevent: version\ndata: 7\n\n"


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
        store.submit(game, seen, "umpire", SHOT, [1, 1])
    listener = Listener(hub.stream(game, 1))
    until(lambda: len(listener.versions) == 2)
    late = Listener(hub.stream(game, 99))
    until(lambda: len(late.heard) == 2)
    assert "event: lost" in late.heard[1], "it has seen more than the server has"
    store.submit(game, 3, "umpire", SHOT, [1, 1])
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


def test_a_game_that_cannot_be_read_keeps_no_other_from_being_heard(
    store: Store, tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, bad, good = Hub(store), store.create("toy", "duel")[0].id, store.create("toy", "duel")[0].id
    listeners = [Listener(hub.stream(game, None)) for game in (bad, good)]
    until(lambda: all(len(each.heard) >= 1 for each in listeners))
    find = store.find

    def fail_for_one(game: str) -> Any:
        if game == bad:
            raise LookupError("a fault of ours")
        return find(game)

    monkeypatch.setattr(store, "find", fail_for_one)
    other = Store(tmp_path / "games.db", SYSTEMS)
    other.submit(bad, 0, "red", SHOT)
    other.submit(good, 0, "red", SHOT)
    until(lambda: len(listeners[1].versions) == 1)
    other.submit(good, 1, "umpire", SHOT, [1, 1])  # the watcher has gone on
    until(lambda: len(listeners[1].versions) == 2)
    assert listeners[0].versions == []
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


def test_what_changed_besides_a_version_is_told_after_it(store: Store) -> None:
    hub, game = Hub(store), store.create("toy", "duel")[0].id
    stream = hub.stream(game, None)
    assert stream.news().startswith("retry")
    store.submit(game, 0, "red", SHOT)
    touch(store, game)  # before anybody has looked
    assert [stream.news() for _ in range(3)] == [event(1), "event: waiting\ndata: 1\n\n", ""]
    store.submit(game, 1, "red", SHOT)
    store.submit(game, 2, "red", SHOT)
    assert [stream.news() for _ in range(3)] == [event(2), event(3), ""]
    hub.close()


def test_what_happens_while_the_first_stream_of_a_game_opens_is_told(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, game, read = Hub(store), store.create("toy", "duel")[0].id, store.revisions

    def overtaken(games: list[str]) -> dict[str, tuple[int, int]]:
        found = read(games)
        store.submit(game, 0, "red", SHOT)
        return found

    monkeypatch.setattr(streams.Hub, "_watch", lambda hub: None)  # a look at the file is another way to hear of it
    monkeypatch.setattr(store, "revisions", overtaken)
    stream = hub.stream(game, None)
    assert [stream.news() for _ in range(3)][1:] == [event(1), ""]
    hub.close()


def test_a_page_that_has_not_seen_the_last_revision_is_told_when_its_stream_opens(app: Flask, game: Player) -> None:
    store: Store = app.extensions["navarch"].store
    known = store.game(game.id).revision
    touch(store, game.id)
    for seen, told in ((known, b"event: waiting\ndata: 0\n\n"), (known + 1, b": ping\n\n")):
        path = f"/api/v1/games/{game.id}/stream?after=0&revision={seen}"
        answer = game.client.get(path, headers=game.headers("blue"), buffered=False)
        heard = answer.iter_encoded()
        assert b"retry" in next(heard) and next(heard) == told
        answer.close()
    app.extensions["navarch"].hub.close()


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
    assert hub.follower_counts()[game] == 1
    events.close()
    assert not hub.follower_counts() and not hub._known
    until(lambda: hub._watcher is None)


def test_the_stream_of_a_withdrawn_seat_ends(store: Store, quick: None) -> None:
    game, seats = store.create("toy", "duel")
    hub = Hub(store)
    red, blue = (Listener(hub.stream(game.id, None, token=records.token_hash(seats[seat]))) for seat in ("red", "blue"))
    until(lambda: len(red.heard) >= 1 and len(blue.heard) >= 1)
    store.withdraw(game.id, "red")
    assert red.ended.wait(10) and not blue.ended.is_set()
    hub.close()


def test_a_letter_to_one_seat_is_told_to_that_seat_alone(store: Store, quick: None) -> None:
    game, seats = store.create("toy", "duel")
    hub = Hub(store)
    streams = {seat: hub.stream(game.id, None, token=records.token_hash(seats[seat])) for seat in seats}
    heard = {seat: Listener(stream).heard for seat, stream in streams.items()}
    until(lambda: all(heard.values()))
    before = store.game(game.id).revision
    letters.send(store, game.id, "umpire", "red", "Between us.")
    until(lambda: any("event: waiting" in text for text in heard["red"]))
    assert store.game(game.id).revision == before
    letters.send(store, game.id, "umpire", "all", "For all.")
    expected = {"red": 2, "blue": 1, "umpire": 1, "spectator": 1}
    until(lambda: {seat: sum("event: waiting" in text for text in heard[seat]) for seat in seats} == expected)
    late = hub.stream(game.id, None, token=records.token_hash(seats["red"]))
    assert [late.news() for _ in range(2)][1:] == [""], "what was there before is no news"
    hub.close()


def test_one_address_and_one_seat_have_a_share_of_the_streams(store: Store) -> None:
    hub, game = Hub(store, Shares(total=9, address=4, strangers=2, seat=3)), store.create("toy", "duel")[0].id
    kept = [hub.stream(game, None, "10.0.0.1") for _ in range(2)]
    with pytest.raises(TooMany):
        hub.stream(game, None, "10.0.0.1")
    kept += [hub.stream(game, None, "10.0.0.1", "a"), hub.stream(game, None, "10.0.0.1", "a")]
    with pytest.raises(TooMany):
        hub.stream(game, None, "10.0.0.1", "b")
    kept += [hub.stream(game, None, "10.0.0.2", "a")]
    with pytest.raises(TooMany):
        hub.stream(game, None, "10.0.0.3", "a")
    kept += [hub.stream(game, None, f"2001:db8:0:{near}::1") for near in (0, 0, 1, 1)]
    with pytest.raises(TooMany):
        hub.stream(game, None, "192.0.2.7", "c")
    kept.pop(0).close()
    kept += [hub.stream(game, None, "10.0.0.1", "c")]
    del kept
    for _look in range(400):  # the hub's own look may hold one for a moment, a refusal's frame another
        gc.collect()
        if not hub.follower_counts():
            break
        time.sleep(0.02)
    assert not hub.follower_counts()  # what nobody holds is not counted, though it was never closed
    hub.close()


def test_a_loop_follows_a_stream_without_a_thread(store: Store) -> None:
    hub, game = Hub(store), store.create("toy", "duel")[0].id
    stream = hub.stream(game, None)

    async def follow() -> list[str]:
        heard = []
        async for text in stream.follow():
            heard.append(text)
            if len(heard) == 1:
                await asyncio.to_thread(store.submit, game, 0, "red", SHOT)
            else:
                hub.close()
        return heard

    with ThreadPoolExecutor(1) as apart:  # a browser test before this one may have left its loop in the main thread
        assert apart.submit(lambda: asyncio.run(follow())).result()[1:] == [event(1)]


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
    app.extensions["navarch"].hub.close()
