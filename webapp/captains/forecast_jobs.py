"""Forecasts as jobs: kept in the file of games, fought by worker processes, read while they run, stopped at will.

A forecast that a stop of the server cut off goes on when somebody next asks for it. Of several processes over one file
one fights at a time, and each reads what the others have done.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from datetime import UTC, datetime, timedelta
from secrets import token_urlsafe
from typing import Any, NamedTuple

import msgspec

from tactical.battle import Battle
from tactical.kernel.record import Record, decode, encode
from webapp.captains.forecasting import Result, Summary, fight, summarize
from webapp.captains.worker_pool import worker_pool
from webapp.http.rate_limit import TooMany
from webapp.storage.errors import Unknown
from webapp.storage.file.election import Lock
from webapp.storage.journal.packing import pack, unpack
from webapp.storage.journal.store import Store
from webapp.storage.services.limits import most
from webapp.storage.services.worker import Worker

CHUNK = 4  # battles that a worker fights before it reports
IDLE = 30.0  # seconds after which workers without work are sent home
GENTLE = 10  # how far workers step back behind the pages
TURN = 2  # chunks for each worker in one turn, where others wait
NEXT = "the next forecast"
LOOK = 0.5  # seconds between two looks whether another process over the file has done its fighting


class Asker(NamedTuple):
    """Who asks for forecasts: a mark of his, and how many of them may be open at a time."""

    mark: str
    most: int


ORGANIZER = Asker("organizer", 1_000_000)


class Forecast(Record, frozen=True):
    """One forecast: what was asked, and the battles so far."""

    id: str
    start: Battle
    levels: dict[str, str]
    seed: str
    of: int
    status: str
    results: tuple[Result, ...]
    title: str = ""
    game: str | None = None
    by: str = ""  # who asked for it, by a mark

    @property
    def done(self) -> bool:
        """Nothing more is to come."""
        return self.status != "running"

    def summary(self) -> Summary:
        """What the battles so far add up to."""
        return summarize(self.start, self.results)


class Turns:
    """Names that wait, each with whose it is: everybody in turn, and the names of one in turn as well."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}  # with the asker; the one that waits longest first

    @property
    def is_alone(self) -> bool:
        """Does nobody else wait?"""
        return len(self.names) <= 1

    def add(self, name: str, by: str) -> None:
        """Let a name wait behind the others; one that waits already stays where it is."""
        self.names.setdefault(name, by)

    def next(self) -> str | None:
        """The name whose turn it is; None where nothing waits."""
        return next(iter(self.names), None)

    def end_turn(self, name: str, is_open: bool) -> None:
        """Its turn is over: whatever its asker has goes behind the others, and itself last, if more is to come."""
        by = self.names.pop(name, "")
        for same in [each for each, whose in self.names.items() if whose == by]:
            self.names[same] = self.names.pop(same)
        if is_open:
            self.names[name] = by


class Jobs:
    """The forecasts of one file of games, and the processes that fight them."""

    def __init__(self, store: Store, workers: int) -> None:
        self.store = store
        self.workers = workers
        self._queue = Turns()
        self._guard = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._lock = Lock(store.file.path.with_name(f"{store.file.path.name}.forecasts.lock"))
        self._worker = Worker("forecasts", self._work, self._end_pool, IDLE, lasting=False, end=store.file.close)

    # Asking ----------------------------------------------------------------------------------------

    def begin(
        self,
        start: Battle,
        levels: Mapping[str, str],
        seed: str,
        battles: int,
        title: str,
        game: str | None,
        asker: Asker = ORGANIZER,
    ) -> str:
        """A new forecast; its id is its key. Raises TooMany where its asker has as many open as he may."""
        name = token_urlsafe(16)
        asked = encode(
            {"levels": dict(levels), "seed": seed, "of": battles, "title": title, "game": game, "by": asker.mark}
        )
        with self.store.write() as db:
            self._end_old()
            if len(self._open(asker.mark)) >= asker.most:
                raise TooMany(
                    "Two forecasts from your network address are still being fought: "
                    "wait until one has ended, or stop one."
                )
            db.table("forecasts").insert(
                {
                    "id": name,
                    "made": self.store.now(),
                    "asked": asked.decode(),
                    "start": pack(encode(start)),
                    "results": pack(b"[]"),
                    "status": "running",
                }
            )
        self._enqueue(name, asker.mark)
        return name

    def look(self, name: str) -> Forecast:
        """A forecast as it stands; one that was cut off goes on. Raises Unknown."""
        self._end_old()
        found = self._read(name)
        if not found.done:
            self._enqueue(name, found.by)
        return found

    def stop(self, name: str) -> Forecast:
        """Fight no more battles; what there is stays to be read. Raises Unknown."""
        self._read(name)
        with self.store.write() as db:
            db.conn.execute("update forecasts set status = 'stopped' where id = ? and status = 'running'", (name,))
        return self._read(name)

    def _open(self, by: str) -> list[str]:
        """The forecasts of an asker that are being fought, or wait for it."""
        rows = self.store.file.rows(
            "select id from forecasts where status = 'running' and json_extract(asked, '$.by') = ?", by
        )
        return [row["id"] for row in rows]

    def _end_old(self) -> None:
        """Stop those that were begun too long ago; what there is of them stays to be read."""
        since = (datetime.now(UTC) - timedelta(hours=most("forecast hours"))).isoformat()
        if self.store.file.rows("select 1 from forecasts where status = 'running' and made < ? limit 1", since):
            with self.store.write() as db:
                db.conn.execute(
                    "update forecasts set status = 'stopped' where status = 'running' and made < ?", (since,)
                )

    def _read(self, name: str) -> Forecast:
        rows = self.store.file.rows("select * from forecasts where id = ?", name)
        if not rows:
            raise Unknown("There is no such forecast.")
        row = rows[0]
        asked: dict[str, Any] = msgspec.json.decode(row["asked"])
        return Forecast(
            name,
            decode(unpack(row["start"]), Battle),
            asked["levels"],
            asked["seed"],
            asked["of"],
            row["status"],
            decode(unpack(row["results"]), tuple[Result, ...]),
            asked.get("title", ""),
            asked.get("game"),
            asked.get("by", ""),
        )

    # Fighting --------------------------------------------------------------------------------------

    def _enqueue(self, name: str, by: str) -> None:
        with self._guard:
            self._queue.add(name, by)
        self._worker.put(NEXT)

    def _work(self, what: str) -> None:
        """One turn of the forecast whose turn it is."""
        with self._guard:
            name = self._queue.next()
        if name is None:
            return
        if not self._lock.take():
            self._worker.put(NEXT, after=LOOK)
            return
        is_open = False  # one that cannot be fought holds up no other
        try:
            self._end_old()
            if self._read(name).status == "running":
                self._fight(name)
                is_open = self._read(name).status == "running"
        except BrokenExecutor:
            self._pool = None
            raise
        finally:
            self._lock.let_go()
            with self._guard:
                self._queue.end_turn(name, is_open)
            self._worker.put(NEXT)

    def _end_pool(self) -> None:
        """Send the workers home."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def _fight(self, name: str) -> None:
        """One forecast to its end, until it is stopped, or for one turn where others wait."""
        pool = self._pool = self._pool or worker_pool(self.workers, GENTLE)
        job = self._read(name)
        results = {each.number: each for each in job.results}
        missing = deque(number for number in range(job.of) if number not in results)
        start = encode(job.start)
        running: set[Future[list[bytes]]] = set()
        parts = 0  # that were handed out in this turn
        while self._read(name).status == "running":
            while missing and len(running) < 2 * self.workers and (parts < TURN * self.workers or self._queue.is_alone):
                parts += 1
                numbers = [missing.popleft() for _ in range(min(CHUNK, len(missing)))]
                running.add(pool.submit(fight, start, job.levels, job.seed, numbers))
            if not running:
                break
            finished, running = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in finished:
                for raw in future.result():
                    each = decode(raw, Result)
                    results[each.number] = each
            if finished:
                self._keep(name, results, len(results) == job.of)
        for future in running:
            future.cancel()

    def _keep(self, name: str, results: Mapping[int, Result], done: bool) -> None:
        ordered = [results[number] for number in sorted(results)]
        with self.store.write() as db:
            db.conn.execute("update forecasts set results = ? where id = ?", (pack(encode(ordered)), name))
            if done:
                db.conn.execute("update forecasts set status = 'done' where id = ? and status = 'running'", (name,))
