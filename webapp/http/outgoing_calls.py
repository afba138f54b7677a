"""Calls to others' machines, each other end in a thread of its own, so that a slow one holds up nobody else."""

from __future__ import annotations

import threading
from collections.abc import Callable

from flask import Flask

from webapp.storage.file.faults import attempt
from webapp.storage.journal.store import Store

MOST = 32  # other ends at a time


class OutgoingCalls:
    """The other ends that are being called now."""

    def __init__(self, app: Flask, store: Store, name: str) -> None:
        self.app, self.store, self.name = app, store, name
        self._guard = threading.Lock()
        self._busy: set[str] = set()

    def run(self, end: str, work: Callable[[], object]) -> bool:
        """Begin to work with another end; False when it is still busy, or too many are."""
        with self._guard:
            if end in self._busy or len(self._busy) >= MOST:
                return False
            self._busy.add(end)
        threading.Thread(target=self._work, args=(end, work), name=self.name, daemon=True).start()
        return True

    def _work(self, end: str, work: Callable[[], object]) -> None:
        with self.app.app_context():
            attempt(f"the call to {end}", work)
        with self._guard:
            self._busy.discard(end)
        self.store.file.close()
