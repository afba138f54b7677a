"""A battle, or a campaign, as a small picture."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import shapely
from markupsafe import Markup
from shapely.geometry import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry

import data
from tactical import board as tactical_board
from tactical.battle import Battle
from tactical.board import HEADINGS, Board, Hex, board_frame, centre, from_column_row, hex_outline
from tactical.kernel.cache import remember
from tactical.kernel.record import Input
from webapp.http.cache import SHELF
from webapp.presenting.battle_labels import tones
from webapp.presenting.map.sheet import fit, projected_land, sources
from webapp.presenting.ships import galley
from webapp.presenting.ships.galley import SIDES, drawn_as, group, look_of, number

# -- A battle as a small picture: sea, coast and both fleets, a few kilobytes for sixty ships.

WIDE = 160.0  # units of a picture from side to side
ABOUT = 1.8  # hexes of sea about the ships
LEAST = 0.125  # a quinquereme's length at least, as a share of the picture's breadth
CROWD = 24  # ships from which on they are drawn smaller
OF_A_HEX = 0.93  # a quinquereme's length as a share of a hex's height
BEYOND = 8  # hexes by which land at the edge of a board runs on in a picture
CORNERS, PIECE = 1000, 8  # of a shore whose shallows are drawn, and of each piece that is widened
FINEST = 0.02  # base lengths: what is finer of a coast nobody sees
LONG = 87  # the same in units of a galley
WAVES = (
    (14, 20),
    (62, 9),
    (118, 17),
    (38, 46),
    (92, 38),
    (146, 50),
    (20, 72),
    (74, 66),
    (128, 78),
    (52, 88),
    (104, 92),
)
HILL = "M-5 3L0-4L5 3M-1-1L1 3"


class Small(NamedTuple):
    """A picture with the symbols that it uses: type, look and number of the side."""

    svg: Markup
    ships: frozenset[tuple[str, str, int]]


def small_board(battle: Battle, high: float = 88, least: float = LEAST) -> Small:
    """The battle in a picture of WIDE by `high`; an empty sea when it has no places. `least`: see LEAST."""
    found = frame(battle, high, least)
    parts = [shore(battle.board, found, high)]
    used = set()
    sides = tones(battle)
    for side in battle.sides:
        drawn = []
        for ship in battle.ships.values():
            if ship.side != side or ship.at is None or not ship.is_afloat:
                continue
            kind = (drawn_as(ship.type), look_of(battle, side), sides[side] % SIDES)
            used.add(kind)
            x, y = found.spot(ship.at)
            angle = ship.facing if isinstance(ship.facing, int | float) else HEADINGS.index(ship.facing or "N") * 60
            place = f"translate({number(x)} {number(y)})rotate({number(angle)})scale({found.scale:.2g})"
            drawn.append(Markup('<use href="#{}" transform="{}"/>').format(name_of(*kind), place))
        parts.append(group(Markup("").join(drawn), f"side{sides[side] % SIDES}"))
    box_ = f"0 0 {WIDE:g} {high:g}"
    waves = "".join(f"M{x} {y}q4-3 8 0t8 0" for x, y in WAVES if y < high)
    svg = Markup(
        '<svg class="small-board" viewBox="{}" preserveAspectRatio="xMidYMid slice" aria-hidden="true">'
        '<path class="waves" d="{}"/>{}</svg>'
    ).format(box_, waves, Markup("").join(parts))
    return Small(svg, frozenset(used))


def name_of(kind: str, look: str, side: int) -> str:
    """The id of a ship's symbol."""
    return f"small-{kind}-{look}-{side}"


def shallows(land: BaseGeometry, reach: float) -> BaseGeometry:
    """The water that is so near to a shore, and as much of the land, in the land's own lengths.

    The shore is taken with CORNERS corners at most and widened piece by piece: a buffer about the whole of a ragged
    line costs the square of its corners.
    """
    polygons = [part for part in shapely.get_parts(land) if isinstance(part, Polygon)]
    lines = shapely.get_parts(shapely.boundary(polygons))
    every = 1 + int(shapely.get_num_coordinates(lines).sum()) // CORNERS
    pieces = []
    for line in lines:
        points = shapely.get_coordinates(line)
        points = np.vstack((points[:-1:every], points[-1:]))
        pieces += [LineString(points[at : at + PIECE + 1]) for at in range(0, len(points) - 1, PIECE)]
    return shapely.union_all(shapely.buffer(pieces, reach, quad_segs=6))


def small_ships(wanted: Iterable[tuple[str, str, int]]) -> Markup:
    """The symbols of all small pictures of a page, each ship once."""
    return symbols(frozenset(wanted))


@lru_cache(maxsize=32)
def symbols(wanted: frozenset[tuple[str, str, int]]) -> Markup:
    """The same, kept."""
    drawn = Markup("").join(
        group(
            galley.oars(kind, 24) + galley.hull_body(kind, look, side, False) + galley.shield(kind, side, large=1.3),
            "galley",
            "",
            name_of(kind, look, side),
        )
        for kind, look, side in sorted(wanted)
    )
    return Markup('<svg class="unseen" aria-hidden="true"><defs>{}</defs></svg>').format(drawn)


class Frame(NamedTuple):
    """What of the sea a picture shows, in hexes' sides or base lengths, and how large its ships are."""

    left: float
    top: float
    unit: float
    scale: float

    def spot(self, at: tuple[float, float]) -> tuple[float, float]:
        """A place of the battle in the picture."""
        x, y = where(at)
        return (x - self.left) * self.unit, (y - self.top) * self.unit


def where(at: tuple[float, float]) -> tuple[float, float]:
    """A hex's middle, or a measured point as it is."""
    return centre((int(at[0]), int(at[1]))) if isinstance(at[0], int) else at


def frame(battle: Battle, high: float, least: float = LEAST) -> Frame:
    """The part of the sea that holds all ships afloat, in the picture's shape; as little as may be off the board."""
    spots = [where(ship.at) for ship in battle.ships.values() if ship.at is not None and ship.is_afloat]
    xs, ys = [x for x, _y in spots] or [0.0], [y for _x, y in spots] or [0.0]
    long = OF_A_HEX * 3**0.5 if battle.board.kind == "hexes" else 1.0
    wide = max(max(xs) - min(xs) + 2 * ABOUT * long, (max(ys) - min(ys) + 2 * ABOUT * long) * WIDE / high, 8 * long)
    unit = WIDE / wide
    left, top, right, bottom = bounds_of(battle.board)
    tall = wide * high / WIDE
    x = within_bounds((max(xs) + min(xs) - wide) / 2, wide, left, right)
    y = within_bounds((max(ys) + min(ys) - tall) / 2, tall, top, bottom)
    crowd = (CROWD / max(CROWD, len(spots))) ** 0.5
    return Frame(x, y, unit, max(long * unit, WIDE * least * crowd) / LONG)


def bounds_of(board: Board) -> tuple[float, float, float, float]:
    """The board's left, top, right and bottom."""
    if isinstance(board.width, float) and isinstance(board.height, float):
        return 0.0, 0.0, board.width, board.height
    left, top, right, bottom = board_frame(board.columns, board.rows).bounds
    return left, top, right, bottom


def within_bounds(start: float, size: float, low: float, high: float) -> float:
    """Where a window begins so that it stays on the board; about its middle when it is larger."""
    return (low + high - size) / 2 if size >= high - low else min(max(start, low), high - size)


def shore(board: Board, seen: Frame, high: float) -> Markup:
    """The land of the part that is seen, with its shallows and some hills."""
    if board.kind == "open":
        rough = shapely.union_all([tactical_board.shape_of(area) for area in board.coasts]).simplify(FINEST)
    elif board.kind == "hexes" and board.dry:
        rough = land_of(board.dry, board.columns, board.rows)
    else:
        return Markup("")
    window = box(seen.left, seen.top, seen.left + WIDE / seen.unit, seen.top + high / seen.unit)
    land = rough.intersection(window.buffer(1))
    if land.is_empty or not land.intersects(window):
        return Markup("")
    line, shallow = (path_of(shape, seen) for shape in (land, shallows(land, 0.55).simplify(0.05)))
    seen_land = land.intersection(window)
    hills = "".join(
        f'<path class="hill" d="{HILL}" transform="translate({x:.0f} {y:.0f})"/>'
        for each in shapely.get_parts(seen_land.difference(shallows(seen_land, 0.5)))
        if each.area > 1
        for x, y in [seen.spot((each.representative_point().x, each.representative_point().y))]
    )
    return Markup('<path class="shallow" d="{}"/><path class="land" d="{}"/>{}').format(shallow, line, Markup(hills))


@remember
def land_of(land: frozenset[Hex], columns: int, rows: int) -> BaseGeometry:
    """Land hexes smoothed to a coast; those at the board's edge run on beyond it."""
    off = [
        from_column_row(column, row)
        for column in range(-BEYOND, columns + BEYOND)
        for row in range(-BEYOND, rows + BEYOND)
        if not (0 <= column < columns and 0 <= row < rows)
        and from_column_row(min(max(column, 0), columns - 1), min(max(row, 0), rows - 1)) in land
    ]
    whole = shapely.union_all([hex_outline(at, 1.01) for at in (*land, *off)])
    return whole.buffer(0.8, quad_segs=3).buffer(-1.25, quad_segs=3).buffer(0.43, quad_segs=3).simplify(0.06)


def path_of(shape: BaseGeometry, seen: Frame) -> str:
    """A shape as a path of the picture, in whole tenths."""
    rings = [
        ring.coords
        for each in getattr(shape, "geoms", (shape,))
        if isinstance(each, Polygon)
        for ring in (each.exterior, *each.interiors)
    ]
    unit, left, top = seen.unit, seen.left, seen.top

    def spot(x: float, y: float) -> str:
        return f"{(x - left) * unit:.1f} {(y - top) * unit:.1f}"

    return "".join("M" + "L".join(spot(x, y) for x, y in ring[:-1]) + "Z" for ring in rings)


# -- A campaign as a small picture and in a few words: where, by how many, how long (data/<system>/tile.toml).

MAP_WIDE, HIGH = 190.0, 88.0


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
    made_of = (*sources(), Path(__file__), *(data.ROOT / system).glob("tile.toml"))
    return SHELF.get(f"small-{system}", made_of, partial(draw_small_map, system))


def draw_small_map(system: str) -> Markup:
    """The same, drawn."""
    it = tile(system)
    west, south, east, north = it.window
    corners = np.array([(west, south), (east, south), (west, north), (east, north)], dtype=float)
    conic, _height = fit(corners, MAP_WIDE, 0.0)
    middle = conic.one((west + east) / 2, (south + north) / 2)[1]
    top = middle - HIGH / 2
    frame = box(0, top, MAP_WIDE, top + HIGH)
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
    ).format(MAP_WIDE, HIGH, line, line, Markup("").join(signs))


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
