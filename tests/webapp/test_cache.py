"""What was made once is kept: what is asked for stays, nothing dear is made twice at the same time."""

from __future__ import annotations

import errno
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment
from jinja2.bccache import Bucket
from shapely import Point

from tactical.kernel.cache import allow as bytes_allowed
from tactical.kernel.cache import bytes_in_use, size_of
from webapp import create_app
from webapp.http.cache import Cache, Shelf
from webapp.presenting.map.sheet import cells, draw, ground, sources


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


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    found = Shelf()
    found.open(tmp_path / "games.db")
    return found


def made(shelf: Shelf, source: Path, value: str) -> str:
    """What the shelf gives for the name "map"; `value` is what it would be now."""
    return shelf.get("map-rome", (source,), lambda: value)


def test_what_was_drawn_is_read_after_the_next_start_until_what_it_is_made_of_changes(shelf: Shelf, tmp_path: Path):
    source = tmp_path / "coast.geojson"
    source.write_text("a coast")
    assert made(shelf, source, "old") == made(shelf, source, "new") == "old"
    after = Shelf()
    after.open(tmp_path / "games.db")
    assert made(after, source, "new") == "old"
    source.write_text("another coast")
    assert made(after, source, "new") == "new"
    assert after.folder is not None and len(list(after.folder.iterdir())) == 1
    assert after.folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("left", [b"", b"nothing that Python wrote"])
def test_a_file_that_cannot_be_read_is_made_anew(shelf: Shelf, tmp_path: Path, left: bytes):
    source = tmp_path / "coast.geojson"
    source.write_text("a coast")
    made(shelf, source, "old")
    assert shelf.folder is not None
    (kept,) = shelf.folder.iterdir()
    kept.write_bytes(left)
    assert made(shelf, source, "new") == made(shelf, source, "newer") == "new"


def test_a_folder_that_others_may_write_to_is_not_read(tmp_path: Path):
    folder = tmp_path / "games.db.drawn"
    folder.mkdir()
    folder.chmod(0o777)
    shelf = Shelf()
    shelf.open(tmp_path / "games.db")
    assert shelf.folder is None and shelf.get("map", (), lambda: "made") == "made"
    assert not list(folder.iterdir()) and shelf.templates(()) is None


def test_a_map_from_its_file_is_the_same_map_with_a_number_of_its_own(shelf: Shelf):
    paper = draw("hannibal")
    first, second = (shelf.get("map-hannibal", sources(), lambda: paper) for _time in range(2))
    assert first is paper and second is not paper and second.number != paper.number
    assert ground(second) == ground(paper) and cells(second) == cells(paper)
    assert second.land.equals(paper.land) and second.spots["rome"].at == paper.spots["rome"].at
    assert set(second.kept) == {("ground",), ("cells",)}


def test_templates_are_compiled_once_for_all_starts(shelf: Shelf):
    for _start in range(2):
        env = Environment(loader=DictLoader({"page.html": "{{ 6 * 7 }}"}), bytecode_cache=shelf.templates(()))
        assert env.get_template("page.html").render() == "42"
        assert shelf.folder is not None and len(list(shelf.folder.glob("page-*"))) == 1


def test_a_template_is_shown_where_what_is_compiled_cannot_be_written(shelf: Shelf, monkeypatch: pytest.MonkeyPatch):
    def full(*_given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Bucket, "write_bytecode", full)
    env = Environment(loader=DictLoader({"page.html": "{{ 6 * 7 }}"}), bytecode_cache=shelf.templates(()))
    assert env.get_template("page.html").render() == "42"
    assert shelf.folder is not None and not list(shelf.folder.iterdir())
