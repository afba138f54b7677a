"""The atlas: maps as graphs, reach, routes, who is cut off, exports."""

import json

import pytest

from strategic.atlas import atlas, cheapest, cut_off, geojson, reach, touching
from strategic.interception import attempt, beside, chance, outs, parties, succeeds
from strategic.reference import routes
from tactical.kernel.dice import Dice
from tactical.kernel.record import BadInput

CHART = atlas("hannibal")


def test_every_record_of_the_map_says_where_it_is_from():
    for feature in geojson("hannibal")["features"]:
        assert feature["properties"]["source"] in ("rules", "published", "derived", "reconstructed")
    assert len(json.dumps(geojson("hannibal"))) > 10_000


def test_the_cheapest_route_by_land_by_sea_and_by_either():
    assert routes("hannibal", "saguntum", "rome", "sea") == {
        "path": ["saguntum", "rome"],
        "cost": 3,
        "steps": [{"from": "saguntum", "to": "rome", "kind": "sea", "cost": 3}],
    }
    land = routes("hannibal", "saguntum", "rome", "land")
    assert land["cost"] == 14 and land["path"][0] == "saguntum" and land["path"][-1] == "rome"
    assert sum(step["cost"] for step in land["steps"]) == 14
    assert routes("hannibal", "toletum", "rome")["cost"] == 5  # segobriga, saguntum, and over the sea


def test_a_pass_costs_two_and_the_strait_too():
    assert routes("hannibal", "druentia", "taurini", "land")["steps"] == [
        {"from": "druentia", "to": "taurini", "kind": "alpine_pass", "cost": 2}
    ]
    assert routes("hannibal", "messana", "rhegium", "land")["cost"] == 2


def test_no_way_is_an_empty_path():
    assert routes("hannibal", "cirta", "rome", "land") == {"path": [], "cost": None, "steps": []}
    assert routes("hannibal", "rome", "rome") == {"path": ["rome"], "cost": 0, "steps": []}


@pytest.mark.parametrize(
    "arguments, path",
    [
        (("hannibal", "atlantis", "rome"), "from"),
        (("hannibal", "rome", "atlantis"), "to"),
        (("hannibal", "rome", "capua", "air"), "by"),
        (("../secrets", "rome", "capua"), "system"),
        (("chess", "rome", "capua"), "system"),
    ],
)
def test_unknown_spaces_systems_and_ways_are_refused_by_name(arguments, path):
    with pytest.raises(BadInput) as refusal:
        routes(*arguments)
    assert refusal.value.path == path


def test_reach_tells_what_it_costs_and_why_not():
    def barred(start, to, kind, spent):
        return "closed" if to == "capua" else None

    found = reach(CHART, "rome", 2, barred, "land")
    assert found.cost["praeneste"] == 1 and found.cost["terventum"] == 2 and found.path["terventum"][1] == "praeneste"
    assert found.why_not["capua"] == "closed" and "neapolis" not in found.cost
    assert found.cost["cosa"] == 2 and "left" in str(found.why_not["beneventum"])


def test_reach_by_sea_starts_only_in_a_port():
    def free(start, to, kind, spent):
        return None

    assert set(reach(CHART, "rome", 3, free, "sea").cost) == set(CHART.ports())
    assert set(reach(CHART, "zama", 4, free, "sea").cost) == {"zama"}


def test_cut_off_follows_only_open_spaces_and_connections():
    found = cut_off(
        CHART,
        ("messana", "enna", "croton"),
        ("rhegium",),
        lambda space: space != "panormus",
        lambda kind: kind == "road",
    )
    assert found == ("messana", "enna")
    assert cut_off(CHART, ("messana", "croton"), ("rhegium",), lambda space: True, lambda kind: True) == ()


def test_touching_names_ports_and_the_armies_beside_a_route():
    (first, second) = touching(CHART, ("capua", "neapolis"), {"rome", "paestium"}, ("road",))
    assert (first.port, first.watchers) == (False, ("rome",)) and (second.port, second.watchers) == (
        True,
        ("paestium",),
    )


def test_the_graph_by_sea_joins_every_two_ports():
    assert CHART.graph("sea").number_of_edges() == 34 * 33 // 2
    assert cheapest(CHART, "gades", "tacapae", "sea")[0].cost == 3


def test_attempts_stay_at_or_under_a_rating():
    assert attempt(Dice((3,)), "interception.2", 3) == (True, 3)
    assert attempt(Dice((3,)), "interception.2", 3, 1) == (False, 3)
    assert succeeds(6, 5, -1) and chance(3) == (3, 6) and chance(3, 1) == (2, 6) and chance(0) == (0, 6)


def test_who_is_beside_a_space_and_where_one_may_step_aside():
    assert beside(CHART, "capua", ("road",), lambda space: space in ("rome", "zama")) == ("rome",)
    assert "rome" not in outs(CHART, "capua", ("road",), "rome", lambda space: True)
    assert parties(("a", "b")) == (("a", "b"), ("a",), ("b",)) and parties((), 0) == ((),)


def test_routes_on_the_hex_map_are_its_own():
    """5.1 A hex costs one point; a hex that is not there is named by its field."""
    found = routes("punic_wars", "2908", "2516", "any")
    assert found["path"][0] == "2908" and found["path"][-1] == "2516" and found["cost"] == len(found["steps"]) > 0
    with pytest.raises(BadInput, match="from"):
        routes("punic_wars", "9999", "2516", "any")
