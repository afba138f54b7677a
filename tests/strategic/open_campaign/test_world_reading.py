"""O1.1: a world as QGIS, GDAL, geojson.io, AWMC and ORBIS write it, each kind of input at its smallest."""

from __future__ import annotations

import copy
import json
from itertools import pairwise
from typing import Any

import pytest

from kit.straight_sea import row
from strategic.coast import apart
from strategic.open_campaign.rules.world import check_world, read_chart, stock_world
from strategic.open_campaign.rules.world_reading import read_world
from strategic.open_campaign.tables import WORLDS
from tactical.kernel.record import BadInput, encode


def place(at: Any, **about: Any) -> dict[str, Any]:
    return {"type": "Feature", "properties": about, "geometry": {"type": "Point", "coordinates": at}}


def line(points: Any, shape: str = "LineString", **about: Any) -> dict[str, Any]:
    ends = {name.removesuffix("_"): value for name, value in about.items()}
    return {"type": "Feature", "properties": ends, "geometry": {"type": shape, "coordinates": points}}


A, B = place([20, 36], id="a"), place([21, 36], id="b")
AB = [[20, 36], [20.5, 36.1], [21, 36]]


def collection(*features: Any, **members: Any) -> dict[str, Any]:
    return {"type": "FeatureCollection", **members, "features": list(features)}


def read(*features: Any, **members: Any) -> Any:
    return read_world(copy.deepcopy(collection(*features, **members)), "world", is_file=True)


def chart(*features: Any) -> Any:
    return read_chart(read(*features).world)


def refusal(*features: Any, **members: Any) -> BadInput:
    with pytest.raises(BadInput) as fault:
        read(*features, **members)
    return fault.value


@pytest.mark.parametrize("name", WORLDS)
def test_o1_1_a_world_of_ours_is_read_whole_and_as_it_is(name: str) -> None:
    world = json.loads(encode(stock_world(name)))
    for is_file in (True, False):
        found = read_world(world, "world", is_file=is_file)
        assert found.world == world and found.is_whole


# Shapes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shape",
    [
        {"type": "MultiLineString", "coordinates": [AB]},
        {"type": "MultiLineString", "coordinates": [AB[:2], AB[1:]]},
        {"type": "MultiLineString", "coordinates": [AB[1:], AB[:2]]},
        {"type": "MultiLineString", "coordinates": [AB[:0:-1], AB[1::-1]]},
        {"type": "GeometryCollection", "geometries": [{"type": "LineString", "coordinates": AB}]},
        {"type": "GeometryCollection", "geometries": [{"type": "MultiLineString", "coordinates": [AB]}]},
        {"type": "LineString", "coordinates": [[*point, 4.5] for point in AB]},
        {"type": "LineString", "coordinates": [[*point, 4.5, 1] for point in AB]},
        {"type": "LineString", "coordinates": [[*point, None] for point in AB]},
        {"type": "LineString", "coordinates": [[str(part) for part in point] for point in AB]},
        {"type": "LineString", "coordinates": [["20,0", "36"], ["20,5", "36,1"], ["21", "36"]]},
    ],
)
@pytest.mark.parametrize("ends", [{"from": "a", "to": "b"}, {}, {"from": "a"}, {"to": "b", "from": None}])
def test_o1_1_a_lane_is_read_in_every_shape_of_one_line(shape: dict[str, Any], ends: dict[str, Any]) -> None:
    found = chart(A, B, {"type": "Feature", "properties": ends, "geometry": shape})
    (lane,) = found.lanes.values()
    assert {lane.start, lane.end} == {"a", "b"} and lane.miles == 50
    assert sorted(lane.line) == [(20, 36), (20.5, 36.1), (21, 36)]
    assert lane.line[0] == found.spaces[lane.start].lonlat or not ends


@pytest.mark.parametrize(
    "shape",
    [
        {"type": "MultiPoint", "coordinates": [[21, 36]]},
        {"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [21, 36]}]},
        {"type": "Point", "coordinates": [21, 36, 0]},
        {"type": "Point", "coordinates": ["21", " 36.0 "]},
    ],
)
def test_o1_1_a_place_is_read_in_every_shape_of_one_point(shape: dict[str, Any]) -> None:
    found = chart(A, {"type": "Feature", "properties": {"id": "b"}, "geometry": shape})
    assert found.spaces["b"].lonlat == (21, 36)


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        (None, "has no coordinates"),
        ({"type": "Point", "coordinates": []}, "has no coordinates"),
        ({"type": "MultiLineString", "coordinates": []}, "has no coordinates"),
        ({"type": "GeometryCollection", "geometries": []}, "has no coordinates"),
        ({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [0, 1], [0, 0]]]}, "neither a place nor a lane: Polygon"),
        ({"type": "MultiPoint", "coordinates": [[20, 36], [21, 36]]}, "lies at one point, and this feature has 2"),
        ({"type": "MultiLineString", "coordinates": [AB, [[25, 36], [26, 36]]]}, "its 2 lines do not join to one"),
        (
            {
                "type": "GeometryCollection",
                "geometries": [A["geometry"], {"type": "LineString", "coordinates": AB}],
            },
            "neither a place nor a lane: LineString, Point",
        ),
        (
            {"type": "LineString", "coordinates": [[20, 36], [20.01, 36]]},
            "lie at the same place, within 5 nautical miles",
        ),
    ],
)
def test_o1_1_what_is_neither_is_left_out_by_its_number_and_with_a_reason(shape: Any, said: str) -> None:
    found = read(A, {"type": "Feature", "properties": {"name": "X"}, "geometry": shape}, B, line(AB))
    ((number, why),) = found.left_out
    assert number == 1 and said in str(why) and not found.is_whole
    assert len(read_chart(found.world).lanes) == 1 and len(found.world["features"]) == 3


def test_o1_1_a_feature_without_a_line_that_names_both_ends_is_a_straight_lane() -> None:
    found = read(A, B, {"type": "Feature", "properties": {"from": "a", "to": "b"}, "geometry": None})
    assert found.is_whole and read_chart(found.world).path("a", "b") == ("a", "b")


@pytest.mark.parametrize(
    "whole",
    [
        A,
        {"type": "Feature", "properties": None, "geometry": A["geometry"]},
        A["geometry"],
        {"type": "GeometryCollection", "geometries": [A["geometry"]]},
        collection(A, bbox=[20, 36, 20, 36], name="places", crs=None),
        collection(A, crs={"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}),
        collection(A, crs={"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::4326"}}),
        collection(A, crs={"type": "EPSG", "properties": {"code": 4326}}),
    ],
)
def test_o1_1_a_feature_a_geometry_or_a_collection_with_other_members_is_read(whole: dict[str, Any]) -> None:
    found = read_world(copy.deepcopy(whole), "world", is_file=True)
    assert [each.lonlat for each in read_chart(found.world).spaces.values()] == [(20, 36)]
    assert "crs" not in found.world and "bbox" not in found.world


# What features say -----------------------------------------------------------------------------------------------


def test_o1_1_null_is_the_same_as_nothing() -> None:
    nulls = dict.fromkeys(("name", "kind", "rank", "harbour", "garrison", "income", "yard"))
    space = chart(place([20, 36], id="a", **nulls)).spaces["a"]
    assert (space.name, space.kind, space.rank, space.harbour) == ("a", "port", 70, None)
    (lane,) = chart(A, B, line(AB, from_="a", to="b", kind=None, cost=None, id=None, name=None)).lanes.values()
    assert (lane.kind, lane.miles) == ("lane", 50)


@pytest.mark.parametrize("kind", ["lane", "Lane", "LANE ", "coastal", None, ""])
def test_o1_1_a_kind_of_lane_is_read_in_any_letters_and_by_the_words_of_orbis(kind: str | None) -> None:
    assert [each.kind for each in chart(A, B, line(AB, from_="a", to="b", kind=kind)).lanes.values()] == ["lane"]


@pytest.mark.parametrize("kind", ["sea_lane", "Sea lane", "SEA-LANE", "overseas"])
def test_o1_1_a_lane_over_the_open_sea_too(kind: str) -> None:
    found = chart(A, B, line(AB, from_="a", to="b", kind=kind))
    assert [each.kind for each in found.lanes.values()] == ["sea_lane"] and not found.coastal.path("a", "b")


@pytest.mark.parametrize("kind", ["canal", "river bed", "port", 7, "дорога"])
def test_o1_1_an_unknown_kind_is_refused_by_its_feature(kind: object) -> None:
    fault = refusal(A, B, line(AB, from_="a", to="b", kind=kind))
    assert fault.path == "world.features.2.properties.kind" and f"'{kind}'" in fault.reason and "road" in fault.reason
    fault = refusal(A, place([21, 36], id="b", kind="lane"))
    assert fault.path == "world.features.1.properties.kind" and "port" in fault.reason


def test_o1_1_fields_are_read_in_any_letters_and_by_other_names() -> None:
    found = chart(
        place([20, 36], ID="a", Name="Alpha", KIND="Harbor", Rank="90"), place([21, 36], id="b", label="Beta")
    )
    assert [(each.id, each.name, each.kind, each.rank) for each in found.spaces.values()] == [
        ("a", "Alpha", "port", 90),
        ("b", "Beta", "port", 70),
    ]
    assert chart(A, B, line(AB, FROM="a", To="b", Cost="7")).lanes["a--b"].miles == 7


@pytest.mark.parametrize(("written", "miles"), [("12,5", 12), ("15,0", 15), (" 8 ", 8), (9.0, 9), ("1e1", 10)])
def test_o1_1_a_number_may_be_written_as_a_text(written: object, miles: int) -> None:
    assert chart(A, B, line(AB, from_="a", to="b", cost=written)).lanes["a--b"].miles == miles


@pytest.mark.parametrize("name", ["rank", "harbour", "garrison", "income", "yard"])
@pytest.mark.parametrize("value", ["many", "1 000 000 000", True, [7], {"a": 1}, -1, "nan", "inf", "12,5,0"])
def test_o1_1_what_is_no_number_is_refused_by_its_field(name: str, value: object) -> None:
    fault = refusal(A, place([21, 36], id="b", **{name: value}))
    assert fault.path == f"world.features.1.properties.{name}" and "number" in fault.reason


@pytest.mark.parametrize("value", ["12 miles", [1], True])
def test_o1_1_a_length_that_is_no_number_is_refused_by_its_field(value: object) -> None:
    assert refusal(A, B, line(AB, from_="a", to="b", cost=value)).path == "world.features.2.properties.cost"


# Ids and ends ----------------------------------------------------------------------------------------------------


def test_o1_1_places_without_ids_get_them_of_their_names() -> None:
    found = chart(
        place([20, 36], name="Μήλος"),
        place([21, 36], name="Kos Town"),
        place([22, 36], name="Kos Town"),
        place([23, 36], id=None, Name=None),
        {**place([24, 36], name="Delos"), "id": 17},
        line([[20, 36], [21, 36]]),
    )
    assert list(found.spaces) == ["place", "kos_town", "kos_town_2", "place_4", "17"]
    assert [each.name for each in found.spaces.values()] == ["Μήλος", "Kos Town", "Kos Town", "Place 4", "Delos"]
    assert found.path("place", "kos_town") == ("place", "kos_town")


def test_o1_1_numbers_that_a_program_has_given_every_row_alike_are_no_ids() -> None:
    found = chart(*({**place([20 + each, 36], Id=0, name=f"N{each}"), "id": 0} for each in range(3)))
    assert list(found.spaces) == ["n0", "n1", "n2"]


@pytest.mark.parametrize("id", ["a", "b", 7, "7"])
def test_o1_1_an_id_that_is_there_twice_is_refused_with_both_features(id: object) -> None:
    fault = refusal(A, B, place([22, 36], id=7), place([23, 36], id=id))
    first = {"a": 0, "b": 1}.get(str(id), 2)
    assert fault.path == "world.features.3.properties.id" and f"of the feature {first}" in fault.reason


@pytest.mark.parametrize("order", [("lane", "sea_lane"), ("sea_lane", "lane")])
def test_o1_1_lanes_of_the_same_ends_stay_side_by_side(order: tuple[str, str]) -> None:
    ways = [line(AB, from_="a", to="b", kind=kind, cost=30 + 20 * number) for number, kind in enumerate(order)]
    found = read(A, B, *ways)
    sea = read_chart(found.world)
    assert sorted(each.miles for each in sea.lanes.values()) == [30, 50] and sea.between("a", "b").miles == 30
    assert sea.coastal.path("a", "b") == ("a", "b") and len(sea.coastal.lanes) == 1
    assert sea.lanes["a--b"].miles == 50, "the last is called by its ends alone, as in the worlds of earlier versions"
    again = read_world(json.loads(encode(found.world)), "world", is_file=True)
    assert again.world == found.world and again.is_whole


def test_o1_1_three_lanes_of_the_same_ends_and_ids_with_the_same_signs_have_names_of_their_own() -> None:
    others = (place([22, 36], id="b--2"), line([[20, 36], [22, 36]], from_="a", to="b--2"))
    found = chart(A, B, *others, *(line(AB, from_="a", to="b", cost=each) for each in (1, 2, 3)))
    assert len(found.lanes) == 4 and len(found.ways["a"]) == 4
    assert {each.miles for each in found.ways["b"]} == {1, 2, 3}


def test_o1_1_a_lane_may_name_its_ends_by_the_names_of_the_places() -> None:
    found = chart(place([20, 36], name="Rhodos"), place([21, 36], name="Telos"), line(AB, from_="rhodos", to="TELOS"))
    assert found.path("rhodos", "telos") == ("rhodos", "telos")


def test_o1_1_a_lane_to_a_name_that_two_places_have_is_left_out_with_this_reason() -> None:
    same = (place([20, 36], name="Rhodos"), place([20.1, 36], name="rhodos"), place([21, 36], name="Telos"))
    found = read(*same, line(AB, from_="Rhodos", to="Telos"))
    assert [str(why) for _number, why in found.left_out] == ["several places are called Rhodos"]


def test_o1_1_a_lane_to_a_place_that_is_not_there_is_left_out_and_a_road_stays() -> None:
    found = read(A, B, line(AB, from_="a", to="x"), line(AB, from_="a", to="x", kind="road"), line(AB))
    assert [(number, str(why)) for number, why in found.left_out] == [(2, "there is no place called x")]
    assert [str(each) for each in found.notes] == ["roads that lead out of this world, and that nobody can use: 1"]
    assert len(found.world["features"]) == 4 and not read_chart(found.world).roads


def test_o1_1_where_a_line_ends_and_no_place_lies_one_is_made_and_noted() -> None:
    found = read(line([[20, 36], [21, 36]]), line([[21, 36], [22, 36]]), line([[22, 36], [23, 36]], kind="road"))
    sea = read_chart(found.world)
    assert list(sea.spaces) == ["place", "place_2", "place_3"] and len(sea.lanes) == 2
    assert str(found.notes[0]) == "places that were made where a lane ends and no place lies: 3"
    assert [(number, str(why)) for number, why in found.left_out] == [(2, "no place lies where this line ends")]


# Degrees ---------------------------------------------------------------------------------------------------------

METRES = [1669792, 4620000]


@pytest.mark.parametrize(
    ("at", "path", "said"),
    [
        (METRES, "0", "EPSG:3857"),
        ([500000.5, 36], "0", "EPSG:3857"),
        ([20, 4620000], "1", "EPSG:3857"),
        (["1669792", "4620000"], "0", "EPSG:3857"),
        ([20, 138], "1", "-85 to 85"),
        ([20, -86], "1", "-85 to 85"),
        ([200, 36], "0", "-180 to 180"),
        ([20, "north"], "1", "-85 to 85"),
        ([20, None], "1", "-85 to 85"),
    ],
)
def test_o1_1_coordinates_that_are_not_degrees_on_the_globe_are_refused(at: Any, path: str, said: str) -> None:
    fault = refusal(A, place(at, id="b"))
    assert fault.path == f"world.features.1.geometry.coordinates.{path}" and said in fault.reason
    fault = refusal(A, B, line([[20, 36], at]))
    assert fault.path == f"world.features.2.geometry.coordinates.1.{path}" and said in fault.reason
    fault = refusal(A, B, line([[[20, 36], at]], shape="MultiLineString"))
    assert fault.path == f"world.features.2.geometry.coordinates.0.1.{path}"
    world = collection(*row(2)["features"], place(at, id="b"))
    with pytest.raises(BadInput) as door:
        check_world(world, None, "world")
    assert door.value.path == f"world.features.3.geometry.coordinates.{path}"


@pytest.mark.parametrize(
    "crs",
    [
        {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3857"}},
        {"type": "name", "properties": {"name": "EPSG:2100"}},
        {"type": "EPSG", "properties": {"code": 32634}},
        {"type": "link", "properties": {"href": "http://example.org/a.prj", "type": "ogcwkt"}},
        "urn:ogc:def:crs:EPSG::3857",
    ],
)
def test_o1_1_a_system_that_is_not_in_degrees_is_refused_by_its_name(crs: Any) -> None:
    fault = refusal(A, crs=crs)
    name = crs if isinstance(crs, str) else str(next(iter(crs["properties"].values())))
    assert fault.path == "world.crs" and name in fault.reason and "EPSG:4326" in fault.reason


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ([1], "must be GeoJSON"),
        ({"type": "Topology", "objects": {}}, "TopoJSON"),
        ({"geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 102100}, "features": []}, "Esri JSON"),
        ({"places": []}, "list of spaces and lanes"),
        (collection(7), "expected an object"),
        (collection({"type": "Feature", "properties": 7, "geometry": None}), "expected an object"),
        (collection({"type": "Feature", "properties": {}, "geometry": 7}), "expected an object"),
        (collection({"type": "Feature", "properties": {}, "geometry": {"type": "GeometryCollection"}}), "a list"),
    ],
)
def test_o1_1_what_is_no_geojson_is_refused_in_words(raw: Any, said: str) -> None:
    with pytest.raises(BadInput) as fault:
        read_world(raw, "world", is_file=True)
    assert fault.value.path.startswith("world") and said in fault.value.reason


# What is too large -----------------------------------------------------------------------------------------------


def test_o1_1_a_long_line_is_drawn_with_fewer_points_and_keeps_its_miles() -> None:
    long = [[20 + number / 1000, 36 + (number % 7) / 1000] for number in range(1001)]
    found = read(A, B, line(long))
    drawn = found.world["features"][2]
    check_world(found.world, None, "world")
    assert (
        len(drawn["geometry"]["coordinates"]) <= 225
        and str(found.notes[0]) == "lines of more than 225 points that are drawn with fewer: 1"
    )
    miles = sum(apart(tuple(one), tuple(other)) for one, other in pairwise(long))
    assert drawn["properties"]["cost"] == round(miles) > 50


def test_o1_1_of_too_many_places_those_that_say_no_kind_and_have_no_lane_are_left_out() -> None:
    places = [place([number % 30, number // 30], id=f"p{number}") for number in range(500)]
    found = read(*places, line([[0, 0], [1, 0]]), line([[0, 0], [2, 0]], kind="road"))
    assert len(found.left_out) == 498 and [each["properties"].get("id") for each in found.world["features"][:2]] == [
        "p0",
        "p1",
    ]
    said = [place([number % 30, number // 30], id=f"p{number}", kind="port") for number in range(500)]
    with pytest.raises(BadInput, match="there are 500 places here"):
        read(*said)


def test_o1_1_lines_that_end_at_more_places_than_a_world_has_are_refused() -> None:
    lines = [
        line([[number % 90, number // 90 * 2], [number % 90 + 0.5, number // 90 * 2 + 0.5]]) for number in range(250)
    ]
    assert "400 places" in refusal(*lines).reason


# At the engine's own door ----------------------------------------------------------------------------------------


def test_o1_1_a_position_takes_such_a_world_and_loses_nothing() -> None:
    polygon = {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [0, 1], [0, 0]]]}
    coast = {"type": "Feature", "properties": {}, "geometry": polygon}
    world = collection(A, B, coast, line([AB], shape="MultiLineString", from_="a", to="b", kind=None))
    found = read_world(world, "world").world
    assert len(read_chart(found).lanes) == 1 and coast in found["features"]


@pytest.mark.parametrize(
    ("feature", "path"),
    [
        (line([[30, 36], [31, 36]]), "world.features.2"),
        (line(AB, from_="a", to="x"), "world.features"),
        ({**A, "geometry": {"type": "MultiPoint", "coordinates": [[1, 1], [2, 2]]}}, "world.features.2"),
        (line([AB, [[25, 36], [26, 36]]], shape="MultiLineString"), "world.features.2"),
    ],
)
def test_o1_1_a_position_whose_lanes_would_be_lost_is_refused(feature: dict[str, Any], path: str) -> None:
    with pytest.raises(BadInput) as fault:
        read_world(collection(A, B, feature), "world")
    assert fault.value.path == path


def test_o1_3_what_stood_in_a_world_of_an_earlier_version_stays_as_it_is() -> None:
    old = collection(
        A, A, B, line(AB, from_="a", to="b", cost=1), line(AB, from_="a", to="b", cost=2), line(AB, kind="canal")
    )
    new = {**old, "features": [*old["features"], place([22, 36], name="New")]}
    found = read_world(new, "world", old).world
    assert found["features"][:-1] == old["features"] and found["features"][-1]["properties"]["id"] == "new"


def test_o1_1_more_lines_or_features_than_a_world_may_have_are_refused_before_they_are_joined() -> None:
    assert "1500 lanes" in refusal(*[line(AB)] * 1501).reason
    assert "10000 features" in refusal(*[A] * 10_001).reason
    assert "400 places" in refusal(*[place([20, 36], name="Telos")] * 2001).reason
