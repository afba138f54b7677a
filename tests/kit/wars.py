"""A house with the real systems, and a table at which every seat is held by one browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tactical.kernel.record import plain
from webapp import create_app
from webapp.storage.journal.store import Store, all_systems


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games.db", all_systems())


@pytest.fixture
def app(store: Store) -> Flask:
    return create_app({"STORE": store, "TESTING": True, "PROPAGATE_EXCEPTIONS": False})


@pytest.fixture
def client(app: Flask) -> Iterator[FlaskClient]:
    with app.test_client() as client:
        yield client


SHARED = ("", "table", "log", "command", "undo", "cancel-roll")  # the same addresses for battles and campaigns


def root(what: str) -> str:
    """Where a page of a game stands."""
    return "/g" if what in SHARED else "/campaign"


class War:
    """A campaign whose seats a browser has joined; `page` and `post` name the seat."""

    def __init__(self, store: Store, client: FlaskClient, system: str = "hannibal", **wanted: Any) -> None:
        self.store, self.client = store, client
        if "position" not in wanted:
            wanted.setdefault("scenario", store.systems[system].scenarios()[0].id)
        game, self.tokens = store.create(system, **wanted)
        self.id = game.id
        for seat in self.tokens:
            self.join(seat)

    def join(self, seat: str) -> None:
        self.client.get(f"/join/{self.tokens[seat]}")

    def page(self, seat: str, what: str = "", query: str = "", **headers: str) -> Any:
        where = f"{root(what)}/{self.id}/{what}".rstrip("/")
        return self.client.get(f"{where}?seat={seat}{query}", headers=headers)

    def post(self, seat: str, what: str, query: str = "", **form: Any) -> Any:
        form.setdefault("csrf_token", self.csrf())
        form.setdefault("seen", str(self.version))
        return self.client.post(f"{root(what)}/{self.id}/{what}?seat={seat}{query}", data=form)

    def csrf(self) -> str:
        found = re.search(r'name="csrf-token" content="([^"]+)"', self.page("umpire").text)
        assert found
        return found[1]

    def page_view(self, seat: str) -> Any:
        """The view that the seat's page is made of."""
        return plain(self.store.load(self.id).view(seat))

    @property
    def version(self) -> int:
        return self.store.game(self.id).version

    @property
    def state(self) -> Any:
        return self.store.load(self.id).state


@pytest.fixture
def war(store: Store, client: FlaskClient) -> War:
    return War(store, client)
