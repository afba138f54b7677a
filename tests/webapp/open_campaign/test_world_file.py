"""O1.1: the world as a file that other map programs read (GDAL, through pyogrio), change and put back."""

import io
import json

import pyogrio
import shapely


def as_file(war, seat="umpire"):
    return war.client.get(f"/open/{war.id}/world.geojson?seat={seat}")


def test_o1_1_gdal_reads_the_world_that_is_taken_out(war, tmp_path):
    file = tmp_path / "world.geojson"
    file.write_bytes(as_file(war, "rhodes").data)
    about, _fids, shapes, columns = pyogrio.raw.read(file)
    assert len(shapes) == len(as_file(war).json["features"]) and about["crs"] == "EPSG:4326"
    named = dict(zip(about["fields"], columns, strict=True))
    assert {"id", "name", "kind", "from", "to"} <= named.keys() and "Telos" in list(named["name"])


def test_o1_1_what_gdal_has_written_is_put_back(war, tmp_path):
    file, again = tmp_path / "world.geojson", tmp_path / "again.geojson"
    file.write_bytes(as_file(war).data)
    about, _fids, shapes, columns = pyogrio.raw.read(file)
    names = columns[list(about["fields"]).index("name")]
    names[list(names).index("Telos")] = "New Telos"
    kinds = {"geometry_type": "Unknown", "crs": about["crs"]}
    pyogrio.raw.write(again, shapes, columns, about["fields"], driver="GeoJSON", **kinds)
    form = {"csrf_token": war.csrf(), "seen": str(war.version), "why": "It was renamed in a map program."}
    form["file"] = (io.BytesIO(again.read_bytes()), "again.geojson")
    answer = war.client.post(f"/open/{war.id}/world?seat=umpire", data=form, content_type="multipart/form-data")
    assert answer.status_code == 303, answer.text
    found = as_file(war).json["features"]
    assert "New Telos" in [each["properties"].get("name") for each in found]
    was = json.loads(file.read_text())["features"]
    for old, new in zip(was, found, strict=True):
        assert shapely.equals_exact(*(shapely.from_geojson(json.dumps(each["geometry"])) for each in (old, new)), 1e-6)
