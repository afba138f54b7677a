"""Which threads serve which requests: what reckons for long keeps neither commands nor pages waiting."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from flask import Flask

from webapp import create_app
from webapp.http import rate_limit
from webapp.http.rate_limit import is_reckoned_apart, reckon_apart
from webapp.http.server import Bridge
from webapp.storage.journal.store import Store

T = TypeVar("T")


async def ask(bridge: Bridge, method: str, path: str) -> str:
    """The text of the answer."""
    said: list[bytes] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(message: dict[str, Any]) -> None:
        said.append(message.get("body", b""))

    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": [], "http_version": "1.1"}
    await bridge(scope, receive, send)
    return b"".join(said).decode()


@pytest.fixture
def ended() -> threading.Event:
    """Until it is set, what reckons is not done."""
    return threading.Event()


@pytest.fixture
def bridge(ended: threading.Event, monkeypatch: pytest.MonkeyPatch) -> Bridge:
    monkeypatch.setattr(rate_limit, "slow_down", lambda name: None)
    app = Flask("small")

    def thread(**_: str) -> str:
        return threading.current_thread().name.partition("_")[0]

    @app.route("/reckon", methods=["GET", "POST"])
    @reckon_apart("cuts")
    def reckon() -> str:
        ended.wait(60)
        return thread()

    app.add_url_rule("/page", "page", thread, methods=["GET", "POST"])
    app.add_url_rule("/g/<game>/command", "command", thread, methods=["GET", "POST"])
    return Bridge(app)


def alone(asked: Coroutine[Any, Any, T]) -> T:
    """The answer, in a thread of its own: a browser test before this one may have left its loop in the main thread."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, asked).result()


@pytest.mark.parametrize(
    ("method", "path", "threads"),
    [
        ("GET", "/page", "page"),
        ("POST", "/page", "page"),
        ("GET", "/g/A/command", "page"),
        ("POST", "/g/A/command", "command"),
        ("GET", "/reckon", "reckoning"),
        ("POST", "/reckon", "reckoning"),
    ],
)
def test_only_what_is_sent_to_a_game_has_the_threads_of_commands(
    bridge: Bridge, ended: threading.Event, method: str, path: str, threads: str
) -> None:
    ended.set()
    assert alone(ask(bridge, method, path)) == threads


def test_a_command_and_a_page_are_answered_while_many_reckon(bridge: Bridge, ended: threading.Event) -> None:
    async def play() -> tuple[list[str], int]:
        many = [asyncio.create_task(ask(bridge, method, "/reckon")) for method in ("GET", "POST") * 20]
        answers = [await ask(bridge, "POST", "/g/A/command"), await ask(bridge, "GET", "/page")]
        under_way = sum(not each.done() for each in many)
        ended.set()
        await asyncio.gather(*many)
        return answers, under_way

    assert alone(play()) == (["command", "page"], 40)


def test_cuts_and_odds_are_reckoned_apart(tmp_path: Any) -> None:
    app = create_app({"STORE": Store(tmp_path / "games.db"), "TESTING": True})
    apart = {rule.rule for rule in app.url_map.iter_rules() if is_reckoned_apart(app, rule.endpoint)}
    assert {"/api/v1/worlds/cut", "/open/new"} <= apart
    assert {"/odds/<name>", "/odds/<system>/<name>", "/api/v1/odds/<name>", "/api/v1/odds/<system>/<name>"} <= apart
