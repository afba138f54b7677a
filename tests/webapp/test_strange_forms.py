"""Forms and addresses that no page sends get a sentence, never an error of ours, and change nothing."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from kit.real_house import real_app, real_store
from webapp.http.forms import count, whole
from webapp.pages.lobby import is_number
from webapp.storage.journal.store import Store

__all__ = ["real_app", "real_store"]
LONG = "9" * 5000
DIGITS = ["x", "", LONG, "9" * 30, "٣", "-1", "1e3", "NaN", " "]


def seated(app: Flask, store: Store, system: str, seat: str = "umpire") -> tuple[Any, str]:
    game, tokens = store.create(system, scenario=store.systems[system].scenarios()[0].id)
    client = app.test_client()
    client.get(f"/join/{tokens[seat]}")
    return client, game.id


def refused(store: Store, game: str, answer: Any) -> None:
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.text[:300])
    assert (store.game(game).version, store.game(game).revision) == (0, 0)


@pytest.mark.parametrize("value", DIGITS)
@pytest.mark.parametrize("system", ["galley", "hannibal"])
@pytest.mark.parametrize("what", ["undo", "cancel-roll", "command"])
def test_a_strange_version_is_refused(app: Flask, store: Store, system: str, what: str, value: str) -> None:
    client, game = seated(app, store, system)
    refused(store, game, client.post(f"/g/{game}/{what}", data={"seen": value, "command": '{"type":"resign"}'}))


@pytest.mark.parametrize(
    "fields",
    [
        {"command": LONG},
        {"command": "[" * 50_000},
        {"command": '{"type":"resign","side":"rome","side":"rome"}'},
        {"command": '{"type":"resign","side":NaN}'},
        {"command": '{"type":"resign","side":"\\ud800"}'},
        {"type": "resign", ".".join("a" * 1500): "1"},
        {"type": "plot", "ship": "r1", "speed:int": "٣"},
        {"type": "plot", "ship": "r1", "speed:int": LONG},
        {"type": "plot", "ship": "r1", "at:hex": "٠٤٠٣"},
        {"type": "plot", "ship": "r1", "speed:json": LONG},
    ],
)
@pytest.mark.parametrize("system", ["galley", "punic_wars"])
def test_a_strange_command_is_refused(app: Flask, store: Store, system: str, fields: dict[str, str]) -> None:
    client, game = seated(app, store, system)
    refused(store, game, client.post(f"/g/{game}/command", data={"seen": "0", **fields}))


@pytest.mark.parametrize("value", DIGITS)
def test_a_strange_note_to_strike_is_refused(app: Flask, store: Store, value: str) -> None:
    client, game = seated(app, store, "hannibal")
    answer = client.post(f"/campaign/{game}/chronicle", data={"strike": value})
    assert answer.status_code < 500


@pytest.mark.parametrize("system", ["hannibal", "hamilcar", "sword_of_rome", "punic_wars"])
@pytest.mark.parametrize(
    "path, value, seen",
    [
        ("turn", LONG, "0"),
        ("turn", "1", LONG),
        (f"a.{LONG}", "1", "0"),
        ("scenario", "rome", "0"),
        ("turn", "NaN", "0"),
        ("turn", "-5", "0"),
    ],
)
def test_a_strange_adjustment_is_refused(
    app: Flask, store: Store, system: str, path: str, value: str, seen: str
) -> None:
    client, game = seated(app, store, system)
    answer = client.post(f"/campaign/{game}/adjust", data={"path": path, "value": value, "why": "a test", "seen": seen})
    assert answer.status_code < 500
    if answer.status_code < 400:  # it was possible: then the position can be shown
        assert client.get(f"/g/{game}?seat=umpire").status_code == 200
    else:
        assert store.game(game).version == 0


@pytest.mark.parametrize(
    "url",
    [
        "http://a..b/",
        "http://.x/",
        f"http://{'l' * 70}.example/",
        f"http://x.example/{'u' * 300_000}",
        "http://[64:ff9b::7f00:1]/",
        "http://[64:ff9b::a00:1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[2002:7f00:1::]/",
        "http://x.example:99999/",
        "http://[x/",
        "ftp://x.example/",
    ],
)
def test_a_strange_address_to_call_is_refused(app: Flask, store: Store, url: str) -> None:
    client, game = seated(app, store, "hannibal", "rome")
    answer = client.post(f"/campaign/{game}/calls", data={"url": url, "at_once": "1"})
    assert 400 <= answer.status_code < 500, answer.status_code
    assert not store.file.rows("select * from calls")


@pytest.mark.parametrize("number", ["9" * 10, "9" * 20, LONG, "٣", "0x1", "-1"])
def test_a_strange_number_in_an_address_leads_nowhere(app: Flask, store: Store, number: str) -> None:
    client, game = seated(app, store, "galley")
    for address in (f"/cases/{number}", f"/g/{game}/replay/{number}", f"/cases/{number}.json"):
        assert client.get(address).status_code == 404


@pytest.mark.parametrize("query", ["after", "limit"])
@pytest.mark.parametrize("value", DIGITS[2:])
def test_a_strange_number_in_a_query_is_refused_or_nothing(app: Flask, store: Store, query: str, value: str) -> None:
    client, game = seated(app, store, "galley")
    assert client.get(f"/api/v1/games/{game}/journal?{query}={value}").status_code < 500


@pytest.mark.parametrize("value", [LONG, "٣", "9" * 30])
def test_a_strange_number_of_a_lobbys_form_is_refused(app: Flask, store: Store, value: str) -> None:
    client, before = app.test_client(), len(store.games())
    numbers = [
        (name, option) for name, system in store.systems.items() for option in system.options if is_number(option)
    ]
    for name, option in numbers:
        new = {"system": name, "scenario": store.systems[name].scenarios()[0].id, f"option.{option.name}": value}
        assert client.post("/new", data=new).status_code in (400, 422), (name, option)
    assert client.post("/forecast", data={"scenario": "mylae", "battles": value}).status_code == 422
    assert numbers and len(store.games()) == before


@pytest.mark.parametrize("value", [LONG, "٣", "-1"])
def test_a_strange_turn_of_the_journal_is_none(app: Flask, store: Store, value: str) -> None:
    client, game = seated(app, store, "galley")
    for path in (f"/g/{game}/log?turn={value}", f"/g/{game}/replay?at={value}"):
        assert client.get(path).status_code < 400


READERS = {f"webapp/http/{name}.py" for name in ("forms", "server")}  # know the bounds
DIGITS_ONLY = frozenset(("isdecimal", "isdigit", "isnumeric"))  # none of them knows a bound, and all take other digits
ASKED = frozenset(("request", "form", "args", "headers", "cookies"))


def reads_by_itself(function: ast.AST) -> bool:
    """Does a function make a number of what a request says: by what it is called, or after a look at its digits?"""
    inside = list(ast.walk(function))
    looks = any(isinstance(each, ast.Attribute) and each.attr in DIGITS_ONLY for each in inside)
    calls = [each for each in inside if isinstance(each, ast.Call) and getattr(each.func, "id", "") == "int"]
    names = {
        getattr(part, "id", getattr(part, "attr", ""))
        for call in calls
        for each in call.args
        for part in ast.walk(each)
    }
    by_type = any(
        each.arg == "type" and getattr(each.value, "id", "") in ("int", "float")
        for each in inside
        if isinstance(each, ast.keyword)
    )
    return (bool(calls) and (looks or bool(names & ASKED))) or by_type


@pytest.mark.parametrize(
    ("code", "is_found"),
    [
        ("def a(text):\n if text.isdecimal():\n  return int(text)", True),
        ("def a(form):\n return int(form['turn'])", True),
        ("def a():\n return request.args.get('turn', type=int)", True),
        ("def a(state):\n return int(state['turn'])", False),
    ],
)
def test_the_look_for_bare_numbers_finds_them(code: str, is_found: bool) -> None:
    assert reads_by_itself(ast.parse(code).body[0]) is is_found


def test_every_number_of_a_request_is_read_in_one_place() -> None:
    """No module makes a number of what a request says by itself: `forms.whole` and `forms.count` know the bounds."""
    root = Path(__file__).parents[2]
    own = [
        f"{name}:{node.lineno}"
        for file in (root / "webapp").rglob("*.py")
        if (name := str(file.relative_to(root))) not in READERS
        and not name.startswith(("webapp/cli", "webapp/storage"))
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.FunctionDef) and reads_by_itself(node)
    ]
    assert not own
    assert whole(" 7 ", "seen") == 7 and count("7") == 7 and count("٣") is None and count(LONG) is None
