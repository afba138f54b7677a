"""Who comes in by which name, who is the organizer, how often one may knock, and what a full or broken disk says."""

from __future__ import annotations

import argparse
import errno
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, request

from kit.players import SERVER, Player
from kit.real_house import Browser
from kit.toy import SYSTEMS
from webapp import create_app
from webapp.cli import main, serve
from webapp.http import error_pages, organizer, sessions
from webapp.storage.errors import NoRoom
from webapp.storage.file import faults
from webapp.storage.journal.store import Store
from webapp.storage.services import backups

ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}
DUEL = {"system": "toy", "scenario": "duel"}


def house(store: Store, **config: Any) -> Flask:
    app = create_app({"STORE": store, "TESTING": True, "PROPAGATE_EXCEPTIONS": False, **config})
    app.test_client_class = Browser
    return app


@pytest.fixture
def real(tmp_path: Path) -> Store:
    return Store(tmp_path / "real.db")


# Names (M4) ----------------------------------------------------------------------------------------------


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


def given(*arguments: str) -> argparse.Namespace:
    top = argparse.ArgumentParser()
    serve.register(top.add_subparsers())
    return top.parse_args(["serve", *arguments])


def test_the_server_knows_its_names_and_its_public_one(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("a long password\n")
    config = serve.doors(
        given(
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


# Behind a proxy (M1, M9) -------------------------------------------------------------------------------------


@pytest.mark.parametrize("header", organizer.CARRIED)
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


# The organizer (M1) ------------------------------------------------------------------------------------------


def test_a_password_makes_the_organizer(real: Store) -> None:
    game, _ = real.create("galley", scenario="mylae")
    app = house(real, ORGANIZER_PASSWORD=organizer.password_hash("a long password"))
    client = app.test_client()
    assert game.id not in client.get("/organizer").text, "not even at the machine itself"
    assert "password is wrong" in client.post("/organizer/login", data={"password": "guess"}).text
    assert game.id not in client.get("/organizer").text
    assert client.post("/organizer/login", data={"password": "a long password"}).status_code == 303
    assert game.id in client.get("/organizer", environ_base=ELSEWHERE).text
    other = house(real, ORGANIZER_PASSWORD=organizer.password_hash("another password")).test_client()
    other.set_cookie("navarch", client.get_cookie("navarch").value)
    assert game.id not in other.get("/organizer").text, "a new password ends the session"
    client.post("/organizer/login", data={"password": ""})
    assert game.id not in client.get("/organizer").text


def test_passwords_are_guessed_slowly(real: Store) -> None:
    client = house(
        real, ORGANIZER_PASSWORD=organizer.password_hash("a long password"), BAD_TOKENS_A_MINUTE=3
    ).test_client()
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
    monkeypatch.setattr(organizer, "check_password_hash", lambda hashed, given: bool(looked.append(given)))
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


# How often (M2, M3) --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "/api/v1/games/{}",
        "/api/v1/games/{}/journal",
        "/display/{}",
        "/g/{}",
        "/rejoin?code={}",
        "/g/{}/sheet/r1",
        "/join/{}",
        "/seats/{}",
    ],
)
def test_unknown_codes_are_guessed_slowly(real: Store, address: str) -> None:
    client = house(real).test_client()
    answers = [client.get(address.format(f"ABCD{n:04d}"), environ_base=ELSEWHERE).status_code for n in range(25)]
    assert set(answers[:20]) <= {404, 401} and set(answers[20:]) == {429}


def test_a_code_in_a_body_or_at_a_new_page_is_a_guess_too(real: Store) -> None:
    app = house(real)
    app.add_url_rule("/new-page", "new_page", lambda: real.load(request.args["code"]).game.title)
    client, codes = app.test_client(), [f"ABCD{n:04d}" for n in range(25)]
    bodies = [client.post("/api/v1/forecasts", json={"game": code}, environ_base=ELSEWHERE) for code in codes]
    assert [each.status_code for each in bodies] == [404] * 20 + [429] * 5
    other = {"REMOTE_ADDR": "203.0.113.10"}
    found = [client.get(f"/new-page?code={code}", environ_base=other).status_code for code in codes]
    assert found == [404] * 20 + [429] * 5


@pytest.mark.parametrize("form", [{"act": "pause"}, {"entry": "0"}, {"act": "nonsense", "entry": "x"}])
@pytest.mark.parametrize("page", ["/organizer/keep", "/organizer/copy"])
def test_a_stranger_does_not_learn_which_codes_there_are(real: Store, page: str, form: dict[str, str]) -> None:
    game, _tokens = real.create("hannibal", scenario="second_punic_war")
    client = house(real).test_client()
    answers = [client.post(page, data={**form, "game": code}, environ_base=ELSEWHERE) for code in (game.id, "ABCD2345")]
    texts = [re.sub(r'(csrf[^>]*)="[^"]{40,}"', r"\1", each.text) for each in answers]
    assert answers[0].status_code == answers[1].status_code == 422 and texts[0] == texts[1]


def test_games_that_were_deleted_are_not_guesses_of_a_browser_that_knew_them(real: Store) -> None:
    client = house(real).test_client()
    for _game in range(25):
        game, tokens = real.create("galley", scenario="mylae")
        client.get(f"/join/{tokens['umpire']}", environ_base=ELSEWHERE)
        real.delete(game.id)
    assert {client.get("/", environ_base=ELSEWHERE).status_code for _visit in range(2)} == {200}


def test_who_knows_a_code_is_not_slowed_down_by_those_who_guess(real: Store) -> None:
    game, tokens = real.create("galley", scenario="mylae")
    client = house(real).test_client()
    for n in range(30):
        client.get(f"/api/v1/games/ABCD{n:04d}")
    seat = {"Authorization": f"Bearer {tokens['umpire']}"}
    assert client.get(f"/api/v1/games/{game.id}", headers=seat).status_code == 200


def test_strangers_begin_ten_games_a_minute_and_five_imports(store: Store) -> None:
    app = house(store, BLUEPRINTS=SERVER)
    client = app.test_client()
    begun = [client.post("/api/v1/games", json=DUEL, environ_base=ELSEWHERE).status_code for _ in range(11)]
    assert begun == [201] * 10 + [429]
    player = Player(client)
    saved = player.get("umpire", "/export").json
    brought = [client.post("/api/v1/games/import", json=saved, environ_base=ELSEWHERE).status_code for _ in range(6)]
    assert brought == [201] * 5 + [429]


def test_the_file_of_games_has_a_limit(store: Store) -> None:
    client = house(store, BLUEPRINTS=SERVER, LARGEST_FILE=1024).test_client()
    answer = client.post("/api/v1/games", json=DUEL)
    assert (answer.status_code, store.games()) == (507, [])
    assert "limit" in answer.json["error"]


def test_a_file_at_its_limit_takes_moves_and_what_makes_it_no_larger(store: Store) -> None:
    game, _ = store.create("toy", "duel")
    store.file.largest = store.file.size()
    grow = "insert into notes (game, text) values (?, ?)", (game.id, "x" * 100_000)
    with pytest.raises(NoRoom, match="only moves"), store.write() as db:
        db.conn.execute(*grow)
    assert store.file.rows("select * from notes") == []
    for number, side in enumerate(("red", "blue")):
        store.submit(game.id, number, side, {"type": "plot", "side": side, "number": 3})
    store.undo(game.id, 2, "umpire")
    with store.write(is_move=True) as db:
        db.conn.execute(*grow)
    store.rename(game.id, "Another title")
    store.delete(game.id)
    assert store.games() == []


# A disk that is full, a file that is locked, read only, damaged (M8) ---------------------------------------------


def met(code: int) -> sqlite3.OperationalError:
    fault = sqlite3.OperationalError("told by SQLite")
    fault.sqlite_errorcode = code
    return fault


@pytest.mark.parametrize(
    "code, status, word",
    [
        (sqlite3.SQLITE_FULL, 507, "full"),
        (sqlite3.SQLITE_BUSY, 503, "locked"),
        (sqlite3.SQLITE_READONLY, 503, "only read"),
        (sqlite3.SQLITE_CORRUPT, 503, "damaged"),
    ],
)
def test_what_the_disk_says_is_told_in_a_sentence(
    real: Store, monkeypatch: pytest.MonkeyPatch, code: int, status: int, word: str
) -> None:
    game, tokens = real.create("galley", scenario="mylae")
    app = house(real)
    client = app.test_client()
    client.get(f"/join/{tokens['umpire']}")

    def broken(*_: Any, **__: Any) -> Any:
        raise met(code)

    monkeypatch.setattr("webapp.storage.journal.writing.submit", broken)
    body = {"command": {"type": "resign", "side": "rome"}, "seen": 0}
    told = client.post(
        f"/api/v1/games/{game.id}/commands", json=body, headers={"Authorization": f"Bearer {tokens['rome']}"}
    )
    assert (told.status_code, told.json["rule"]) == (status, None) and word in told.json["error"]
    page = client.post(f"/g/{game.id}/command", data={"seen": "0", "command": '{"type":"resign","side":"rome"}'})
    assert page.status_code == status and word in page.text
    assert word in client.get("/organizer").text


def test_every_trouble_is_told_in_the_readers_language() -> None:
    for trouble in {id(each): each for each in faults.BY_CODE.values()}.values():
        assert str(trouble) in error_pages.HOUSE
    assert faults.trouble(OSError(errno.ENOSPC, "no space")) is faults.FULL
    assert faults.trouble(OSError(errno.ENOENT, "no file")) is None


def test_a_damaged_game_hides_no_other(real: Store, capsys: pytest.CaptureFixture[str]) -> None:
    bad, _ = real.create("galley", scenario="mylae")
    good, tokens = real.create("galley", scenario="mylae")
    with real.write() as db:
        db.conn.execute("update entries set state = x'00' where game = ?", (bad.id,))
    client = house(real).test_client()
    page = client.get("/organizer")
    assert page.status_code == 200 and "damaged" in page.text and good.id in page.text
    seat = {"Authorization": f"Bearer {tokens['umpire']}"}
    assert client.get(f"/api/v1/games/{good.id}", headers=seat).status_code == 200
    assert client.get(f"/display/{bad.id}").status_code == 503
    with real.write() as db:  # and an entry beside the start, so that there is something to verify
        db.conn.execute(
            "insert into entries select game, 1, 0, seat, time, command, rolls, draws, events, on_behalf,"
            " taken_back, choice, state, engine, null, null from entries where game = ?",
            (bad.id,),
        )
    assert main(["verify", "--db", str(real.file.path)]) == 1
    told = capsys.readouterr().out
    assert "damaged" in told and f"{good.id} galley version 0: well" in told


def test_a_transaction_that_could_not_end_is_over(store: Store) -> None:
    """After a commit that fails nothing of it is left open for the next writer of the thread."""
    store.create("toy", "duel")
    store.file.db.conn.execute("pragma max_page_count = 1")
    with pytest.raises(sqlite3.OperationalError):
        for _ in range(200):
            store.create("toy", "duel")
    assert not store.file.db.conn.in_transaction
    store.file.db.conn.execute("pragma max_page_count = 1000000")
    count = len(store.games())
    store.create("toy", "duel")
    assert len(Store(store.file.path, SYSTEMS).games()) == count + 1
