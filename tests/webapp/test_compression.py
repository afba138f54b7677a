"""Texts are compressed for whoever takes it, in every answer of the house; nothing else changes."""

from __future__ import annotations

import gzip
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kit.players import Player
from webapp import create_app

GZIP = {"Accept-Encoding": "br, gzip"}
TOKEN = re.compile(rb'(?<=="csrf-token" content=")[^"]*|(?<=name="csrf_token" value=")[^"]*')  # another one each second


@pytest.fixture
def house(tmp_path) -> FlaskClient:
    return create_app({"DATABASE": tmp_path / "games.db", "TESTING": True}).test_client()


@pytest.mark.parametrize(
    "path",
    ["/", "/static/app.css", "/static/htmx.min.js", "/api/v1/systems", "/api/v1/openapi.json", "/reference/galley"],
)
def test_a_text_is_the_same_when_unpacked(house: FlaskClient, path: str) -> None:
    plain, packed = house.get(path), house.get(path, headers=GZIP)
    assert packed.headers["Content-Encoding"] == "gzip" and "Content-Encoding" not in plain.headers
    assert all("Accept-Encoding" in answer.vary for answer in (house.get(path), house.get(path, headers=GZIP)))
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
    assert TOKEN.sub(b"", gzip.decompress(packed.data)) == TOKEN.sub(b"", plain.data)


@pytest.mark.parametrize("wish", ["", "identity", "br", "gzip;q=0"])
def test_who_does_not_take_gzip_gets_none(house: FlaskClient, wish: str) -> None:
    assert "Content-Encoding" not in house.get("/api/v1/systems", headers={"Accept-Encoding": wish}).headers


def test_a_refusal_and_a_short_answer_can_be_read(house: FlaskClient) -> None:
    answer = house.get("/nowhere", headers=GZIP)
    assert answer.status_code == 404 and b"<html" in gzip.decompress(answer.data)
    assert house.get("/api/v1/nowhere", headers=GZIP).json["error"]


def test_pictures_and_streams_stay_as_they_are(app: Flask, game: Player) -> None:
    answer = game.client.get(f"/api/v1/games/{game.id}/stream", headers={**game.headers("red"), **GZIP}, buffered=False)
    assert "Content-Encoding" not in answer.headers and b"retry" in next(answer.iter_encoded())
    answer.close()


def test_the_length_of_an_answer_tells_nothing_exactly(house: FlaskClient) -> None:
    lengths = {len(house.get("/api/v1/systems", headers=GZIP).data) for _ in range(20)}
    assert len(lengths) > 5


def test_a_program_asks_by_the_tag_of_what_it_has(game: Player) -> None:
    path = f"/api/v1/games/{game.id}"
    first = game.client.get(path, headers={**game.headers("red"), **GZIP})
    tag = first.headers["ETag"]
    again = game.client.get(path, headers={**game.headers("red"), **GZIP, "If-None-Match": tag})
    assert again.status_code == 304 and not again.data
    assert game.client.get(path, headers={**game.headers("red"), "If-None-Match": tag}).status_code == 304
    game.give("red", 0, "shoot", side="red")
    assert game.client.get(path, headers={**game.headers("red"), "If-None-Match": tag}).status_code == 200


def test_a_static_file_is_asked_for_by_its_tag(house: FlaskClient) -> None:
    first = house.get("/static/app.css", headers=GZIP)
    again = house.get("/static/app.css", headers={**GZIP, "If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
