"""A tablet keeps its seat whatever the server's clock says, and nobody reads its token in the cookie."""

from __future__ import annotations

import base64
import re
import time
import zlib
from typing import Any

import pytest
from flask import Flask
from flask.sessions import SecureCookieSessionInterface

from kit.players import Player
from webapp.storage.journal.store import Store

HOUR = 3600


def clock(monkeypatch: pytest.MonkeyPatch, by: float) -> None:
    true = time.time
    monkeypatch.setattr(time, "time", lambda: true() + by)


def joined(app: Flask, game: Player, seat: str = "red") -> Any:
    client = app.test_client()
    assert client.get(f"/join/{game.tokens[seat]}").status_code == 302
    return client


def seat_of(client: Any, game: Player) -> int:
    return client.get(f"/api/v1/games/{game.id}").status_code


@pytest.mark.parametrize("by", [-HOUR, -30 * 365 * 24 * HOUR, 300 * 24 * HOUR])
def test_a_clock_that_was_wrong_logs_nobody_out(
    app: Flask, game: Player, monkeypatch: pytest.MonkeyPatch, by: float
) -> None:
    client = joined(app, game)
    with monkeypatch.context() as wrong:
        clock(wrong, by)
        assert seat_of(client, game) == 200
        other = joined(app, game, "blue")  # a cookie made while it was wrong
    assert seat_of(client, game) == 200 and seat_of(other, game) == 200


def test_the_cookie_lives_by_the_browsers_clock(app: Flask, game: Player) -> None:
    told = app.test_client().get(f"/join/{game.tokens['red']}").headers["Set-Cookie"]
    assert f"Max-Age={400 * 24 * HOUR}" in told  # which counts before Expires
    assert "HttpOnly" in told and "SameSite=Lax" in told


def test_no_token_stands_in_clear_in_the_cookie(app: Flask, game: Player) -> None:
    told = app.test_client().get(f"/join/{game.tokens['red']}").headers["Set-Cookie"]
    value = re.match(r"navarch=([^;]+)", told)
    assert value is not None
    for part in (value.group(1), *value.group(1).split(".")):
        raw = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
        plain = [raw, part.encode()]
        for start in range(3):
            try:
                plain.append(zlib.decompress(raw[start:]))
            except zlib.error:
                continue
        assert all(game.tokens["red"].encode() not in each for each in plain)


def test_a_cookie_that_cannot_be_read_is_left_alone(app: Flask, game: Player) -> None:
    client = app.test_client()
    client.set_cookie("navarch", "of-another-server")
    answer = client.get(f"/join/{game.tokens['red']}")
    assert "navarch-2=" in answer.headers["Set-Cookie"]
    assert client.get_cookie("navarch").value == "of-another-server"
    assert seat_of(client, game) == 200


def test_a_cookie_of_an_earlier_version_still_holds(app: Flask, store: Store, game: Player) -> None:
    signing = SecureCookieSessionInterface().get_signing_serializer(app)
    assert signing is not None
    client = app.test_client()
    client.set_cookie("navarch", signing.dumps({"seats": [[game.id, "red", game.tokens["red"]]], "_permanent": True}))
    assert seat_of(client, game) == 200
    assert seat_of(client, game) == 200


def test_thirty_two_seats_fit_into_a_cookie(app: Flask, store: Store) -> None:
    client = app.test_client()
    for _ in range(40):
        _, tokens = store.create("toy", "duel")
        told = client.get(f"/join/{tokens['red']}").headers["Set-Cookie"]
    assert len(told) < 4096
