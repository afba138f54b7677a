"""O1.2 Cuts of the great map: filled up from the gazetteer, and joined by lanes that keep clear of land.

`APPROVE=1 pytest tests/webapp/open_campaign/test_oc_cutting.py` writes the cuts of tests/approved/cuts.json anew: read
the difference before it is committed.
"""

import json
import os
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest

from strategic.coast import DETOUR, FARTHEST, is_hidden, lay_lanes
from strategic.open_campaign.rules.world import read_chart
from strategic.open_campaign.tables import ALL_WORLDS
from tactical.kernel import cache
from tactical.kernel.record import BadInput, encode
from webapp.systems.open_campaign.cutting import MOST_CORNERS, check_corners, cut_with_remarks, ports_of, printed_world

CRETE, DODECANESE, TUSCANY = ((22.2, 34.5), (28.7, 37.2)), ((26, 36), (28, 37.5)), ((9, 41), (12, 43.5))
SEA = ((-9.0, 30.5), (36.0, 46.0))
APPROVED = Path(__file__).parents[2] / "approved" / "cuts.json"
CUTS = {
    "the whole sea": (SEA, 80, None),
    "the whole sea with its small places": (SEA, 70, 16),
    "the whole sea with all its places": (SEA, 0, None),
    "the whole sea and the gazetteer": (SEA, 100, 300),
    "the great cities alone": (SEA, 100, 1),
    "Crete": (CRETE, 90, 40),
    "the Dodecanese": (DODECANESE, 90, 30),
    "Tuscany": (TUSCANY, 90, 20),
    "the strait of Bonifacio, which the grid goes round": (((3.181, 39.47), (11.181, 45.07)), 70, 40),
    "the ocean, of which the great map knows nothing": (((-7.98, 43.39), (0.02, 46.59)), 100, 40),
    "the Black Sea": (((27, 40.5), (42, 47.5)), 60, 50),
    "a line around Sicily": (((10, 36), (16, 36), (18, 40), (14, 44), (9, 42)), 70, 16),
    "a line around the Aegean": (((22, 36), (25, 34.5), (29, 36), (27, 40.8), (22.5, 40.5)), 80, 60),
    "the places at its very corners": (((12.492, 37.872), (15.293, 38.2)), 0, None),
}


@pytest.mark.parametrize(("corners", "spaces"), [(CRETE, 40), (DODECANESE, 30), (TUSCANY, 20)])
def test_o1_2_a_cut_is_filled_from_the_gazetteer_and_its_lanes_keep_clear_of_land(corners, spaces):
    world, remarks = cut_with_remarks(corners, 90, spaces)
    chart = read_chart(world)
    assert 0.9 * spaces <= len(chart.spaces) <= spaces
    assert any("gazetteer" in str(each) for each in remarks)
    net = nx.Graph()
    net.add_weighted_edges_from((lane.start, lane.end, lane.miles) for lane in chart.lanes.values())
    assert nx.is_connected(net) and set(net) == set(chart.spaces)
    laid = [each for each in world["features"] if each["properties"].get("source") == "laid"]
    assert any(str(len(laid)) in str(each) for each in remarks)
    for each in laid:
        about, line = each["properties"], [tuple(point) for point in each["geometry"]["coordinates"]]
        assert not any(is_hidden(one, other) for one, other in pairwise(line)), about
        assert 0 < about["cost"] <= FARTHEST


@pytest.mark.parametrize("name", CUTS)
def test_o1_2_a_cut_is_the_same_as_ever(name):
    corners, rank, spaces = CUTS[name]
    world, remarks = cut_with_remarks(corners, rank, spaces)
    found = {
        "remarks": [str(each) for each in remarks],
        "places": " ".join(each["properties"].get("id", "") for each in world["features"]).strip(),
        "laid": [
            f"{each['properties']['from']} {each['properties']['to']} {each['properties']['cost']}"
            for each in world["features"]
            if each["properties"].get("source") == "laid"
        ],
        "whole": blake2b(encode(world), digest_size=16).hexdigest(),
    }
    kept = json.loads(APPROVED.read_text()) if APPROVED.exists() else {}
    if os.environ.get("APPROVE"):
        APPROVED.write_text(json.dumps({**kept, name: found}, indent=1, ensure_ascii=False) + "\n")
    else:
        assert found == kept[name]


def test_o1_2_a_cut_is_kept_by_its_corners_and_nobody_changes_what_is_kept():
    world, remarks = cut_with_remarks(CRETE, 90, 40)
    before = cache.bytes_in_use()
    world["features"].clear()
    remarks.clear()
    again, told = cut_with_remarks([[lon + 1e-5, lat - 1e-5] for lon, lat in CRETE], 90, 40)
    assert again["features"] and told and cache.bytes_in_use() == before


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 40)],
        [(0, 40)] * (MOST_CORNERS + 1),
        [(0, 40), (10,)],
        [(0, 40), (43, 45)],
        [(-180, -90), (180, 90)],
        [(0, 40), (10, float("nan"))],
        [(0, 40), (float("inf"), 45)],
    ],
)
def test_o1_2_corners_are_few_enough_and_on_the_map(corners):
    with pytest.raises(BadInput, match="corners: "):
        check_corners(corners)


def test_o1_2_no_lane_is_laid_that_two_shorter_ones_replace():
    row = {"a": (25.0, 36.0), "b": (25.3, 36.0), "c": (25.6, 36.0)}  # open water between Thera and Crete's north
    laid = lay_lanes(row, [])
    assert [(each.start, each.end) for each in laid] == [("a", "b"), ("b", "c")]
    assert lay_lanes(row, [("a", "b", 15), ("b", "c", 15)]) == []
    roundabout = lay_lanes(row, [("a", "b", 15)])
    assert [(each.start, each.end) for each in roundabout] == [("b", "c")] and DETOUR > 1


def test_o1_2_a_place_far_from_the_water_gets_no_lane():
    assert lay_lanes({"inland": (23.0, 39.9), "port": (25.0, 36.0)}, []) == []


@pytest.mark.parametrize("system", ALL_WORLDS.printed)
def test_o1_2_the_ports_of_a_printed_board_are_those_of_its_world_and_lanes_join_them(system):
    chart = read_chart(printed_world(system))
    ports = {each.name for each in chart.spaces.values() if each.kind == "port"}
    printed = {each["properties"]["name"] for each in ports_of(system)}
    assert ports <= printed and len(ports) >= 0.95 * len(printed)
    assert set(chart.from_(next(iter(chart.spaces)))) == set(chart.spaces)
