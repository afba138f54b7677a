"""A KML or KMZ file as features of GeoJSON, one for each Placemark. Runs in a child process.

It imports nothing of the program. No entity is resolved and nothing is fetched.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any
from zipfile import ZipFile

from lxml import etree

SHAPES = {"Point": "Point", "LineString": "LineString", "LinearRing": "LineString"}
GROUPS = ("MultiGeometry", "MultiTrack")
NO_SHAPES = ("Polygon", "Model", "Track")  # which nothing is read of


def read(data: bytes, *, largest: int, most: int, longest: int) -> list[dict[str, Any]]:
    """The Placemarks with their names and what their ExtendedData says, `most` of them and one more.

    `largest`: bytes of the document within a KMZ; `longest`: characters of a text. Raises any exception for what is no
    such file.
    """
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, remove_comments=True, remove_pis=True
    )
    root = etree.fromstring(unpacked(data, largest) if data.startswith(b"PK") else data, parser)
    if root.getroottree().docinfo.doctype or local(root) not in ("kml", "Document", "Folder", "Placemark"):
        raise ValueError("this is not KML")
    marks = (each for each in root.iter() if local(each) == "Placemark")
    return [feature(mark, longest) for mark, _number in zip(marks, range(most + 1), strict=False)]


def unpacked(data: bytes, largest: int) -> bytes:
    """The document of a KMZ: its first file of KML."""
    with ZipFile(BytesIO(data)) as book:
        name = next(each for each in book.namelist() if each.lower().endswith(".kml"))
        with book.open(name) as file:
            text = file.read(largest + 1)
    if len(text) > largest:
        raise ValueError("the document is too large")
    return text


def local(element: Any) -> str:
    """An element's name without its namespace: there are several of KML."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def children(element: Any, *names: str) -> list[Any]:
    """The children of these names."""
    return [each for each in element if local(each) in names]


def text_of(element: Any, longest: int) -> str:
    """What an element says."""
    return " ".join("".join(element.itertext()).split())[:longest]


def feature(mark: Any, longest: int) -> dict[str, Any]:
    """A Placemark as a feature."""
    about: dict[str, Any] = {}
    for group in children(mark, "ExtendedData"):
        for each in group.iter():
            if local(each) == "Data":
                about[each.get("name", "")[:longest]] = " ".join(
                    text_of(value, longest) for value in children(each, "value")
                )
            elif local(each) == "SimpleData":
                about[each.get("name", "")[:longest]] = text_of(each, longest)
    for name in children(mark, "name"):
        about["name"] = text_of(name, longest)
    shapes = [shape for each in mark for shape in shapes_of(each)]
    whole = shapes[0] if len(shapes) == 1 else {"type": "GeometryCollection", "geometries": shapes} if shapes else None
    found = {"type": "Feature", "properties": about, "geometry": whole}
    return found | ({"id": mark.get("id")[:longest]} if mark.get("id") else {})


def shapes_of(element: Any) -> list[dict[str, Any]]:
    """The geometries of an element; one that is neither point nor line by its name alone."""
    kind = local(element)
    if kind in GROUPS:
        return [shape for each in element for shape in shapes_of(each)]
    if kind in NO_SHAPES:
        return [{"type": kind, "coordinates": [0]}]
    if kind not in SHAPES:
        return []
    written = "".join(text for each in children(element, "coordinates") for text in each.itertext())
    points = [point.strip(",").split(",")[:3] for point in written.replace(", ", ",").split()]
    return [{"type": SHAPES[kind], "coordinates": points if SHAPES[kind] != "Point" else (points[0] if points else [])}]
