"""WAL checkpoints: when nobody has written for a moment, and when the program stops.

Until a checkpoint the newest moves are in the write-ahead log alone, and would be lost with it.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

IDLE = 2.0  # seconds without a write
PATIENCE_MS = 200  # that the checkpoint waits for readers
LOG = logging.getLogger("navarch")


def checkpoint(database: Path) -> bool:
    """Copy the log into the file and truncate it; False while somebody reads from it. Raises sqlite3.Error."""
    with closing(sqlite3.connect(database)) as db:
        return _checkpoint(db)


def _checkpoint(db: sqlite3.Connection) -> bool:
    db.execute(f"pragma busy_timeout = {PATIENCE_MS}")
    busy, _, _ = db.execute("pragma wal_checkpoint(truncate)").fetchone()
    return not busy


def keep_checkpointing(database: Path, idle: float = IDLE) -> threading.Event:
    """Start a thread that checkpoints when nobody has written for `idle` seconds; set the returned event to stop it."""
    stop = threading.Event()

    def work() -> None:
        home, seen = -1, -1
        with closing(sqlite3.connect(database)) as db:
            while not stop.wait(idle):
                try:
                    now = db.execute("pragma data_version").fetchone()[0]
                    if now == seen and now != home and _checkpoint(db):
                        home = now
                    seen = now
                except sqlite3.Error as fault:
                    LOG.error("checkpoint failed: %s", fault)

    threading.Thread(target=work, name="navarch-checkpoints", daemon=True).start()
    return stop
