"""The sheet as SVG: what never changes, made once for each sheet and kept."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import shapely
from markupsafe import Markup, escape
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from webapp.presenting.map.layout import hinterland
from webapp.presenting.map.relief import relief, rhumbs
from webapp.presenting.map.sheet import KEPT, WALLED, Sheet, Spot, projected_rivers

INLAND = 9.0  # units from the coast within which the land is darker


@lru_cache(KEPT)
def ground(paper: Sheet) -> Markup:
    """Sea, land with its relief, provinces, roads, and the ground of each space to tap on."""
    return Markup("".join((*earth(paper), *(hexes(paper) if paper.hexes else roads(paper)))))


def earth(paper: Sheet) -> list[str]:
    """What lies under everything: the lines of a chart, shoals, land, relief, rivers, the grounds of control, coast."""
    inner = paper.land.simplify(2).buffer(-INLAND, quad_segs=2).simplify(2)
    hills = relief(paper)
    return [
        f'<path class="rhumb" d="{path(rhumbs(paper), 10)}"/>',
        *(f'<path class="shoal {escape(name)}" d="{path(shoal, 10)}"/>' for name, shoal in shoals(paper)),
        f'<path id="land" d="{path(paper.land)}"/><use href="#land" class="shore"/>',
        f'<path class="land" d="{path(inner, 10)}"/>',
        *(f'<path class="shade" d="{path(each, 10)}"/>' for each in hills.shades),
        *(f'<path class="light" d="{path(each, 10)}"/>' for each in hills.lights),
        f'<path class="river" d="{path(projected_rivers(paper))}"/>',
        *(area_ink(name, area.shape) for name, area in paper.areas.items()),
        '<use href="#land" class="coast"/>',
        *([] if paper.hexes else [peaks(hills.peaks)]),
    ]


def shoals(paper: Sheet) -> list[tuple[str, BaseGeometry]]:
    """The shallow water along the coast, in three depths: as grounds, for wide strokes cost much more to paint."""
    coarse = paper.land.simplify(3)
    depths = (("far", 26), ("mid", 16), ("near", 8))
    return [(name, coarse.buffer(wide, quad_segs=3).simplify(2)) for name, wide in depths]


def roads(paper: Sheet) -> list[str]:
    """The connections by kind, each kind as one line on its halo; a pass bears a mountain, a stormy lane a wave."""
    kinds: dict[str, list[str]] = {}
    signs = []
    for way in paper.ways:
        middle = way.line.interpolate(0.5, normalized=True)
        kind = {"alpine_pass": "pass alpine", "sea_lane": "lane", "sea": "lane"}.get(way.kind, way.kind)
        storm = " storm" if way.about.get("storm") else ""
        kinds.setdefault(kind + storm, []).append(path(way.line))
        if "pass" in way.kind or way.kind == "rough":
            signs.append(mountain(middle.x, middle.y, 11 if way.kind == "alpine_pass" else 8))
        if storm:
            signs.append(wave(middle.x, middle.y))
    lines = [(kind, "".join(parts)) for kind, parts in kinds.items()]
    return [
        *(f'<path class="way-halo" d="{escape(line)}"/>' for kind, line in lines if "lane" not in kind),
        *(f'<path class="way {escape(kind)}" d="{escape(line)}"/>' for kind, line in lines),
        *signs,
    ]


def hexes(paper: Sheet) -> list[str]:
    """Hexes by terrain with their mountains, regions with strong borders, ferries."""
    kinds: dict[str, list[str]] = {"land": [], "coast": [], "sea": []}
    for spot in paper.spots.values():
        kinds.setdefault(str(spot.about["terrain"]), []).append(path(spot.cell))
    return [
        *(f'<path class="hexes {escape(kind)}" d="{"".join(cells)}"/>' for kind, cells in kinds.items()),
        *(mountain(spot.x, spot.y, 8) for spot in paper.spots.values() if spot.about.get("mountain")),
        *(f'<use href="#area-{area_key(name)}" class="border region"/>' for name in paper.areas),
        *(f'<path class="way ferry" d="{path(way.line)}"/>' for way in paper.ways),
    ]


def peaks(found: Iterable[tuple[float, float, float]]) -> str:
    """The peaks of all ranges: their outlines as one path, their shaded sides as another."""
    lines, flanks = [], []
    for x, y, size in found:
        wide, high = round(size * 0.72), round(size)
        lines.append(f"M{x - wide:.0f} {y + high * 0.4:.0f}l{wide}-{high} {wide} {high}")
        flanks.append(f"M{x:.0f} {y - high * 0.6:.0f}l{wide} {high}h-{wide * 3 // 4}z")
    return f'<path class="range-side" d="{"".join(flanks)}"/><path class="range" d="{"".join(lines)}"/>'


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


@lru_cache(KEPT)
def cells(paper: Sheet) -> dict[str, str]:
    """The ground of each space, as paths to tap on."""
    return {spot.id: path(spot.cell) for spot in paper.spots.values()}


@lru_cache(KEPT)
def grounds(paper: Sheet) -> dict[str, str]:
    """The ground of each space as it is shaded, as paths: where nobody lives it ends a little beyond the last road."""
    near = None if paper.hexes else hinterland(paper.spots, paper.ways).simplify(2)
    return {spot.id: path(spot.cell if near is None else spot.cell.intersection(near)) for spot in paper.spots.values()}


def path(shape: BaseGeometry, grain: int = 1) -> str:
    """A shape as SVG path data: whole tenths, or so many tenths as its grain; steps relative to the point before."""
    out = []
    for part in shapely.get_parts(shape):
        if isinstance(part, Polygon):
            for ring in (part.exterior, *part.interiors):
                out.append(_line(shapely.get_coordinates(ring)[:-1], grain) + "z")
        elif part.geom_type in ("LineString", "LinearRing"):
            out.append(_line(shapely.get_coordinates(part), grain))
    return "".join(out)


def _line(points: np.ndarray, grain: int) -> str:
    tenths = np.rint(points * 10 / grain).astype(int) * grain
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
    return bool(spot.about.get("walls")) or spot.kind in WALLED
