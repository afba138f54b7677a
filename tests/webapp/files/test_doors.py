"""Wherever a stranger's spreadsheet comes in, a reader that is stopped is answered with a sentence, and nothing changes."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from kit import harmless_reader
from kit.open_war import position
from kit.real_house import real_app, real_store
from webapp.files import book
from webapp.files.child_process import Limits
from webapp.storage.journal.store import Store

__all__ = ["real_app", "real_store"]
SENTENCE = "this file could not be read in time"
Send = Callable[[], Any]  # made for a client when all is set up


@pytest.fixture
def client(app: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(book, "READER", Path(harmless_reader.__file__))
    monkeypatch.setattr(book, "LIMITS", Limits(seconds=0.2))
    return app.test_client()


def form(client: FlaskClient, address: str, **fields: str) -> Any:
    sheet = (io.BytesIO(b"side,type\nrome,trireme\n"), "fleet.csv")
    return client.post(address, data={"file": sheet, **fields}, content_type="multipart/form-data")


def season(client: FlaskClient) -> tuple[str, dict[str, str]]:
    """A season with a player, whose seat the organizer's browser holds as well; its code and the organizer's head."""
    made = client.post("/api/v1/seasons", json={"title": "Winter", "pairing": "swiss"}).json
    head = {"Authorization": f"Bearer {made['token']}"}
    ships = [{"type": "quinquereme", "name": "Aquila"}]
    client.post(
        f"/api/v1/seasons/{made['id']}/players",
        json={"name": "Anna", "fleet": {"navy": "roman", "ships": ships}},
        headers=head,
    )
    client.get(f"/join/{made['token']}", follow_redirects=True)
    return made["id"], head


def season_fleet(client: FlaskClient) -> Send:
    code, _head = season(client)
    return lambda: form(client, f"/season/{code}/fleet/p1/sheet?seat=umpire", navy="roman")


def season_fleet_by_api(client: FlaskClient) -> Send:
    code, head = season(client)
    return lambda: client.put(f"/api/v1/seasons/{code}/players/p1/fleet.csv", data=b"type\ntrireme\n", headers=head)


def season_types(client: FlaskClient) -> Send:
    code, _head = season(client)
    return lambda: form(client, f"/season/{code}/types?seat=umpire")


def models(client: FlaskClient) -> Send:
    made = client.post("/api/v1/games", json={"system": "open_campaign", "position": position()}).json
    token = next(seat["token"] for seat in made["seats"] if seat["id"] == "rhodes")
    client.get(f"/join/{token}", follow_redirects=True)
    return lambda: form(client, f"/open/{made['id']}/models?seat=rhodes", act="file")


DOORS: dict[str, tuple[int, Callable[[FlaskClient], Send]]] = {
    "a position drawn by hand": (422, lambda client: lambda: form(client, "/positions/draw")),
    "a position over the API": (400, lambda client: lambda: client.post("/api/v1/positions/read", data=b"side\n")),
    "a group's own values": (422, lambda client: lambda: form(client, "/campaign/house/galley", do="check")),
    "a season's fleet": (422, season_fleet),
    "a season's fleet over the API": (400, season_fleet_by_api),
    "a season's ship types": (422, season_types),
    "the models of a side": (422, models),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_file_that_takes_too_long_is_refused_by_its_name_and_changes_nothing(
    client: FlaskClient, store: Store, door: str
) -> None:
    status, prepare = DOORS[door]
    send = prepare(client)
    before = store.file.rows("select id, version, revision from games")
    answer = send()
    assert answer.status_code == status, answer.text
    assert re.search(rf"file\W+{SENTENCE}", answer.text, re.IGNORECASE), answer.text
    assert store.file.rows("select id, version, revision from games") == before


def test_the_sentence_is_in_the_readers_language(client: FlaskClient) -> None:
    answer = form(client, "/positions/draw?lang=it")
    assert answer.status_code == 422 and SENTENCE not in answer.text
