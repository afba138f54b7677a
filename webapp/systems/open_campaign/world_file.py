"""Worlds as map programs write them (GeoJSON, KML, lists of places), read into one world with a report."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strategic.open_campaign.rules.world import chart, check_system, check_world
from strategic.open_campaign.rules.world_reading import MOST_FEATURES, NAMED, ROAD, Reading, members_of, read_world
from tactical.drawing import check_size
from tactical.kernel.record import BadInput, because, clean_name
from webapp.files import child_process
from webapp.files.book import Sheet, plain_word, read_book, row_of_heads, words_for
from webapp.files.child_process import Limits, Unreadable, read_apart
from webapp.files.report import LeftOut, Report
from webapp.http.forms import parse

LARGEST = 3 << 20  # bytes of all files together
MOST_FILES = 6
ENDINGS = ".geojson,.json,.geojsonl,.kml,.kmz,.csv,.ods,.xlsx,application/geo+json"  # of files, for a browser
READER, LIMITS = Path(child_process.__file__).with_name("kml_reader.py"), Limits(answer=8 << 20)
LONGEST, LONGEST_TITLE = 200, 40  # characters of a text in KML, of a name in a report
MOST_ROWS = 2000  # of a list of places
PARTS = (b"content.xml", b"xl/workbook")  # of ODS and XLSX
OTHER = because("files of this kind are not read: send GeoJSON, KML or a list of places as CSV, ODS or XLSX")
HEADS = ("name", "id", "kind", "rank", "cost", "lon", "lat", "from", "to")  # of lists; others are a feature's own
DEGREES = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*°?\s*(?:(\d+(?:[.,]\d+)?)\s*['′’]\s*)?(?:(\d+(?:[.,]\d+)?)\s*(?:[\"″”]|''))?\s*([NSEW])?",
    re.ASCII,
)
AXIS = re.compile(r"\.geometry\.coordinates\.([01])$")  # of a place
Feature = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """A file as GeoJSON: its format, how its features are called; of a list letters, separator, what is no feature."""

    format: str
    raw: object
    names: Sequence[str] = ()
    encoding: str = ""
    separator: str = ""
    left_out: Sequence[LeftOut] = ()


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
    report = report_of(reading, raw, sources, called)
    return Found(reading.world, report, reading.is_whole and not report.left_out)


def read_source(data: bytes) -> Source:
    """A file as features, told by what is in it. Raises BadInput, TooMany."""
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n\x1e")[:1]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace").lstrip("\ufeff \t\r\n\x1e")
        if text[:1] in ("{", "["):
            return Source("GeoJSON", read_json(text.encode()), encoding="UTF-16")
    if data.startswith(b"PK") and b".kml" in data:
        return read_kml(data, "KMZ")
    if data.startswith(b"PK") and not any(part in data for part in PARTS):
        raise BadInput("world", OTHER)
    if start == b"<":
        return read_kml(data, "KML")
    return Source("GeoJSON", read_json(data)) if start in (b"{", b"[") else read_list(data)


def read_json(data: bytes) -> object:
    """The GeoJSON of a file, also of a list of features, or of one in each line. Raises BadInput."""
    try:
        found = parse(data)
        return {"type": "FeatureCollection", "features": found} if isinstance(found, list) else found
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
        raise BadInput("world", OTHER) from None
    return Source(format, {"features": found}, [f"Placemark {number}" for number in range(1, len(found) + 1)])


def read_list(data: bytes) -> Source:
    """Places with their longitudes and latitudes, lanes with their ends: of each sheet that has such heads.

    Raises BadInput, TooMany.
    """
    book = read_book(data, most=MOST_ROWS)
    found, names, left_out = list[Feature](), list[str](), list[LeftOut]()
    for sheet in book.sheets:
        above, heads = heads_of(sheet)
        if not ({"lon", "lat"} <= set(heads) or {"from", "to"} <= set(heads)):
            left_out += [LeftOut(sheet.name, because("no sheet of this name is read"))] if sheet.rows else []
        else:
            for number, cells in enumerate(sheet.rows[above:], start=above + 1):
                pairs = [*zip(heads, cells, strict=False)]
                about = {head: text for head, text in reversed(pairs) if head}  # of two heads of one kind the first
                point = [degrees(about.pop(axis, "")) for axis in ("lon", "lat")]
                shape = {"type": "Point", "coordinates": point} if "" not in point else None
                if any(cells):
                    found.append({"type": "Feature", "properties": about, "geometry": shape})
                    names.append(f"{sheet.name}: row {number}" if len(book.sheets) > 1 else f"row {number}")
    if not names:
        raise BadInput(
            "A1", "a list of places needs columns called name, lon and lat; a list of lanes, columns called from and to"
        )
    return Source(book.format, {"features": found}, names, book.encoding, book.separator, left_out)


def degrees(text: str) -> str | float:
    """A longitude or latitude as maps print it (36°26′N, 23.5 W) in degrees; what is none as it is.

    >>> degrees("36°26′24″N"), degrees("28,25"), degrees("9° 30' W"), degrees("-3.5")
    (36.44, 28.25, -9.5, '-3.5')
    """
    found = DEGREES.fullmatch(text.strip())
    if found is None:
        return text
    parts = (float(part.replace(",", ".")) if part else 0.0 for part in found.groups()[:3])
    size = sum(part / unit for part, unit in zip(parts, (1, 60, 3600), strict=True))
    return round(-size if found[4] in ("S", "W") else size, 6)


def heads_of(sheet: Sheet) -> tuple[int, list[str]]:
    """The row of the heads, from 1, and the heads: ours by their English names, others as they are written."""
    words, above = words_for(HEADS), row_of_heads(sheet, HEADS)
    texts = sheet.rows[above - 1] if sheet.rows else ()
    ours = {plain_word(text) for text in texts} & set(HEADS)
    known = [(text, words.get(plain_word(text), "")) for text in texts]
    return above, [head if head and (head not in ours or plain_word(text) == head) else text for text, head in known]


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
    return called[int(found[1])] + AXIS.sub(
        lambda axis: (".lon", ".lat")[int(axis[1])], found[2].replace(".properties", "")
    )


def title_of(feature: object) -> str:
    """The name of a feature as it stands in its file, if it has one."""
    about = feature.get("properties") if isinstance(feature, Mapping) else None
    named = {str(key).casefold(): value for key, value in about.items()} if isinstance(about, Mapping) else {}
    return clean_name(next((str(named[name]) for name in ("name", *NAMED) if named.get(name)), ""))[:LONGEST_TITLE]


def report_of(reading: Reading, raw: object, sources: Sequence[Source], called: Sequence[str]) -> Report:
    """What was read, and what was left out by its number or its row; with the places to which no lane leads."""
    given = members_of(raw, "world")[1]
    features = reading.world["features"]
    sea = chart(reading.world) if features else None
    roads = sum(each["properties"].get("kind") == ROAD for each in features)
    alone = sum(not sea.ways[id] for id in sea.spaces) if sea else 0
    return Report(
        ", ".join(dict.fromkeys(source.format for source in sources)),
        {"places": len(sea.spaces) if sea else 0, "lanes": len(sea.lanes) if sea else 0, "roads": roads},
        (
            *(each for source in sources for each in source.left_out),
            *(
                LeftOut(called[number] if number < len(called) else f"features[{number}]", why, title_of(given[number]))
                for number, why in sorted(reading.left_out, key=lambda each: each[0])
            ),
        ),
        (*reading.notes, because("places to which no lane leads: %(number)s", number=alone)),
        *next(((each.encoding, each.separator) for each in sources if each.encoding), ("", "")),
    )
