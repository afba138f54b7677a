"""Live updates: server-sent events that carry only a game's version number.

A hub in this process wakes the streams; one watcher thread looks whether another process has written.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic

from webapp.store import Store

PING = 2.0  # seconds; a client that has left is noticed when a ping cannot be written
LOOK = 0.25  # seconds between two looks for other processes' changes
GONE = (-1, -1)


@dataclass(frozen=True)
class Pulse:
    """What a stream was told last: the game's version and its pulse."""

    version: int
    pulse: int


class Hub:
    """The newest version and pulse of every game that is being watched."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changed = threading.Condition()
        self._watched: Counter[str] = Counter()
        self._known: dict[str, tuple[int, int]] = {}
        self._watcher: threading.Thread | None = None
        self._closed = False
        store.listeners.append(self.publish)

    def publish(self, game: str, version: int, pulse: int) -> None:
        """Wake the streams of the game; a version of -1 says that the game is gone."""
        with self._changed:
            if game in self._watched and (version, pulse) != self._known.get(game):
                known = self._known.get(game, (0, 0))
                # Two writers may publish in the other order; only a deletion goes down.
                if version < 0 or (version, pulse) > known:
                    self._known[game] = (version, pulse)
                    self._changed.notify_all()

    def close(self) -> None:
        """End all streams, as when the server stops."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def stream(self, game: str, after: int | None) -> Iterator[str]:
        """The events of one client: each version after `after` (default: from now on), pings in between."""
        with self._changed:
            self._watched[game] += 1
        try:
            version, pulse = self._store.pulses([game]).get(game, GONE)
            with self._changed:
                self._known[game] = max(self._known.get(game, GONE), (version, pulse))
                self._watch()
            self._store.file.close()  # this thread only waits from now on: it needs no file open
            yield "retry: 1000\n: the versions of this game\n\n"
            told = Pulse(version if after is None else min(after, version), pulse)
            while version >= 0 and not self._closed:
                yield from versions(told.version, version)
                if pulse != told.pulse and version == told.version:
                    yield f"event: waiting\ndata: {version}\n\n"
                told = Pulse(version, pulse)
                (version, pulse), woken = self._next(game, told)
                if not woken:
                    yield ": ping\n\n"
        finally:
            self._leave(game)

    def _next(self, game: str, told: Pulse) -> tuple[tuple[int, int], bool]:
        """Wait for a change, at most until the next ping."""
        until = monotonic() + PING
        with self._changed:
            while not self._closed:
                known = self._known.get(game, GONE)
                if known != (told.version, told.pulse):
                    return known, True
                left = until - monotonic()
                if left <= 0:
                    return known, False
                self._changed.wait(left)
            return GONE, True

    def _leave(self, game: str) -> None:
        with self._changed:
            self._watched[game] -= 1
            if self._watched[game] <= 0:
                del self._watched[game]
                self._known.pop(game, None)

    def _watch(self) -> None:
        if self._watcher is None or not self._watcher.is_alive():
            self._watcher = threading.Thread(target=self._look_around, name="navarch-watcher", daemon=True)
            self._watcher.start()

    def _look_around(self) -> None:
        """Look at the file as long as anybody watches; `data_version` tells cheaply whether it changed."""
        seen = -1
        pause = threading.Event()
        try:
            while not self._closed:
                written = self._store.file.db.conn.execute("PRAGMA data_version").fetchone()[0]
                with self._changed:
                    games = list(self._watched)  # after the look, so that no late-comer misses it
                    if not games:
                        self._watcher = None
                        return
                if written != seen:
                    seen = written
                    found = self._store.pulses(games)
                    for game in games:
                        self.publish(game, *found.get(game, GONE))
                pause.wait(LOOK)
        finally:
            self._store.file.close()


def versions(after: int, until: int) -> Iterator[str]:
    """One event for each version after `after`, up to `until`."""
    for version in range(after + 1, until + 1):
        yield f"id: {version}\nevent: version\ndata: {version}\n\n"
