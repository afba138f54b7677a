"""A request reads its game once, looks up its seat once and writes once, whatever it asks for."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.random_play import QUITTING, fill
from tactical.kernel.record import encode
from webapp import create_app
from webapp.storage.journal.store import Store, all_systems

ROWS = re.compile(r"\b(?:from|join) games\b", re.IGNORECASE)
SEATS = re.compile(r"\bfrom seats where token\b", re.IGNORECASE)
HTMX = {"HX-Request": "true"}
COMMITS = re.compile(r"\s*commit\b", re.IGNORECASE)


class Played:
    """A new game on a server of its own, and a browser that holds a side's seat."""

    def __init__(self, path: Path, system: str) -> None:
        self.store = Store(path, all_systems())
        self.app = create_app({"STORE": self.store, "TESTING": True})
        self.app.extensions["navarch"].csrf.protect = lambda: None
        scenario = all_systems()[system].scenarios()[0].id
        game, self.tokens = self.store.create(system, scenario)
        self.id = game.id
        self.seat = next(seat for seat in self.store.load(self.id).waiting_for if seat not in (UMPIRE, SPECTATOR))
        self.browser, self.program = self.app.test_client(), self.app.test_client()
        self.browser.get(f"/join/{self.tokens[self.seat]}")
        self.bearer = {"Authorization": f"Bearer {self.tokens[self.seat]}"}

    def command(self) -> dict[str, Any]:
        """Something that the seat may say now, as JSON has it."""
        offers = [offer for offer in self.store.load(self.id).offers(self.seat) if offer.type not in QUITTING]
        found: dict[str, Any] = json.loads(encode(fill(offers[0], random.Random(1))))
        return found

    def tap(self, **headers: str) -> Callable[[], Any]:
        """A command as a page gives it."""
        sent = {"seen": self.store.game(self.id).version, "command": json.dumps(self.command())}
        return lambda: self.browser.post(f"/g/{self.id}/command", data=sent, headers=headers)

    def say(self) -> Callable[[], Any]:
        """The same as a program gives it."""
        sent = {"seen": self.store.game(self.id).version, "command": self.command()}
        return lambda: self.program.post(f"/api/v1/games/{self.id}/commands", json=sent, headers=self.bearer)

    def look(self, path: str, **headers: str) -> Callable[[], Any]:
        """A page of the browser's seat."""
        return lambda: self.browser.get(path.format(id=self.id), headers=headers)

    def ask(self, path: str) -> Callable[[], Any]:
        """What the API says."""
        return lambda: self.program.get(f"/api/v1/games/{self.id}{path}", headers=self.bearer)

    def said(self, do: Callable[[], Any]) -> list[str]:
        """The statements that the file is given while this is done."""
        found: list[str] = []
        self.store.file.db.conn.set_trace_callback(found.append)
        try:
            answer = do()
        finally:
            self.store.file.db.conn.set_trace_callback(None)
        assert answer.status_code == 200, answer.text[:300]
        answer.close()
        return found


REQUESTS: dict[str, Callable[[Played], Callable[[], Any]]] = {
    "page": lambda game: game.look("/g/{id}"),
    "part": lambda game: game.look("/g/{id}/table", **HTMX),
    "journal": lambda game: game.look("/g/{id}/log"),
    "television": lambda game: game.look("/display/{id}"),
    "program": lambda game: game.ask(""),
    "entries": lambda game: game.ask("/journal"),
    "tap": lambda game: game.tap(**HTMX),
    "command": lambda game: game.say(),
}

WRITING = ("tap", "command")


@pytest.fixture(params=sorted(all_systems()))
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Played:
    return Played(tmp_path / "games.db", request.param)


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_reads_its_game_and_its_seat_once_and_writes_once(game: Played, name: str) -> None:
    if name not in WRITING:
        game.said(REQUESTS[name](game))  # that a seat has read so far is written once
    said = game.said(REQUESTS[name](game))
    assert sum(bool(ROWS.search(each)) for each in said) == 1, said
    assert sum(bool(SEATS.search(each)) for each in said) <= 1, said
    assert sum(bool(COMMITS.match(each)) for each in said) == (name in WRITING), said
    assert len(said) == len(set(said)), said


def test_a_stream_looks_once_more_when_it_is_there_so_that_no_change_between_is_missed(game: Played) -> None:
    said = game.said(game.ask("/stream"))
    assert [ROWS.search(each) is not None for each in said].count(True) == 2
    assert sum(bool(SEATS.search(each)) for each in said) == 2, "its seat, and the letters to it alone"


def test_a_request_that_was_too_late_shows_what_stands_now(game: Played) -> None:
    tap = game.tap(**HTMX)
    command = game.command()
    game.store.submit(game.id, 0, game.seat, command, "digital")
    answer = tap()
    assert answer.status_code == 409
    assert game.store.game(game.id).version == 1


def test_between_two_requests_nothing_is_remembered(game: Played) -> None:
    before = game.ask("")().json["version"]
    game.store.submit(game.id, 0, game.seat, game.command(), "digital")
    assert game.ask("")().json["version"] == before + 1
    assert game.store.file.read_once("nothing", lambda: 1) == 1
    assert game.store.file.read_once("nothing", lambda: 2) == 2


def test_what_a_thread_writes_it_reads_anew(game: Played) -> None:
    file = game.store.file
    file.begin_request_cache()
    try:
        title = game.store.game(game.id).title
        other = Store(file.path, all_systems())
        other.rename(game.id, "another title")
        assert game.store.game(game.id).title == title  # one moment, whatever others write
        game.store.looked(game.id, game.seat, 1)
        assert game.store.game(game.id).title == "another title"
        with file.write() as db:
            db.conn.execute("update games set title = 'a third' where id = ?", (game.id,))
            assert game.store.game(game.id).title == "a third"
    finally:
        file.end_request_cache()
