"""Browsers: seats by session, CSRF, headers, languages, the vendored scripts."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys

import pytest
from flask import Flask, g
from flask.testing import FlaskClient
from flask_babel import get_locale
from flask_wtf.csrf import generate_csrf

from kit.players import SERVER, Player
from webapp.http.seats import current_seat, seat_or_none
from webapp.storage.journal.store import Store


def joined(app: Flask, game: Player, *seats: str) -> FlaskClient:
    browser = app.test_client()
    for seat in seats:
        answer = browser.get(f"/join/{game.tokens[seat]}")
        assert answer.status_code == 302 and answer.headers["Location"] == f"/g/{game.id}/home?seat={seat}"
    return browser


@pytest.fixture
def app(store: Store) -> Flask:
    """The application, with a page that says who is asking and a form that must be protected."""
    from webapp import create_app

    app = create_app({"BLUEPRINTS": SERVER, "STORE": store, "TESTING": True})

    @app.get("/who/<game>")
    def who(game: str) -> dict[str, str | None]:
        seat = seat_or_none(game)
        return {"seat": seat.id if seat else None, "csrf": generate_csrf(), "language": str(get_locale())}

    @app.get("/must/<game>")
    def must(game: str) -> str:
        return current_seat(game).id + g.seat.game

    @app.post("/form")
    def form() -> str:
        return "taken"

    return app


def test_a_join_link_seats_the_browser(app: Flask, game: Player) -> None:
    browser = joined(app, game, "red")
    cookie = browser.get_cookie("navarch")
    assert cookie is not None and cookie.http_only and cookie.same_site == "Lax"
    assert browser.get(f"/api/v1/games/{game.id}").json["seat"] == "red"
    assert browser.get(f"/who/{game.id}").json["seat"] == "red"


def test_several_seats_in_one_browser(app: Flask, game: Player) -> None:
    browser = joined(app, game, "red", "blue")
    assert browser.get(f"/who/{game.id}").json["seat"] == "blue"
    assert browser.get(f"/who/{game.id}?seat=red").json["seat"] == "red"
    assert browser.get(f"/who/{game.id}?seat=umpire").json["seat"] == "blue"


def test_a_session_does_not_outlive_its_token(app: Flask, game: Player, store: Store) -> None:
    browser = joined(app, game, "red")
    store.reissue(game.id, "red")
    assert browser.get(f"/api/v1/games/{game.id}").status_code == 401
    assert browser.get(f"/join/{game.tokens['red']}").status_code == 404


def test_a_browser_remembers_its_newest_games(app: Flask) -> None:
    browser = app.test_client()
    games = [Player(app.test_client()) for _ in range(40)]
    for game in games:
        browser.get(f"/join/{game.tokens['red']}")
    cookie = browser.get_cookie("navarch")
    assert cookie is not None and len(cookie.value) < 4000
    assert browser.get(f"/who/{games[-1].id}").json["seat"] == "red"
    assert browser.get(f"/who/{games[0].id}").json["seat"] is None


def test_a_browsers_command_needs_the_csrf_token(app: Flask, game: Player) -> None:
    browser = joined(app, game, "red")
    path = f"/api/v1/games/{game.id}/commands"
    command = {"seen": 0, "command": {"type": "shoot", "side": "red"}}
    refused = browser.post(path, json=command)
    assert refused.status_code == 400 and "CSRF" in refused.json["error"]
    token = browser.get(f"/who/{game.id}").json["csrf"]
    assert browser.post(path, json=command, headers={"X-CSRFToken": token}).status_code == 200
    assert game.give("red", 1, "shoot", side="red").status_code == 200, "programs need none"


def test_https_needs_no_referrer(app: Flask, game: Player) -> None:
    browser = app.test_client()
    token = browser.get(f"/who/{game.id}", base_url="https://localhost").json["csrf"]
    assert browser.post("/form", data={"csrf_token": token}, base_url="https://localhost").text == "taken"


def test_forms_of_pages_are_protected(app: Flask, game: Player) -> None:
    browser = app.test_client()
    assert browser.post("/form").status_code == 400
    token = browser.get(f"/who/{game.id}").json["csrf"]
    assert browser.post("/form", data={"csrf_token": token}).text == "taken"


def test_leaving_forgets_the_seats(app: Flask, game: Player) -> None:
    browser = joined(app, game, "red")
    token = browser.get(f"/who/{game.id}").json["csrf"]
    assert browser.post(f"/leave/{game.id}", data={"csrf_token": token}).status_code == 302
    assert browser.get(f"/who/{game.id}").json["seat"] is None


def test_refusals_outside_the_api_are_pages(app: Flask, game: Player) -> None:
    browser = app.test_client()
    for path, status in ((f"/must/{game.id}", 401), ("/must/NOGAME", 404)):
        answer = browser.get(path)
        assert answer.status_code == status and answer.mimetype == "text/html"
    assert joined(app, game, "red").get(f"/must/{game.id}").text == f"red{game.id}"


def test_a_strict_policy_and_no_caching(app: Flask, game: Player) -> None:
    headers = game.get("red").headers
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy and "style-src 'self';" in policy and "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"
    assert "HX-Request" in headers["Vary"]


def test_languages_are_chosen_kept_and_wished_for(app: Flask, game: Player) -> None:
    browser = app.test_client()

    def language(path: str = "", wish: str = "") -> str:
        return browser.get(f"/who/{game.id}{path}", headers={"Accept-Language": wish}).json["language"]

    assert language() == "en"
    assert language(wish="ru-RU,ru;q=0.9,en;q=0.5") == "ru"
    assert language(wish="fi") == "en"
    assert language("?lang=it", "ru") == "it"
    assert language(wish="ru") == "it"
    assert language("?lang=xx", "ru") == "it"


def test_a_browser_gets_htmx_4_0_1_as_it_was_released(client: FlaskClient) -> None:
    answer = client.get("/static/htmx.min.js")
    assert answer.status_code == 200 and re.match("(text|application)/javascript", answer.content_type)
    released = "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"
    assert 'this.version="4.0.1"' in answer.text and hashlib.sha256(answer.data).hexdigest() == released


def test_a_blueprint_whose_import_fails_stops_the_start() -> None:
    without = "import sys; sys.modules['webapp.pages.house_rules'] = None; from webapp import create_app; create_app()"
    ended = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True, timeout=60)
    assert ended.returncode and "webapp.pages.house" in ended.stderr
