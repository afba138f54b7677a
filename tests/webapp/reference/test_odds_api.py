"""The odds over the API and on the command line: the contract's own examples, sums and refusals."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from navarch import main
from tactical.odds import GALLEY
from webapp.api.views import calculators
from webapp.cli.rules import command_word


def get(client: FlaskClient, path: str) -> Any:
    answered = client.get(f"/api/v1/odds/{path}")
    assert answered.status_code == 200, answered.text
    return answered.json


def test_the_contracts_examples(client: FlaskClient):
    fight = get(client, "boarding?attacker=heavy:10&defender=medium:15")
    assert fight["attacker"] + fight["defender"] + fight["neither"] == pytest.approx(1)
    assert sum(fight["rounds"]) == pytest.approx(1)
    assert set(fight["survivors"]) == {"attacker", "defender"}
    ram = get(client, "ram?type=quinquereme&full_speed=1&hull_left=6")
    assert (ram["sunk"], ram["fractions"]["sunk"]) == (0.5, "1/2")
    assert sum(ram["damage"].values()) == pytest.approx(1)
    assert set(get(client, "head_on?crew=average&enemy=elite")) == {"rams", "rammed", "both", "fractions"}
    volley = get(client, "missiles?archers=2&catapults=1&stone_throwers=0&range=3")
    assert volley["fractions"]["kills"]["3"] == "1/108"
    assert get(client, "repair?breaches=2&boarding=0")["open"]["0"] == pytest.approx(1 / 9)


def test_the_list_names_examples_that_answer(client: FlaskClient):
    listed = client.get("/api/v1/odds").json["odds"]
    assert len(listed) == len(calculators()) >= len(GALLEY)
    for each in listed:
        assert client.get(each["example"]).status_code == 200, each["example"]


@pytest.mark.parametrize(
    ("query", "status", "path", "rule"),
    [
        ("ram?hull_left=6", 400, "type", None),
        ("ram?type=trireme&hull_left=six", 400, "hull_left", None),
        ("ram?type=trireme&hull_left=6&hull=6", 400, "hull", None),
        ("ram?type=trireme&type=bireme&hull_left=6", 400, "type", None),
        ("boarding?attacker=heavy:-1&defender=heavy:1", 400, "attacker.heavy", None),
        ("boarding?attacker=heavy:61&defender=heavy:1", 400, "attacker.heavy", None),
        ("boarding?attacker=heavy:1&defender=heavy:30,light:31", 400, "defender", None),
        ("missiles?archers=21&range=3", 400, "archers", None),
        ("missiles?catapults=21&range=3", 400, "catapults", None),
        ("missiles?stone_throwers=21&range=3", 400, "stone_throwers", None),
        ("missiles?archers=1&range=3&target=heavy:61", 400, "target.heavy", None),
        ("repair?breaches=11", 400, "breaches", None),
        ("missiles?archers=1&range=9", 422, None, "G5.3"),
        ("sorcery", 404, None, None),
    ],
)
def test_bad_parameters(client: FlaskClient, query: str, status: int, path: str | None, rule: str | None):
    answered = client.get(f"/api/v1/odds/{query}")
    assert answered.status_code == status
    assert answered.json["rule"] == rule
    assert answered.json["detail"].get("path") == path
    assert answered.json["error"].endswith(".")


def test_the_command_line_tells_the_same(client: FlaskClient, capsys: pytest.CaptureFixture[str]):
    assert main(["odds", "ram", "--type", "quinquereme", "--full-speed", "1", "--hull-left", "6", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == get(client, "ram?type=quinquereme&full_speed=1&hull_left=6")
    assert main(["odds", "head-on", "--crew", "average", "--enemy", "elite"]) == 0
    assert "5/36" in capsys.readouterr().out


def test_the_command_line_refuses_in_one_line(capsys: pytest.CaptureFixture[str]):
    assert main(["odds", "ram", "--type", "trireme", "--hull-left", "0"]) == 2
    assert "hull_left" in capsys.readouterr().err


@pytest.mark.parametrize("calculator", calculators(), ids=command_word)
def test_every_calculator_has_its_help(calculator: Any, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as left:
        main(["odds", command_word(calculator), "--help"])
    assert left.value.code == 0
    assert "Example: navarch odds" in capsys.readouterr().out
