"""What can go wrong with the games file, in sentences that say what to do; and whether waiting helps."""

from __future__ import annotations

import errno
import logging
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from webapp.storage.errors import Unknown

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
