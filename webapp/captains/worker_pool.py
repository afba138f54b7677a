"""Processes that think and fight apart, so that the pages stay quick; they end when the server does, in any way."""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor


def worker_pool(workers: int, step: int) -> ProcessPoolExecutor:
    """A pool of worker processes whose priority is lowered by `step`, so that pages come first."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), begin_worker, (step,))


def begin_worker(step: int) -> None:
    """Start such a process: it lets the pages have the processor first and ends with the server."""
    os.nice(step)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
