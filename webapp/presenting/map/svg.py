"""The sheet as SVG: what never changes, made once for each system and kept."""

from __future__ import annotations

from functools import cache

import numpy as np
import shapely
from markupsafe import Markup, escape
from shapely.geometry import LineString, MultiLineString, Polygon
from shapely.geometry.base import BaseGeometry

from webapp.presenting.map.layout import sheet
from webapp.presenting.map.sheet import Sheet, Spot, Way, projected_rivers


@cache
def ground(system: str) -> Markup:
    """Sea, land, provinces, roads, and the ground of each space to tap on."""
    paper = sheet(system)
    if paper.hexes:
        return hex_ground(paper)
    parts = [
        f'<path id="land" class="shoal far" d="{path(paper.land)}"/>',
        '<use href="#land" class="shoal"/><use href="#land" class="land"/>',
        *(area_ink(name, area.shape) for name, area in paper.areas.items()),
        f'<path class="river" d="{path(projected_rivers(paper))}"/>',
        '<use href="#land" class="coast"/>',
        f'<path class="graticule" d="{graticule(paper)}"/>',
        *(way_ink(way) for way in paper.ways),
    ]
    return Markup("".join(parts))


def hex_ground(paper: Sheet) -> Markup:
    """Sea and coast, hexes by terrain with their mountains, regions with strong borders, ferries."""
    kinds: dict[str, list[str]] = {"land": [], "coast": [], "sea": []}
    for spot in paper.spots.values():
        kinds.setdefault(str(spot.about["terrain"]), []).append(path(spot.cell))
    parts = [
        f'<path id="land" class="shoal far" d="{path(paper.land)}"/>',
        '<use href="#land" class="shoal"/><use href="#land" class="land"/>',
        *(area_ink(name, area.shape) for name, area in paper.areas.items()),
        *(f'<path class="hexes {escape(kind)}" d="{"".join(cells)}"/>' for kind, cells in kinds.items()),
        f'<path class="river" d="{path(projected_rivers(paper))}"/>',
        '<use href="#land" class="coast"/>',
        *(mountain(spot.x, spot.y, 8) for spot in paper.spots.values() if spot.about.get("mountain")),
        *(f'<use href="#area-{area_key(name)}" class="border region"/>' for name in paper.areas),
        *(f'<path class="way ferry" d="{path(way.line)}"/>' for way in paper.ways),
    ]
    return Markup("".join(parts))


def area_key(name: str) -> str:
    """A province's name as part of an id."""
    return "".join(sign if sign.isalnum() else "-" for sign in name)


def area_ink(name: str, shape: BaseGeometry) -> str:
    """A province: its wash and the band along its border."""
    band = shape.difference(shape.buffer(-7))
    key = area_key(name)
    return (
        f'<path id="area-{key}" class="wash" d="{path(shape)}"/>'
        f'<path id="band-{key}" class="band" d="{path(band.simplify(0.4))}"/>'
        f'<use href="#area-{key}" class="border"/>'
    )


def way_ink(way: Way) -> str:
    """A connection as its kind is drawn; a pass bears a mountain."""
    (x1, y1), (x2, y2) = way.line.coords
    line = f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"
    kind = {"alpine_pass": "pass alpine", "sea_lane": "lane", "sea": "lane"}.get(way.kind, way.kind)
    if way.about.get("storm"):
        kind += " storm"
    drawn = f'<path class="way {escape(kind)}" d="{line}"/>'
    if "pass" in way.kind or way.kind == "rough":
        drawn += mountain((x1 + x2) / 2, (y1 + y2) / 2, 11 if way.kind == "alpine_pass" else 7.5)
    if way.about.get("storm"):
        drawn += wave((x1 + x2) / 2, (y1 + y2) / 2)
    return drawn


def mountain(x: float, y: float, size: float) -> str:
    """Two peaks with a shaded flank."""
    top, foot = y - size, y + size * 0.5
    return (
        f'<path class="peak" d="M{x - size:.1f} {foot:.1f}L{x:.1f} {top:.1f}L{x + size * 0.5:.1f} {y - size * 0.2:.1f}'
        f'L{x + size * 0.75:.1f} {y - size * 0.55:.1f}L{x + size * 1.5:.1f} {foot:.1f}Z"/>'
        f'<path class="flank" d="M{x:.1f} {top:.1f}L{x + size / 2:.1f} {foot:.1f}L{x - size * 0.15:.1f} {foot:.1f}Z"/>'
    )


def wave(x: float, y: float) -> str:
    """A storm upon a lane."""
    return f'<path class="wave" d="M{x - 10:.1f} {y:.1f}q5 -8 10 0t10 0"/>'


def graticule(paper: Sheet) -> str:
    """Every fifth meridian and parallel."""
    lines = []
    for lon in range(-20, 41, 5):
        lines.append(np.array([(lon, lat) for lat in np.arange(24, 54.1, 1)], dtype=float))
    for lat in range(25, 55, 5):
        lines.append(np.array([(lon, lat) for lon in np.arange(-22, 41, 1)], dtype=float))
    drawn = MultiLineString([LineString(paper.conic.place(line)) for line in lines])
    return path(drawn.intersection(paper.frame.buffer(420)))


@cache
def cells(system: str) -> dict[str, str]:
    """The ground of each space, as paths to tap on."""
    return {spot.id: path(spot.cell) for spot in sheet(system).spots.values()}


def path(shape: BaseGeometry) -> str:
    """A shape as SVG path data: whole tenths, steps relative to the point before."""
    out = []
    for part in shapely.get_parts(shape):
        if isinstance(part, Polygon):
            for ring in (part.exterior, *part.interiors):
                out.append(_line(shapely.get_coordinates(ring)[:-1]) + "z")
        elif part.geom_type in ("LineString", "LinearRing"):
            out.append(_line(shapely.get_coordinates(part)))
    return "".join(out)


def _line(points: np.ndarray) -> str:
    tenths = np.rint(points * 10).astype(int)
    if len(tenths) == 0:
        return ""
    steps = np.diff(tenths, axis=0)
    kept = steps[(steps != 0).any(axis=1)]
    moves = "".join(f"{_tenth(dx)} {_tenth(dy)} " for dx, dy in kept).rstrip()
    start = f"M{_tenth(tenths[0][0])} {_tenth(tenths[0][1])}"
    return f"{start}l{moves}" if moves else start


def _tenth(value: int) -> str:
    return f"{value / 10:g}"


def is_city(spot: Spot) -> bool:
    """Does it have walls to draw?"""
    return bool(spot.about.get("walls")) or spot.kind in ("city", "walled", "walled_city")
