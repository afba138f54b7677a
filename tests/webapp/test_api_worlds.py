"""O1.2 Worlds over the API: ready-made ones, the printed maps, and cuts that a campaign can be played on."""

from __future__ import annotations

import pytest
from flask import Flask

from strategic.open_campaign.rules.world import read_chart
from webapp import create_app
from webapp.storage.journal.store import Store


@pytest.fixture
def app(tmp_path) -> Flask:
    return create_app({"STORE": Store(tmp_path / "games.db"), "TESTING": True})


def test_o1_2_every_ready_made_world_is_geojson_with_spaces_and_lanes(app: Flask):
    client = app.test_client()
    known = {each["id"] for each in client.get("/api/v1/worlds").json["worlds"]}
    assert {"mediterranean", "hannibal", "hamilcar", "sword_of_rome", "punic_wars"} <= known
    for name in known:
        found = client.get(f"/api/v1/worlds/{name}")
        kinds = {each["geometry"]["type"] for each in found.json["features"]}
        assert found.mimetype == "application/geo+json" and found.json["type"] == "FeatureCollection" and len(kinds) > 1
    assert client.get("/api/v1/worlds/atlantis").status_code == 404


def test_o1_2_a_cut_is_one_connected_world_and_says_what_is_odd(app: Flask):
    wanted = {"world": "mediterranean", "corners": [[11.5, 35.5], [18.5, 41.0]], "rank": 80, "spaces": 30}
    made = app.test_client().post("/api/v1/worlds/cut", json=wanted)
    assert made.status_code == 200, made.text
    chart = read_chart(made.json["world"])
    reached, todo = {next(iter(chart.spaces))}, [next(iter(chart.spaces))]
    for name in todo:
        for lane in chart.ways[name]:
            if lane.other(name) not in reached:
                reached.add(lane.other(name))
                todo.append(lane.other(name))
    assert reached == set(chart.spaces) and len(reached) >= 20
    with_heights = {**wanted, "corners": [[*corner, 5] for corner in wanted["corners"]]}
    assert app.test_client().post("/api/v1/worlds/cut", json=with_heights).json["world"] == made.json["world"]
    assert made.json["remarks"] and all(each.endswith(".") for each in made.json["remarks"])


@pytest.mark.parametrize(
    ("change", "status", "path"),
    [
        ({"corners": [[11.5, 35.5]]}, 400, "corners"),
        ({"corners": [[11.5, 35.5], [18.5, 410]]}, 400, "corners"),
        ({"corners": [[11.5, 35.5], [11.5, 41]]}, 400, "corners"),
        (
            {"corners": [[11.5, 35.5], [18.5, 41], [11.5, 41], [18.5, 35.5]]},
            400,
            "corners",
        ),  # a line that crosses itself
        ({"corners": [[5, 25], [6, 26]]}, 422, None),
        ({"corners": [[-60, 35.5], [-50, 41]]}, 400, "corners"),
        ({"corners": [[0.5 * number, 40] for number in range(25)]}, 400, "corners"),
        ({"corners": [["11.5", 35.5], [18.5, 41]]}, 400, "corners[0][0]"),
        ({"corners": [[None, 35.5], [18.5, 41]]}, 400, "corners[0][0]"),
        ({"corners": "11.5,35.5 18.5,41"}, 400, "corners"),
        ({"world": "hannibal"}, 400, "world"),
        ({"rank": 1000}, 400, "rank"),
    ],
)
def test_o1_2_a_cut_that_is_none_names_its_field(app: Flask, change, status, path):
    wanted = {"corners": [[11.5, 35.5], [18.5, 41.0]], **change}
    refused = app.test_client().post("/api/v1/worlds/cut", json=wanted)
    assert refused.status_code == status and refused.json["detail"].get("path") == path, refused.text
