"""What was made once is kept: what is asked for stays, nothing dear is made twice at the same time."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from webapp import create_app
from webapp.http.cache import Cache


@pytest.fixture(autouse=True)
def asked(tmp_path: Path):
    """A request of this thread, whose language is part of every name."""
    with create_app({"DATABASE": tmp_path / "games.db"}).test_request_context():
        yield


def test_what_is_asked_for_stays_when_a_shelf_is_full() -> None:
    cache, made = Cache(8), []
    for number in range(100):
        cache.get("often", lambda: made.append("often") or "often")
        cache.get(number, lambda number=number: made.append(number) or "once")
    assert made.count("often") == 1 and len(made) == 101
    assert len(cache._new) + len(cache._old) <= 8


def together(cache: Cache, make, callers: int) -> list[str]:
    """What many get who ask at the same time."""
    ready = threading.Barrier(callers)

    def ask() -> str:
        ready.wait(10)
        try:
            return cache.get("table", make)
        except ValueError as fault:
            return str(fault)

    with ThreadPoolExecutor(callers) as threads:
        return [each.result() for each in [threads.submit(ask) for _ in range(callers)]]


def test_what_single_flight_is_made_once_for_all_who_ask_meanwhile() -> None:
    made = []

    def draw() -> str:
        made.append(1)
        time.sleep(0.1)
        return "drawn"

    assert together(Cache(8, single_flight=True), draw, 6) == ["drawn"] * 6
    assert len(made) == 1


def test_where_the_first_fails_the_others_make_it_themselves() -> None:
    made = []

    def draw() -> str:
        made.append(1)
        time.sleep(0.05)
        if len(made) == 1:
            raise ValueError("the first fails")
        return "drawn"

    assert sorted(together(Cache(8, single_flight=True), draw, 4)) == ["drawn"] * 3 + ["the first fails"]
