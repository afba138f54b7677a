"""Forecasts as jobs: kept in the file of games, fought by worker processes, read while they run, stopped at will.

A forecast that a stop of the server cut off goes on when somebody next asks for it. Of several processes over one file
one fights at a time, and each reads what the others have done.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from secrets import token_urlsafe
from time import sleep
from typing import Any

import msgspec

from tactical.battle import Battle
from tactical.kernel.record import Record, decode, encode
from webapp.captains.apart import gentle
from webapp.captains.forecasting import Result, Summary, fight, summed
from webapp.storage.election import Lock
from webapp.storage.errors import Unknown
from webapp.storage.games import Store
from webapp.storage.packing import pack, unpack

CHUNK = 4  # battles that a worker fights before it reports
IDLE = 30.0  # seconds after which workers without work are sent home
GENTLE = 10  # how far workers step back behind the pages
LOOK = 0.5  # seconds between two looks whether another process over the file has done its fighting


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

    @property
    def done(self) -> bool:
        """Nothing more is to come."""
        return self.status != "running"

    def summary(self) -> Summary:
        """What the battles so far add up to."""
        return summed(self.start, self.results)


class Jobs:
    """The forecasts of one file of games, and the processes that fight them."""

    def __init__(self, store: Store, workers: int) -> None:
        self.store = store
        self.workers = workers
        self._queue: deque[str] = deque()
        self._guard = threading.Condition()
        self._thread: threading.Thread | None = None

    # Asking ----------------------------------------------------------------------------------------

    def begin(
        self, start: Battle, levels: Mapping[str, str], seed: str, battles: int, title: str, game: str | None
    ) -> str:
        """A new forecast; its id is its key."""
        name = token_urlsafe(16)
        asked = encode({"levels": dict(levels), "seed": seed, "of": battles, "title": title, "game": game})
        with self.store.write() as db:
            db.table("forecasts").insert(
                {"id": name, "made": self.store.now(), "asked": asked.decode(), "start": pack(encode(start)),
                 "results": pack(b"[]"), "status": "running"}
            )  # fmt: skip
        self._enqueue(name)
        return name

    def look(self, name: str) -> Forecast:
        """A forecast as it stands; one that was cut off goes on. Raises Unknown."""
        found = self._read(name)
        if not found.done:
            self._enqueue(name)
        return found

    def stop(self, name: str) -> Forecast:
        """Fight no more battles; what there is stays to be read. Raises Unknown."""
        self._read(name)
        with self.store.write() as db:
            db.conn.execute("update forecasts set status = 'stopped' where id = ? and status = 'running'", (name,))
        return self._read(name)

    def _read(self, name: str) -> Forecast:
        rows = self.store.file.rows("select * from forecasts where id = ?", name)
        if not rows:
            raise Unknown("There is no such forecast.")
        row = rows[0]
        asked: dict[str, Any] = msgspec.json.decode(row["asked"])
        return Forecast(
            name, decode(unpack(row["start"]), Battle), asked["levels"], asked["seed"], asked["of"], row["status"],
            decode(unpack(row["results"]), tuple[Result, ...]), asked.get("title", ""), asked.get("game"),
        )  # fmt: skip

    # Fighting --------------------------------------------------------------------------------------

    def _enqueue(self, name: str) -> None:
        with self._guard:
            if name not in self._queue:
                self._queue.append(name)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="forecasts", daemon=True)
                self._thread.start()
            self._guard.notify()

    def _run(self) -> None:
        """The thread that hands out battles; it ends, and its workers with it, when nobody asks for a while."""
        pool = gentle(self.workers, GENTLE)
        lock = Lock(self.store.file.path.with_name(f"{self.store.file.path.name}.forecasts.lock"))
        try:
            while True:
                with self._guard:
                    if not self._queue and not self._guard.wait(IDLE) and not self._queue:
                        self._thread = None
                        return
                    if not self._queue:
                        continue
                    name = self._queue[0]
                while self._read(name).status == "running":
                    if lock.take():
                        try:
                            self._fight(pool, name)
                        finally:
                            lock.let_go()
                    else:
                        sleep(LOOK)
                with self._guard:
                    self._queue.remove(name)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            self.store.file.close()

    def _fight(self, pool: ProcessPoolExecutor, name: str) -> None:
        """One forecast to its end, or until it is stopped."""
        job = self._read(name)
        results = {each.number: each for each in job.results}
        missing = deque(number for number in range(job.of) if number not in results)
        start = encode(job.start)
        running: set[Future[list[bytes]]] = set()
        while (missing or running) and self._read(name).status == "running":
            while missing and len(running) < 2 * self.workers:
                numbers = [missing.popleft() for _ in range(min(CHUNK, len(missing)))]
                running.add(pool.submit(fight, start, job.levels, job.seed, numbers))
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
