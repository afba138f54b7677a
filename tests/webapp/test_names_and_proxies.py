"""By which name one comes in, and what a proxy carries."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.doors import (
    DUEL,
    ELSEWHERE,
    arguments_of,
    house,
    real_games,  # noqa: F401
)
from kit.players import SERVER
from navarch import main
from webapp.cli import serve
from webapp.http import seats
from webapp.storage.journal.store import Store


@pytest.mark.parametrize(
    "host, status",
    [
        ("navarch.local", 200),
        ("NAVARCH.local:8000", 200),
        ("127.0.0.1", 200),
        ("192.168.7.9:8000", 200),
        ("[::1]:8000", 200),
        ("192.168.7.8:8000", 421),
        ("6.6.6.6", 421),
        ("evil@127.0.0.1", 421),
        ("evil@navarch.local", 421),
        ("127.0.0.1/evil", 421),
        ("127.0.0.1#.evil", 421),
        ("navarch.local?evil", 421),
        ("navarch.local:80:80", 421),
        ("evil.example", 421),
        ("navarch.local.evil.example", 421),
        ("", 421),
        ("[x", 421),
    ],
)
def test_only_our_own_names_are_answered(store: Store, host: str, status: int) -> None:
    """The names that the settings say, and the address at which the connection came in: here a mapped one."""
    app = house(store, BLUEPRINTS=SERVER, HOSTS=frozenset(["navarch.local", "127.0.0.1", "::1"]))
    here = {"SERVER_NAME": "::ffff:192.168.7.9"}
    answer = app.test_client().get("/api/v1/systems", headers={"Host": host}, environ_overrides=here)
    assert answer.status_code == status


@pytest.mark.parametrize(
    "elsewhere",
    ["//evil.example", "/\\evil.example", "/\t/evil.example", "/\n/evil.example", "https://evil.example", "x"],
)
def test_the_way_back_leads_nowhere_else(real: Store, elsewhere: str) -> None:
    client = house(real).test_client()
    assert client.post("/look", data={"scheme": "dark", "back": elsewhere}).headers["Location"] == "/"


def test_a_page_that_is_not_there_knows_no_way_elsewhere(real: Store) -> None:
    page = house(real).test_client().get("/%09/evil.example")
    assert (page.status_code, "evil.example" in page.text, 'name="back" value="/"' in page.text) == (404, False, True)


def test_the_way_back_is_the_page(real: Store) -> None:
    client = house(real).test_client()
    for page in ("/odds?a=1", "/", "/reference/galley/11.6"):
        assert client.post("/look", data={"back": page}).headers["Location"] == page


def test_links_begin_as_the_organizer_says(store: Store) -> None:
    app = house(store, BLUEPRINTS=SERVER, PUBLIC_URL="https://galleys.example")
    made = app.test_client().post("/api/v1/games", json=DUEL, headers={"Host": "evil.example"}).json
    assert all(seat["join_url"].startswith("https://galleys.example/join/") for seat in made["seats"])


def test_the_server_knows_its_names_and_its_public_one(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("a long password\n")
    config = serve.doors(
        arguments_of(
            "--public-url",
            "https://galleys.example/",
            "--trusted-host",
            "Club.lan",
            "--behind-proxy",
            "--organizer-password-file",
            str(secret),
        )
    )
    assert {"localhost", "127.0.0.1", "galleys.example", "club.lan"} <= config["HOSTS"]
    assert (config["PUBLIC_URL"], config["SESSION_COOKIE_SECURE"]) == ("https://galleys.example", True)
    assert config["BEHIND_PROXY"] and config["HSTS_SECONDS"] > 0
    assert "password" not in config["ORGANIZER_PASSWORD"]


@pytest.mark.parametrize(
    "wrong",
    [
        ["--public-url", "galleys.example"],
        ["--public-url", "https://x.example/galleys"],
        ["--organizer-password-file", "/nowhere/at/all"],
    ],
)
def test_wrong_use_is_one_line_and_2(wrong: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--db", str(tmp_path / "games.db"), *wrong]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


@pytest.mark.parametrize("header", seats.CARRIED)
def test_what_a_proxy_has_carried_is_not_the_machine_itself(real: Store, header: str) -> None:
    game, _ = real.create("galley", scenario="mylae")
    client = house(real).test_client()
    assert game.id in client.get("/organizer").text
    assert game.id not in client.get("/organizer", headers={header: "203.0.113.9"}).text


def test_another_name_or_address_is_not_the_machine_itself(real: Store) -> None:
    game, _ = real.create("galley", scenario="mylae")
    client = house(real).test_client()
    assert game.id not in client.get("/organizer", headers={"Host": "rebound.example"}).text
    assert game.id not in client.get("/organizer", environ_base=ELSEWHERE).text
    assert game.id not in house(real, BEHIND_PROXY=True).test_client().get("/organizer").text


def test_behind_a_proxy_each_client_has_its_own_share(store: Store) -> None:
    app = house(store, BLUEPRINTS=SERVER, BEHIND_PROXY=True, GAMES_A_MINUTE=1)
    client = app.test_client()
    begun = [
        client.post("/api/v1/games", json=DUEL, headers={"X-Forwarded-For": address}).status_code
        for address in ("203.0.113.1", "203.0.113.2", "203.0.113.2")
    ]
    assert begun == [201, 201, 429]


def test_https_is_kept_to(store: Store) -> None:
    app = house(store, BLUEPRINTS=SERVER, BEHIND_PROXY=True, HSTS_SECONDS=99, SESSION_COOKIE_SECURE=True)
    _, tokens = store.create("toy", "duel")
    secure = app.test_client().get(f"/join/{tokens['red']}", headers={"X-Forwarded-Proto": "https"})
    assert secure.headers["Strict-Transport-Security"] == "max-age=99"
    assert "Secure" in secure.headers["Set-Cookie"]
    assert "Strict-Transport-Security" not in app.test_client().get("/api/v1/systems").headers
