"""3.1, 3.3 The map and the tables: complete, without dangling names; a group's own tables. 9.4, 9.5, 11.4, 16.5."""

from __future__ import annotations

import json

import msgspec
import pytest

import data
from kit.pw_table import points, table
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules import charts, geography
from strategic.punic_wars.rules.charts import HOUSE, chart, sheet
from strategic.punic_wars.rules.towns import change
from strategic.punic_wars.tables import COUNTERS, LEADERS, NUMBERS, PRINTED, SCENARIOS, limit
from tactical.kernel.dice import Dice
from tactical.kernel.record import BadInput, encode, plain


def test_3_1_the_map_has_780_hexes_and_every_side_of_them():
    chart = charts.printed_chart()
    assert len(chart.places) == 780
    assert sum(len(beside) for beside in chart.sides.values()) == 2 * 2223
    for at, beside in chart.sides.items():
        assert set(beside) == set(charts.around(at))


def test_3_1_numbers_and_axial_hexes_are_the_same_places():
    for at in charts.printed_chart().places:
        assert charts.number(charts.axial(at)) == at


def test_3_1_every_record_of_the_map_says_where_it_is_from():
    for feature in data.raw_json("punic_wars/map.geojson")["features"]:
        assert feature["properties"]["source"] in ("rules", "published", "derived", "reconstructed")


def test_3_1_regions_and_terrain_agree():
    chart = charts.printed_chart()
    for place in chart.places.values():
        assert (place.terrain == "sea") == (place.region is None)
        assert place.region is None or place.region in chart.regions


def test_14_0_thirty_regions_worth_101_and_59_in_the_first_war():
    regions = charts.printed_chart().regions.values()
    assert len(regions) == 30
    assert sum(region.value for region in regions) == 101
    assert sum(region.value for region in regions if region.alignment["1"] != "closed") == 59


def test_5_37_the_ferries_are_those_of_the_rules():
    assert set(charts.printed_chart().ferries) == {"3314", "3413", "2408", "2409", "2509", "0214", "0215"}


def test_3_2_movement_allowance_of_every_leader_is_twenty():
    """3.2 (movement allowance)"""
    assert NUMBERS.movement.allowance == 20


def test_3_2_points_are_coins():
    """3.2, 7.35: five is five however it is shown."""
    assert change(5, COUNTERS.shown_as) == (5,)
    assert change(18, COUNTERS.shown_as) == (10, 5, 2, 1)
    assert sum(change(37, COUNTERS.shown_as)) == 37


def test_7_35_limits_of_the_counter_mix():
    """7.35 (limits)"""
    assert [limit(n, k) for n in ("rome", "carthage", "syracuse") for k in ("land", "naval")] == [40, 20, 40, 10, 2, 2]


def test_7_35_a_position_beyond_the_counter_mix_is_refused():
    with pytest.raises(BadInput, match="at most 10 naval"):
        table({"2516": {"carthage": points(1, 11)}})


def test_8_11_letters_tell_leaders_apart():
    for side in ("rome", "carthage"):
        letters = [counter.letter for counter in LEADERS.values() if counter.side == side]
        assert len(set(letters)) == len(letters)
    assert sorted(c.value for c in LEADERS.values() if c.side == "carthage") == [2, 2, 2, 2, 3]


def test_9_4_the_combat_table_is_complete_and_monotone():
    """9.4, 9.25: every die from -4 to 9 and every ratio."""
    table = PRINTED.combat
    assert [row.die for row in table.rows] == list(range(-4, 10))
    assert all(len(row.attacker) == len(row.defender) == 10 for row in table.rows)
    HOUSE.read({"combat": plain(table)})


def test_9_25_a_die_beyond_the_table_reads_its_last_row():
    assert PRINTED.combat.losses("9:1", 14) == PRINTED.combat.losses("9:1", 9)
    assert PRINTED.combat.losses("1:2", -7) == PRINTED.combat.losses("1:2", -4)


def test_9_31_75_per_cent_of_nine_is_seven_and_9_5_by_the_printed_table():
    assert PRINTED.loss.points(9, 75) == 7
    assert [PRINTED.loss.points(n, 100) for n in (1, 40, 64, 70)] == [1, 40, 64, 70]
    HOUSE.read({"loss": plain(PRINTED.loss)})


def test_11_4_the_attrition_table_has_a_75_per_cent_result():
    """11.4, 19.14.D"""
    assert [PRINTED.attrition.percent(die) for die in (-3, 1, 2, 3, 4, 5, 9)] == [75, 75, 50, 25, 25, 0, 0]
    HOUSE.read({"attrition": plain(PRINTED.attrition)})


def test_16_5_both_diplomacy_tables_answer_every_die_and_16_31_each_serves_its_war():
    """Five results, alliances only in table one, the war only in table two."""
    assert [SCENARIOS[war].diplomacy for war in ("1", "2", "3")] == ["one", "two", None]
    one, two = PRINTED.diplomatic("one"), PRINTED.diplomatic("two")
    assert one.row(-1).result == "defection" and one.row(-9).to == "rome"
    assert one.row(8).result == "defection" and one.row(30).to == "carthage"
    assert {row.result for row in one.rows} == {"none", "revolt", "alliance", "defection"}
    assert {row.result for row in two.rows} == {"none", "revolt", "war", "defection"}
    HOUSE.read({"diplomacy": [plain(one), plain(two)]})


def test_3_3_every_table_names_its_paragraph_and_source():
    for printed in (PRINTED.combat, PRINTED.loss, PRINTED.attrition, *PRINTED.diplomacy):
        assert printed.cite and printed.source == "reconstructed"


@pytest.mark.parametrize(
    "raw, path",
    [
        ({"attrition": {"rows": [{"upto": 3, "loss": 25}, {"loss": 50}]}}, "house.attrition.rows"),
        ({"attrition": {"rows": [{"upto": 3, "loss": 25}]}}, "house.attrition.rows"),
        ({"loss": {"percents": [25, 50, 75, 100], "rows": [[0, 1, 1, 1]]}}, "house.loss.rows"),
        ({"map": {"values": {"Atlantis": 3}}}, "house.map.values.Atlantis"),
        ({"map": {"values": {"Latium": 99}}}, "house.map.values.Latium"),
        ({"map": {"hexes": {"9999": {"mountain": True}}}}, "house.map.hexes.9999"),
        ({"map": {"hexes": {"2908": {"terrain": "sea"}}}}, "house.map.hexes.2908"),
        ({"map": {"hexsides": {"2908-3315": "land"}}}, "house.map.hexsides.2908-3315"),
        ({"diplomacy": [{"name": "one", "rows": [{"result": "war"}]}]}, "house.diplomacy[0].rows[0].result"),
        ({"tables": {}}, "house.tables"),
    ],
)
def test_3_3_a_wrong_house_table_is_refused_with_its_path(raw, path):
    with pytest.raises(BadInput) as refused:
        HOUSE.read(raw)
    assert refused.value.path == path


def test_3_3_a_house_combat_table_must_be_monotone():
    raw = json.loads(encode(PRINTED.combat))
    raw["rows"][5]["attacker"][3] = 100
    with pytest.raises(BadInput, match=r"house\.combat\.rows\[5\]\.attacker"):
        HOUSE.read({"combat": raw})


def test_3_3_house_tables_take_the_place_of_reconstructed_ones_and_travel_with_the_game():
    raw = {
        "attrition": {"rows": [{"loss": 0}]},
        "map": {"values": {"Latium": 5}, "hexes": {"3008": {"mountain": True}}, "hexsides": {"2908-2909": "sea"}},
    }
    house = HOUSE.read(raw)
    assert sheet(house).attrition.percent(1) == 0
    assert sheet(house).combat == PRINTED.combat
    own = chart(house)
    assert own.regions["Latium"].value == 5 and own.regions["Latium"].source == "house"
    assert own.places["3008"].mountain and own.sides["2909"]["2908"] == "sea"
    assert charts.printed_chart().regions["Latium"].value == 4
    game = PUNIC_WARS.start("1", None, {"house": raw}, Dice()).state
    again = msgspec.convert(msgspec.to_builtins(game), PUNIC_WARS.state)
    assert again.house == house and again.chart.regions["Latium"].value == 5


def test_3_3_house_tables_are_shared_as_a_file():
    """3.3: TOML or JSON in, JSON out, and back to the same tables."""
    text = """
    title = "our copy"
    [map.values]
    Sicilia = 6
    [[attrition.rows]]
    upto = 2
    loss = 50
    [[attrition.rows]]
    loss = 0
    """
    house = HOUSE.from_text(text)
    assert house.map.values == {"Sicilia": 6}
    assert HOUSE.from_text(HOUSE.written(house)) == house
    with pytest.raises(BadInput, match="neither TOML nor JSON"):
        HOUSE.from_text("a = [")


def test_3_3_a_house_map_that_leaves_no_room_for_the_set_up_is_refused():
    drowned = {at: {"mountain": True} for at in ("2908", "2909", "3008")}
    with pytest.raises(BadInput, match=r"options\.house\.map"):
        PUNIC_WARS.start("1", None, {"house": {"map": {"hexes": drowned}}}, Dice())


def test_5_12_routes_cost_a_point_a_hex_and_say_why_not():
    """5.12, 5.31, 5.32: by land, by sea, by any way."""
    by_land = geography.routes("2908", "3510", "land")
    assert by_land["cost"] == len(by_land["path"]) - 1
    assert all(charts.printed_chart().places[at].terrain != "sea" for at in by_land["path"])
    assert geography.routes("2908", "1312", "land") == {"path": [], "cost": None, "steps": []}
    by_sea = geography.routes("2908", "2516", "sea")
    assert by_sea["cost"] == 10 and by_sea["path"][0] == "2908"
    assert geography.routes("3314", "3413", "land")["steps"][0]["kind"] == "ferry"
    reach = geography.reach("2908", 1, "sea")
    assert set(reach.cost) == {"2908", "2807", "2808", "2909"}
    assert "Fleets" in str(reach.why_not["3008"].reason)
    with pytest.raises(BadInput, match="from"):
        geography.routes("0000", "2516")


def test_3_1_the_map_goes_out_as_geojson_with_house_changes():
    house = HOUSE.read({"map": {"hexes": {"3008": {"mountain": True}}}})
    features = {f["id"]: f for f in geography.geojson(chart(house))["features"]}
    assert len(features) == 780 + 2223
    assert features["3008"]["properties"]["mountain"] is True
    assert features["3008"]["properties"]["source"] == "house"


def test_19_0_every_scenario_names_hexes_regions_and_leaders_that_exist():
    """19.0, 19.0 (procedure)"""
    chart = charts.printed_chart()
    for war in SCENARIOS.values():
        for group in war.group:
            assert group.where in chart.places or group.where in chart.regions
            assert not group.usual or chart.places[group.usual].region == group.where
