"""Bad input gets a sentence and changes nothing; nothing answers 500."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections import Counter
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kit.players import SERVER, Player
from kit.toy import TOY
from tactical.kernel.record import BadInput, encode
from webapp import create_app
from webapp.http import forms
from webapp.storage.journal.store import Store

CALM = settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    derandomize=True,
)
COMMAND = b'{"seen": 0, "command": {"type": "shoot", "side": "red"%s}}'


@pytest.mark.parametrize("doubled", [0, 20_000 // 2, 19_999])
def test_doubled_fields_cost_no_more_than_others(doubled: int) -> None:
    """Reckoned in comparisons, not in seconds: a name is looked at once."""
    looked: Counter[str] = Counter()

    class Counted(str):
        def __eq__(self, other: object) -> bool:
            looked["times"] += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    pairs: list[tuple[str, Any]] = [(Counted(f"n{number}"), 0) for number in range(9_000)]
    pairs.insert(doubled * 9_000 // 20_000, (Counted("n8999"), 0))
    with pytest.raises(BadInput, match="n8999: this field is given twice"):
        forms._object(pairs)
    assert looked["times"] < 2 * len(pairs)


def test_an_object_of_too_many_fields_is_refused(game: Player) -> None:
    many = b",".join(b'"n%d": 0' % number for number in range(20_000))
    answer = send(game, b'{"seen": 0, "command": {%s}}' % many)
    assert answer.status_code == 400
    assert "at most 10000 fields" in answer.json["error"]


def send(game: Player, data: bytes, kind: str = "application/json") -> Any:
    path = f"/api/v1/games/{game.id}/commands"
    return game.client.post(path, data=data, content_type=kind, headers=game.headers("red"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"3",
        b'"text"',
        b"{} {}",
        b"\xff\xfe{}",
        '{"seen": 0}'.encode("utf-16"),
        b"\xef\xbb\xbf{}",
        b'{"seen": NaN, "command": {"type": "shoot"}}',
        b'{"seen": Infinity, "command": {"type": "shoot"}}',
        b'{"seen": 1e999, "command": {"type": "shoot"}}',
        b'{"seen": 0.5, "command": {"type": "shoot", "side": "red"}}',
        b'{"seen": -1, "command": {"type": "shoot", "side": "red"}}',
        b'{"seen": true, "command": {"type": "shoot", "side": "red"}}',
        b'{"seen": "0", "command": {"type": "shoot", "side": "red"}}',
        b'{"seen": ' + b"9" * 5000 + b', "command": {"type": "shoot", "side": "red"}}',
        b'{"seen": 99999999999999999, "command": {"type": "shoot", "side": "red"}}',
        b'{"seen": 0, "seen": 0, "command": {"type": "shoot", "side": "red"}}',
        COMMAND % b', "type": "draw"',
        COMMAND % b', "note": "\\ud800"',
        COMMAND % b', "\\ud800": 1',
        COMMAND % b', "note": 5',
        COMMAND % b', "note": null',
        b'{"seen": 0, "command": {"type": "shoot"}}',
        b'{"seen": 0, "command": {"type": ["shoot"], "side": "red"}}',
        b'{"seen": 0, "command": {"side": "red"}}',
        b'{"seen": 0, "command": "shoot"}',
        b'{"seen": 0, "command": {"type": "undo"}}',
        b'{"command": {"type": "shoot", "side": "red"}}',
        b"[" * 100_000,
        b'{"seen": 0, "command": ' + b'{"a":' * 900 + b"1" + b"}" * 901,
    ],
)
def test_what_is_not_a_command_is_400_with_a_sentence(game: Player, data: bytes) -> None:
    answer = send(game, data)
    assert answer.status_code == 400
    assert (answer.json["error"].endswith(".") and answer.json["error"][0].isupper()) or answer.json["detail"]["path"]
    assert game.get("red").json["version"] == 0


def test_of_a_saved_game_the_numbers_stay_as_they_are() -> None:
    assert encode(forms.parse(b"[4.0, 4.5, 4e0]")) == b"[4,4.5,4]"
    assert encode(forms.parse(b"[4.0, 4.5, 4e0]", is_saved=True)) == b"[4.0,4.5,4.0]"


@pytest.mark.parametrize("rolls", [b'"all"', b"5", b'["5"]', b"[1.5]", b"[true]", b"[null]", b"{}", b"[[1]]"])
def test_rolls_that_are_not_whole_numbers_are_400(game: Player, rolls: bytes) -> None:
    answer = send(game, b'{"seen": 0, "command": {"type": "shoot", "side": "red"}, "rolls": %s}' % rolls)
    assert answer.status_code == 400 and answer.json["detail"]["path"].startswith("rolls")


@pytest.mark.parametrize("rolls", [b"[0, 1]", b"[7, 1]", b"[-3]", b"[1,1,1,1,1]", b"[9007199254740991]"])
def test_faces_that_no_die_has_are_422(game: Player, rolls: bytes) -> None:
    answer = send(game, b'{"seen": 0, "command": {"type": "shoot", "side": "red"}, "rolls": %s}' % rolls)
    assert (answer.status_code, answer.json["detail"]["path"]) == (422, "rolls")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"])
def test_another_content_type_is_400(game: Player, kind: str) -> None:
    assert send(game, COMMAND % b"", kind).status_code == 400


def test_keys_are_short_texts(game: Player) -> None:
    assert game.give("red", 0, "shoot", key="", side="red").status_code == 400
    assert game.give("red", 0, "shoot", key="k" * 201, side="red").status_code == 400


def test_bodies_that_are_too_long_are_413(client: FlaskClient, game: Player) -> None:
    def sent(path: str, size: int) -> int:
        headers = game.headers("red")
        return client.post(path, data=b" " * size, content_type="application/json", headers=headers).status_code

    mega = 1024 * 1024
    commands = f"/api/v1/games/{game.id}/commands"
    assert sent(commands, mega) == 400
    assert sent(commands, mega + 1) == 413
    assert sent("/api/v1/games", 4 * mega) == 400
    assert sent("/api/v1/games", 4 * mega + 1) == 413
    for path in (commands, "/api/v1/games", f"/api/v1/games/{game.id}/undo"):
        assert sent(path, 5 * mega) == 413
    assert sent("/api/v1/games/import", 24 * mega) == 400  # a whole campaign may be that long
    assert sent("/api/v1/games/import", 24 * mega + 1) == 413
    assert client.post(commands, data=b" " * 5 * mega).status_code == 413


def test_unknown_addresses_and_methods_are_json(client: FlaskClient, game: Player) -> None:
    for answer, status in (
        (client.get("/api/v1/nothing"), 404),
        (client.get("/api/v2"), 404),
        (client.delete(f"/api/v1/games/{game.id}"), 405),
        (client.get(f"/api/v1/games/{game.id}/commands", headers=game.headers("red")), 405),
        (client.put("/api/v1/systems"), 405),
    ):
        assert answer.status_code == status
        assert answer.json.keys() == {"error", "rule", "detail"}


def test_too_many_new_games_or_wrong_tokens_are_429(store: Store) -> None:
    app = create_app({"BLUEPRINTS": SERVER, "STORE": store, "OWN_GAMES_A_MINUTE": 2, "BAD_TOKENS_A_MINUTE": 2})
    client = app.test_client()
    game = Player(client)
    Player(client)
    slow = client.post("/api/v1/games", json={"system": "toy", "scenario": "duel"})
    assert (slow.status_code, slow.headers["Retry-After"]) == (429, "60")
    wrong = {"Authorization": "Bearer wrong"}
    answers = [client.get(f"/api/v1/games/{game.id}", headers=wrong).status_code for _ in range(3)]
    assert answers == [401, 401, 429]
    assert game.get("red").status_code == 200, "who holds a token is not slowed down"


def test_hundreds_of_the_organizers_games_a_minute_are_welcome(app: Flask) -> None:
    assert app.config["OWN_GAMES_A_MINUTE"] >= 1200


def test_a_server_error_would_be_json_too(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("webapp.api.views.system_json", broken)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.testing = False
    answer = app.test_client().get("/api/v1/systems")
    assert answer.status_code == 500 and answer.json["rule"] is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.dictionaries(
    st.sampled_from(["type", "side", "number", "note", "points", "why", "x"]),
    st.sampled_from(["shoot", "plot", "draw", "adjust", "red", "blue", "undo", "start", 1, 3, ""]) | JSON,
)


@CALM
@given(st.fixed_dictionaries({"command": FIELDS | JSON, "seen": st.just(0) | JSON}, optional={"rolls": JSON}))
def test_no_command_answers_500(game: Player, body: dict[str, Any]) -> None:
    path = f"/api/v1/games/{game.id}/commands"
    for seat in ("red", "umpire"):
        assert game.client.post(path, json=body, headers=game.headers(seat)).status_code < 500
        assert game.get(seat).status_code == 200


@CALM
@given(st.dictionaries(st.sampled_from(["points", "plots", "deck", "hands", "ships", "x"]), JSON), JSON)
def test_no_position_answers_500(client: FlaskClient, position: dict[str, Any], options: Any) -> None:
    for wanted in ({"position": position}, {"position": position, "options": options}):
        answer = client.post("/api/v1/games", json={"system": "toy", **wanted})
        assert answer.status_code in (201, 400, 422)
        if answer.status_code == 201:
            token = answer.json["seats"][0]["token"]
            headers = {"Authorization": f"Bearer {token}"}
            assert client.get(f"/api/v1/games/{answer.json['id']}", headers=headers).status_code == 200


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        found += places(part, (*path, name))
    return found


def test_no_damaged_file_answers_500(game: Player) -> None:
    game.give("red", 0, "plot", side="red", number=4)
    game.give("umpire", 1, "shoot", side="red")
    game.post("umpire", "undo", seen=2)
    exported = game.get("umpire", "/export").json
    refused = 0
    for path in places(exported):
        for wrong in (None, -1, "x", [], {}, "gone"):
            damaged = copy.deepcopy(exported)
            part = damaged
            for name in path[:-1]:
                part = part[name]
            if wrong == "gone":
                del part[path[-1]]
            else:
                part[path[-1]] = wrong
            answer = game.client.post("/api/v1/games/import", json=damaged)
            assert answer.status_code in (201, 400), (path, wrong)
            refused += answer.status_code == 400
    assert refused > 100


def test_a_damaged_file_is_refused_with_the_path(game: Player) -> None:
    game.give("red", 0, "plot", side="red", number=4)
    exported = game.get("umpire", "/export").json

    def refused(change: str) -> str:
        damaged = copy.deepcopy(exported)
        exec(change, {"saved": damaged})
        answer = game.client.post("/api/v1/games/import", data=json.dumps(damaged), content_type="application/json")
        assert answer.status_code == 400
        return answer.json["detail"]["path"]

    assert refused("saved['navarch'] = 2") == "navarch"
    assert refused("saved['game']['system'] = 'chess'") == "game.system"
    assert refused("saved['game']['head'] = 0") == "game.head"
    assert refused("del saved['entries'][1]") == "entries"
    assert refused("saved['entries'][1]['parent'] = 1") == "entries[1].parent"
    assert refused("saved['entries'][1]['state'] = {}") == "entries[1].state"
    assert refused("del saved['entries'][0]['state']") == "entries[0].state"
    assert refused("del saved['entries'][1]['changes']") == "entries[1].changes"
    assert refused("saved['entries'][1]['changes'] = [[['plots', 'red', 'x'], 1]]") == "entries[1].changes"
    assert refused("saved['entries'][1]['changes'] = [[['points'], 3]]") == "entries[1].state.points"
    assert refused("saved['entries'][1]['command'] = {'type': 'fly'}") == "entries[1].command.type"
    assert refused("saved['entries'][1]['seat'] = 'green'") == "entries[1].seat"
    assert refused("saved['entries'][1]['taken_back'] = 1") == "entries[1].taken_back"
    assert refused("saved['extra'] = 1") == "extra"


def test_what_an_engine_stumbles_over_is_400_too(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumbles(state: Any, seat: str) -> Any:
        raise KeyError("a ship that is not there")

    monkeypatch.setattr(store, "systems", {"toy": dataclasses.replace(TOY, view=stumbles)})
    client = create_app({"BLUEPRINTS": SERVER, "STORE": store}).test_client()
    answer = client.post("/api/v1/games", json={"system": "toy", "position": {"points": {"red": 1, "blue": 0}}})
    assert (answer.status_code, answer.json["detail"]["path"]) == (400, "position")
    assert store.games() == []
