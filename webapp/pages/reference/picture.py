"""A small plain picture of a battle's board, for the fleet builder and the adjudication cases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup
from shapely import Polygon, box

from tactical import measured
from tactical.battle import Battle
from tactical.hexes import HEADINGS, Hex, from_column_row, neighbours
from tactical.places import Place
from tactical.ship import Ship
from tactical.sight import HALF_HEIGHT, centre
from webapp.presenting.battle_labels import letters, tones
from webapp.presenting.ships.galley import galley
from webapp.presenting.ships.looks import galley_of, look_of

SCALE = 30.0  # pixels to a hex's side
LENGTHS = {"bireme": 0.78, "trireme": 0.9, "quadrireme": 1.0, "quinquereme": 1.1, "hepteres": 1.25, "transport": 0.85}
MARGIN = 1  # hexes around what is shown
SEA = 52.0  # pixels to a base length of the measured sea
AROUND = 1.5  # base lengths around what is shown
GALLEY = 0.018  # of a galley's units, for a pixel of a hex's side or of a base length
SIGNS = {"captured": "C", "sunk": "S", "withdrawn": "W"}


class HexDrawn(NamedTuple):
    """A hex: its outline, what it is, and its coordinates with the place of their label."""

    points: str
    kind: str
    label: str
    x: float
    y: float


class ShipDrawn(NamedTuple):
    """A ship: where, which way, its hull's outline, its side's number, its id, and the signs of its state."""

    id: str
    name: str
    side: int
    x: float
    y: float
    angle: int
    hull: str
    oars: bool
    corvus: bool
    sign: str
    drawing: Markup = Markup("")


class Picture(NamedTuple):
    """All of it, with the box that it fills."""

    box: str
    width: int
    height: int
    hexes: tuple[HexDrawn, ...]
    ships: tuple[ShipDrawn, ...]


def picture(battle: Battle, whole: bool = False, labels: bool = True, also: Iterable[Place] = ()) -> Picture:
    """The board around its ships (and the hexes in `also`), or the whole of it."""
    if battle.board.kind == "open":
        return at_sea(battle, whole, labels, also)
    if not battle.has_hexes:
        return Picture("0 0 1 1", 1, 1, (), ())
    shown = [
        from_column_row(column, row)
        for column in range(battle.board.columns)
        for row in range(battle.board.rows)
        if whole or near(battle, from_column_row(column, row), also)
    ]
    hexes = tuple(draw_hex(battle, at, labels) for at in shown)
    shapes = tones(battle)
    ships = tuple(
        draw_ship(battle, name, ship, shapes[ship.side], labels) for name, ship in battle.ships.items() if ship.at
    )
    places = [place(at) for at in shown] or [(0.0, 0.0)]
    left, right = min(x for x, _ in places) - SCALE, max(x for x, _ in places) + SCALE
    top, bottom = (f(y for _, y in places) for f in (min, max))
    top, bottom = top - SCALE * HALF_HEIGHT, bottom + SCALE * HALF_HEIGHT
    width, height = right - left + 4, bottom - top + 4
    return Picture(f"{left - 2:.0f} {top - 2:.0f} {width:.0f} {height:.0f}", round(width), round(height), hexes, ships)


def at_sea(battle: Battle, whole: bool, labels: bool, also: Iterable[Place]) -> Picture:
    """G1.6 The measured sea around its ships, or the whole of it: water, coasts, wrecks, hulls."""
    width, height = battle.board.size
    spots = [ship.at for ship in battle.ships.values() if ship.at is not None] + list(also)
    if whole or not spots:
        spots = [(0.0, 0.0), (width, height)]
    left, right = min(x for x, _ in spots) - AROUND, max(x for x, _ in spots) + AROUND
    top, bottom = min(y for _, y in spots) - AROUND, max(y for _, y in spots) + AROUND
    window = box(left, top, right, bottom)
    parts = [("sea", window.intersection(box(0, 0, width, height)))]
    parts += [("land", window.intersection(measured.shape_of(area))) for area in battle.board.coasts]
    parts += [("wreck", window.intersection(measured.shape_of(area))) for area in battle.board.wrecks]
    hexes = tuple(
        HexDrawn(" ".join(f"{x * SEA:.1f},{y * SEA:.1f}" for x, y in each.exterior.coords[:-1]), kind, "", 0.0, 0.0)
        for kind, shape in parts
        for each in getattr(shape, "geoms", (shape,))
        if isinstance(each, Polygon) and each.area
    )
    shapes = tones(battle)
    ships = tuple(
        ship_at_sea(battle, name, ship, shapes[ship.side], labels)
        for name, ship in battle.ships.items()
        if ship.at is not None
    )
    across, down = (right - left) * SEA, (bottom - top) * SEA
    frame = f"{left * SEA:.0f} {top * SEA:.0f} {across:.0f} {down:.0f}"
    return Picture(frame, round(across), round(down), hexes, ships)


def ship_at_sea(battle: Battle, name: str, ship: Ship, side: int, labels: bool) -> ShipDrawn:
    """One ship on the measured sea, as long and as broad as she is."""
    assert ship.at is not None
    kind = battle.kind(ship)
    shape = hull(kind.length / 2 * SEA, kind.beam / 2 * SEA, side)
    return ShipDrawn(
        name if labels else "",
        ship.name or name,
        side,
        round(ship.at[0] * SEA, 1),
        round(ship.at[1] * SEA, 1),
        round(ship.facing or 0),
        shape,
        not ship.oars_broken,
        ship.corvus,
        signs(ship),
        Markup("") if labels else as_she_looks(battle, ship, side, ship.facing or 0, SEA * kind.length / 1.8),
    )


def signs(ship: Ship) -> str:
    """What has befallen a ship, in letters."""
    said = SIGNS.get(ship.status, "") + ("B" if ship.boarding else "") + ("O" if ship.oars_broken else "")
    return said + (str(ship.breaches) if ship.breaches else "")


def near(battle: Battle, at: Hex, also: Iterable[Hex]) -> bool:
    """Does the hex hold a ship or a wreck, or lie next to one?"""
    marked = set(battle.by_hex) | set(battle.board.wrecks) | set(also)
    return at in marked or any(other in marked for other in neighbours(at))


def place(at: Hex) -> tuple[float, float]:
    """The centre of a hex in pixels."""
    x, y = centre(at)
    return x * SCALE, y * SCALE


def draw_hex(battle: Battle, at: Hex, labels: bool) -> HexDrawn:
    """One hex."""
    x, y = place(at)
    tall = HALF_HEIGHT * SCALE
    corners = ((1, 0), (0.5, 1), (-0.5, 1), (-1, 0), (-0.5, -1), (0.5, -1))
    points = " ".join(f"{x + dx * SCALE:.1f},{y + dy * tall:.1f}" for dx, dy in corners)
    kind = "land" if at in battle.board.dry else "wreck" if at in battle.board.wrecks else "sea"
    return HexDrawn(points, kind, f"{at[0]},{at[1]}" if labels else "", round(x, 1), round(y + tall * 0.86, 1))


def draw_ship(battle: Battle, name: str, ship: Ship, side: int, labels: bool) -> ShipDrawn:
    """One ship, by her id or (without `labels`) as she looks; of two in a hex each is set aside a little."""
    assert ship.at is not None
    x, y = place(ship.at)
    together = battle.by_hex[ship.at]
    if len(together) > 1:
        x += SCALE * 0.38 * (-1 if together[0] is ship else 1)
    half = SCALE * 0.62 * LENGTHS.get(ship.type, 1.0)
    beam = SCALE * 0.17 * (0.6 + 0.4 * LENGTHS.get(ship.type, 1.0))
    angle = HEADINGS.index(ship.facing) * 60 if ship.facing else 0
    return ShipDrawn(
        name if labels else "",
        ship.name or name,
        side,
        round(x, 1),
        round(y, 1),
        angle,
        hull(half, beam, side),
        not ship.oars_broken,
        ship.corvus,
        signs(ship),
        Markup("") if labels else as_she_looks(battle, ship, side, angle, SCALE),
    )


def as_she_looks(battle: Battle, ship: Ship, side: int, angle: float, scale: float) -> Markup:
    """A ship's galley about (0, 0) with all that has befallen her."""
    flags = letters(battle)
    captor = (tones(battle)[ship.captured_by], flags[ship.captured_by]) if ship.captured_by in flags else None
    whole = battle.kind(ship).hull
    drawn = galley(galley_of(ship, whole, look_of(battle, ship.side), side, flags[ship.side], captor), angle, 72)
    return Markup('<g transform="scale({})">{}</g>').format(f"{scale * GALLEY:.3f}", drawn)


def hull(half: float, beam: float, side: int) -> str:
    """A galley seen from above, bow up: the first side's stern is round, the second's square, the third's forked."""
    cheek, shoulder = f"{beam * 0.45:.1f} {-half * 0.78:.1f}", f"{beam:.1f} {-half * 0.55:.1f}"
    bow = f"M0 {-half:.1f} L{cheek} Q{shoulder} {beam:.1f} {-half * 0.2:.1f}"
    right = f"L{beam:.1f} {half * 0.7:.1f}"
    sterns = (
        f"Q{beam:.1f} {half:.1f} 0 {half:.1f} Q{-beam:.1f} {half:.1f} {-beam:.1f} {half * 0.7:.1f}",
        f"L{beam:.1f} {half:.1f} L{-beam:.1f} {half:.1f} L{-beam:.1f} {half * 0.7:.1f}",
        f"L{beam:.1f} {half:.1f} L0 {half * 0.75:.1f} L{-beam:.1f} {half:.1f} L{-beam:.1f} {half * 0.7:.1f}",
    )
    left = f"L{-beam:.1f} {-half * 0.2:.1f} Q{-beam:.1f} {-half * 0.55:.1f} {-beam * 0.45:.1f} {-half * 0.78:.1f} Z"
    return f"{bow} {right} {sterns[side % 3]} {left}"
