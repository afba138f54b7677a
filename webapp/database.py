"""One SQLite file: a connection for each thread, and a fair queue for those who write.

Every write is one BEGIN IMMEDIATE transaction, durable (synchronous=FULL) before the caller goes on.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlite_utils import Database

PATIENCE = 30.0  # seconds that a writer waits for another process before it gives up


class TicketLock:
    """A lock that serves those who wait in the order in which they came."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._taken = False

    def __enter__(self) -> None:
        with self._guard:
            if not self._taken:
                self._taken = True
                return
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        turn.acquire()

    def __exit__(self, *_: object) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False


class File:
    """The SQLite file at `path`; connections open when a thread first needs one."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._mine = threading.local()
        self._queue = TicketLock()

    @property
    def db(self) -> Database:
        """This thread's own Database."""
        found: Database | None = getattr(self._mine, "db", None)
        if found is None:
            found = self._mine.db = self._open()
        return found

    def _open(self) -> Database:
        if not self.path.exists():
            self.path.touch(mode=0o600)  # it holds the server's secrets
        connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
        database = Database(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return database

    @contextmanager
    def write(self) -> Iterator[Database]:
        """One transaction that writes; it is on the disk when the block has ended, or it never was.

        Within an open one of the same thread it takes part in that.
        """
        db = self.db
        if db.conn.in_transaction:
            yield db
            return
        with self._queue:
            db.conn.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.conn.execute("ROLLBACK")
                raise
            db.conn.execute("COMMIT")

    def rows(self, sql: str, *parameters: Any) -> list[dict[str, Any]]:
        """What a query finds, as dictionaries."""
        return rows(self.db, sql, *parameters)

    def close(self) -> None:
        """Close this thread's connection."""
        found: Database | None = getattr(self._mine, "db", None)
        if found is not None:
            found.close()
            del self._mine.db


def rows(db: Database, sql: str, *parameters: Any) -> list[dict[str, Any]]:
    """What a query finds in an open transaction, as dictionaries."""
    return list(db.query(sql, parameters))
