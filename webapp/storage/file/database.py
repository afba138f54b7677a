"""One SQLite file: its tables, a connection for each thread, a fair queue, and what can go wrong."""

from __future__ import annotations

import errno
import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlite_utils import Database

from webapp.storage.errors import Barred, NoRoom, Unknown
from webapp.storage.file import anchors
from webapp.storage.file.anchors import End

# -- What can go wrong with the games file, in sentences that say what to do; and whether waiting helps.

LOG = logging.getLogger("navarch")
PRIMARY = 0xFF  # the primary code of SQLite's extended ones


@dataclass(frozen=True)
class Trouble:
    """A fault of the disk or the file: what a player is told, what the organizer does, an HTTP status."""

    status: int
    sentence: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.sentence} {self.remedy}"


FULL = Trouble(507, "The server's disk is full, so nothing has been saved.", "The organizer must make room on it.")
LOCKED = Trouble(503, "Another program has locked the games file, so nothing was saved.", "Try again in a moment.")
READ_ONLY = Trouble(
    503,
    "The program may only read the games file, so nothing has been saved.",
    "The organizer must let the program write to the file and its folder.",
)
DAMAGED = Trouble(
    503,
    "The games file is damaged at this place.",
    "The organizer can check it with `navarch verify` and go back with `navarch restore`.",
)
NO_FILE_OF_GAMES = Trouble(
    503, "This is not a games file.", "Name another file with --db, or go back with `navarch restore`."
)
UNREADABLE = Trouble(
    503, "The games file cannot be opened or read.", "The organizer must check the disk, the path and the permissions."
)
BY_CODE = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: NO_FILE_OF_GAMES,
    sqlite3.SQLITE_IOERR: UNREADABLE,
    sqlite3.SQLITE_CANTOPEN: UNREADABLE,
    sqlite3.SQLITE_PERM: UNREADABLE,
}


SHOWS_ONLY = Trouble(
    503,
    "This machine only shows the games, so nothing has been saved.",
    "Open the game on the machine that accepts commands.",
)


MENDED = ((3, 44, 6), (3, 50, 7), (3, 51, 3))  # the SQLite that ended the fault, in its own line and in older ones


def sqlite_line(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> str:
    """Which SQLite is loaded, and what to do where it has the WAL-reset fault (sqlite.org/wal.html).

    A distribution may have mended an older number; the number alone does not say so.
    """
    told = f"SQLite {'.'.join(map(str, version))}"
    if version >= MENDED[-1] or any(mended <= version < (*mended[:1], mended[1] + 1) for mended in MENDED):
        return told
    return (
        f"{told}: before 3.51.3 (3.50.7, 3.44.6) two processes that write at one moment can, very rarely, damage the"
        " games file. Use a Python with a newer SQLite, or ask your distribution whether it has mended this one."
    )


class ShowsOnly(ValueError):
    """A write to a file that another machine writes now."""


class Damaged(ValueError):
    """A stored position that cannot be read."""


def trouble(fault: BaseException) -> Trouble | None:
    """What a fault means; None for one that is not the disk's or the file's."""
    if isinstance(fault, sqlite3.Error):
        code = getattr(fault, "sqlite_errorcode", None)
        if code is None:  # the module's own, such as a closed connection
            return None
        if code == sqlite3.SQLITE_IOERR_WRITE:
            return FULL  # some systems say so of a full disk
        return BY_CODE.get(code & PRIMARY)
    if isinstance(fault, Damaged):
        return DAMAGED
    if isinstance(fault, ShowsOnly):
        return SHOWS_ONLY
    if isinstance(fault, OSError):
        return {errno.ENOSPC: FULL, errno.EDQUOT: FULL, errno.EROFS: READ_ONLY}.get(fault.errno or 0)
    return None


def attempt(what: str, work: Callable[[], object]) -> None:
    """Do one piece of work in the background; whatever goes wrong with it is logged, and stops nothing else."""
    try:
        work()
    except (sqlite3.Error, OSError, Unknown) as fault:  # the disk is full, the file is locked, the game is gone
        LOG.error("%s could not be done: %r", what, fault)
    except Exception:
        LOG.exception("%s could not be done: a fault of the program", what)


# -- One SQLite file: a connection for each thread, and a fair queue for those who write.
#
# Every write is one BEGIN IMMEDIATE transaction, durable (synchronous=FULL) before the caller goes on.

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

        Within an open one of the same thread it takes part in that, and what a part that fails has written is taken
        back. What stands in `then` is done when it ended well. Raises NoRoom for what would make a file that has
        reached its limit grow, unless it is a move: play goes on, and what is removed or changed in its place is
        written. Raises ShowsOnly where another machine writes.
        """
        if self.shows_only:
            raise ShowsOnly
        db = self.db
        if db.conn.in_transaction:
            with self._part(db):
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

    @staticmethod
    @contextmanager
    def _part(db: Connection) -> Iterator[None]:
        ends, then = len(db.ends), len(db.then)
        db.conn.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            if db.conn.in_transaction:
                db.conn.execute("ROLLBACK TO part")
                del db.ends[ends:], db.then[then:]
            raise
        finally:
            if db.conn.in_transaction:
                db.conn.execute("RELEASE part")

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


# -- Every table of the file of games, and what ends its rows: a token that is withdrawn, or the game.
#
# Whatever somebody gets by a token ends with it. A seat has a token and so has each person in it; each is kept by its
# hash. A test goes through the tables of a file and fails for one that is not listed here.

HOLDERS = ("seats", "people")  # whose column `token` says who is somebody
FOLLOWING = (  # rows of a seat, also in a battle of its campaign, of which nobody can tell by whose token they came
    "token = '' and seat = :seat and (game = :game or game in (select battle from links where campaign = :game))"
)
WITH_TOKEN: Mapping[str, str] = {  # which rows end with a token, a person's (:person) or the seat's own (0); in order
    "outbox": "sent is null and ((name like '% invitation %' and person = :person and game = :game)"
    f" or device in (select id from devices where token = :token or ({FOLLOWING})))",
    "devices": f"token = :token or ({FOLLOWING})",
    "calls": f"token = :token or ({FOLLOWING})",
    "seat_requests": "token = :token",
}
WITHOUT: Mapping[str, str] = {  # why the rows of a table stay when a token ends
    "games": "a game is everybody's",
    "entries": "the journal is the game's",
    "keys": "first answers of a seat, which only a token of it is given again",
    "cursors": "how far a seat has read",
    "secrets": "the server's own; feeds' addresses are made of one of them and of the token that they end with",
    "links": "a campaign's battles",
    "notes": "what a seat has written, with its photos",
    "photos": "what a seat has written, with its photos",
    "captains": "a seat's own; the umpire takes it back",
    "captain_moves": "belongs to the journal",
    "hints_off": "the game's",
    "forecasts": "held by their own code, for who has asked",
    "letters": "written between seats",
    "letters_read": "how far a seat has read",
    "deadlines": "the game's",
    "lapses": "the game's",
    "orders": "a seat's own: whoever plays it next changes them",
    "addresses": "what the owner of an address has answered: he is not asked twice",
    "mail_counts": "counts of the server",
    "acts": "what was done about the game",
    "courses": "a seat's own: whoever plays it next changes them",
    "positions": "saved for everybody",
    "table_photos": "the game's",
    "table_lines": "the game's",
    "table_layouts": "the game's",
    "pings": "gone within seconds",
    "clocks": "the game's",
    "umpire_words": "the umpire's, read with a dispatch",
    "marks": "what a seat has marked in the journal",
    "wanted": "the game's",
    "club_people": "the organizer's address book",
    "moved": "where a game went that is no longer here",
}
OF_A_GAME = (  # whose rows go with their game
    "seats",
    "entries",
    "keys",
    "cursors",
    "calls",
    "notes",
    "captains",
    "captain_moves",
    "hints_off",
    "people",
    "letters",
    "letters_read",
    "deadlines",
    "lapses",
    "orders",
    "outbox",
    "acts",
    "photos",
    "courses",
    "seat_requests",
    "table_photos",
    "table_lines",
    "table_layouts",
    "devices",
    "pings",
    "clocks",
    "addresses",
    "umpire_words",
    "marks",
    "wanted",
)


def end_token(db: Database, game: str, seat: str, token: str, person: int = 0) -> None:
    """End all that came by a token, named by its hash, in the transaction that takes it from its seat or person.

    Streams and sessions need no row: they ask whose the token is (`Store.standing`, `Store.seat_of`).
    """
    given = {"game": game, "seat": seat, "token": token, "person": person}
    for table, which in WITH_TOKEN.items():
        db.conn.execute(f"delete from {table} where {which}", given)


def check_stands(db: Database, token: str) -> None:
    """Raises Barred for the hash of a token that was withdrawn before this transaction; none is nobody's."""
    held = " union all ".join(f"select 1 from {table} where token = ?1" for table in HOLDERS)
    if token and not rows(db, held, token):
        raise Barred("This token is unknown: it may have been withdrawn.")
