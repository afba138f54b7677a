"""Who is the organizer, and how passwords are guessed."""

from __future__ import annotations

import pytest

from kit.doors import (
    DUEL,
    ELSEWHERE,
    house,
    real_games,  # noqa: F401
)
from kit.players import SERVER
from webapp.http import seats, sessions
from webapp.storage.journal.store import Store
from webapp.storage.services import backups


def test_a_password_makes_the_organizer(real: Store) -> None:
    game, _ = real.create("galley", scenario="mylae")
    app = house(real, ORGANIZER_PASSWORD=seats.password_hash("a long password"))
    client = app.test_client()
    assert game.id not in client.get("/organizer").text, "not even at the machine itself"
    assert "password is wrong" in client.post("/organizer/login", data={"password": "guess"}).text
    assert game.id not in client.get("/organizer").text
    assert client.post("/organizer/login", data={"password": "a long password"}).status_code == 303
    assert game.id in client.get("/organizer", environ_base=ELSEWHERE).text
    other = house(real, ORGANIZER_PASSWORD=seats.password_hash("another password")).test_client()
    other.set_cookie("navarch", client.get_cookie("navarch").value)
    assert game.id not in other.get("/organizer").text, "a new password ends the session"
    client.post("/organizer/login", data={"password": ""})
    assert game.id not in client.get("/organizer").text


def test_passwords_are_guessed_slowly(real: Store) -> None:
    client = house(real, ORGANIZER_PASSWORD=seats.password_hash("a long password"), BAD_TOKENS_A_MINUTE=3).test_client()
    answers = [client.post("/organizer/login", data={"password": str(n)}).status_code for n in range(5)]
    assert answers[-1] == 429


def test_the_cookie_is_written_anew_by_changes_and_by_the_first_page_of_a_day(
    real: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, tokens = real.create("galley", scenario="mylae")
    client, page, part = house(real).test_client(), f"/g/{game.id}", {"HX-Request": "true"}
    client.get(f"/join/{tokens['rome']}")
    assert "Set-Cookie" in client.get(page).headers, "the forms' secret is new"
    assert "Set-Cookie" not in client.get(page).headers, "a late answer would put back what another changed"
    monkeypatch.setattr(sessions, "_today", lambda: 0)
    assert "Set-Cookie" not in client.get("/static/app.css").headers
    assert "Max-Age" in client.get(page).headers["Set-Cookie"], "its days begin anew"
    again = client.get(f"{page}/table", headers=part)
    assert again.status_code == 200 and "Set-Cookie" not in again.headers and "Cookie" in again.headers["Vary"]
    assert "Set-Cookie" in client.get(f"{page}/table?lang=ru", headers=part).headers


def test_a_guess_beyond_the_limit_is_not_even_looked_at(real: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr(seats, "check_password_hash", lambda hashed, given: bool(looked.append(given)))
    client = house(real, ORGANIZER_PASSWORD="some hash", BAD_TOKENS_A_MINUTE=3).test_client()
    for number in range(9):
        client.post("/organizer/login", data={"password": str(number)})
    assert 3 <= len(looked) < 6


def test_the_organizer_goes_back_to_a_backup(real: Store) -> None:
    game, _ = real.create("galley", scenario="mylae")
    made = backups.back_up(real.file.path)
    real.create("galley", scenario="mylae")
    client = house(real).test_client()
    assert made.name in client.get("/organizer").text
    assert client.post("/organizer/restore", data={"backup": made.name}, environ_base=ELSEWHERE).status_code == 403
    assert len(real.games()) == 2
    assert client.post("/organizer/restore", data={"backup": made.name}).status_code == 303
    assert [each.id for each in real.games()] == [game.id]
    assert len(backups.backups(real.file.path)) == 2, "what was there is kept"
    assert client.post("/organizer/restore", data={"backup": "../../etc/passwd"}).status_code < 500


def test_only_the_organizer_begins_games_where_it_is_so_wished(store: Store) -> None:
    client = house(store, BLUEPRINTS=SERVER, ONLY_ORGANIZER_BEGINS=True).test_client()
    assert client.post("/api/v1/games", json=DUEL, environ_base=ELSEWHERE).status_code == 403
    assert client.post("/api/v1/games", json=DUEL).status_code == 201
