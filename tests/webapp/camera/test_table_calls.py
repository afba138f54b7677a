"""The command line and the API of photographs of a table."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from kit.photographed import Scene, Wanted, photograph
from kit.real_house import real_app, real_store
from navarch import main
from webapp.storage.journal.store import Store

__all__ = ["real_app", "real_store"]
WANTED = Wanted(table=(500.0, 350.0), ships=3, width=1200)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return photograph(WANTED, 11)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def sent(scene: Scene, data: bytes | None = None, **more: Any) -> dict[str, Any]:
    photo = scene.jpeg() if data is None else data
    return {"photo": (io.BytesIO(photo), "table.jpg"), "layout": msgspec.json.encode(scene.layout).decode(), **more}


def post(client: FlaskClient, address: str, form: dict[str, Any], token: str = "") -> Any:
    head = {"Authorization": f"Bearer {token}"} if token else {}
    return client.post(address, data=form, content_type="multipart/form-data", headers=head)


# -- The command line.


def test_the_sheet_and_its_layout_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    size = ["--ships", "3", "--table", "500x350", "--tag", "16", "--base", "80x25"]
    assert main(["table", "sheet", *size, "--out", str(tmp_path / "tags")]) == 0
    assert (tmp_path / "tags/sheet.pdf").read_bytes().startswith(b"%PDF")
    layout = json.loads((tmp_path / "tags/layout.json").read_text())
    assert layout["table"] == [500, 350] and layout["base_length"] == 80 and set(layout["ships"]) == {"s0", "s1", "s2"}
    assert main(["table", "sheet", *size, "--svg", "--paper", "letter", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "sheet2.svg").read_text().startswith("<svg")
    assert main(["table", "sheet", *size[:-1], "80x12", "--out", str(tmp_path)]) == 2
    assert "tag: a tag of 16 mm needs a base 18.7 mm wide" in capsys.readouterr().err


def test_the_tags_of_a_battle_carry_its_ships(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db")
    game, _ = store.create("galley", scenario="mylae")
    ships = store.load(game.id).state.ships
    size = ["--table", "1800x1200", "--tag", "16", "--base", "80x25", "--db", str(tmp_path / "games.db")]
    assert main(["table", "sheet", "--fleet", game.id, *size, "--out", str(tmp_path)]) == 0
    layout = json.loads((tmp_path / "layout.json").read_text())
    assert set(layout["ships"]) == set(ships)
    assert {name: ship["name"] for name, ship in layout["ships"].items()} == {n: s.name or "" for n, s in ships.items()}


def test_a_photograph_is_read_on_the_command_line(
    scene: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "photo.jpg").write_bytes(scene.jpeg())
    (tmp_path / "layout.json").write_bytes(msgspec.json.encode(scene.layout))
    asked = ["table", "read", str(tmp_path / "photo.jpg"), "--layout", str(tmp_path / "layout.json")]
    assert main([*asked, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) == {"why_not", "ships", "not_seen", "twice", "strangers", "ask", "camera", "warnings"}
    assert answer["why_not"] is None and set(answer["camera"]) >= {"tilt", "corner_gap"}
    for name, (x, y, heading) in scene.truth.items():
        ship = answer["ships"][name]
        assert (ship["x"], ship["y"]) == (pytest.approx(x, abs=3), pytest.approx(y, abs=3)) and ship["tags"] in (1, 2)
        assert abs((ship["heading"] - heading + 180) % 360 - 180) < 3
    (tmp_path / "photo.jpg").write_bytes(b"\0\0\0\x18ftypheic" + b"\0" * 50)
    assert main([*asked, "--json"]) == 1
    assert "HEIC" in json.loads(capsys.readouterr().out)["why_not"]
    assert main(asked) == 1 and "HEIC" in capsys.readouterr().out
    (tmp_path / "layout.json").write_text('{"table": [500]}')
    assert main(asked) == 2 and "layout" in capsys.readouterr().err


# -- The API.


def test_a_photograph_is_read_over_the_api_and_nothing_is_stored(scene: Scene, client: FlaskClient) -> None:
    answer = post(client, "/api/v1/table/read", sent(scene))
    assert answer.status_code == 200, answer.text
    assert set(answer.json["ships"]) == {"s0", "s1", "s2"} and answer.json["not_seen"] == []
    as_file = sent(scene) | {"layout": (io.BytesIO(msgspec.json.encode(scene.layout)), "layout.json")}
    assert post(client, "/api/v1/table/read", as_file).json["ships"] == answer.json["ships"]


def test_what_is_wrong_is_said_with_its_part(scene: Scene, client: FlaskClient) -> None:
    wrong = post(client, "/api/v1/table/read", sent(scene, b"Nike"))
    assert wrong.status_code == 422 and wrong.json["why_not"] == wrong.json["error"] and not wrong.json["ships"]
    assert wrong.json["not_seen"] == ["s0", "s1", "s2"] and wrong.json["detail"] == {"path": "photo"}
    no_photo = client.post("/api/v1/table/read", data={"layout": "{}"}, content_type="multipart/form-data")
    assert no_photo.status_code == 400 and no_photo.json["detail"]["path"] == "photo"
    assert client.post("/api/v1/table/read", json={}).status_code == 400
    for layout, path in (("", "layout"), ("[", ""), ('{"table": [1, 1], "ships": {}}', "layout.table[0]")):
        refused = post(client, "/api/v1/table/read", sent(scene) | {"layout": layout})
        assert refused.status_code == 400 and refused.json["detail"]["path"] == path, refused.text
    taps = post(client, "/api/v1/table/read", sent(scene, corners="1,2"))
    assert taps.status_code == 400 and taps.json["detail"]["path"] == "corners"


def test_a_photograph_that_is_too_large_is_not_taken_in(scene: Scene, client: FlaskClient) -> None:
    assert post(client, "/api/v1/table/read", sent(scene, b"\xff" * (17 << 20))).status_code == 413
    large = post(client, "/api/v1/table/read", sent(scene, b"\xff\xd8\xff" + b"\0" * (15 << 20)))
    assert large.status_code == 422 and "15 MB" in large.json["why_not"]


def test_so_many_photographs_a_minute_are_read(scene: Scene, app: Flask, client: FlaskClient) -> None:
    app.extensions["navarch"].limits["table photographs"].most = 2
    codes = [post(client, "/api/v1/table/read", sent(scene, b"Nike")).status_code for _ in range(3)]
    assert codes == [422, 422, 429]


OPEN = {"kind": "open", "width": 20, "height": 14}
SIDES = {"rome": {"navy": "roman"}, "carthage": {"navy": "hellenistic"}}


def battle(client: FlaskClient, board: dict[str, Any], placed: bool) -> dict[str, Any]:
    where = [{"at": [3, 2 + 3 * n], "facing": 90} if placed else {} for n in range(3)]
    sides = ("rome", "carthage", "carthage")
    ships = {f"s{n}": {"side": sides[n], "type": "quinquereme", **where[n]} for n in range(3)}
    position = {"board": board, "sides": SIDES, "ships": ships}
    made = client.post("/api/v1/games", json={"system": "galley", "position": position})
    assert made.status_code == 201, made.text
    return {"id": made.json["id"], **{seat["id"]: seat["token"] for seat in made.json["seats"]}}


@pytest.mark.parametrize(("board", "placed"), [(OPEN, True), ({"kind": "table"}, False)])
def test_a_photograph_is_a_proposal_for_a_battle_and_changes_nothing(
    scene: Scene, client: FlaskClient, board: dict[str, Any], placed: bool
) -> None:
    made = battle(client, board, placed)
    address = f"/api/v1/games/{made['id']}/table"
    for seat in ("umpire", "rome"):
        answer = post(client, address, sent(scene), made[seat])
        assert answer.status_code == 200, answer.text
        proposal = answer.json["proposal"]
        assert set(proposal["ships"]) == {"s0", "s1", "s2"} and answer.json["not_seen"] == [] == answer.json["ask"]
        for name, (x, y, heading) in scene.truth.items():
            unit = 80 if placed else 1
            assert proposal["ships"][name]["at"] == [pytest.approx(x / unit, abs=3), pytest.approx(y / unit, abs=3)]
            assert abs((proposal["ships"][name]["heading"] - heading + 180) % 360 - 180) < 3
        assert proposal["moved"] < 3 and {tuple(each["ships"]) for each in proposal["measured"]} == {
            ("s0", "s1"),
            ("s0", "s2"),
        }
    assert (
        client.get(f"/api/v1/games/{made['id']}", headers={"Authorization": f"Bearer {made['umpire']}"}).json["version"]
        == 0
    )
    assert post(client, address, sent(scene), made["spectator"]).status_code == 403
    assert post(client, address, sent(scene)).status_code == 401
    if placed:
        changes = {name: {"at": each["at"], "facing": each["heading"]} for name, each in proposal["ships"].items()}
        adjust = {"command": {"type": "adjust", "ships": changes, "why": "as photographed"}, "seen": 0}
        head = {"Authorization": f"Bearer {made['umpire']}"}
        taken = client.post(f"/api/v1/games/{made['id']}/commands", json=adjust, headers=head)
        assert taken.status_code == 200, taken.text


def test_a_battle_on_hexes_takes_no_photograph(scene: Scene, client: FlaskClient) -> None:
    made = client.post("/api/v1/games", json={"system": "galley", "scenario": "mylae"}).json
    refused = post(client, f"/api/v1/games/{made['id']}/table", sent(scene), made["seats"][0]["token"])
    assert refused.status_code == 400 and "measured sea" in refused.json["error"]
