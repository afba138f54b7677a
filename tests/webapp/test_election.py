"""What only one process over a file may do is done by one; when it dies, however it dies, another takes over."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from webapp.storage.file.election import Election, Lock
from webapp.storage.journal.store import Store

PROCESS = """
import sys, time
from pathlib import Path
from webapp.storage.file.election import Election
election = Election(Path(sys.argv[1]))
election.when_ours(lambda: print("elected", flush=True))
election.stand()
time.sleep(600)
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games.db")


@pytest.fixture
def processes(store: Store) -> Iterator[Callable[[], subprocess.Popen[str]]]:
    begun: list[subprocess.Popen[str]] = []

    def begin() -> subprocess.Popen[str]:
        command = [sys.executable, "-c", PROCESS, str(store.file.path)]
        begun.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return begun[-1]

    yield begin
    for each in begun:
        each.kill()
        each.wait()


def until(what: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.01)


def test_one_process_is_elected_and_another_after_it_was_killed(processes, store: Store) -> None:
    first = processes()
    assert first.stdout.readline() == "elected\n"
    second = processes()
    assert not Lock(store.file.path.with_name("games.db.lock")).take()
    os.kill(first.pid, signal.SIGKILL)
    assert second.stdout.readline() == "elected\n"


def test_a_program_alone_is_elected_at_once() -> None:
    done: list[str] = []
    Election().when_ours(lambda: done.append("done"))
    assert done == ["done"] and Election().is_ours


def test_the_elected_hears_what_other_processes_change_and_nobody_else_does(store: Store) -> None:
    """Two stores over one file stand for two processes: each hears of its own changes alone."""
    other = Store(store.file.path)
    game, _ = store.create("galley", "first_oars")
    later, _ = store.create("galley", "first_oars")
    elected, waiting = Election(store.file.path), Election(store.file.path)
    heard: list[str] = []
    changed: list[str] = []
    served = [game.id]
    elected.serve(lambda: served, heard.append)
    elected.serve(lambda: served, changed.append, at_first=False)
    waiting.serve(lambda: served, lambda game: heard.append("by another"))
    try:
        elected.stand()
        until(lambda: elected.is_ours)
        waiting.stand()
        until(lambda: heard == [game.id])
        other.submit(game.id, 0, "umpire", {"type": "adjust", "changes": {"turn_limit": 9}, "why": "said so"})
        until(lambda: heard == [game.id] * 2)
        served.append(later.id)
        other.submit(later.id, 0, "umpire", {"type": "adjust", "changes": {"turn_limit": 9}, "why": "said so"})
        until(lambda: len(heard) == 3)
        assert heard == [game.id, game.id, later.id] and changed == [game.id] and not waiting.is_ours
    finally:
        elected.stop()
        waiting.stop()
    until(lambda: not elected.is_ours)


@pytest.mark.parametrize("fault", [OSError("the disk is full"), LookupError("a fault of ours")])
def test_a_fault_of_one_work_stops_neither_the_others_nor_the_election(store: Store, fault: Exception) -> None:
    def fails() -> None:
        raise fault

    election, done = Election(store.file.path), []
    election.when_ours(fails)
    election.when_ours(lambda: done.append("done"))
    try:
        election.stand()
        until(lambda: done)
        assert election.is_ours
    finally:
        election.stop()
