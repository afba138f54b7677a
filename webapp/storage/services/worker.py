"""Work in the background: a thread that looks at what is put into its queue, and that ticks. No Flask.

Services that follow games (`follow`) hear of their changes in the one process that the election has chosen, whichever
process has made them. What must happen once is named in the file of games by whoever does it, never here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import partial
from time import monotonic
from typing import Literal

from webapp.storage.file.database import attempt
from webapp.storage.journal.entries import followers
from webapp.storage.journal.store import Store

Service = Literal["calls", "captains", "post"]


def nothing() -> None:
    """For a worker that need not do anything then."""


class Worker:
    """A thread that calls `work` with each name in its queue, and `tick` every `seconds`.

    A name that is put in twice before its turn is looked at once. A lasting worker runs from `start` on. Another starts
    when something comes; it ticks when nothing has come for that long, and ends. `end` is called when a thread ends.
    Whatever goes wrong with a name or a tick is logged, and the thread goes on.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[str], object],
        tick: Callable[[], object],
        seconds: float,
        *,
        lasting: bool = True,
        end: Callable[[], object] = nothing,
    ) -> None:
        self.name, self.seconds, self.lasting = name, seconds, lasting
        self._work, self._tick, self._end = work, tick, end
        self._queue: dict[str, None] = {}
        self._guard = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_busy = self._is_stopped = False
        self._due = 0.0

    @property
    def is_at_rest(self) -> bool:
        """Has everything been looked at, with all that followed from it?"""
        with self._guard:
            return not (self._queue or self._is_busy)

    def follow(self, store: Store, service: Service, games: Callable[[], Iterable[str]], at_first: bool = True) -> None:
        """Look at those games when they change, if this process is elected; `at_first` as in `Election.serve`."""

        def hear(game: str, version: int, revision: int) -> None:
            runs = self._thread is not None or not self.lasting
            if runs and version >= 0 and store.election.is_ours and getattr(followers(store.file, game), service):
                self.put(game)

        store.listeners.append(hear)
        store.election.serve(games, self.put, at_first)

    def start(self) -> None:
        """Let the thread run, if it does not yet."""
        with self._guard:
            if self._thread is None and not self._is_stopped:
                self._due = monotonic() + self.seconds
                self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
                self._thread.start()

    def put(self, name: str, after: float = 0.0) -> None:
        """Look at this soon, or after some seconds."""
        if after:
            later = threading.Timer(after, self.put, (name,))
            later.daemon = True
            later.start()
            return
        with self._guard:
            self._queue.setdefault(name)
            self._guard.notify()
        if not self.lasting:
            self.start()

    def stop(self) -> None:
        """Look at nothing more; what is being looked at is finished."""
        with self._guard:
            self._is_stopped = True
            self._queue.clear()
            self._guard.notify()

    def attempt(self, what: str, work: Callable[[], object]) -> None:
        """Do it; a fault is logged, and the next time tries again."""
        attempt(f"{self.name}: {what}", work)

    def _run(self) -> None:
        is_over = False
        try:
            while not is_over:
                name = self._next()
                if name is not None:
                    self.attempt(name, partial(self._work, name))
                elif not self._is_stopped:
                    self.attempt("the tick", self._tick)
                is_over = name is None and self._may_end()
        finally:
            self._end()

    def _next(self) -> str | None:
        """The next name to look at; None when it is time to tick, or to stop."""
        with self._guard:
            self._is_busy = False
            if not self.lasting:
                self._due = monotonic() + self.seconds
            self._guard.wait_for(lambda: self._queue or self._is_stopped, max(0.0, self._due - monotonic()))
            if not self._queue or monotonic() >= self._due:
                self._due = monotonic() + self.seconds
                return None
            self._is_busy = True
            name = next(iter(self._queue))
            del self._queue[name]
            return name

    def _may_end(self) -> bool:
        """Does this thread end? From then on another one is started for what comes."""
        with self._guard:
            if self._is_stopped or not (self.lasting or self._queue):
                self._thread = None
                return True
            return False
