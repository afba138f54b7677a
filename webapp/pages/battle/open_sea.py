"""G1.6 The paper of a board, and the measured sea as SVG: coasts, wrecks, a line at each five base lengths."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup, escape
from shapely import Polygon, unary_union
from shapely.geometry.base import BaseGeometry

from tactical import board
from tactical.battle import Battle
from tactical.board import Area, Board, Point, shape_of
from tactical.kernel.cache import remember
from tactical.ship import Ship, ShipType
from webapp.presenting.small_pictures import FINEST
from webapp.presenting.small_pictures import shallows as small_pictures_shallows

# -- Shapes as the data of SVG paths.

SIDE = 36  # length of a hex side in the drawing's units


def path(shape: BaseGeometry, scale: float = SIDE) -> str:
    """A polygon or several as the data of an SVG path, in whole units."""
    parts: Iterable[BaseGeometry] = getattr(shape, "geoms", (shape,))
    found = []
    for part in parts:
        if not isinstance(part, Polygon) or part.is_empty:
            continue
        for ring in (part.exterior, *part.interiors):
            points = [f"{round(x * scale)} {round(y * scale)}" for x, y in list(ring.coords)[:-1]]
            found.append(f"M{'L'.join(points)}Z")
    return "".join(found)


# -- What makes a board a chart: paper with a numbered margin, the sea's depth and wavelets, shallows before a coast.

FRAME = 22  # the margin about the sea, in the drawing's units
WAVES = "M12 22q6 -6 12 0t12 0M84 60q6 -6 12 0t12 0M128 12q4 -4 8 0t8 0"  # of one tile
Box = tuple[int, int, int, int]  # left, top, width, height


def paper(box: Box) -> str:
    """The sheet that the chart is drawn on."""
    left, top, width, height = box
    return f'<rect class="sheet" x="{left:d}" y="{top:d}" width="{width:d}" height="{height:d}"/>'


def sea(outside: str, box: Box) -> str:
    """The water, deep in the north-west and light in the south-east, with two soft deeps and wavelets."""
    left, top, width, height = box
    deep = (
        f"M{left:d} {top:d}H{left + width * 0.62:.0f}C{left + width * 0.5:.0f} {top + height * 0.3:.0f}"
        f" {left + width * 0.22:.0f} {top + height * 0.2:.0f} {left:d} {top + height * 0.34:.0f}Z"
        f"M{left + width:d} {top + height * 0.4:.0f}C{left + width * 0.8:.0f} {top + height * 0.46:.0f}"
        f" {left + width * 0.84:.0f} {top + height * 0.74:.0f} {left + width:d} {top + height * 0.82:.0f}Z"
    )
    return (
        '<defs><linearGradient id="depth" x1="0" y1="0" x2="1" y2="1"><stop class="sea-deep" offset="0"/>'
        '<stop class="sea-mid" offset=".5"/><stop class="sea-light" offset="1"/></linearGradient>'
        f'<path id="outside" d="{escape(outside)}"/><clipPath id="at-sea"><use href="#outside"/></clipPath>'
        '<pattern id="wavelets" patternUnits="userSpaceOnUse" width="150" height="96">'
        f'<path class="wavelet" d="{escape(WAVES)}"/></pattern></defs>'
        '<use href="#outside" class="water" fill="url(#depth)"/>'
        f'<path class="deep" clip-path="url(#at-sea)" d="{escape(deep)}"/>'
        '<use href="#outside" fill="url(#wavelets)"/>'
    )


def shallows(shore: str, near: str, far: str) -> str:
    """Three tints before a coast, the farthest first, each with its line, and the surf along it."""
    return (
        f'<defs><path id="shore" d="{escape(shore)}"/></defs><path class="shallow-1" d="{escape(far)}"/>'
        f'<path class="shallow-2" d="{escape(near)}"/><use href="#shore" class="shallow-3"/>'
        '<use href="#shore" class="surf"/>'
    )


def grid() -> str:
    """The lines of the hexes, where the sea is."""
    return '<use href="#outside" fill="url(#hexes)"/>'


def draw_land() -> str:
    """The land within its shore, a little darker along it; `shallows` has drawn the shore."""
    return (
        '<clipPath id="ashore"><use href="#shore"/></clipPath><use href="#shore" class="land"/>'
        '<use href="#shore" class="inland" clip-path="url(#ashore)"/>'
    )


def edge() -> str:
    """The line about the sea."""
    return '<use href="#outside" class="edge"/>'


def numbers(box: Box, columns: Iterable[tuple[float, str]], rows: Iterable[tuple[float, str]]) -> str:
    """The numbers of columns above and below, of rows left and right, where they lie in the drawing."""
    left, top, width, height = box
    middle = FRAME / 2
    above = "".join(f'<text x="{x:.0f}" y="{top + middle + 4:.0f}">{escape(said)}</text>' for x, said in columns)
    beside = "".join(f'<text x="{left + middle:.0f}" y="{y + 4:.0f}">{escape(said)}</text>' for y, said in rows)
    return (
        f'<g class="margin" aria-hidden="true"><g id="columns">{Markup(above)}</g><g id="rows">{Markup(beside)}</g>'
        f'<use href="#columns" y="{height - FRAME:d}"/><use href="#rows" x="{width - FRAME:d}"/></g>'
    )


# -- G1.6 The measured sea as SVG: water with a line at each five base lengths, coasts, wrecks.

BASE = 54  # a base length in the drawing's units
EVERY = 5  # base lengths between the lines of the grid


def spot(at: Point) -> tuple[float, float]:
    """A place on the sea in the drawing."""
    return round(at[0] * BASE, 1), round(at[1] * BASE, 1)


def frame(board: Board) -> tuple[int, int, int, int]:
    """The view box that holds the whole sea."""
    width, height = board.size
    edge = FRAME
    return -edge, -edge, round(width * BASE) + 2 * edge, round(height * BASE) + 2 * edge


def water(board: Board) -> str:
    """The sea's own outline."""
    width, height = board.size
    return f"M0 0H{width * BASE:.0f}V{height * BASE:.0f}H0Z"


@remember
def land(coast: tuple[Area, ...], width: float, height: float) -> tuple[str, str, str]:
    """The land, the shallows before it, and the deeper shallows."""
    if not coast:
        return "", "", ""
    whole = unary_union([shape_of(area) for area in coast]).simplify(FINEST)
    box = Polygon([(0, 0), (width, 0), (width, height), (0, height)])
    shapes = (whole, small_pictures_shallows(whole, 0.25), small_pictures_shallows(whole, 0.5))
    rough, near, far = (path(shape.intersection(box), BASE) for shape in shapes)
    return rough, near, far


def still(board: Board) -> str:
    """Everything that lies still but the wrecks."""
    width, height = board.size
    rough, near, far = land(board.coasts, width, height)
    across, down = range(EVERY, int(width) + 1, EVERY), range(EVERY, int(height) + 1, EVERY)
    lines = "".join(f"M{x * BASE:d} 0V{height * BASE:.0f}" for x in across)
    lines += "".join(f"M0 {y * BASE:d}H{width * BASE:.0f}" for y in down)
    box = frame(board)
    parts = [paper(box), sea(water(board), box)]
    if rough:
        parts.append(shallows(rough, near, far))
    parts.append(f'<path class="grid" d="{lines}"/>')
    if rough:
        parts.append(draw_land())
    parts.append(edge())
    parts.append(numbers(box, [(x * BASE, str(x)) for x in across], [(y * BASE, str(y)) for y in down]))
    return "".join(parts)


def wrecks(board: Board) -> str:
    """The outlines of the hulls that have sunk."""
    shapes = "".join(path(shape_of(area), BASE) for area in board.wrecks)
    return f'<g class="wrecks"><path class="wreck" d="{shapes}"/></g>' if shapes else ""


def outline(kind: ShipType) -> str:
    """A hull about (0, 0), heading north, as it is measured."""
    points = board.hull_outline((0.0, 0.0), 0.0, kind.length, kind.beam)
    return "M" + "L".join(f"{x * BASE:.1f} {y * BASE:.1f}" for x, y in points) + "Z"


@lru_cache(maxsize=256)
def ring_path(length: float, beam: float, reach: float) -> str:
    """Everything within a range of a hull about (0, 0) that heads north."""
    return path(board.hull((0.0, 0.0), 0.0, length, beam).buffer(reach, quad_segs=6), BASE)


def ring(battle: Battle, ship: Ship, reach: float) -> str:
    """Everything within a range of a ship, drawn about its place and turned with it."""
    kind = battle.kind(ship)
    return ring_path(kind.length, kind.beam, reach)
