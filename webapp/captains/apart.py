"""Processes that think and fight apart, so that the pages stay quick; they end when the server does, in any way."""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor

from webapp.http import one_core


def gentle(workers: int, step: int) -> ProcessPoolExecutor:
    """So many processes that step so far back behind the pages."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), begin, (step, one_core.allowed()))


def begin(step: int, cores: frozenset[int]) -> None:
    """In such a process: let the pages have the processor first, keep to no core of theirs, and outlive nobody."""
    os.nice(step)
    one_core.use(cores)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
