"""Spreadsheets on the pages and over the API: templates, positions, builder, ship types of house rules."""

from __future__ import annotations

import html
import io
import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from kit.real_house import real_app, real_store
from tactical.setup import all_scenarios, position_of
from webapp.files import scenario
from webapp.files.book import FORMATS, LARGEST
from webapp.files.scenario import EXAMPLE, scenario_sheets
from webapp.storage.services.archive import most

__all__ = ["real_app", "real_store"]
FLEETS = b"side,name,type,crew\nrome,Aquila,quinquereme,elite\ncarthage,Tanit <b>,trireme,\n"


@pytest.fixture
def client(app: Any) -> Any:
    return app.test_client()


def send(client: FlaskClient, address: str, data: bytes, name: str, **fields: str) -> Any:
    """A file sent by a form."""
    return client.post(address, data={"file": (io.BytesIO(data), name), **fields}, content_type="multipart/form-data")


def draft_of(page: Any) -> Any:
    found = re.search(r'name="draft" value="([^"]*)"', page.text)
    assert found, page.text[:2000]
    return json.loads(html.unescape(found.group(1)))


@pytest.mark.parametrize("format", FORMATS)
def test_a_template_is_taken_filled_in_and_sent_back(client: FlaskClient, format: str) -> None:
    for address in ("/positions/template", "/api/v1/positions/template"):
        template = client.get(f"{address}.{format}")
        assert template.status_code == 200 and template.mimetype == FORMATS[format][0]
        assert f"navarch-position.{format}" in template.headers["Content-Disposition"]
        page = send(client, "/positions/draw", template.data, f"fleet.{format}")
        assert list(draft_of(page)["position"]["ships"]) == ["r1", "c1"] and "Tanit" in page.text
    assert client.get("/positions/template.doc").status_code == 404
    assert client.get("/api/v1/positions/template.doc").status_code == 404


def test_ships_without_a_place_lie_ashore_and_a_fault_changes_nothing(client: FlaskClient) -> None:
    draft = draft_of(send(client, "/positions/draw", FLEETS, "fleets.csv"))
    assert draft["ship"] == "ship2" and "at" not in draft["position"]["ships"]["ship2"]
    page = send(client, "/positions/draw", FLEETS.replace(b"trireme", b"raft"), "fleets.csv")
    assert page.status_code == 422 and "C3" in page.text and "Tanit <b>" not in page.text
    assert client.post("/api/v1/positions/read", data=FLEETS.replace(b"elite", b"drunk")).json["detail"]["path"] == "D2"


def test_a_saved_position_is_read_over_the_api_from_its_spreadsheet(client: FlaskClient) -> None:
    position = position_of(all_scenarios()["mylae"])
    saved = client.post("/api/v1/positions", json={"title": "Mylae", "position": position}).json["id"]
    for address in (f"/positions/{saved}/file.ods", f"/api/v1/positions/{saved}/file.ods"):
        found = client.post("/api/v1/positions/read", data=client.get(address).data).json
        assert found["title"] == "Mylae" and found["position"]["ships"].keys() == position["ships"].keys()
    made = client.post("/api/v1/games", json={"system": "galley", **found})
    assert made.status_code == 201, made.text


def test_what_is_drawn_or_built_is_given_as_a_spreadsheet(client: FlaskClient) -> None:
    text = json.dumps(EXAMPLE)
    built = client.post("/positions/file.ods", data={"position": text, "title": "Two fleets"})
    assert built.status_code == 200 and built.data.startswith(b"PK")
    draft = draft_of(client.post("/positions/draw", data={"position": text}))
    drawn = client.post("/positions", data={"draft": json.dumps(draft), "do": "file.ods", "title": "Two"})
    assert client.post("/api/v1/positions/read", data=drawn.data).json["title"] == "Two"
    begun = {**EXAMPLE, "turn": 3}
    draft = draft_of(client.post("/positions/draw", data={"position": json.dumps(begun)}))
    refused = client.post("/positions", data={"draft": json.dumps(draft), "do": "file.ods"})
    assert refused.status_code == 422 and "download it as a JSON file" in refused.text


def test_a_groups_own_ship_types_come_from_a_spreadsheet(client: FlaskClient) -> None:
    for format in FORMATS:
        types = client.get(f"/campaign/house/galley/types.{format}").data
        page = send(client, "/campaign/house/galley", types, f"types.{format}", do="check")
        assert page.status_code == 200, page.text
    rows = scenario.types_sheet({})
    assert rows[1][1] != 9
    rows[1][1] = 9
    sent = FORMATS["ods"][1]({"types": rows})
    house = send(client, "/campaign/house/galley", sent, "types.ods", do="download")
    assert json.loads(house.text)["types"][rows[1][0]]["hull"] == 9
    rows[1][1] = "many"
    wrong = send(client, "/campaign/house/galley", FORMATS["ods"][1]({"types": rows}), "types.ods")
    assert "types!B2" in wrong.text
    assert scenario_sheets("", {**EXAMPLE, "types": json.loads(house.text)["types"]})["types"][1][1] == 9


def test_one_address_has_so_many_spreadsheets_read_in_a_minute(client: FlaskClient) -> None:
    large = b"x" * (LARGEST + 1)  # refused before a child is started for it, so quickly that no permission comes back
    sent = [client.post("/api/v1/positions/read", data=large).status_code for _each in range(most("spreadsheets") + 1)]
    assert sent[:-1] == [400] * most("spreadsheets") and sent[-1] == 429


def test_what_is_no_fleet_is_refused_where_a_spreadsheet_is_asked_for(client: FlaskClient) -> None:
    for position in ("[]", "{", '{"ships": 5}', '{"ships": {"a": 1}}', '{"board": [], "ships": {}}', ""):
        refused = client.post("/positions/file.ods", data={"position": position})
        assert refused.status_code == 400, (position, refused.status_code)
