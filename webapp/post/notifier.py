"""The notifier: it tells seats when it is their turn or another asks for their word, at once or once a day.

It looks at every game that has changed, and every minute for seats that are due for their daily digest. Its worker
starts when the first call is set up (or when the program starts and there are some). Of several processes over one file
the elected one calls.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from flask import Flask
from flask_babel import force_locale

from webapp.api.serializers import events_for
from webapp.http.addresses import seat_path
from webapp.http.outgoing_calls import OutgoingCalls
from webapp.post.assents import Question, question_text, questions
from webapp.post.http_post import Failed, post
from webapp.post.turn_sentence import turn_sentence
from webapp.post.turn_status import Wait, waits
from webapp.post.webhooks import Call, calls, was_not_told, was_told
from webapp.storage.errors import Unknown
from webapp.storage.file.faults import attempt
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.services.worker import Worker
from webapp.systems.messages import lines_of

AGAIN = 2.0  # seconds until a call is tried again whose other end was busy with another
LOOK = 60.0  # seconds between two looks for digests
DAY = timedelta(hours=23, minutes=30)
LINES = 12  # events that a call tells of


@dataclass(frozen=True)
class Told:
    """What a call is about: the turn of its seat, if it is told of that, and the requests that it is told of.

    `asked` are all open requests to the seat, of which it knows afterwards, one a line.
    """

    wait: Wait | None
    requests: tuple[Question, ...]
    asked: str


Do = Callable[[Call, Table, Told], None]


class Notifier:
    """Calls the seats of one file of games."""

    def __init__(self, app: Flask, store: Store) -> None:
        self.app, self.store = app, store
        self._calls = OutgoingCalls(app, store, "navarch-call")
        self._worker = Worker(
            "navarch-calls",
            lambda game: self.run(game, do=self._tell_apart),
            lambda: self.run(None, do=self._tell_apart),
            LOOK,
            end=store.file.close,
        )
        self._worker.follow(store, "calls", lambda: {call.game for call in calls(store)}, at_first=False)
        store.election.when_ours(self._begin)

    def _begin(self) -> None:
        """Be there for what is set up already, and for what other processes may set up."""
        if not self.store.election.is_alone or calls(self.store):
            self.start()

    @property
    def near(self) -> bool:
        """Does the organizer allow calls within the server's own network?"""
        return bool(self.app.config.get("CALLS_MAY_STAY_HOME"))

    def start(self) -> None:
        """Let the worker run, if no other process calls."""
        if self.store.election.is_ours:
            self._worker.start()

    def _tell_apart(self, call: Call, table: Table, told: Told) -> None:
        """Make a call in a thread of its own, one at a time for each other end, so that none waits for another."""
        if not self._calls.run(call.host, partial(self.tell, call, table, told)):
            self._worker.put(call.game, after=AGAIN)

    def run(self, game: str | None, now: datetime | None = None, do: Do | None = None) -> None:
        """Call those of a game who are newly waited for or asked; without a game, those whose day is over."""
        do = do or self.tell
        with self.app.app_context():
            for call in calls(self.store, game):
                attempt("a call", partial(self._look_at, call, game is not None, now, do))

    def _look_at(self, call: Call, has_changed: bool, now: datetime | None, do: Do) -> None:
        """Make one call if it is due, or if its game has changed and its seat is newly waited for or asked."""
        table = self.store.load(call.game)
        wait = next((wait for wait in waits(self.store, table) if wait.seat == call.seat), None)
        if wait is not None and not (at_once(self.store, call, table) if has_changed else due(call, wait.since, now)):
            wait = None
        asked = tuple(each for each in questions(self.store, table) if each.seat == call.seat)
        if has_changed:
            open_now = tuple(each for each in asked if call.at_once and name_of(each) not in call.asked.split("\n"))
        else:
            open_now = tuple(each for each in asked if due(call, each.since, now))
        if wait is not None or open_now:
            do(call, table, Told(wait, open_now, "\n".join(map(name_of, asked))))

    def tell(self, call: Call, table: Table, told: Told) -> None:
        """Make one call and keep how it went."""
        with force_locale(call.lang):
            said = message(self.store, call, table, told)
        try:
            post(call.url, said, self.near)
        except Failed as fault:
            was_not_told(self.store, call, table.game.newest(call.seat), told.asked, str(fault))
        else:
            was_told(self.store, call, table.game.newest(call.seat), told.asked)


def name_of(asked: Question) -> str:
    """What a request is known by."""
    return f"{asked.kind} {asked.by} {asked.entry}"


def at_once(store: Store, call: Call, table: Table) -> bool:
    """Was the seat not waited for when it was last told, or has it acted since?"""
    if not call.at_once or call.told >= table.game.newest(call.seat):
        return False
    return (
        call.told < 0
        or any(entry.seat == call.seat for entry in store.entries(call.game, call.told))
        or (call.seat not in _waiting_then(store, call))
    )


def _waiting_then(store: Store, call: Call) -> tuple[str, ...]:
    try:
        then = store.table_after(call.game, call.told)
    except Unknown:
        return ()
    return tuple(then.system.waiting_for(then.state))


def due(call: Call, since: str, now: datetime | None = None) -> bool:
    """Has the seat been waited for a day, or asked, and not been told within one?"""
    if not call.daily:
        return False
    moments = [since] + [moment for moment in (call.told_at, call.failed_at) if moment]
    newest = max(datetime.fromisoformat(moment.replace("Z", "+00:00")) for moment in moments)
    return (now or datetime.now(UTC)) - newest >= DAY


def message(store: Store, call: Call, table: Table, told: Told) -> dict[str, Any]:
    """What a call says: that it is the seat's turn or who asks for its word, since when, and what has happened."""
    game = table.game
    entries = [entry for entry in store.entries(game.id, max(call.told, 0)) if entry.taken_back is None]
    known = set[Hashable]()
    happened = [
        line.text for entry in entries for line in lines_of(game.system, events_for(entry.events, call.seat), known)
    ]
    said = [turn_sentence(store, table, call.seat).text] if told.wait is not None else []
    text = f"{game.title}: {' '.join((*said, *(question_text(table, each) for each in told.requests)))}"
    link = call.home + seat_path(game.id, call.seat)
    return {
        "game": game.id,
        "title": game.title,
        "system": game.system,
        "seat": call.seat,
        "version": game.newest(call.seat),
        "waiting_since": told.wait.since if told.wait is not None else told.requests[0].since,
        "happened": happened[-LINES:],
        "link": link,
        "text": f"{text} {link}",
        "content": f"{text} {link}",
    }
