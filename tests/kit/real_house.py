"""The application over the real systems: a test module imports `real_app` and `real_store` as its fixtures.

A module whose tests leave no trace in the application imports `shared_app` and `shared_store`: one for all its tests.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from webapp import create_app
from webapp.storage.journal.store import Store


class Browser(FlaskClient):
    """A client that sends its forms with the CSRF token of a page, as a browser does."""

    def post(self, *args: Any, **kwargs: Any) -> Any:
        if "data" in kwargs and isinstance(kwargs["data"], dict):
            found = re.search(r'name="csrf-token" content="([^"]+)"', self.get("/position").text)
            assert found is not None
            kwargs["data"] = {"csrf_token": found.group(1), **kwargs["data"]}
        return super().post(*args, **kwargs)


def house_over(store: Store) -> Flask:
    """The application over that store."""
    app = create_app({"STORE": store, "TESTING": True, "PROPAGATE_EXCEPTIONS": False})
    app.test_client_class = Browser
    return app


@pytest.fixture(name="store")
def real_store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games.db")


@pytest.fixture(name="app")
def real_app(store: Store) -> Flask:
    return house_over(store)


@pytest.fixture(name="store", scope="module")
def shared_store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("house") / "games.db")


@pytest.fixture(name="app", scope="module")
def shared_app(store: Store) -> Flask:
    return house_over(store)
