"""Copies of the file of games, made while it is in use; the newest ten are kept."""

from __future__ import annotations

import logging
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

KEPT = 10
LOG = logging.getLogger("navarch")


def folder_of(database: Path) -> Path:
    """Where the rolling backups of a file are kept: beside it."""
    return database.with_name(f"{database.name}.backups")


def copy(source: Path, target: Path) -> None:
    """Copy a database by SQLite's own backup, whole even while somebody writes. Raises OSError."""
    if not source.exists():
        raise FileNotFoundError(f"there is no file {source}")
    with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(target)) as writing:
        try:
            reading.backup(writing)
        except sqlite3.DatabaseError as error:
            raise OSError(f"{source} cannot be copied to {target}: {error}") from None


def back_up(database: Path) -> Path:
    """A new rolling backup; the oldest beyond ten are removed."""
    folder = folder_of(database)
    folder.mkdir(exist_ok=True)
    name = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    unfinished, finished = folder / f"{name}.part", folder / f"{name}.db"
    copy(database, unfinished)
    unfinished.replace(finished)
    for old in backups(database)[:-KEPT]:
        old.unlink(missing_ok=True)
    return finished


def backups(database: Path) -> list[Path]:
    """The rolling backups, the oldest first."""
    return sorted(folder_of(database).glob("*.db"))


def restore(backup: Path, database: Path) -> Path | None:
    """Put a backup in the file's place, after a last backup of what is there. Raises OSError."""
    check(backup)
    kept = back_up(database) if database.exists() else None
    copy(backup, database)
    return kept


def check(backup: Path) -> None:
    """OSError unless the file is a whole file of games."""
    if not backup.exists():
        raise FileNotFoundError(f"there is no file {backup}")
    with closing(sqlite3.connect(backup)) as db:
        try:
            sound = db.execute("pragma quick_check").fetchone()[0]
            db.execute("select count(*) from games").fetchone()
        except sqlite3.DatabaseError as error:
            raise OSError(f"{backup} is not a file of games ({error})") from None
    if sound != "ok":
        raise OSError(f"{backup} is damaged ({sound})")


def keep_backing_up(database: Path, minutes: float) -> threading.Event:
    """Back up now and then while the program runs, when something has changed; set the event to stop."""
    stop = threading.Event()

    def work() -> None:
        seen = -1
        with closing(sqlite3.connect(database)) as db:
            while not stop.wait(minutes * 60):
                changed = db.execute("pragma data_version").fetchone()[0]
                if changed == seen:
                    continue
                try:
                    back_up(database)
                    seen = changed
                except (OSError, sqlite3.Error) as fault:
                    LOG.error("no backup could be made: %s", fault)  # tried again the next time

    threading.Thread(target=work, name="navarch-backups", daemon=True).start()
    return stop
