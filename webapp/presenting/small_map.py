"""A campaign as a small picture and in a few words: where, by how many, how long (data/<system>/tile.toml)."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np
from markupsafe import Markup
from shapely.geometry import Polygon, box

import data
from tactical.kernel.record import Input
from webapp.presenting.map.projection import fit
from webapp.presenting.map.sheet import projected_land

WIDE, HIGH = 190.0, 88.0


class Sign(Input, frozen=True):
    """Something on the picture: what, of which side, where (longitude and latitude), with a letter where it has one."""

    kind: Literal["city", "shield", "galley", "elephant", "tents", "way"]
    at: tuple[tuple[float, float], ...]
    side: int = 0
    letter: str = ""


class Tile(Input, frozen=True):
    """data/<system>/tile.toml: what, when and how long in words, the players; `window` is west, south, east, north."""

    what: str = ""
    players: str = ""
    window: tuple[float, float, float, float] = (-6.0, 31.0, 37.0, 46.0)
    sign: tuple[Sign, ...] = ()


@cache
def tile(system: str) -> Tile:
    """The tile of a system; of one that brings none, the whole sea without words."""
    path = f"{system}/tile.toml"
    return data.read(path, Tile) if (data.ROOT / path).exists() else Tile()


@cache
def small_map(system: str) -> Markup:
    """The picture of a system's land with its signs."""
    it = tile(system)
    west, south, east, north = it.window
    corners = np.array([(west, south), (east, south), (west, north), (east, north)], dtype=float)
    conic, _height = fit(corners, WIDE, 0.0)
    middle = conic.one((west + east) / 2, (south + north) / 2)[1]
    top = middle - HIGH / 2
    frame = box(0, top, WIDE, top + HIGH)
    land = projected_land(conic, frame.buffer(12)).intersection(frame.buffer(8)).simplify(0.7)
    rings = [
        ring.coords
        for each in getattr(land, "geoms", (land,))
        if isinstance(each, Polygon) and each.area > 4
        for ring in (each.exterior, *(hole for hole in each.interiors if Polygon(hole).area > 4))
    ]
    line = "".join("M" + "L".join(f"{x:.1f} {y - top:.1f}" for x, y in ring[:-1]) + "Z" for ring in rings)
    signs = [draw(each, [(x, y - top) for x, y in (conic.one(*point) for point in each.at)]) for each in it.sign]
    return Markup(
        '<svg class="small-map" viewBox="0 0 {:g} {:g}" preserveAspectRatio="xMidYMid slice" aria-hidden="true">'
        '<path class="shallow" d="{}"/><path class="land" d="{}"/>{}</svg>'
    ).format(WIDE, HIGH, line, line, Markup("").join(signs))


FIGURES = {
    "city": Markup('<path class="wall" d="M-7-7h3v2h2.5v-2h3v2h2.5v-2h3v14h-14z"/><circle class="in" r="3.4"/>'),
    "shield": Markup('<path class="worn" d="M-9-10h18v9q0 8-9 12q-9-4-9-12z"/>'),
    "galley": Markup(
        '<path class="worn" d="M-19 2.400L-15 .6H11C14 .4 17-3 16.600-6.600C15.800-9 14-9 13.600-7C20-10 22 2 14.800 8'
        'H-13.200L-20 5.200Z"/><path class="line" d="M-10 7l-3 5M-4.800 7l-3 5M.4 7l-3 5M5.600 7l-3 5M10.800 7l-3 5M-8'
        ' .6V-9H-5L-6 .6"/>'
    ),
    "elephant": Markup(
        '<path class="beast" d="M-13 9v-9q0-9 10-9h6q4-3 8-1q4 2 4 7v6q0 3 2 3v2'
        'q-5 0-5-5v-3h-2q-1 3-3 3v6h-5v-5h-6v5z"/>'
    ),
    "tents": Markup('<path class="tent" d="M-12 8l5-10l5 10zM2 8l5-10l5 10zM-5-2l5-10l5 10z"/>'),
}


def draw(it: Sign, spots: list[tuple[float, float]]) -> Markup:
    """One sign, in a side's colours; a way is a line through its places."""
    if it.kind == "way":
        line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
        return Markup('<path class="way side{}" d="{}"/>').format(it.side, line)
    (x, y), *_rest = spots
    letter = Markup('<text class="letter" y="4.500">{}</text>').format(it.letter) if it.letter else Markup("")
    return Markup('<g class="sign side{}" transform="translate({} {})">{}{}</g>').format(
        it.side, f"{x:.0f}", f"{y:.0f}", FIGURES[it.kind], letter
    )
