"""G1.6 The measured sea as SVG: water with a line at each five base lengths, coasts, wrecks."""

from __future__ import annotations

from functools import lru_cache

from shapely import Polygon, unary_union

from tactical import measured
from tactical.battle import Battle
from tactical.board import Board
from tactical.kernel.cache import remember
from tactical.measured import shape_of
from tactical.places import Area, Point
from tactical.ship import Ship, ShipType
from webapp.pages.battle.board import chart
from webapp.pages.battle.board.paths import path
from webapp.presenting.small_board import FINEST, shallows

BASE = 54  # a base length in the drawing's units
EVERY = 5  # base lengths between the lines of the grid


def spot(at: Point) -> tuple[float, float]:
    """A place on the sea in the drawing."""
    return round(at[0] * BASE, 1), round(at[1] * BASE, 1)


def frame(board: Board) -> tuple[int, int, int, int]:
    """The view box that holds the whole sea."""
    width, height = board.size
    edge = chart.FRAME
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
    shapes = (whole, shallows(whole, 0.25), shallows(whole, 0.5))
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
    parts = [chart.paper(box), chart.sea(water(board), box)]
    if rough:
        parts.append(chart.shallows(rough, near, far))
    parts.append(f'<path class="grid" d="{lines}"/>')
    if rough:
        parts.append(chart.land())
    parts.append(chart.edge())
    parts.append(chart.numbers(box, [(x * BASE, str(x)) for x in across], [(y * BASE, str(y)) for y in down]))
    return "".join(parts)


def wrecks(board: Board) -> str:
    """The outlines of the hulls that have sunk."""
    shapes = "".join(path(shape_of(area), BASE) for area in board.wrecks)
    return f'<g class="wrecks"><path class="wreck" d="{shapes}"/></g>' if shapes else ""


def outline(kind: ShipType) -> str:
    """A hull about (0, 0), heading north, as it is measured."""
    points = measured.outline((0.0, 0.0), 0.0, kind.length, kind.beam)
    return "M" + "L".join(f"{x * BASE:.1f} {y * BASE:.1f}" for x, y in points) + "Z"


@lru_cache(maxsize=256)
def ring_path(length: float, beam: float, reach: float) -> str:
    """Everything within a range of a hull about (0, 0) that heads north."""
    return path(measured.hull((0.0, 0.0), 0.0, length, beam).buffer(reach, quad_segs=6), BASE)


def ring(battle: Battle, ship: Ship, reach: float) -> str:
    """Everything within a range of a ship, drawn about its place and turned with it."""
    kind = battle.kind(ship)
    return ring_path(kind.length, kind.beam, reach)
