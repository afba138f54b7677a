"""O1.2 Cuts of the great map: filled up from the gazetteer, and joined by lanes that keep clear of land."""

from itertools import pairwise

import networkx as nx
import pytest

from strategic.coast import DETOUR, FARTHEST, is_hidden, lay_lanes
from strategic.open_campaign.rules.world import read_chart
from strategic.open_campaign.tables import ALL_WORLDS
from webapp.systems.open_campaign.cutting import cut_with_remarks
from webapp.systems.open_campaign.printed_worlds import ports_of, printed_world

CRETE, DODECANESE, TUSCANY = ((22.2, 34.5), (28.7, 37.2)), ((26, 36), (28, 37.5)), ((9, 41), (12, 43.5))


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
