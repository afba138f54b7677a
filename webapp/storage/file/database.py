"""One SQLite file: a connection for each thread, and a fair queue for those who write.

Every write is one BEGIN IMMEDIATE transaction, durable (synchronous=FULL) before the caller goes on.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlite_utils import Database

from webapp.storage.errors import NoRoom
from webapp.storage.file import anchors
from webapp.storage.file.anchors import End
from webapp.storage.file.faults import ShowsOnly

Found = TypeVar("Found")
PATIENCE = 10.0  # seconds that a writer waits for another process; a page gives up after 20 itself


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


class Connection(Database):
    """A thread's connection. `ends` is what the open transaction has added to journals."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self.ends: list[End] = []
        self.then: list[Callable[[], None]] = []

    @property
    def bytes(self) -> int:
        """How large the file is with what the open transaction has written, its log left out."""
        pages, size = (self.conn.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "page_size"))
        return int(pages) * int(size)


class File:
    """The SQLite file at `path`; connections open when a thread first needs one.

    `largest`: the bytes beyond which nothing but moves may make the file grow; None where nobody limits it.
    `shows_only`: another machine writes now, and nothing is written here.
    """

    def __init__(self, path: Path | str, shows_only: bool = False) -> None:
        self.path = Path(path)
        self.largest: int | None = None
        self.shows_only = shows_only
        self._follows = shows_only  # from the start: the file itself is another program's
        self._mine = threading.local()
        self._queue = TicketLock()

    @property
    def db(self) -> Connection:
        """This thread's own connection."""
        found: Connection | None = getattr(self._mine, "db", None)
        if found is None:
            found = self._mine.db = self._open()
        return found

    def _open(self) -> Connection:
        if self._follows:
            address = f"{self.path.absolute().as_uri()}?mode=ro"
            return Connection(sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None))
        if not self.path.exists():
            self.path.touch(mode=0o600)  # it holds the server's secrets
        connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = FAST")  # a link that is blanked leaves the page that held it
        except sqlite3.Error:
            connection.close()
            raise
        return Connection(connection)

    @contextmanager
    def write(self, is_move: bool = False) -> Iterator[Connection]:
        """One transaction that writes; it is on the disk when the block has ended, or it never was.

        Within an open one of the same thread it takes part in that. What stands in `then` is done when it ended well.
        Raises NoRoom for what would make a file that has reached its limit grow, unless it is a move: play goes on, and
        what is removed or changed in its place is written. Raises ShowsOnly where another machine writes.
        """
        if self.shows_only:
            raise ShowsOnly
        db = self.db
        if db.conn.in_transaction:
            yield db
            return
        with self._queue:
            db.ends.clear()
            db.then.clear()
            db.conn.execute("BEGIN IMMEDIATE")
            try:
                limit = None if is_move else self.largest
                before = 0 if limit is None else db.bytes
                yield db
                if limit is not None and before < db.bytes > limit:
                    raise self._no_room()
                db.conn.execute("COMMIT")
                if db.ends:
                    anchors.drop(self.path, db.ends)
            except BaseException:
                if db.conn.in_transaction:  # SQLite itself takes back what meets a full disk
                    db.conn.execute("ROLLBACK")
                raise
            finally:
                self._mine.known = None if self._known is None else {}
            then = tuple(db.then)
        for tell in then:
            tell()

    @property
    def _known(self) -> dict[Hashable, Any] | None:
        """The cache of this thread's request; None outside of one."""
        found: dict[Hashable, Any] | None = getattr(self._mine, "known", None)
        return found

    def begin_request_cache(self) -> None:
        """Let this thread read nothing twice, until it writes something, or until `end_request_cache`.

        A request begins with it: what it shows is of one moment.
        """
        self._mine.known = {}

    def end_request_cache(self) -> None:
        """Drop what this thread has read."""
        self._mine.known = None
        self.let_go()

    def let_go(self) -> None:
        """Close this thread's connection to a file that is followed: its follower waits until nobody holds it."""
        if self._follows:
            self.close()

    def stamp(self) -> int:
        """A number that differs when another connection has changed the file since this thread last asked."""
        if self._follows:
            return self.path.stat().st_mtime_ns
        return int(self.db.conn.execute("PRAGMA data_version").fetchone()[0])

    def read_once(self, name: Hashable, read: Callable[[], Found]) -> Found:
        """What `read` finds: once within a request, but anew within a transaction."""
        known = self._known
        if known is None or self.db.conn.in_transaction:
            return read()
        if name not in known:
            known[name] = read()
        found: Found = known[name]
        return found

    def prime(self, name: Hashable, found: object) -> None:
        """What `read_once` will say under that name, where this thread knows it from what it wrote."""
        if self._known is not None and not self.db.conn.in_transaction:
            self._known[name] = found

    def check_room(self) -> None:
        """Raises NoRoom where the file has reached its limit: asked before much work is done in vain."""
        if self.largest is not None and self.size() > self.largest:
            raise self._no_room()

    def _no_room(self) -> NoRoom:
        return NoRoom("The games file has reached its limit: only moves are written until the organizer makes room.")

    def size(self) -> int:
        """The bytes of the file and of its log."""
        log = self.path.with_name(f"{self.path.name}-wal")
        return sum(part.stat().st_size for part in (self.path, log) if part.exists())

    def rows(self, sql: str, *parameters: Any) -> list[dict[str, Any]]:
        """What a query finds, as dictionaries, which nobody may change (see `read_once`)."""
        return self.read_once((sql, parameters), lambda: rows(self.db, sql, *parameters))

    def close(self) -> None:
        """Close this thread's connection."""
        found: Database | None = getattr(self._mine, "db", None)
        if found is not None:
            found.close()
            del self._mine.db


def rows(db: Database, sql: str, *parameters: Any) -> list[dict[str, Any]]:
    """What a query finds in an open transaction, as dictionaries."""
    cursor = db.conn.execute(sql, parameters)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
