"""Make `data/geo/mediterranean.geojson`: the land of the western and central Mediterranean, cut and simplified.

The coast is Natural Earth's (public domain), taken from the npm package `world-atlas`, which is fetched into a
temporary folder by its name. Run it from the project's root, with node's npm at hand: `python -m data.geo.build`.
The result is committed, so that nobody needs npm to run the program.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from shapely.geometry import MultiPolygon, Polygon, box
from shapely.ops import unary_union

PACKAGE = "world-atlas@2.0.2"
SHEET = "land-10m.json"
WINDOW = (-24.0, 21.0, 42.0, 56.0)  # west, south, east, north: a margin around the spaces of every system's map
FINENESS = 0.012  # degrees; about a kilometre, a third of a pixel on a wide screen
SMALLEST = 0.004  # square degrees; smaller islands are left out, and lakes too
TARGET = Path(__file__).parent / "mediterranean.geojson"

Point = tuple[float, float]


def fetch() -> dict[str, Any]:
    """The package's TopoJSON of all land."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, PACKAGE]
        subprocess.run(command, check=True)
        found: dict[str, Any] = json.loads((Path(folder) / "node_modules" / "world-atlas" / SHEET).read_text())
    return found


def arcs_of(topology: dict[str, Any]) -> list[list[Point]]:
    """The arcs with their steps added up and their grid turned into degrees."""
    scale, start = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for steps in topology["arcs"]:
        x = y = 0
        arc = []
        for dx, dy in steps:
            x, y = x + dx, y + dy
            arc.append((x * scale[0] + start[0], y * scale[1] + start[1]))
        arcs.append(arc)
    return arcs


def ring(indices: list[int], arcs: list[list[Point]]) -> list[Point]:
    """Arcs joined to a ring; a negative index means the arc backwards."""
    points: list[Point] = []
    for index in indices:
        arc = arcs[index] if index >= 0 else arcs[~index][::-1]
        points += arc[1:] if points else arc
    return points


def polygons(topology: dict[str, Any]) -> list[Polygon]:
    """Every polygon of land, mended where the coast touches itself."""
    arcs = arcs_of(topology)
    found = []
    for shape in topology["objects"]["land"]["geometries"]:
        parts = shape["arcs"] if shape["type"] == "MultiPolygon" else [shape["arcs"]]
        for outer, *holes in parts:
            found.append(Polygon(ring(outer, arcs), [ring(hole, arcs) for hole in holes]).buffer(0))
    return found


def cut(land: list[Polygon]) -> list[Polygon]:
    """The land within the window, simplified, without what is too small to see; the largest piece first."""
    window = box(*WINDOW)
    near = [part.intersection(window) for part in land if part.intersects(window)]
    whole = unary_union(near).simplify(FINENESS)
    parts = whole.geoms if isinstance(whole, MultiPolygon) else [whole]
    pieces = [piece for piece in parts if isinstance(piece, Polygon)]
    kept = [
        Polygon(piece.exterior, [hole for hole in piece.interiors if Polygon(hole).area >= SMALLEST])
        for piece in pieces
        if piece.area >= SMALLEST
    ]
    return sorted(kept, key=lambda piece: -piece.area)


def feature(piece: Polygon) -> dict[str, Any]:
    """One piece of land as a GeoJSON feature, to three decimals."""
    rings = [
        [[round(x, 3), round(y, 3)] for x, y in line.coords] for line in (piece.exterior, *piece.interiors)
    ]
    return {
        "type": "Feature",
        "geometry": {"type": "Polygon", "coordinates": rings},
        "properties": {"feature": "land", "source": "natural_earth"},
    }


def main() -> None:
    """Fetch, cut, write."""
    pieces = cut(polygons(fetch()))
    head = {
        "type": "FeatureCollection",
        "title": "The land of the western and central Mediterranean",
        "source": "Natural Earth 1:10m (public domain), by way of the npm package " + PACKAGE,
        "window": list(WINDOW),
    }
    lines = ",\n ".join(json.dumps(feature(piece), separators=(",", ":")) for piece in pieces)
    TARGET.write_text(json.dumps(head, indent=1)[:-2] + ',\n "features": [\n ' + lines + "\n ]\n}\n")
    points = sum(len(line.coords) for piece in pieces for line in (piece.exterior, *piece.interiors))
    print(f"{TARGET.name}: {len(pieces)} pieces of land, {points} points, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
