"""WAL checkpoints: when nobody has written for a moment, and when the program stops.

Until a checkpoint the newest moves are in the write-ahead log alone, and would be lost with it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from webapp.storage.services.worker import Worker

IDLE = 2.0  # seconds without a write
PATIENCE_MS = 200  # that the checkpoint waits for readers


def checkpoint(database: Path) -> bool:
    """Copy the log into the file and truncate it; False while somebody reads from it. Raises sqlite3.Error."""
    with closing(sqlite3.connect(database)) as db:
        return _checkpoint(db)


def _checkpoint(db: sqlite3.Connection) -> bool:
    db.execute(f"pragma busy_timeout = {PATIENCE_MS}")
    busy, _, _ = db.execute("pragma wal_checkpoint(truncate)").fetchone()
    return not busy


def keep_checkpointing(database: Path, idle: float = IDLE) -> Worker:
    """A worker, started, that checkpoints when nobody has written for `idle` seconds."""
    db = sqlite3.connect(database, check_same_thread=False)  # of the worker's thread alone
    home, seen = -1, -1

    def tick() -> None:
        nonlocal home, seen
        now = db.execute("pragma data_version").fetchone()[0]
        if now == seen and now != home and _checkpoint(db):
            home = now
        seen = now

    worker = Worker("navarch-checkpoints", lambda name: None, tick, idle)
    worker.start()
    return worker
