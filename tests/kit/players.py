"""A store and an application over the toy system."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kit.toy import SYSTEMS
from webapp import create_app
from webapp.api import table, views
from webapp.http import addresses, seats
from webapp.pages import lobby
from webapp.storage.journal.store import Store

SERVER = (seats.bp, addresses.bp, views.bp, views.odds_bp, table.bp, lobby.bp)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games.db", SYSTEMS)


@pytest.fixture
def app(store: Store) -> Flask:
    return create_app({"STORE": store, "TESTING": True, "PROPAGATE_EXCEPTIONS": False, "BLUEPRINTS": SERVER})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


class Player:
    """A program that plays over the API with the tokens of one game."""

    def __init__(self, client: FlaskClient, **wanted: Any) -> None:
        self.client = client
        made = client.post("/api/v1/games", json={"system": "toy", "scenario": "duel", **wanted})
        assert made.status_code == 201, made.text
        self.created = made.json
        self.id = made.json["id"]
        self.tokens = {seat["id"]: seat["token"] for seat in made.json["seats"]}

    def headers(self, seat: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[seat]}"}

    def get(self, seat: str, what: str = "") -> Any:
        return self.client.get(f"/api/v1/games/{self.id}{what}", headers=self.headers(seat))

    def post(self, seat: str, what: str, **body: Any) -> Any:
        return self.client.post(f"/api/v1/games/{self.id}/{what}", json=body, headers=self.headers(seat))

    def give(self, seat: str, seen: int, kind: str, rolls: Any = None, key: str | None = None, **fields: Any) -> Any:
        body: dict[str, Any] = {"command": {"type": kind, **fields}, "seen": seen}
        if rolls is not None:
            body["rolls"] = rolls
        if key is not None:
            body["key"] = key
        return self.post(seat, "commands", **body)


@pytest.fixture
def game(client: FlaskClient) -> Player:
    return Player(client)


@pytest.fixture
def physical(client: FlaskClient) -> Player:
    return Player(client, dice="physical")
