"""Copies of the games file, made while it is in use, and checked before they count.

The newest ten are kept, and the last one of each of the last fourteen days. A copy that is damaged never takes a good
one's place: it is thrown away, and the fault is noted beside the backups for the organizer's page. They hold every
secret of the server, so nobody but its owner reads them.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from webapp.storage.file import anchors
from webapp.storage.file.database import File
from webapp.storage.file.migrations import migrate
from webapp.storage.services.worker import Worker

KEPT = 10
DAYS = 14
OWNER_ONLY, OWNER_ENTERS = 0o600, 0o700
LOG = logging.getLogger("navarch")


def folder_of(database: Path) -> Path:
    """Where the rolling backups of a file are kept: beside it."""
    return database.with_name(f"{database.name}.backups")


def copy(source: Path, target: Path) -> None:
    """Copy a database by SQLite's own backup, whole even while somebody writes, and check it. Raises OSError."""
    if not source.exists():
        raise FileNotFoundError(f"there is no file {source}")
    target.touch(mode=OWNER_ONLY)
    target.chmod(OWNER_ONLY)
    try:
        with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(target)) as writing:
            reading.backup(writing)
    except sqlite3.DatabaseError as error:
        raise OSError(f"{source} cannot be copied to {target}: {error}") from None
    check(target)


def back_up(database: Path) -> Path:
    """A new rolling backup; older ones beyond those that are kept are removed. Raises OSError.

    A copy that does not pass the check is thrown away, and the fault is noted: the good ones stay.
    """
    folder = folder_of(database)
    folder.mkdir(mode=OWNER_ENTERS, exist_ok=True)
    folder.chmod(OWNER_ENTERS)
    name = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    unfinished, finished = folder / f"{name}.part", folder / f"{name}.db"
    try:
        copy(database, unfinished)
        unfinished.replace(finished)
    except OSError as fault:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        _tell(database, fault)
        raise
    _note(database).unlink(missing_ok=True)
    found = backups(database)
    for old in set(found) - set(worth_keeping(found)):
        old.unlink(missing_ok=True)
    return finished


def worth_keeping(found: Iterable[Path]) -> list[Path]:
    """Of backups, the oldest first: the newest ten, and the last of each of the newest fourteen days."""
    listed = list(found)
    days = {each.name[:8]: each for each in listed}  # the last one of a day stays
    dailies = [days[day] for day in sorted(days)[-DAYS:]]
    return sorted({*listed[-KEPT:], *dailies})


def backups(database: Path) -> list[Path]:
    """The rolling backups, the oldest first."""
    return sorted(folder_of(database).glob("*.db"))


def fault(database: Path) -> str | None:
    """Why the last backup could not be made, with its time; None when it could."""
    note = _note(database)
    return note.read_text() if note.exists() else None


def _tell(database: Path, fault: OSError) -> None:
    """Note the fault for the organizer's page, if the disk lets us."""
    with suppress(OSError):
        folder_of(database).mkdir(mode=OWNER_ENTERS, exist_ok=True)
        _note(database).write_text(f"{datetime.now(UTC).isoformat(timespec='seconds')} {fault}")


def _note(database: Path) -> Path:
    return folder_of(database) / "fault.txt"


def restore(backup: Path, database: Path) -> Path | None:
    """Put a backup in the file's place, after a last backup of what is there; what is damaged is set aside as it is.

    Raises OSError, with nothing changed, when the backup is not sound.
    """
    check(backup)
    kept = None
    if database.exists():
        try:
            kept = back_up(database)
        except OSError:
            kept = set_aside(database)
    put(backup, database)
    return kept


def put(backup: Path, database: Path) -> None:
    """Copy a backup over the file; what was acknowledged after it is given up, and no loss. Raises OSError."""
    copy(backup, database)
    file = File(database)
    migrate(file)
    file.close()
    anchors.renew(database)


def set_aside(database: Path, is_served: bool = False) -> Path:
    """Move a damaged file and its log out of the way, whole, for whoever can read something in them.

    While it is served they are copied instead. Raises OSError.
    """
    aside = database.with_name(f"{database.name}.damaged-{datetime.now(UTC).strftime('%Y%m%d-%H%M%S')}")
    for ending in ("", "-wal", "-shm"):
        part = database.with_name(f"{database.name}{ending}")
        if part.exists():
            if is_served:
                shutil.copy2(part, f"{aside}{ending}")
            else:
                part.replace(f"{aside}{ending}")
    return aside


def check(backup: Path) -> None:
    """OSError unless the file is a whole games file."""
    if not backup.exists():
        raise FileNotFoundError(f"there is no file {backup}")
    with closing(sqlite3.connect(backup)) as db:
        try:
            sound = db.execute("pragma quick_check").fetchone()[0]
            db.execute("select count(*) from games").fetchone()
        except sqlite3.DatabaseError as error:
            raise OSError(f"{backup} is not a games file ({error})") from None
    if sound != "ok":
        raise OSError(f"{backup} is damaged ({sound})")


def keep_backing_up(database: Path, minutes: float) -> Worker:
    """A worker, started, that checks the file and backs it up now and then, when something has changed."""
    db = sqlite3.connect(database, check_same_thread=False)  # of the worker's thread alone
    seen = -1

    def look(name: str) -> None:
        try:
            check(database)
        except OSError as error:
            _tell(database, error)
            raise

    def tick() -> None:
        nonlocal seen
        changed = db.execute("pragma data_version").fetchone()[0]
        if changed != seen or fault(database) is not None:
            back_up(database)
            seen = changed

    worker = Worker("navarch-backups", look, tick, minutes * 60)
    worker.put("the file")
    worker.start()
    return worker


def tighten(database: Path) -> None:
    """Take other people's rights to the games file, its log and its backups, which earlier versions gave."""
    for path in (database, *(database.with_name(f"{database.name}{end}") for end in ("-wal", "-shm"))):
        if path.exists():
            _restrict(path, OWNER_ONLY)
    if folder_of(database).is_dir():
        _restrict(folder_of(database), OWNER_ENTERS)
        for path in backups(database):
            _restrict(path, OWNER_ONLY)


def _restrict(path: Path, mode: int) -> None:
    with suppress(OSError):  # the file is another's: he answers for it
        if path.stat().st_mode & 0o777 & ~mode:
            os.chmod(path, mode)
