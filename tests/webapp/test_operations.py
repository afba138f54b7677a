"""Health, metrics and logs for whoever runs the server; nothing secret in any of them."""

from __future__ import annotations

import csv
import io
import json
import logging
import re
import sqlite3
from typing import Any

import pytest
from flask import Flask

from kit.real_house import real_app, real_store
from webapp.files.book import as_csv, bare, harmless
from webapp.http import seats
from webapp.http.operations import LOG, Lines
from webapp.storage.journal.store import Store

__all__ = ["real_app", "real_store"]


def test_health_is_told(app: Flask, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    client = app.test_client()
    assert client.get("/healthz").json == {"well": True}

    def broken(*_: Any) -> Any:
        fault = sqlite3.DatabaseError("malformed")
        fault.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise fault

    monkeypatch.setattr(store.file, "rows", broken)
    answer = client.get("/healthz")
    assert answer.status_code == 503 and "damaged" in answer.json["error"]


def test_metrics_count_requests_by_route_and_hold_no_secret(app: Flask, store: Store) -> None:
    game, tokens = store.create("galley", scenario="mylae", title="Admiral Secret")
    client = app.test_client()
    client.get(f"/join/{tokens['rome']}")
    client.get(f"/g/{game.id}")
    client.get("/api/v1/games/NOSUCH22")
    told = client.get("/metrics")
    assert told.mimetype == "text/plain"
    assert 'navarch_requests_total{method="GET",route="/join/<token>",status="302"} 1.0' in told.text
    assert "navarch_games 1.0" in told.text
    assert re.search(r"^navarch_cache_bytes [1-9]", told.text, re.MULTILINE)
    for secret in (game.id, tokens["rome"], "Admiral", "NOSUCH22"):
        assert secret not in told.text


def test_logs_are_lines_of_json_without_secrets(app: Flask, store: Store, caplog: pytest.LogCaptureFixture) -> None:
    game, tokens = store.create("galley", scenario="mylae")
    with caplog.at_level(logging.INFO, LOG.name):
        client = app.test_client()
        client.get(f"/join/{tokens['rome']}?lang=it")
        client.get(f"/api/v1/games/{game.id}", headers={"Authorization": "Bearer wrong"})
    lines = [Lines().format(record) for record in caplog.records]
    said = [json.loads(line) for line in lines if "milliseconds" in line]
    assert [(each["route"], each["status"]) for each in said] == [("/join/<token>", 302), ("/api/v1/games/<game>", 401)]
    for secret in (game.id, tokens["rome"], "wrong"):
        assert all(secret not in line for line in lines)


def test_an_error_of_the_program_is_logged_by_its_route(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    def broken(**_: Any) -> Any:
        raise RuntimeError("a fault of the program")

    app.view_functions["seats.join"] = broken
    assert app.test_client().get("/join/a-secret-link").status_code == 500
    assert "Exception at /join/<token> [GET]" in caplog.text and "a-secret-link" not in caplog.text


@pytest.mark.parametrize("name", ["Nike;=1+1", "Nike; +1", "Nike\n-1", "Nike\t@x", "x;-1;=2"])
def test_no_name_is_a_formula_for_a_reader_with_another_separator(name: str) -> None:
    """A file with commas, opened where a semicolon or a tab separates: no cell of it begins with a sign."""
    written = as_csv({"": [["Aquila", name, "Lupa"]]}).decode("utf-8-sig")
    cells = [cell.strip() for separator in ";\t" for line in written.splitlines() for cell in line.split(separator)]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    assert bare(next(csv.reader(io.StringIO(written, newline="")))[1]) == name


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-1", "@x", "\t=1"])
def test_no_name_is_a_formula_in_a_spreadsheet(app: Flask, store: Store, name: str) -> None:
    assert str(harmless(name)).startswith("'") and bare(str(harmless(name))) == name
    game, tokens = store.create("galley", scenario="mylae")
    ship = next(iter(store.load(game.id).state.ships))
    store.submit(game.id, 0, "umpire", {"type": "adjust", "ship": ship, "changes": {"name": name}, "why": "a test"})
    client = app.test_client()
    client.get(f"/join/{tokens['umpire']}")
    told = client.get(f"/g/{game.id}/report.csv").text
    assert f",'{name.strip()}," in told.replace('"', "")


def test_a_seat_is_taken_by_opening_its_link_alone(app: Flask, store: Store) -> None:
    _, tokens = store.create("galley", scenario="mylae")
    client = app.test_client()
    for kind in ("image", "iframe", "script", "empty"):
        assert client.get(f"/join/{tokens['rome']}", headers={"Sec-Fetch-Dest": kind}).status_code == 403
    assert client.get(f"/join/{tokens['rome']}", headers={"Sec-Fetch-Dest": "document"}).status_code == 302


@pytest.mark.parametrize("whence", ["cross-site", "same-site"])
def test_a_link_on_another_sites_page_is_shown_and_taken_by_a_tap(app: Flask, store: Store, whence: str) -> None:
    game, tokens = store.create("galley", scenario="mylae")
    client, link = app.test_client(), f"/join/{tokens['rome']}"
    shown = client.get(link, headers={"Sec-Fetch-Dest": "document", "Sec-Fetch-Site": whence})
    assert shown.status_code == 200 and game.id in shown.text
    assert client.get(f"/api/v1/games/{game.id}").status_code == 401, "nothing is taken yet"
    assert app.test_client().post(link).status_code == 400, "nor by another site's form"
    assert client.post(link, data={}).status_code == 303
    assert client.get(f"/api/v1/games/{game.id}").status_code == 200
    for here in ("none", "same-origin"):
        headers = {"Sec-Fetch-Dest": "document", "Sec-Fetch-Site": here}
        assert app.test_client().get(link, headers=headers).status_code == 302


def test_an_umpires_seat_is_the_last_to_be_forgotten_and_the_page_says_so(app: Flask, store: Store) -> None:
    client, games = app.test_client(), [store.create("galley", scenario="mylae") for _ in range(seats.KEPT + 2)]

    def holds(number: int) -> bool:
        return bool(client.get(f"/api/v1/games/{games[number][0].id}").status_code == 200)

    client.get(f"/join/{games[0][1]['umpire']}")
    for _game, tokens in games[1:]:
        client.get(f"/join/{tokens['rome']}")
    assert [holds(number) for number in (0, 1, 2, 3)] == [True, False, False, True]
    assert "has forgotten" not in client.get("/").text
    for _game, tokens in games[1:]:
        client.get(f"/join/{tokens['umpire']}")
    page = client.get("/").text
    assert not holds(0) and "has forgotten" in page and games[0][0].id in page
    assert "has forgotten" not in client.get("/").text, "told once"


def test_a_stranger_hears_nothing_of_the_ships(app: Flask, store: Store) -> None:
    game, _ = store.create("galley", scenario="mylae")
    client = app.test_client()
    ship = next(iter(store.load(game.id).state.ships))
    answers = {client.get(f"/g/{game.id}/sheet/{name}").status_code for name in (ship, "no_such_ship")}
    assert answers == {401}
