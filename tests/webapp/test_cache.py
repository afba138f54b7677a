"""What was made once is kept: what is asked for stays, nothing dear is made twice at the same time."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from shapely import Point

from tactical.kernel.cache import allow as bytes_allowed
from tactical.kernel.cache import bytes_in_use, size_of
from webapp import create_app
from webapp.http.cache import Cache


@pytest.fixture(autouse=True)
def asked(tmp_path: Path):
    """A request of this thread, whose language is part of every name."""
    with create_app({"DATABASE": tmp_path / "games.db"}).test_request_context():
        yield


def test_what_is_asked_for_stays_when_all_bytes_are_used(fresh_cache: None) -> None:
    bytes_allowed(50_000)
    one, other, made = Cache(), Cache(), []
    for number in range(100):
        one.get("often", lambda: made.append("often") or "often")
        other.get(number, lambda number=number: made.append(number) or "once" * 1000)
        assert bytes_in_use() <= 50_000
    assert made.count("often") == 1 and len(made) == 101
    other.get(99, lambda: made.append("again") or "")
    other.get(0, lambda: made.append("gone") or "")
    assert made[101:] == ["gone"]


def test_what_is_larger_than_all_caches_may_be_is_made_and_not_kept(fresh_cache: None) -> None:
    bytes_allowed(50_000)
    cache, made = Cache(), []
    for _ in range(2):
        assert len(cache.get("large", lambda: made.append(1) or "x" * 60_000)) == 60_000
    assert made == [1, 1] and bytes_in_use() < 1000


def test_the_bytes_of_a_value_are_those_of_everything_in_it() -> None:
    whole = {"text": "a" * 10_000, "points": [(float(number), 1.5) for number in range(1000)]}
    assert 10_000 + 1000 * 80 < size_of(whole) < 200_000
    assert size_of(whole, whole) == size_of(whole)
    assert size_of(Point(1, 2).buffer(1, quad_segs=1000)) > 4000 * 16


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

    assert together(Cache(single_flight=True), draw, 6) == ["drawn"] * 6
    assert len(made) == 1


def test_where_the_first_fails_the_others_make_it_themselves() -> None:
    made = []

    def draw() -> str:
        made.append(1)
        time.sleep(0.05)
        if len(made) == 1:
            raise ValueError("the first fails")
        return "drawn"

    assert sorted(together(Cache(single_flight=True), draw, 4)) == ["drawn"] * 3 + ["the first fails"]
