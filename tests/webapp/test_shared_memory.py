"""Limits that several processes share: one level for all, and a process that dies with the lock holds up nobody."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

from webapp.http.rate_limit import NEAR, SLOTS, Buckets, Common, Troubles, share


def forked(work: Callable[[], object]) -> int:
    """Another process that does this and ends; its id."""
    process = os.fork()
    if not process:
        work()
        os._exit(0)
    return process


def test_what_one_process_has_taken_the_other_has_not() -> None:
    common = Common(2, is_shared=True)
    here, other_kind = Buckets(3, common, 0), Buckets(3, common, 1)
    os.waitpid(forked(lambda: [here.take("10.0.0.1") for _ in range(2)]), 0)
    assert here.take("10.0.0.1") and not here.take("10.0.0.1")
    assert here.take("10.0.0.2") and other_kind.take("10.0.0.1")


def test_a_process_that_is_killed_with_the_lock_holds_up_nobody() -> None:
    common = Common(1, is_shared=True)
    troubles = Troubles(common)

    def hold() -> None:
        with common.lock():
            common.memory[:1] = b"x"
            time.sleep(600)

    process = forked(hold)
    end = time.monotonic() + 30
    while common.memory[:1] != b"x":
        assert time.monotonic() < end
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    troubles.add("now", "the disk is full")
    assert troubles.newest() == [("now", "the disk is full")]


def test_an_address_that_has_used_up_its_share_is_not_forgotten_for_others() -> None:
    buckets = Buckets(2, Common(1), 0)
    taken = [buckets.take("10.0.0.1") for _ in range(3)]
    for number in range(SLOTS * 2):  # more than there is room for
        assert buckets.take(f"house {number}")
    assert taken == [True, True, False] and not buckets.take("10.0.0.1")


def test_troubles_are_the_newest_and_fit_their_room() -> None:
    troubles = Troubles(Common(1))
    for number in range(60):
        troubles.add(f"{number}", "the disk is full " * 200)
    told = [int(time) for time, _ in troubles.newest()]
    assert told == list(range(60 - len(told), 60)) and 2 <= len(told) < Troubles.most


def test_a_share_is_divided_and_never_nothing() -> None:
    assert share(64, 1) == 64 and share(64, 2) == 32 and share(64, 3) == 22 and share(64, 64) == NEAR
