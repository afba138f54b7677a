"""Worlds as map programs write them (GeoJSON, KML, lists of places), read into one world with a report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strategic.open_campaign.rules.world import LANES, check_system, check_world
from strategic.open_campaign.rules.world_reading import MOST_FEATURES, ROAD, Reading, members_of, read_world
from tactical.drawing import check_size
from tactical.kernel.record import BadInput, because
from webapp.files import child_process
from webapp.files.book import read_book
from webapp.files.child_process import Limits, Unreadable, read_apart
from webapp.files.report import LeftOut, Report
from webapp.http.forms import parse

LARGEST = 3 << 20  # bytes of all files together
MOST_FILES = 6
ENDINGS = ".geojson,.json,.geojsonl,.kml,.kmz,.csv,.ods,.xlsx,application/geo+json"  # of files, for a browser
READER, LIMITS = Path(child_process.__file__).with_name("kml_reader.py"), Limits(answer=8 << 20)
LONGEST = 200  # characters of a text in KML
MOST_ROWS = 2000  # of a list of places
LON = ("lon", "lng", "long", "longitude", "x", "longitudine", "долгота")
LAT = ("lat", "latitude", "y", "latitudine", "широта")
HEADS = {
    "nome": "name",
    "название": "name",
    "tipo": "kind",
    "вид": "kind",
    "rango": "rank",
    "ранг": "rank",
    "da": "from",
    "из": "from",
    "a": "to",
    "в": "to",
}  # heads of a list of places in other languages
Feature = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """A file as GeoJSON: its format, how its features are called, letters and separator of a list."""

    format: str
    raw: object
    names: Sequence[str] = ()
    encoding: str = ""
    separator: str = ""


@dataclass(frozen=True)
class Found:
    """A world that was read from files; `is_whole` when all of them is in it, as it stood there."""

    world: dict[str, Any]
    report: Report
    is_whole: bool


def read_worlds(files: Sequence[tuple[str, bytes]]) -> Found:
    """The world of some files by their names, what was read and what left out. Raises BadInput, TooMany.

    Several files make one world, as places in one and the lanes between them in another.
    """
    if not 0 < len(files) <= MOST_FILES:
        raise BadInput("file", "send 1 to %(most)s files", most=MOST_FILES)
    check_size(sum(len(data) for _name, data in files), LARGEST, "world")
    sources = [read_source(data) for _name, data in files]
    raw, called = together(sources, [name for name, _data in files])
    try:
        reading = read_world(raw, "world", is_file=True)
        check_world(reading.world, None, "world")
    except BadInput as fault:
        raise BadInput(told_path(fault.path, called), fault.why) from None
    return Found(reading.world, report_of(reading, sources, called), reading.is_whole)


def read_source(data: bytes) -> Source:
    """A file as features, told by what is in it. Raises BadInput, TooMany."""
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n\x1e")[:1]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace").lstrip("\ufeff \t\r\n\x1e")
        if text[:1] in ("{", "["):
            return Source("GeoJSON", read_json(text.encode()), encoding="UTF-16")
    if data.startswith(b"PK") and b".kml" in data:
        return read_kml(data, "KMZ")
    if start == b"<":
        return read_kml(data, "KML")
    return Source("GeoJSON", read_json(data)) if start in (b"{", b"[") else read_list(data)


def read_json(data: bytes) -> object:
    """The GeoJSON of a file, or one of a feature in each line. Raises BadInput."""
    try:
        return parse(data)
    except BadInput as fault:
        refused = BadInput("world", fault.why)
    lines = [line for line in data.replace(b"\x1e", b"").splitlines() if line.strip()]
    if not 1 < len(lines) <= MOST_FEATURES:
        raise refused
    try:
        return {"type": "FeatureCollection", "features": [parse(line) for line in lines]}
    except BadInput:
        raise refused from None


def read_kml(data: bytes, format: str) -> Source:
    """The Placemarks of a KML or KMZ file, read in a child process. Raises BadInput, TooMany."""
    try:
        found = read_apart(
            READER, data, list[Feature], "world", LIMITS, largest=LARGEST, most=MOST_FEATURES, longest=LONGEST
        )
    except Unreadable:
        raise BadInput("world", "this is not KML: send GeoJSON, KML or a list of places as CSV, ODS or XLSX") from None
    return Source(format, {"features": found}, [f"Placemark {number}" for number in range(1, len(found) + 1)])


def read_list(data: bytes) -> Source:
    """A list of places with their longitudes and latitudes, or of lanes with their ends. Raises BadInput, TooMany."""
    book = read_book(data, most=MOST_ROWS)
    rows = book.sheets[0].rows
    heads = [" ".join(text.casefold().replace("_", " ").split()) for text in rows[0]] if rows else []
    heads = [HEADS.get(head, head) for head in heads]
    lon, lat = (next((heads.index(head) for head in names if head in heads), None) for names in (LON, LAT))
    if (lon is None or lat is None) and not {"from", "to"} <= set(heads):
        raise BadInput(
            "A1", "a list of places needs columns called name, lon and lat; a list of lanes, columns called from and to"
        )
    found, names = list[Feature](), list[str]()
    for number, cells in enumerate(rows[1:], start=2):
        row = [*cells, *[""] * (len(heads) - len(cells))]
        if any(row):
            about = {head: text for head, text in zip(heads, row, strict=False) if head and head not in (*LON, *LAT)}
            point = [row[at] for at in (lon, lat) if at is not None and row[at]]
            shape = {"type": "Point", "coordinates": point} if len(point) == 2 else None
            found.append({"type": "Feature", "properties": about, "geometry": shape})
            names.append(f"row {number}")
    return Source(book.format, {"features": found}, names, book.encoding, book.separator)


def together(sources: Sequence[Source], files: Sequence[str]) -> tuple[object, list[str]]:
    """All sources as one GeoJSON, and how each feature is called where it is not by its number in that."""
    if len(sources) == 1:
        return sources[0].raw, list(sources[0].names)
    features, called = list[Any](), list[str]()
    for source, file in zip(sources, files, strict=True):
        members, found = members_of(source.raw, file)
        check_system(members, file)
        features += found
        called += [f"{file}: {name}" for name in source.names or map("features[{}]".format, range(len(found)))]
    return {"type": "FeatureCollection", "features": features}, called


def told_path(path: str, called: Sequence[str]) -> str:
    """The path to a fault with what its feature is called in its own file."""
    found = re.fullmatch(r"world\.features\.(\d+)((?:\.\w+)*)", path)
    if found is None or int(found[1]) >= len(called):
        return path
    return called[int(found[1])] + found[2].replace(".properties", "")


def report_of(reading: Reading, sources: Sequence[Source], called: Sequence[str]) -> Report:
    """What was read, and what was left out by its number or its row; with the places to which no lane leads."""
    features = reading.world["features"]
    kinds = Counter(
        "place" if each["geometry"]["type"] == "Point" else each["properties"].get("kind", LANES[0])
        for each in features
    )
    ends = {end for each in features for end in ends_of_lane(each)}
    alone = sum(each["geometry"]["type"] == "Point" and each["properties"]["id"] not in ends for each in features)
    return Report(
        ", ".join(dict.fromkeys(source.format for source in sources)),
        {"places": kinds["place"], "lanes": sum(kinds[kind] for kind in LANES), "roads": kinds[ROAD]},
        tuple(
            LeftOut(called[number] if number < len(called) else f"features[{number}]", why)
            for number, why in sorted(reading.left_out, key=lambda each: each[0])
        ),
        (*reading.notes, because("places to which no lane leads: %(number)s", number=alone)),
        *next(((each.encoding, each.separator) for each in sources if each.encoding), ("", "")),
    )


def ends_of_lane(feature: Feature) -> tuple[str, ...]:
    """The ends of a lane; none of a place or a road."""
    about = feature["properties"]
    is_lane = feature["geometry"]["type"] == "LineString" and about.get("kind", LANES[0]) in LANES
    return (about["from"], about["to"]) if is_lane else ()
