"""What only one of the processes over a file of games may do: who does it, and how it hears of the others' changes.

Whoever holds the lock beside the file is elected. The system lets go of a lock when its process ends, however it ends;
the others try again and again, so one of them takes over within a second. No Flask.
"""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from webapp.storage.file.database import File, attempt

TRY = 0.5  # seconds between two tries to be elected
LOOK = 0.1  # seconds between two looks for the others' changes; a look costs some 10 microseconds
LOG = logging.getLogger("navarch")


class Lock:
    """A lock that one process of this machine holds, until it lets go of it or ends."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def take(self) -> bool:
        """Take it, if nobody else holds it. Raises OSError where the file cannot be made."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            os.close(file)
            if isinstance(fault, BlockingIOError):
                return False
            raise
        self._file = file
        return True

    def let_go(self) -> None:
        """Let others have it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


@dataclass(frozen=True)
class Duty:
    """Something to do for some games whenever one of them has changed; `at_first`: also when it becomes one of them."""

    games: Callable[[], Iterable[str]]
    look_at: Callable[[str], None]
    at_first: bool


class Election:
    """Is it this process that does what is done once? Without a file it is, from the beginning."""

    def __init__(self, database: Path | None = None) -> None:
        self.is_alone = database is None
        self.is_ours = self.is_alone
        self._database = database
        self._guard = threading.Lock()
        self._works: list[Callable[[], object]] = []
        self._duties: list[Duty] = []
        self._known: dict[str, tuple[int, int]] = {}
        self._stopped = threading.Event()

    def when_ours(self, work: Callable[[], object]) -> None:
        """Do this once this process is elected: now, if it is."""
        with self._guard:
            if not self.is_ours:
                self._works.append(work)
                return
        work()

    def serve(self, games: Callable[[], Iterable[str]], look_at: Callable[[str], None], at_first: bool = True) -> None:
        """Look at those games when this process is elected, and whenever another one has changed them (see `Duty`)."""
        with self._guard:
            self._duties.append(Duty(games, look_at, at_first))

    def stand(self) -> None:
        """Try to be elected, in a thread of its own, until this process is or ends."""
        threading.Thread(target=self._stand, name="navarch-election", daemon=True).start()

    def stop(self) -> None:
        """Stand no more, and hear nothing more."""
        self._stopped.set()

    def _stand(self) -> None:
        if self._database is None:
            return
        lock = Lock(self._database.with_name(f"{self._database.name}.lock"))
        while not self._take(lock):
            if self._stopped.wait(TRY):
                return
        try:
            with self._guard:
                self.is_ours = True
                works, self._works = self._works, []
            for work in works:
                attempt("what one process does", work)
            self._listen(File(self._database))
        finally:
            self.is_ours = False
            lock.let_go()

    def _take(self, lock: Lock) -> bool:
        try:
            return lock.take()
        except OSError as fault:
            LOG.error("the lock could not be tried: %s", fault)
            return False

    def _listen(self, file: File) -> None:
        """Hear of every change in the file, whoever made it, until the end."""
        seen = -1
        while not self._stopped.wait(LOOK):
            with suppress(sqlite3.Error):
                written = file.stamp()
                if written != seen:
                    seen = written
                    attempt("a look at what has changed", partial(self._tell, file))
        file.close()

    def _tell(self, file: File) -> None:
        """Look at the games with a duty that have changed since the last look."""
        with self._guard:
            duties = list(self._duties)
        wanted = [(duty, set(duty.games())) for duty in duties]
        games = set[str]().union(*(games for _, games in wanted))
        now = revisions(file, games)
        changed = {game for game, known in now.items() if self._known.get(game) != known}
        new = now.keys() - self._known.keys()
        self._known = now
        for duty, mine in wanted:
            for game in mine & (changed if duty.at_first else changed - new):
                duty.look_at(game)


def revisions(file: File, games: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Version and revision of these games."""
    wanted = list(games)
    if not wanted:
        return {}
    marks = ", ".join("?" * len(wanted))
    found = file.rows(f"select id, version, revision from games where id in ({marks})", *wanted)
    return {row["id"]: (row["version"], row["revision"]) for row in found}
