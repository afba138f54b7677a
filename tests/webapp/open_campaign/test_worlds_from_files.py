"""O1.1: the files of map programs by the page and the API: what was read and left out is told before anything counts."""

from __future__ import annotations

import copy
import io
import json
import re
import zipfile
from html import unescape
from itertools import pairwise
from typing import Any

import pyogrio
import pytest

from kit.large_world import large_world
from kit.open_war import position
from kit.straight_sea import row
from kit.wars import War
from strategic.open_campaign.rules.world import chart, stock_world
from tactical.kernel.record import encode, plain
from webapp.files.book import as_xlsx
from webapp.systems.open_campaign.world_file import LARGEST, MOST_FILES

POLYGON = {"type": "Polygon", "coordinates": [[[24, 34], [25, 34], [25, 35], [24, 34]]]}
BOM = b"\xef\xbb\xbf"


def crete() -> Any:
    return json.loads(encode(stock_world("crete")))


def send(war: War, *files: tuple[str, bytes], **form: str) -> Any:
    """The umpire uploads files with a reason."""
    whole: dict[str, Any] = {"csrf_token": war.csrf(), "seen": str(war.version), "why": "Drawn anew.", **form}
    whole["file"] = [(io.BytesIO(data), name) for name, data in files]
    return war.client.post(f"/open/{war.id}/world?seat=umpire", data=whole, content_type="multipart/form-data")


def send_world(war: War, world: Any, **form: str) -> Any:
    return send(war, ("world.geojson", json.dumps(world).encode()), **form)


def counts(war: War) -> tuple[int, int]:
    found = chart(plain(war.state)["world"])
    return len(found.spaces), len(found.lanes)


def read(client: Any, data: bytes, kind: str = "application/geo+json") -> Any:
    return client.post("/api/v1/worlds", data=data, content_type=kind)


# A world that comes back whole ------------------------------------------------------------------------------------


def multiplied(world: Any) -> Any:
    """The world as QGIS and AWMC write their layers: several in one geometry, members that are null."""
    for each in world["features"]:
        each["geometry"] = {
            "type": f"Multi{each['geometry']['type']}",
            "coordinates": [each["geometry"]["coordinates"]],
        }
        each["properties"] |= {"Name": None, "creator": None}
    return world | {"crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}}


def test_o1_3_crete_comes_back_whole_from_multi_geometries_and_the_page_counts_it(war):
    before = war.client.get(f"/open/{war.id}/world.geojson?seat=umpire").json
    answer = send_world(war, multiplied(crete()))
    assert answer.status_code == 303, answer.text
    page = war.client.get(answer.location).text
    assert "26 places" in page and "37 lanes" in page and "No lane leads" not in page
    after = war.client.get(f"/open/{war.id}/world.geojson?seat=umpire").json
    assert [each["geometry"] for each in after["features"]] == [each["geometry"] for each in before["features"]]
    assert counts(war) == (26, 37)


@pytest.mark.parametrize(
    "data",
    [
        BOM + json.dumps(crete()).encode(),
        json.dumps(crete(), ensure_ascii=False).encode("utf-16"),
        b"\n\n" + json.dumps(crete(), indent=4).encode() + b"\r\n",
        b"\n".join(json.dumps(each).encode() for each in crete()["features"]),
        b"".join(b"\x1e" + json.dumps(each).encode() + b"\n" for each in crete()["features"]),
    ],
)
def test_o1_1_a_world_file_is_read_with_a_mark_before_it_and_line_by_line(war, data):
    assert send(war, ("world.geojson", data)).status_code == 303
    assert counts(war) == (26, 37)


def test_a_saved_game_and_a_position_are_read_with_a_mark_before_them(war, client):
    saved = client.get(f"/api/v1/games/{war.id}/export", headers={"Authorization": f"Bearer {war.tokens['umpire']}"})
    head = {"content_type": "application/json"}
    assert client.post("/api/v1/games/import", data=BOM + saved.data, **head).status_code == 201
    whole = json.dumps({"system": "open_campaign", "position": position()}).encode()
    assert client.post("/api/v1/games", data=BOM + whole, **head).status_code == 201
    assert client.post("/api/v1/games", data=BOM + BOM + whole, **head).status_code == 400


# The report comes first -------------------------------------------------------------------------------------------


def test_o1_3_what_is_left_out_is_told_first_and_counts_when_the_umpire_says_so(war):
    world = crete()
    world["features"].insert(3, {"type": "Feature", "properties": {"id": None}, "geometry": POLYGON})
    world["features"].append({"type": "Feature", "properties": None, "geometry": None})
    before = war.version
    told = send_world(war, world)
    assert told.status_code == 200 and war.version == before
    text = unescape(told.text)
    for said in ("26 places", "37 lanes", "features[3]", "Polygon", "features[64]", "has no coordinates"):
        assert said in text, said
    kept = re.search(r'name="kept_file" value="([^"]+)"', told.text)
    assert kept and 'name="why" maxlength="200" value="Drawn anew."' in told.text
    form = {"csrf_token": war.csrf(), "seen": str(war.version), "why": "Drawn anew.", "kept_file": unescape(kept[1])}
    assert war.client.post(f"/open/{war.id}/world?seat=umpire", data={**form, "why": ""}).status_code == 422
    assert war.client.post(f"/open/{war.id}/world?seat=umpire", data=form).status_code == 303
    assert counts(war) == (26, 37) and war.version == before + 1


def test_o1_3_a_look_changes_nothing_and_needs_no_reason(war):
    told = send_world(war, crete(), look="1", why="")
    assert told.status_code == 200 and "Nothing was left out." in told.text and war.version == 0
    assert "places to which no lane leads: 0" in told.text


def test_o1_3_files_without_a_place_are_told_and_cannot_count(war):
    told = send_world(war, {"type": "FeatureCollection", "features": [{"properties": {}, "geometry": POLYGON}]})
    assert told.status_code == 200 and "Nothing of it can be entered" in told.text
    assert 'name="kept_file"' not in told.text and war.version == 0


def test_o12_1_a_war_in_a_world_of_files_begins_after_the_report_alone_or_at_once_where_all_was_read(client, store):
    def begin(world: Any = None, **form: Any) -> Any:
        csrf = re.search(r'name="csrf-token" content="([^"]+)"', client.get("/open/new").text)
        whole = {"csrf_token": csrf[1], "world": "file", "side": ["Ann", "Ben"], "warships": "2", **form}
        if world:
            whole["file"] = (io.BytesIO(json.dumps(world).encode()), "world.geojson")
        return client.post("/open/new", data=whole, content_type="multipart/form-data")

    assert begin(multiplied(crete())).status_code == 303
    odd = crete()
    odd["features"].append({"type": "Feature", "properties": {}, "geometry": POLYGON})
    told = begin(odd)
    assert told.status_code == 200 and "features[63]" in told.text and len(list(store.games())) == 1
    kept = unescape(re.search(r'name="kept_file" value="([^"]+)"', told.text)[1])
    begun = begin(kept_file=kept)
    assert begun.status_code == 303
    state = store.load(begun.location.rsplit("/", 1)[1]).state
    assert len(chart(plain(state)["world"]).lanes) == 37
    assert begin().status_code == 422 and begin(kept_file="{").status_code == 422


def test_o1_1_the_api_tells_the_same_and_stores_nothing(client, store):
    world = crete()
    world["features"].insert(0, {"type": "Feature", "properties": {}, "geometry": POLYGON})
    found = read(client, json.dumps(world).encode())
    assert found.status_code == 200, found.text
    report = found.json["report"]
    assert report["counts"] == {"places": 26, "lanes": 37, "roads": 0} and report["format"] == "GeoJSON"
    assert [each["where"] for each in report["left_out"]] == ["features[0]"] and "Polygon" in report["left_out"][0][
        "why"
    ]
    assert found.json["world"]["features"] == crete()["features"]
    begun = client.post(
        "/api/v1/games", json={"system": "open_campaign", "position": position(world=found.json["world"])}
    )
    assert begun.status_code == 201 and len(list(store.games())) == 1
    refused = read(client, json.dumps({**world, "crs": {"properties": {"name": "EPSG:2100"}}}).encode())
    assert (
        refused.status_code == 400 and refused.json["error"].startswith("world.crs: ") and "EPSG:2100" in refused.text
    )


# Lists and KML ----------------------------------------------------------------------------------------------------

PLACES = "name;kind;rank;lon;lat\nRhodos;port;90;28,23;36,45\nTelos;;70;27,35;36,43\nKnossos;cape;;25,16;35,3\n"
LANES = "from,to,kind\nRhodos,Telos,lane\ntelos,knossos,overseas\n"
KML = """<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Sea</name><Folder>
<Placemark id="r"><name>Rhodos</name><ExtendedData><Data name="rank"><value>90</value></Data></ExtendedData>
<Point><coordinates>28.23,36.45,0</coordinates></Point></Placemark>
<Placemark><name>Telos</name><MultiGeometry><Point><coordinates> 27.35,36.43 </coordinates></Point></MultiGeometry></Placemark>
<Placemark><name>The way</name><LineString><coordinates>
28.23,36.45,0 27.8,36.5,0
27.35,36.43,0</coordinates></LineString></Placemark>
<Placemark><name>A field</name><Polygon><outerBoundaryIs/></Polygon></Placemark>
<Placemark><name>Nowhere</name></Placemark></Folder></Document></kml>"""


def test_o1_1_lists_of_places_and_of_lanes_are_one_world(client):
    sent = {"file": [(io.BytesIO(PLACES.encode()), "places.csv"), (io.BytesIO(LANES.encode()), "lanes.csv")]}
    found = client.post("/api/v1/worlds", data=sent, content_type="multipart/form-data")
    assert found.status_code == 200, found.text
    assert found.json["report"]["counts"] == {"places": 3, "lanes": 2, "roads": 0}
    sea = chart(found.json["world"])
    assert [(each.name, each.kind, each.rank, each.lonlat) for each in sea.spaces.values()] == [
        ("Rhodos", "port", 90, (28.23, 36.45)),
        ("Telos", "port", 70, (27.35, 36.43)),
        ("Knossos", "cape", 70, (25.16, 35.3)),
    ]
    assert [each.kind for each in sea.lanes.values()] == ["lane", "sea_lane"]


@pytest.mark.parametrize(
    ("text", "path", "said"),
    [
        ("name,lon,lat\nRhodos,28.2,136\n", "row 2", "-85 to 85"),
        ("name,lon,lat\nRhodos,28.2,36\nTelos,27,x\n", "row 3", "-85 to 85"),
        ("name,x,y\nRhodos,1669792,4620000\n", "row 2", "EPSG:3857"),
        ("name,lon,lat,rank\nRhodos,28.2,36,high\n", "row 2.rank", "'high' is not a number"),
        ("name,lon,lat,kind\nRhodos,28.2,36,haven town\n", "row 2.kind", "'haven town'"),
        ("id,name,lon,lat\n1,Rhodos,28.2,36\n1,Telos,27,36\n", "row 3.id", "the id 1"),
        ("name,ships\nRhodos,12\n", "A1", "lon and lat"),
    ],
)
def test_o1_1_a_fault_of_a_list_names_its_row(client, text, path, said):
    refused = read(client, text.encode(), "text/csv")
    assert refused.status_code == 400 and refused.json["error"].startswith(path) and said in refused.text, refused.text


def test_o1_1_sheets_of_places_and_of_lanes_below_titles_are_one_world_and_others_are_named(client):
    sheets = {
        "Luoghi": [
            ["I miei luoghi"],
            ["Nome", "Tipo", "Rango", "Longitudine", "Latitudine", "note"],
            ["Rodi", "port", 90, "28°13'48\"E", "36,45", "own"],
            ["Tilos", None, 70, 27.35, 36.43, None],
        ],
        "Rotte": [["Da", "A", "Miglia"], ["Rodi", "tilos ", 45.5]],
        "Note": [["Ciao"]],
    }
    found = read(client, as_xlsx(sheets), "application/octet-stream")
    assert found.status_code == 200, found.text
    sea, report = chart(found.json["world"]), found.json["report"]
    assert [(each.name, each.kind, each.rank, each.lonlat) for each in sea.spaces.values()] == [
        ("Rodi", "port", 90, (28.23, 36.45)),
        ("Tilos", "port", 70, (27.35, 36.43)),
    ]
    assert found.json["world"]["features"][0]["properties"]["note"] == "own"
    assert [each.miles for each in sea.lanes.values()] == [46] or [each.miles for each in sea.lanes.values()] == [45]
    assert report["left_out"] == [{"where": "Note", "why": "no sheet of this name is read"}]


@pytest.mark.parametrize(
    ("text", "found"), [("3 1/2", None), ("36°26′24″N", 36.44), ("9° 30' W", -9.5), ("28,25", 28.25)]
)
def test_o1_1_degrees_are_read_as_maps_print_them(client, text, found):
    answer = read(client, f"name;lon;lat\nRhodos;{text};36\n".encode(), "text/csv")
    if found is None:
        assert answer.status_code == 400 and answer.json["error"].startswith("row 2.lon")
    else:
        assert answer.json["world"]["features"][0]["geometry"]["coordinates"][0] == found


def test_o1_1_too_many_places_without_lanes_are_told_with_their_number(client):
    rows = "".join(f"P{number},{number / 100},36\n" for number in range(401))
    refused = read(client, f"name,lon,lat\n{rows}".encode(), "text/csv")
    assert refused.status_code == 400 and "there are 401 places here" in refused.text
    assert "Send the lanes with them" in refused.text


def test_o1_1_a_list_of_features_is_read_and_what_is_left_out_has_its_name_on_the_page(war):
    features = [*crete()["features"], {"type": "Feature", "properties": {"Name": "The shoal"}, "geometry": POLYGON}]
    told = send(war, ("world.json", json.dumps(features).encode()))
    assert told.status_code == 200 and "The shoal" in told.text and "26 places" in told.text


def test_o1_1_a_row_without_a_point_is_left_out(client):
    report = read(client, b"name,lon,lat,kind\nRhodos,28.2,36\nTelos,,,port\n\nKos,27.2,\n", "text/csv").json["report"]
    assert [each["where"] for each in report["left_out"]] == ["row 3", "row 5"] and report["counts"]["places"] == 1


@pytest.mark.parametrize("is_packed", [False, True])
def test_o1_1_placemarks_are_places_and_their_lines_lanes(client, is_packed):
    data = KML.encode()
    if is_packed:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as book:
            book.writestr("doc.kml", KML)
        data = packed.getvalue()
    found = read(client, data, "application/vnd.google-earth.kml+xml")
    assert found.status_code == 200, found.text
    report, sea = found.json["report"], chart(found.json["world"])
    assert report["format"] == ("KMZ" if is_packed else "KML")
    assert [each["where"] for each in report["left_out"]] == ["Placemark 4", "Placemark 5"]
    assert [(each.name, each.rank) for each in sea.spaces.values()] == [("Rhodos", 90), ("Telos", 70)]
    (lane,) = sea.lanes.values()
    assert {lane.start, lane.end} == {"r", "telos"} and len(lane.line) == 3


@pytest.mark.parametrize(
    "text",
    [
        "<html><body>no map</body></html>",
        "PK\x03\x04 places.shp places.dbf",
        "<kml><Placemark>",
        '<!DOCTYPE kml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><kml><Placemark><name>&b;</name></Placemark></kml>',
        '<!DOCTYPE kml [<!ENTITY x SYSTEM "file:///etc/passwd">]><kml><Placemark><name>&x;</name></Placemark></kml>',
    ],
)
def test_o1_1_what_is_no_kml_or_brings_entities_is_refused(client, text):
    refused = read(client, text.encode(), "application/xml")
    assert (
        refused.status_code == 400 and "files of this kind are not read" in refused.text and "root:" not in refused.text
    )


# What cannot be read is refused in words that are ours ------------------------------------------------------------

PYTHONS_OWN = re.compile(
    r"NoneType|subscriptable|int\(\)|float\(\)|invalid literal|could not convert|object has no|Expecting|'id'"
)


def broken() -> dict[str, Any]:
    """Worlds that say something wrong, by the beginning of the path that their refusal names."""

    def changed(number: int, **more: Any) -> Any:
        world = row()
        world["features"][number] |= more
        return world

    def said(number: int, **about: Any) -> Any:
        world = row()
        world["features"][number]["properties"] |= about
        return world

    point, shape = "world.features.3.geometry", {"type": "Point"}
    return {
        "world.features.3.properties.rank": said(3, rank="high"),
        "world.features.7.properties.cost": said(7, cost="24 miles"),
        "world.features.7.properties.kind": said(7, kind="canal"),
        "world.features.3.properties.kind": said(3, kind="fort"),
        "world.features.3.properties.id": said(3, id="p1"),
        "world.features.3.properties.name": said(3, name=["Telos"]),
        f"{point}.type": changed(3, geometry={"coordinates": [20, 36]}),
        f"{point}.coordinates": changed(3, geometry=shape | {"coordinates": 7}),
        f"{point}.coordinates.0": changed(3, geometry=shape | {"coordinates": [[20], 36]}),
        f"{point}.coordinates.1": changed(3, geometry=shape | {"coordinates": [20, 138]}),
        "world.features.3.properties": changed(3, properties=[]),
        "world.features.8": changed(
            8, geometry={"type": "LineString", "coordinates": [[40, 36], [41, 36]]}, properties={}
        ),
        "world.crs": row() | {"crs": {"properties": {"name": "EPSG:3857"}}},
        "world.features": {"features": 7},
        "world": {"type": "Topology"},
    }


@pytest.mark.parametrize("path", broken())
def test_o1_1_no_refusal_of_a_world_carries_pythons_words_and_each_names_its_feature(war, client, path):
    world = broken()[path]
    before = war.store.load(war.id).json
    sent = send_world(war, world)
    if path != "world.features.8":  # in a file a place is made there
        said = "a list of spaces and lanes" if path == "world.features" else path  # the whole file is none
        assert sent.status_code == 422 and said in unescape(sent.text), sent.text[-400:]
        by_api = read(client, json.dumps(world).encode())
        assert by_api.status_code == 400 and path in by_api.json["error"] and not PYTHONS_OWN.search(by_api.text)
    assert not PYTHONS_OWN.search(re.search(r'role="alert">([^<]*)', sent.text + 'role="alert">')[1])
    war_on = position(world=world)
    for fleet, at in zip(war_on["fleets"].values(), ("p0", "p1", "p2"), strict=True):
        fleet["at"] = at
    war_on["ports"] = {}
    begun = client.post("/api/v1/games", json={"system": "open_campaign", "position": war_on})
    assert begun.status_code in (400, 422) and not PYTHONS_OWN.search(begun.text), begun.text
    assert begun.json["error"].startswith("position.world"), begun.text
    adjusted = client.post(
        f"/api/v1/games/{war.id}/commands",
        json={"seen": war.version, "command": {"type": "adjust", "changes": {"world": world}, "why": "Drawn anew."}},
        headers={"Authorization": f"Bearer {war.tokens['umpire']}"},
    )
    assert adjusted.status_code in (400, 422) and not PYTHONS_OWN.search(adjusted.text), adjusted.text
    assert war.store.load(war.id).json == before


@pytest.mark.parametrize("about", [{"rank": None}, {"name": None}, {"kind": None}, {"harbour": None, "yard": None}])
def test_o1_1_null_is_taken_by_every_door(war, client, about):
    world = crete()
    world["features"][3]["properties"] |= about
    world["features"][40]["properties"] |= {"kind": None, "cost": None}
    assert send_world(war, world).status_code == 303
    begun = client.post("/api/v1/games", json={"system": "open_campaign", "position": position(world=world)})
    assert begun.status_code == 201, begun.text
    assert counts(war) == (26, 37)
    name = world["features"][3]["properties"]["id"]
    space = chart(plain(war.state)["world"]).spaces[name]
    assert "None" not in (space.name, space.kind) and space.rank >= 60


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "this is not JSON (line 1, column 2)"),
        (b'{"a": 1,\n b}', "this is not JSON (line 2, column 2)"),
        (b'{"features": [}', "this is not JSON (line 1, column 15)"),
        ('{"features": [], "name": "Málta"}'.encode("latin-1"), "UTF-8"),
        (b'{"a": NaN}', "NaN"),
        (b'{"features": [], "features": []}', "given twice"),
        (b"\x00\x01\x02", "spreadsheet"),
    ],
)
def test_o1_1_what_is_no_geojson_is_refused_in_our_words(war, data, said):
    answer = send(war, ("world.geojson", data))
    assert answer.status_code == 422 and said.lower() in unescape(answer.text).lower()
    assert not PYTHONS_OWN.search(re.search(r"role=\"alert\">([^<]*)", answer.text)[1])


def test_o1_1_a_file_that_is_too_large_is_refused_by_its_size_and_not_cut(war, client):
    large = json.dumps(crete() | {"about": "x" * LARGEST}).encode()
    answer = send(war, ("world.geojson", large))
    assert answer.status_code == 422 and "3072 kB" in answer.text and "not JSON" not in answer.text
    assert read(client, large).status_code == 400
    long = json.dumps(crete() | {"about": "x" * 1_200_000}).encode()
    refused = read(client, long)
    assert refused.status_code == 400 and "400 kB" in refused.text
    files = [("a.csv", PLACES.encode())] * (MOST_FILES + 1)
    assert f"1 to {MOST_FILES} files" in send(war, *files).text


# Through GDAL -----------------------------------------------------------------------------------------------------


def through_gdal(world: Any, folder: Any) -> bytes:
    """The world as GDAL has read and written it."""
    file, again = folder / "world.geojson", folder / "again.geojson"
    file.write_text(json.dumps(world))
    about, _fids, shapes, columns = pyogrio.raw.read(file)
    kinds = {"geometry_type": "Unknown", "crs": about["crs"]}
    pyogrio.raw.write(again, shapes, columns, about["fields"], driver="GeoJSON", **kinds)
    return again.read_bytes()


def test_o1_1_as_many_sites_and_routes_as_orbis_has_in_its_own_words_come_in_and_through_gdal(client, tmp_path):
    world = large_world(294, 1157, 25)
    sites = "id,label,rank,x,y,cost,target\n" + "".join(
        "{id},{name},{rank},{0},{1},0.0,0\n".format(*each["geometry"]["coordinates"], **each["properties"])
        for each in world["features"][:294]
    )
    routes = world["features"][294:]
    for number, each in enumerate(routes):
        kind = ("coastal", "overseas", "road", "ferry", "downstream")[number % 5]
        each["properties"] = {
            "sid": 250000 + number,
            "tid": 250001 + number,
            "t": kind,
            "e": 0.073,
            "m": "1,10,11,12,2",
        }
        points = each["geometry"]["coordinates"]
        if number % 7 == 0:  # in pieces of two points, the last of them first, as ORBIS has nine
            pieces = [list(pair) for pair in pairwise(points)][::-1]
            each["geometry"] = {"type": "MultiLineString", "coordinates": pieces}
    sent = {
        "file": [
            (io.BytesIO(sites.encode().replace(b"\n", b"\r")), "sites.csv"),
            (io.BytesIO(json.dumps({"type": "FeatureCollection", "features": routes}).encode()), "routes.geojson"),
        ]
    }
    found = client.post("/api/v1/worlds", data=sent, content_type="multipart/form-data")
    assert found.status_code == 200, found.text
    report, sea = found.json["report"], chart(found.json["world"])
    roads = sum(number % 5 == 2 for number in range(1157))
    assert report["counts"] == {"places": 294, "lanes": 1157 - roads, "roads": roads} and not report["left_out"]
    assert {(lane.start, lane.end) for lane in sea.lanes.values()} <= {
        (one, other) for one in sea.spaces for other in sea.spaces if one != other
    }
    again = read(client, through_gdal(found.json["world"], tmp_path)).json
    assert again["report"]["counts"] == report["counts"] and not again["report"]["left_out"]
    assert chart(again["world"]).lanes == sea.lanes and chart(again["world"]).roads == sea.roads
    assert chart(again["world"]).spaces == sea.spaces


def test_o1_1_parallel_lanes_and_roads_come_back_through_gdal(client, tmp_path):
    world = crete()
    lane = world["features"][40]
    world["features"] += [
        copy.deepcopy(lane) | {"properties": {**lane["properties"], "kind": "sea_lane", "cost": 99}},
        copy.deepcopy(lane) | {"properties": {**lane["properties"], "kind": "road", "cost": 77}},
    ]
    was = read(client, json.dumps(world).encode()).json
    found = read(client, through_gdal(was["world"], tmp_path)).json
    assert found["report"]["counts"] == was["report"]["counts"] == {"places": 26, "lanes": 38, "roads": 1}
    assert found["report"]["left_out"] == []
    old, new = chart(was["world"]), chart(found["world"])
    assert new.spaces == old.spaces and new.roads == old.roads and new.lanes.keys() == old.lanes.keys()
    assert [each.miles for each in new.lanes.values()] == [each.miles for each in old.lanes.values()]
