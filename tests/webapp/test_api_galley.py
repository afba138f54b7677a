"""The API plays the real galley engine, in a server of its own process."""

from __future__ import annotations

import copy
import json
import os
import random
import re
import signal
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from kit.players import SERVER
from kit.serving import Server
from tactical.kernel.protocol import Offer
from tactical.kernel.random_play import fill, random_offer
from webapp import create_app
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify


@pytest.fixture
def galley(tmp_path: Path) -> FlaskClient:
    return create_app({"BLUEPRINTS": SERVER, "DATABASE": tmp_path / "games.db"}).test_client()


def created(client: FlaskClient, **wanted: Any) -> tuple[str, dict[str, dict[str, str]]]:
    made = client.post("/api/v1/games", json={"system": "galley", "scenario": "first_oars", **wanted})
    assert made.status_code == 201, made.text
    headers = {seat["id"]: {"Authorization": f"Bearer {seat['token']}"} for seat in made.json["seats"]}
    return made.json["id"], headers


def test_a_battle_is_played_to_its_end_over_the_api(galley: FlaskClient) -> None:
    game, headers = created(galley)
    path, chance = f"/api/v1/games/{game}", random.Random(5)
    for _ in range(400):
        shown = galley.get(path, headers=headers["umpire"]).json
        if shown["over"]:
            break
        offer = random_offer([Offer(**each) for each in shown["offers"]], chance, ("resign", "agree"))
        answer = galley.post(
            f"{path}/commands",
            headers=headers["umpire"],
            json={"seen": shown["version"], "command": fill(offer, chance)},
        )
        assert answer.status_code == 200, (offer, answer.text)
    else:
        pytest.fail("the battle does not end")
    exported = galley.get(f"{path}/export", headers=headers["umpire"])
    new = galley.post("/api/v1/games/import", data=exported.data, content_type="application/json")
    assert new.status_code == 201, new.text
    store: Store = galley.application.extensions["navarch"].store
    assert store.state_after(new.json["id"], shown["version"]) == store.state_after(game, shown["version"])


def test_a_whole_number_is_one_however_it_is_written(galley: FlaskClient) -> None:
    """JSON Schema counts 2.0 as an integer, and some programs (Lua's) write all numbers so."""
    ships = {
        "r1": {"side": "rome", "type": "quinquereme", "at": [3.0, 4.0], "facing": "N", "speed": 2.0},
        "c1": {"side": "carthage", "type": "trireme", "at": [7, 4e0], "facing": "S"},
    }
    position = {"board": {"kind": "hexes", "columns": 12.0, "rows": 9}, "sides": {"rome": {}, "carthage": {}}}
    position["ships"] = ships
    made = galley.post("/api/v1/games", json={"system": "galley", "position": position, "dice": "physical"})
    assert made.status_code == 201, made.text
    path = f"/api/v1/games/{made.json['id']}"
    token = next(seat["token"] for seat in made.json["seats"] if seat["id"] == "umpire")
    umpire = {"Authorization": f"Bearer {token}"}
    plot = {"type": "plot", "ship": "r1", "speed": 3.0}
    given = galley.post(f"{path}/commands", headers=umpire, json={"seen": 0.0, "command": plot})
    assert given.status_code == 200, given.text
    written = galley.get(f"{path}/export", headers=umpire)
    start, plotted = written.json["entries"]
    assert json.dumps([start["state"]["ships"]["r1"]["at"], plotted["command"]["speed"]]) == "[[3, 4], 3]"
    new = galley.post("/api/v1/games/import", data=written.data, content_type="application/json").json["id"]
    assert verify(galley.application.extensions["navarch"].store, new) == []
    half = {"seen": 1, "command": {**plot, "speed": 2.5}}
    refused = galley.post(f"{path}/commands", headers=umpire, json=half)
    assert (refused.status_code, refused.json["detail"]["path"]) == (400, "command.speed")


def test_a_secret_plot_stays_with_its_side(galley: FlaskClient) -> None:
    def seen(speed: int) -> list[str]:
        game, headers = created(galley)
        sides = [seat for seat in headers if seat not in ("umpire", "spectator")]
        mine = galley.get(f"/api/v1/games/{game}", headers=headers[sides[0]]).json["offers"][0]
        command = {"type": "plot", "ship": mine["fields"]["ship"], "speed": speed}
        given = galley.post(
            f"/api/v1/games/{game}/commands", headers=headers[sides[0]], json={"seen": 0, "command": command}
        )
        assert given.status_code == 200, given.text
        answers = [
            galley.get(f"/api/v1/games/{game}{what}", headers=headers[seat]).text
            for seat in (sides[1], "spectator")
            for what in ("", "/journal")
        ]
        return [re.sub(r'"time":"[^"]*"', "", answer.replace(game, "")) for answer in answers]

    assert seen(1) == seen(2)


def test_a_whole_fleet_acts_by_one_offered_command(galley: FlaskClient) -> None:
    """One request, as one tap: it is offered, and its ships' commands are carried out together."""
    ships = {
        name: {"side": side, "type": "trireme", "at": at, "facing": "N", "archers": 1}
        for name, side, at in (("r1", "rome", [3, 3]), ("r2", "rome", [5, 3]), ("c1", "carthage", [4, 3]))
    }
    position = {
        "sides": {"rome": {"navy": "roman"}, "carthage": {"navy": "hellenistic"}},
        "ships": ships,
        "step": "fire",
        "phase": 1,
    }
    game, headers = created(galley, scenario=None, position=position)
    shown = galley.get(f"/api/v1/games/{game}", headers=headers["rome"]).json
    (offer,) = [each for each in shown["offers"] if each["type"] == "together"]
    assert offer["fields"] == {"side": "rome", "what": "fire"} and offer["rule"] == "G5.1"
    given = {"command": {"type": "together", **offer["fields"]}, "seen": shown["version"]}
    foreign = galley.post(f"/api/v1/games/{game}/commands", json=given, headers=headers["carthage"])
    assert foreign.status_code == 403
    done = galley.post(f"/api/v1/games/{game}/commands", json=given, headers=headers["rome"])
    assert done.status_code == 200, done.text
    fired = {ship for event in done.json["events"] if event["type"] == "fire" for ship in (event["ship"],)}
    assert fired == {"r1", "r2"}
    again = galley.post(f"/api/v1/games/{game}/commands", json={**given, "seen": 1}, headers=headers["rome"])
    assert again.status_code == 422 and again.json["rule"] == "G5.1"
    assert galley.get(f"/api/v1/games/{game}", headers=headers["spectator"]).json["offers"] == []


def test_every_state_on_the_way_is_a_position(galley: FlaskClient) -> None:
    game, headers = created(galley)
    path, chance = f"/api/v1/games/{game}", random.Random(6)
    for _ in range(40):
        shown = galley.get(path, headers=headers["umpire"]).json
        if shown["over"]:
            break
        made = galley.post("/api/v1/games", json={"system": "galley", "position": shown["state"]})
        assert made.status_code == 201, made.text
        umpire = next(seat["token"] for seat in made.json["seats"] if seat["id"] == "umpire")
        again = galley.get(f"/api/v1/games/{made.json['id']}", headers={"Authorization": f"Bearer {umpire}"}).json
        assert again["state"] == shown["state"] and again["offers"] == shown["offers"]
        offer = random_offer([Offer(**each) for each in shown["offers"]], chance, ("resign", "agree"))
        galley.post(
            f"{path}/commands",
            headers=headers["umpire"],
            json={"seen": shown["version"], "command": fill(offer, chance)},
        )


WRONG: tuple[Any, ...] = (
    None,
    0,
    1,
    -1,
    6,
    99,
    True,
    1.5,
    "",
    "x",
    "N",
    "rome",
    "plot",
    "fire",
    "over",
    [],
    {},
    [0, 0],
    ["a1"],
    "a1",
    {"a1": 1},
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield (*path, name)
        yield from places(part, (*path, name))


def damage(value: Any, chance: random.Random) -> None:
    """Set one place of the value, however deep, to something else."""
    path = chance.choice(list(places(value)))
    for name in path[:-1]:
        value = value[name]
    value[path[-1]] = chance.choice(WRONG)


def test_no_battle_answers_500(galley: FlaskClient) -> None:
    """Positions and commands with one or two wrong places: refused, or playable."""
    chance, states, answers = random.Random(8), [], Counter[int]()
    game, headers = created(galley)
    for _ in range(24):
        shown = galley.get(f"/api/v1/games/{game}", headers=headers["umpire"]).json
        states.append(shown["state"])
        offer = random_offer([Offer(**each) for each in shown["offers"]], chance, ("resign", "agree"))
        body = {"seen": shown["version"], "command": fill(offer, chance)}
        galley.post(f"/api/v1/games/{game}/commands", headers=headers["umpire"], json=body)
    for _ in range(400):
        position = copy.deepcopy(chance.choice(states))
        damage(position, chance)
        made = galley.post("/api/v1/games", json={"system": "galley", "position": position})
        answers[made.status_code] += 1
        if made.status_code != 201:
            continue
        path = f"/api/v1/games/{made.json['id']}"
        umpire = next(seat["token"] for seat in made.json["seats"] if seat["id"] == "umpire")
        seat = {"Authorization": f"Bearer {umpire}"}
        for _ in range(4):
            shown = galley.get(path, headers=seat)
            assert shown.status_code == 200
            if not shown.json["offers"]:
                break
            command = fill(chance.choice([Offer(**each) for each in shown.json["offers"]]), chance)
            if chance.random() < 0.5:
                damage(command, chance)
            given = galley.post(
                f"{path}/commands", headers=seat, json={"seen": shown.json["version"], "command": command}
            )
            answers[given.status_code] += 1
    assert set(answers) == {200, 201, 400, 422}, answers


# The real server ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("served"))
    yield running
    running.stop()


def test_the_demo_is_set_up_with_a_link_for_each_seat(server: Server) -> None:
    assert {"umpire", "spectator"} < set(server.links) and len(server.links) == 4
    token = server.links["umpire"].rpartition("/")[2]
    seat = Store(server.db).seat_of(token)
    assert seat is not None
    shown = json.load(server.call(f"/games/{seat.game}", token))
    assert shown["system"] == "galley" and "Mylae" in shown["title"]


def test_a_stream_over_the_wire_hears_of_a_command(server: Server) -> None:
    made = json.load(server.call("/games", body={"system": "galley", "scenario": "first_oars"}))
    token = {seat["id"]: seat["token"] for seat in made["seats"]}["umpire"]
    stream = server.call(f"/games/{made['id']}/stream", token)
    heard: list[bytes] = []

    def listen() -> None:
        for line in stream:
            heard.append(line)
            if line == b"data: 1\n":
                return

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    offer = json.load(server.call(f"/games/{made['id']}", token))["offers"][0]
    command = {"type": offer["type"], **offer["fields"], "speed": 1}
    assert server.call(f"/games/{made['id']}/commands", token, {"seen": 0, "command": command}).status == 200
    listener.join(10)
    assert heard[-3:] == [b"id: 1\n", b"event: version\n", b"data: 1\n"]


def test_five_megabytes_are_413_over_the_wire(server: Server) -> None:
    for path in ("/games", "/games/NOGAME/commands"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            server.call(path, body=b" " * 5 * 1024 * 1024)
        assert refused.value.code == 413
        assert json.load(refused.value)["rule"] is None


def test_a_killed_server_has_lost_no_answered_command(tmp_path: Path) -> None:
    server = Server(tmp_path)
    made = json.load(server.call("/games", body={"system": "galley", "scenario": "first_oars"}))
    token = {seat["id"]: seat["token"] for seat in made["seats"]}["umpire"]
    offers = json.load(server.call(f"/games/{made['id']}", token))["offers"]
    command = {"type": "plot", "ship": offers[0]["fields"]["ship"], "speed": 1}
    answer = json.load(server.call(f"/games/{made['id']}/commands", token, {"seen": 0, "command": command}))
    # The worker first: killing only its parent would let it end in peace.
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    server.process.kill()
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    server.process.wait(15)
    time.sleep(0.1)
    store = Store(server.db)
    assert store.game(made["id"]).version == answer["version"] == 1
    assert store.entry(made["id"], 1).command == command
