"""What a stranger can store or set going is in one table, which the docs show, and it is counted."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from kit.real_house import real_app, real_store
from webapp.captains.forecasts import Jobs, Turns
from webapp.storage.journal.store import Store
from webapp.storage.services import archive, letters

__all__ = ["real_app", "real_store"]
ROOT = Path(__file__).parents[2]
ELSEWHERE, OTHERS = {"REMOTE_ADDR": "203.0.113.9"}, {"REMOTE_ADDR": "203.0.113.10"}
POSITION = {
    "sides": {"rome": {"navy": "roman"}, "carthage": {"navy": "hellenistic"}},
    "board": {"columns": 12, "rows": 9},
    "ships": {
        "r1": {"side": "rome", "type": "quinquereme", "at": [3, 2], "facing": "SE", "speed": 2},
        "c1": {"side": "carthage", "type": "quinquereme", "at": [11, 2], "facing": "NW", "speed": 2},
    },
}


def test_the_page_of_threats_shows_the_limits_of_the_code() -> None:
    page = (ROOT / "docs/threats.md").read_text()
    assert page == archive.with_table(page), "python tools/limits.py"


def test_every_limit_is_used_and_every_one_that_is_used_stands_in_the_table() -> None:
    texts = [path.read_text() for path in (ROOT / "webapp").rglob("*.py")]
    flowing = {name for text in texts for name in re.findall(r'slow_down\("([^"]+)"', text)}
    flowing |= {name for text in texts for name in re.findall(r'@reckon_apart\("([^"]+)"', text)}
    flowing |= {name for text in texts for name in re.findall(r'allow_new_game\("([^"]+)"', text)}
    flowing |= {"games", "own games"}  # of `allow_new_game` without a word
    standing = {name for text in texts for name in re.findall(r'\bmost\("([^"]+)"\)', text)}
    assert flowing == set(archive.flowing())
    assert standing == {name for name, limit in archive.LIMITS.items() if not limit.seconds and not limit.setting}


def test_a_stranger_saves_so_many_positions_a_day_and_the_organizer_goes_on(app: Flask, store: Store) -> None:
    app.extensions["navarch"].limits["games"].most = 1000
    client, most = app.test_client(), archive.most("saved positions")

    def save(title: str = "Ours", **more: Any) -> int:
        return client.post("/api/v1/positions", json={"title": title, "position": POSITION}, **more).status_code

    assert [save(environ_base=ELSEWHERE) for _ in range(most + 2)] == [201] * most + [429] * 2
    assert save(environ_base=OTHERS) == 201 and save() == 201
    assert len(letters.all_positions(store)) == most + 2


def test_the_bytes_of_saved_positions_are_counted(app: Flask, store: Store) -> None:
    app.extensions["navarch"].limits["saved bytes"].most = 800
    client, sent = app.test_client(), {"title": "Ours", "position": POSITION}
    found = [client.post("/api/v1/positions", json=sent, environ_base=ELSEWHERE).status_code for _ in range(4)]
    assert found[0] == 201 and found[-1] == 429 and len(letters.all_positions(store)) < 4


@pytest.mark.parametrize(
    ("row", "pages"),
    [
        ("cuts", ["/open/new?corner=9,41&corner=12,43.5", "/open/new"]),
        ("odds", ["/odds/boarding?attacker=heavy:10&defender=medium:15", "/api/v1/odds/hannibal/siege?units=5"]),
    ],
)
def test_what_is_reckoned_for_strangers_is_counted_together(app: Flask, row: str, pages: list[str]) -> None:
    app.extensions["navarch"].limits[row].most = len(pages) + 1
    client = app.test_client()
    cut = {"json": {"corners": [[9, 41], [12, 43.5]]}, "environ_base": ELSEWHERE}
    if row == "cuts":
        assert client.post("/api/v1/worlds/cut", **cut).status_code == 200
    else:
        assert client.get(pages[0], environ_base=ELSEWHERE).status_code == 200
    assert [client.get(page, environ_base=ELSEWHERE).status_code for page in pages] == [200] * len(pages)
    assert [client.get(page, environ_base=ELSEWHERE).status_code for page in pages] == [429] * len(pages)
    assert row != "cuts" or client.post("/api/v1/worlds/cut", **cut).status_code == 429
    assert client.get(pages[0], environ_base=OTHERS).status_code == 200


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forecasts are asked for, and nobody fights them."""
    monkeypatch.setattr(Jobs, "_enqueue", lambda jobs, name, by: None)


def begin(app: Flask, whence: dict[str, str]) -> Any:
    sent = {"scenario": "mylae", "battles": 5}
    return app.test_client().post("/api/v1/forecasts", json=sent, environ_base=whence)


@pytest.mark.usefixtures("idle")
def test_an_address_has_two_forecasts_open_and_others_have_theirs(app: Flask) -> None:
    first, *others = [begin(app, ELSEWHERE) for _ in range(4)]
    assert [each.status_code for each in (first, *others)] == [202, 202, 429, 429]
    assert "fought" in others[-1].json["error"] and begin(app, OTHERS).status_code == 202
    app.test_client().delete(first.headers["Location"], environ_base=ELSEWHERE)
    assert begin(app, ELSEWHERE).status_code == 202


def test_a_forecast_that_cannot_be_fought_holds_up_no_other(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    fought: list[str] = []
    both = threading.Event()

    def fail_at_the_first(jobs: Jobs, name: str) -> None:
        fought.append(name)
        if len(fought) == 1:
            raise LookupError("a fault of ours")
        jobs.stop(name)
        both.set()

    monkeypatch.setattr(Jobs, "_fight", fail_at_the_first)
    names = [begin(app, whence).json["id"] for whence in (ELSEWHERE, OTHERS)]
    assert both.wait(30) and fought == names


@pytest.mark.usefixtures("idle")
def test_a_forecast_ends_when_it_is_old(app: Flask, store: Store) -> None:
    old, new = begin(app, ELSEWHERE).json["id"], begin(app, ELSEWHERE).json["id"]
    with store.write() as db:
        db.conn.execute("update forecasts set made = '2026-01-01T00:00:00.000Z' where id = ?", (old,))
    shown = [app.test_client().get(f"/api/v1/forecasts/{name}").json["status"] for name in (old, new)]
    assert shown == ["stopped", "running"] and begin(app, ELSEWHERE).status_code == 202


def test_whoever_asks_for_forecasts_has_his_turn() -> None:
    turns, order = Turns(), []
    for name in ("a1", "a2", "a3", "b1"):
        turns.add(name, name[0])
    left = {"a1": 3, "a2": 1, "a3": 1, "b1": 2}
    while (name := turns.next()) is not None:
        order.append(name)
        left[name] -= 1
        turns.end_turn(name, left[name] > 0)
    assert order == ["a1", "b1", "a2", "b1", "a3", "a1", "a1"] and turns.is_alone
