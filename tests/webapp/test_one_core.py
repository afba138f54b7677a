"""A serving process keeps to one core, leaves it to whoever crowds it, and takes nobody along who thinks for captains."""

from __future__ import annotations

import os
import random
import resource
import sys
import threading
import time
from pathlib import Path

import pytest
from serving import Server

from webapp.captains.apart import gentle
from webapp.http import one_core
from webapp.http.one_core import Keeper, Seen, quieter, seen

linux = pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2, reason="cores are known by number on Linux alone"
)
STAT = """\
cpu  300 0 100 1600 0 0 0 0 0 0
cpu0 200 0 100 690 10 0 0 0 50 0
cpu1 100 0 0 900 0 0 0 0 0 0
intr 12 0 1
"""


def test_the_systems_table_is_read_by_core() -> None:
    assert seen(STAT, 7) == Seen(busy={0: 300, 1: 100}, passed={0: 1000, 1: 1000}, mine=7)


def over_a_second(first: int, second: int, mine: int) -> tuple[Seen, Seen]:
    """Two looks a second apart, in which two cores were busy and our process at work for so many of a hundred ticks."""
    before = Seen({0: 500, 1: 500}, {0: 1000, 1: 1000}, 40)
    return before, Seen({0: 500 + first, 1: 500 + second}, {0: 1100, 1: 1100}, 40 + mine)


@pytest.mark.parametrize(
    ("first", "second", "mine", "core"),
    [
        (100, 10, 50, 1),  # another process takes half of our core while the other one is idle
        (100, 10, 100, 0),  # all that is done there is ours
        (100, 90, 50, 0),  # it is no better elsewhere
        (100, 10, 5, 0),  # we do next to nothing
        (60, 10, 50, 0),  # others take a tenth
    ],
)
def test_a_core_is_left_for_an_idle_one_if_others_crowd_it(first: int, second: int, mine: int, core: int) -> None:
    assert quieter(0, *over_a_second(first, second, mine)) == core


def test_a_core_that_the_system_does_not_tell_of_is_kept() -> None:
    assert quieter(5, *over_a_second(100, 0, 50)) == 5


@pytest.fixture
def restored(monkeypatch: pytest.MonkeyPatch):
    """The cores of this process are given back to it."""
    cores = os.sched_getaffinity(0)
    monkeypatch.setattr(one_core, "_allowed", frozenset())
    yield cores
    one_core.use(cores)


@linux
def test_all_threads_keep_to_the_core_and_captains_think_on_any(restored: set[int]) -> None:
    here, end = threading.Event(), threading.Event()
    found: list[set[int]] = []

    def wait() -> None:
        here.set()
        end.wait()
        found.append(os.sched_getaffinity(0))

    thread = threading.Thread(target=wait)
    thread.start()
    here.wait()
    keeper = Keeper(1)
    end.set()
    thread.join()
    second = sorted(restored)[1]
    assert (keeper.core, os.sched_getaffinity(0), found) == (second, {second}, [{second}])
    assert one_core.allowed() == restored
    with gentle(1, 1) as apart:
        assert apart.submit(os.sched_getaffinity, 0).result() == restored


@linux
def test_it_moves_when_others_go_on_crowding_its_core(restored: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *_ = sorted(restored)
    keeper = Keeper(0)
    looks = 0

    def crowded() -> Seen:
        nonlocal looks
        looks += 1
        return Seen({first: 100 * looks, second: 0}, {first: 100 * looks, second: 100 * looks}, 50 * looks)

    keeper._seen = crowded()
    monkeypatch.setattr(keeper, "_read", crowded)
    monkeypatch.setattr(random, "random", lambda: 0.5)
    keeper.look()
    keeper.look()
    assert os.sched_getaffinity(0) == {first}, "it waits whether it lasts"
    keeper.look()
    assert (keeper.core, os.sched_getaffinity(0)) == (second, {second})


@linux
def test_of_two_that_crowd_one_another_only_one_goes(restored: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper(0)
    monkeypatch.setattr(one_core, "quieter", lambda core, before, now: core + 1)
    monkeypatch.setattr(random, "random", lambda: 0.4)
    for _ in range(9):
        keeper.look()
    assert os.sched_getaffinity(0) == {min(restored)}


@linux
def test_it_looks_on_and_stays_where_no_file_can_be_opened(restored: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *_ = sorted(restored)
    keeper = Keeper(0)
    monkeypatch.setattr(one_core, "PATIENCE", 1)
    monkeypatch.setattr(one_core, "quieter", lambda core, before, now: second)
    monkeypatch.setattr(random, "random", lambda: 0.5)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        keeper.look()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert (keeper.core, os.sched_getaffinity(0)) == (first, {first})
    keeper.look()
    assert (keeper.core, os.sched_getaffinity(0)) == (second, {second})


def test_where_there_is_one_core_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_core, "_allowed", frozenset([0]))
    monkeypatch.setattr(one_core, "use", lambda cores: pytest.fail("it chose a core"))
    keeper = Keeper(3)
    keeper.look()
    assert keeper.core is None


@linux
def test_a_servers_processes_have_a_core_each(tmp_path: Path) -> None:
    server = Server(tmp_path, "--processes", "2")
    try:
        parent = server.process.pid
        of_workers = []
        end = time.monotonic() + 30
        while len(of_workers) < 2 or any(len(cores) > 1 for cores in of_workers):  # the second begins after the first
            assert time.monotonic() < end, of_workers
            workers = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
            of_workers = [os.sched_getaffinity(int(worker)) for worker in workers]
        assert len(set.union(*of_workers)) == 2
        assert os.sched_getaffinity(parent) == os.sched_getaffinity(0), "the one that starts them is free"
    finally:
        server.stop()
