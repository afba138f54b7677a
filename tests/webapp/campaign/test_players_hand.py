"""A side of The Sword of Rome changes by hand what no rule moves: forms from the system's own table of fields."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

SPACES = "space.roma&and=space.velitrae"


class Romans:
    """The Romans of a game, on their pages."""

    def __init__(self, client: FlaskClient, system: str = "sword_of_rome", seat: str = "romans") -> None:
        scenario = client.application.extensions["navarch"].systems[system].scenarios()[0].id
        made = client.post("/api/v1/games", json={"system": system, "scenario": scenario}).json
        self.client, self.id = client, made["id"]
        self.tokens = {each["id"]: each["token"] for each in made["seats"]}
        client.get(f"/join/{self.tokens[seat]}")

    def page(self, of: str = "game") -> Any:
        return self.client.get(f"/campaign/{self.id}/hand?of={of}")

    def put(self, of: str, **fields: Any) -> Any:
        page = self.page(of).text
        token, seen = (re.search(rf'name="{name}" value="([^"]+)"', page) for name in ("csrf_token", "seen"))
        assert token and seen
        return self.client.post(
            f"/campaign/{self.id}/hand?of={of}", data={"csrf_token": token[1], "seen": seen[1], **fields}
        )

    def state(self) -> Any:
        headers = {"Authorization": f"Bearer {self.tokens['umpire']}"}
        return self.client.get(f"/api/v1/games/{self.id}", headers=headers).json["state"]

    def log(self) -> str:
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", self.client.get(f"/g/{self.id}/log").text))


@pytest.fixture
def romans(client: FlaskClient) -> Romans:
    return Romans(client)


def test_pieces_go_from_one_space_to_another_and_the_journal_says_so(romans: Romans):
    units, there = (romans.state()["forces"][space]["romans"]["units"] for space in ("roma", "velitrae"))
    sent = {"f.forces.roma.romans.units": str(units - 1), "f.forces.velitrae.romans.units": str(there + 1)}
    assert romans.put(SPACES, **sent, why="Appian way").status_code == 303
    forces = romans.state()["forces"]
    assert [forces[space]["romans"]["units"] for space in ("roma", "velitrae")] == [units - 1, there + 1]
    assert "the Romans move 1 CU from Roma to Velitrae." in romans.log() and "Appian way" in romans.log()


def test_every_field_has_a_word_and_only_the_sides_own_are_shown(romans: Romans):
    for of in ("game", "space.roma", "space.luna"):
        labels = re.findall(r'<label class="field"><span>([^<]+)</span>', romans.page(of).text)
        assert labels and not [label for label in labels if "_" in label], labels
    assert "forces.luna.gauls" not in romans.page("space.luna").text
    assert "f.vp.romans" in romans.page().text and "f.vp.gauls" not in romans.page().text


def test_the_form_of_alliances_events_and_points_is_read(romans: Romans):
    sent = {"f.alliances.romans.greeks": "true", "f.vp.romans": "7", "f.events.appian_way": "true", "f.unrest": "2"}
    assert romans.put("game", **sent).status_code == 303
    state = romans.state()
    assert state["proposals"] == [["romans", "greeks"]] and state["vp"]["romans"] == 7 and state["unrest"] == 2
    assert state["events"] == ["appian_way"]


def test_who_of_several_leaders_commands_is_a_field_of_its_own(romans: Romans):
    space = "space.velitrae"
    there = romans.state()["forces"]["velitrae"]["romans"]["leaders"]
    free = next(
        name
        for name in re.findall(r'<option value="(\w+)"', romans.page(space).text.split("romans.leaders")[2])
        if name not in str(romans.state()["forces"]) and not name.startswith("minor")
    )
    path = "f.forces.velitrae.romans.leaders"
    assert romans.put(space, **{path: [*there, free], f"m.{path[2:]}": "1"}).status_code == 303
    assert romans.state()["forces"]["velitrae"]["romans"]["leaders"] == [*there, free]
    assert romans.put(space, **{f"{path}.first": free}).status_code == 303
    assert romans.state()["forces"]["velitrae"]["romans"]["leaders"][0] == free


def test_a_refusal_stands_on_the_form_and_nothing_is_changed(romans: Romans):
    before = romans.state()
    refused = romans.put("space.roma", **{"f.forces.roma.romans.units": "-1"})
    assert refused.status_code == 422 and "cannot be" in refused.text
    assert romans.put("game").status_code == 422 and romans.state() == before


def test_who_may_not_is_shown_no_form(client: FlaskClient):
    for who in (Romans(client, seat="spectator"), Romans(client, "hannibal", "rome")):
        assert who.page().status_code == 422 and 'name="f.' not in who.page().text


def test_the_page_of_a_space_leads_to_the_form(romans: Romans):
    page = romans.client.get(f"/g/{romans.id}?seat=romans&space=roma").text
    assert f"/campaign/{romans.id}/hand?seat=romans&amp;of=space.roma" in page
    assert f'/campaign/{romans.id}/hand?seat=romans"' in romans.client.get(f"/g/{romans.id}?seat=romans").text
