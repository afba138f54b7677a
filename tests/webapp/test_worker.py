"""The worker in the background: each name once, ticks, and what goes wrong stops nothing."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable

import pytest

from webapp.storage.services.worker import Worker

WAIT = 30.0


def until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + WAIT
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_name_that_comes_again_before_its_turn_is_looked_at_once() -> None:
    seen, goes_on = [], threading.Event()

    def work(name: str) -> None:
        seen.append(name)
        goes_on.wait(WAIT)

    worker = Worker("test", work, lambda: None, WAIT, lasting=False)
    worker.put("first")
    until(lambda: seen)
    for name in ("second", "third", "second"):
        worker.put(name)
    assert not worker.is_at_rest
    goes_on.set()
    until(lambda: worker.is_at_rest)
    assert seen == ["first", "second", "third"]


@pytest.mark.parametrize("fault", [sqlite3.OperationalError("database is locked"), LookupError("a fault of ours")])
def test_a_fault_stops_neither_what_is_left_nor_what_comes(fault: Exception) -> None:
    seen = []

    def work(name: str) -> None:
        seen.append(name)
        if name == "bad":
            raise fault

    worker = Worker("test", work, lambda: None, WAIT)
    worker.put("bad")
    worker.put("left")
    worker.start()
    until(lambda: seen == ["bad", "left"])
    worker.put("comes")
    until(lambda: seen == ["bad", "left", "comes"])


def test_a_lasting_worker_ticks_also_after_a_fault_of_its_tick_until_it_is_stopped() -> None:
    ticks = []

    def tick() -> None:
        ticks.append(threading.current_thread())
        if len(ticks) == 1:
            raise LookupError("a fault of ours")

    worker = Worker("test", lambda name: None, tick, 0.01)
    worker.start()
    until(lambda: len(ticks) > 3)
    worker.stop()
    until(lambda: not ticks[-1].is_alive())
    assert ticks[0] is ticks[1], "no fault ends its thread"


def test_a_lasting_worker_ticks_however_much_comes() -> None:
    ticks = []
    worker: Worker = Worker("test", lambda name: worker.put(name), lambda: ticks.append(1), 0.01)
    worker.put("again and again")
    worker.start()
    until(lambda: len(ticks) > 2)
    worker.stop()


def test_another_worker_ends_when_nothing_comes_and_begins_again() -> None:
    threads, ended = [], []
    worker = Worker(
        "test",
        lambda name: threads.append(threading.current_thread()),
        lambda: None,
        0.01,
        lasting=False,
        end=lambda: ended.append(1),
    )
    worker.put("one")
    until(lambda: threads and not threads[0].is_alive())
    worker.put("two", after=0.01)
    until(lambda: len(threads) == 2 and not threads[1].is_alive())
    assert threads[0] is not threads[1] and len(ended) == 2
