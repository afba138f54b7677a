"""A server whose names, organizer and limits a test sets."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from kit.real_house import Browser
from webapp import create_app
from webapp.cli import serve
from webapp.storage.journal.store import Store

ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}


DUEL = {"system": "toy", "scenario": "duel"}


def house(store: Store, **config: Any) -> Flask:
    app = create_app({"STORE": store, "TESTING": True, "PROPAGATE_EXCEPTIONS": False, **config})
    app.test_client_class = Browser
    return app


@pytest.fixture(name="real")
def real_games(tmp_path: Path) -> Store:
    return Store(tmp_path / "real.db")


def arguments_of(*arguments: str) -> argparse.Namespace:
    top = argparse.ArgumentParser()
    serve.register(top.add_subparsers())
    return top.parse_args(["serve", *arguments])
