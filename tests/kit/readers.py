"""A store with real galley battles, and browsers without scripts that sit at them."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tactical.kernel.dice import random_source
from webapp import create_app
from webapp.storage.journal.store import Store

DUEL: dict[str, Any] = {
    "board": {"columns": 12, "rows": 9},
    "sides": {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage", "navy": "hellenistic"}},
    "ships": {
        "r1": {
            "side": "rome",
            "name": "Aquila",
            "type": "quinquereme",
            "at": [2, 2],
            "facing": "SE",
            "speed": 2,
            "corvus": True,
            "squadron": "First",
        },
        "r2": {
            "side": "rome",
            "name": "Lupa",
            "type": "quadrireme",
            "at": [2, 4],
            "facing": "SE",
            "speed": 2,
            "squadron": "First",
        },
        "c1": {"side": "carthage", "name": "Tanit", "type": "quinquereme", "at": [7, 0], "facing": "NW", "speed": 2},
        "c2": {
            "side": "carthage",
            "name": "Melqart",
            "type": "trireme",
            "crew": "elite",
            "at": [7, 2],
            "facing": "NW",
            "speed": 2,
        },
    },
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games.db", source=random_source(random.Random(11).randrange))


@pytest.fixture
def app(store: Store) -> Flask:
    return create_app({"STORE": store})


class Reader:
    """A browser without scripts at one seat of one battle: it reads pages and sends their forms."""

    def __init__(self, app: Flask, game: str, seat: str, token: str) -> None:
        self.client: FlaskClient = app.test_client()
        self.game, self.seat = game, seat
        self.client.get(f"/join/{token}")

    def get(self, path: str = "", **query: Any) -> Any:
        return self.client.get(f"/g/{self.game}{path}", query_string={"seat": self.seat, **query})

    def post(self, path: str, partial: bool = False, **fields: Any) -> Any:
        page = self.get().text
        token = re.search(r'name="csrf-token" content="([^"]+)"', page)
        assert token is not None
        form = {"csrf_token": token[1], **fields}
        headers = {"HX-Request": "true"} if partial else {}
        return self.client.post(f"/g/{self.game}{path}?seat={self.seat}", data=form, headers=headers)

    def give(self, command: str, seen: int, **fields: Any) -> Any:
        return self.post("/command", partial=True, command=command, seen=seen, **fields)


@pytest.fixture
def battle(app: Flask, store: Store) -> Callable[..., dict[str, Reader]]:
    def begin(position: dict[str, Any] | None = None, scenario: str | None = None, **wanted: Any) -> dict[str, Reader]:
        given = None if scenario else position or DUEL
        game, tokens = store.create("galley", scenario, given, **wanted)
        return {seat: Reader(app, game.id, seat, token) for seat, token in tokens.items()}

    return begin


def commands_on(page: str) -> list[str]:
    """The commands that the buttons of a page carry."""
    return [html.unescape(found) for found in re.findall(r'name="command" value="([^"]*)"', page)]
