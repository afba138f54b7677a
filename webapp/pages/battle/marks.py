"""What lies on the board: the sea, names, chances, what the selected ship may do and reach."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import dist
from typing import Any

import msgspec
from markupsafe import Markup, escape
from shapely import affinity, unary_union
from shapely.geometry.base import BaseGeometry

from tactical import board
from tactical.battle import Battle
from tactical.board import (
    HALF_HEIGHT,
    Board,
    Hex,
    Place,
    ahead,
    astern,
    board_frame,
    centre,
    from_column_row,
    hex_outline,
    neighbours,
    within,
)
from tactical.kernel.cache import remember
from tactical.kernel.journal import Entry
from tactical.rules import missiles, movement
from tactical.ship import STEPS_OF, Ship
from webapp.http.language import minus
from webapp.pages.battle import open_sea
from webapp.pages.battle.open_sea import SIDE, path
from webapp.presenting.ships import galley
from webapp.presenting.ships.galley import look_of

# -- What lies still: the sea, its hexes, the coast and wrecks. Outlines are Shapely's, and cached.

WIDE, HIGH = 2 * SIDE, round(2 * SIDE * HALF_HEIGHT, 1)


def place(at: Place) -> tuple[float, float]:
    """The centre of a hex in the drawing; a measured point of the open sea (G1.6) has fractions."""
    if isinstance(at[0], float):
        return open_sea.spot(at)
    x, y = centre(at)
    return round(x * SIDE, 1), round(y * SIDE, 1)


def hex_at(at: tuple[float, float]) -> Hex:
    """The hex about a point of the drawing, on the board or off it."""
    column = round(at[0] / (1.5 * SIDE))
    row = round(at[1] / (2 * HALF_HEIGHT * SIDE))
    near = (from_column_row(column + c, row + r) for c in (-1, 0, 1) for r in (-1, 0, 1))
    return min(near, key=lambda each: dist(place(each), at))


def frame(board: Board) -> tuple[int, int, int, int]:
    """The view box that holds the whole board: left, top, width, height."""
    if board.kind == "open":
        return open_sea.frame(board)
    return _frame(board.columns, board.rows)


@lru_cache(maxsize=64)
def _frame(columns: int, rows: int) -> tuple[int, int, int, int]:
    left, top, right, bottom = board_frame(columns, rows).bounds
    edge = open_sea.FRAME
    return (
        round(left * SIDE) - edge,
        round(top * SIDE) - edge,
        round((right - left) * SIDE) + 2 * edge,
        round((bottom - top) * SIDE) + 2 * edge,
    )


def union(hexes: Iterable[Hex], size: float = 1.0) -> BaseGeometry:
    """The outline of several hexes together."""
    return unary_union([hex_outline(at, size + 0.001) for at in hexes])


@lru_cache(maxsize=32)
def water(columns: int, rows: int) -> tuple[str, BaseGeometry]:
    """The board's own outline: all its hexes together, as a path and as a shape."""
    shape = union(from_column_row(column, row) for column in range(columns) for row in range(rows))
    shape = shape.buffer(0.02, join_style="mitre").simplify(0.01)
    return path(shape), shape


@remember
def coast(land: frozenset[Hex], columns: int, rows: int) -> tuple[str, str, str]:
    """The land smoothed to a coast: the land itself, the shallows before it, and the deeper shallows.

    Land hexes at the board's edge run on beyond it, so that a coast does not round off there.
    """
    if not land:
        return "", "", ""
    rough = union(land)
    beyond = [
        at
        for hex_ in land
        for at in within(hex_, 2)
        if at not in land and not (0 <= at[0] < columns and 0 <= at[1] + at[0] // 2 < rows)
    ]
    whole = unary_union([rough, union(beyond)]) if beyond else rough
    # Notches between hexes are closed (less than a hex's width, so that straits stay open), corners taken off.
    soft = whole.buffer(0.8, quad_segs=5).buffer(-1.25, quad_segs=6).buffer(0.43, quad_segs=6).simplify(0.02)
    sea = water(columns, rows)[1]

    def cut(shape: BaseGeometry) -> str:
        return path(shape.intersection(sea).simplify(0.015))

    return cut(soft), cut(soft.buffer(0.22, quad_segs=4)), cut(soft.buffer(0.5, quad_segs=4))


@lru_cache(maxsize=32)
def ring(reach: int) -> str:
    """The outline of all hexes within a range of (0, 0)."""
    return path(union(within((0, 0), reach)))


@lru_cache(maxsize=64)
def hex_path(size: float = 1.0) -> str:
    """One hex about (0, 0)."""
    return path(hex_outline((0, 0), size))


@remember
def still(board: Board) -> str:
    """Everything that lies still but the wrecks: paper, sea, depth, wavelets, shallows, hex lines, land, margin."""
    if board.kind == "open":
        return open_sea.still(board)
    outside = water(board.columns, board.rows)[0]
    frame_of = frame(board)
    parts = [
        open_sea.paper(frame_of),
        open_sea.sea(outside, frame_of),
        f'<defs><pattern id="hexes" patternUnits="userSpaceOnUse" x="{-SIDE}" y="{-HIGH / 2}" width="{3 * SIDE}"'
        f' height="{HIGH:g}"><path class="grid" d="{_grid()}"/></pattern></defs>',
    ]
    if board.dry:
        land, near, far = coast(board.dry, board.columns, board.rows)
        parts.append(open_sea.shallows(land, near, far))
    parts.append(open_sea.grid())
    if board.dry:
        parts += [open_sea.draw_land(), hills(board)]
    parts.append(open_sea.edge())
    columns = [(place(from_column_row(column, 0))[0], str(column + 1)) for column in range(board.columns)]
    rows = [(place(from_column_row(0, row))[1], str(row + 1)) for row in range(board.rows)]
    parts.append(open_sea.numbers(frame_of, columns, rows))
    return "".join(parts)


HILL = "M-13 7Q-2 -15 12 7M1 -4L-3 5M5 -1L2 6"


def hills(board: Board) -> str:
    """Hills on some hexes that lie inland."""
    inland = (
        at for at in sorted(board.dry) if all(each in board.dry or not board.holds(each) for each in neighbours(at))
    )
    spots = (place(at) for at in inland if (at[0] + 2 * at[1]) % 3 == 0)
    uses = "".join(f'<use href="#hill" x="{x:g}" y="{y:g}"/>' for x, y in spots)
    return f'<g class="hills"><defs><path id="hill" d="{HILL}"/></defs>{uses}</g>' if uses else ""


def _grid() -> str:
    """One tile of flat-top hexes: a column and a half."""
    side, half, mid, high = SIDE, SIDE / 2, HIGH / 2, HIGH
    return f"M0 {mid}L{half} 0H{half + side}L{2 * side} {mid}L{half + side} {high}H{half}ZM{2 * side} {mid}H{3 * side}"


def wrecks(board: Board) -> str:
    """Wrecks: a broken hull, awash."""
    if board.kind == "open":
        return open_sea.wrecks(board)
    found = []
    for at in board.wrecks:
        x, y = place(at)
        found.append(f'<use href="#wreck" x="{x}" y="{y}"/>')
    return f'<g class="wrecks">{"".join(found)}</g>'


def move(shape: BaseGeometry, at: Hex) -> BaseGeometry:
    """A shape about (0, 0) moved to a hex."""
    x, y = centre(at)
    return affinity.translate(shape, x, y)


# -- Chances on the board: a ring about each target and a card with the chance, and in a word what it is the chance of.
#
# The first tap on a card arms it, the second does it; a dashed card belongs to a later step. static/labels.js places
# the
# cards, which are as large on the screen at every zoom.

RING = 35  # a ring is 1.12 hexes high
ABOVE = 62  # from the target's middle to a card that no script has placed
CARD = Markup('<rect class="chance-card" x="-39" y="-23" width="78" height="46" rx="10"/>')
WORDS = Markup('<text class="chance-number" y="1">{}</text> <text class="chance-word" y="17">{}</text>')
BUTTON = Markup(
    '<foreignObject x="-39" y="-23" width="78" height="46"><button xmlns="http://www.w3.org/1999/xhtml" class="on-card"'
    ' form="orders" name="command" id="do-{}" value="{}" aria-label="{}"></button></foreignObject>'
)


@dataclass(frozen=True)
class Chance:
    """What the selected ship can do to one enemy: how likely, what, and the link that arms or the command that does it.

    With neither of them it belongs to a later step.
    """

    target: str
    name: str
    percent: str
    word: str
    link: str = ""
    command: str = ""


def draw_target_rings(battle: Battle, found: Sequence[Chance]) -> Markup:
    """A ring about each target."""
    return Markup('<g id="rings">{}</g>').format(Markup("").join(draw_ring(battle, each) for each in found))


def draw_ring(battle: Battle, it: Chance) -> Markup:
    """The ring about one target."""
    at = battle.ships[it.target].at
    assert at is not None
    ring = Markup('<circle class="chance-ring{}" cx="{}" cy="{}" r="{}"/>')
    return ring.format(kind_of(it), *(f"{each:g}" for each in place(at)), RING)


def kind_of(it: Chance) -> str:
    """The class of a chance: armed, to be armed, or of a later step."""
    return " armed" if it.command else "" if it.link else " later"


def draw_chances(battle: Battle, found: Sequence[Chance]) -> Markup:
    """Their cards as one element."""
    return Markup('<g id="chances">{}</g>').format(Markup("").join(draw_chance(battle, each) for each in found))


def draw_chance(battle: Battle, it: Chance) -> Markup:
    """The card of one target."""
    at = battle.ships[it.target].at
    assert at is not None
    x, y = (f"{each:g}" for each in place(at))
    drawn = CARD + WORDS.format(it.percent, it.word)
    said = f"{it.name}: {it.percent} {it.word}"
    if it.command:
        drawn += BUTTON.format(it.target, it.command, said)
    elif it.link:
        link = Markup('<a href="{}" id="arm-{}" data-go tabindex="-1" aria-label="{}">{}</a>')
        drawn = link.format(it.link, it.target, said, drawn)
    return Markup(
        '<g class="chance{}" data-own="transform visibility"'
        ' data-for="{}" data-x="{}" data-y="{}" transform="translate({} {})">{}</g>'
    ).format(kind_of(it), it.target, x, y, x, f"{float(y) - ABOVE:g}", drawn)


# -- How a ship fares, drawn: the hull left as pips, holes in the planks, who is aboard.

PIP, GAP = 3.6, 0.8  # of one hull point on the board, in the drawing's units
WIDEST = 40.0  # all pips of a ship together


@lru_cache(maxsize=512)
def pips(left: int, whole: int, y: float = 21) -> Markup:
    """The hull as a row of small boxes about x = 0: those that are left filled, those lost hollow."""
    step = min(PIP + GAP, WIDEST / max(1, whole))
    wide, start = step * 0.82, -step * whole / 2

    def boxes(first: int, end: int) -> str:
        starts = (start + step * number for number in range(first, end))
        return "".join(f"M{x:.1f} {y:g}h{wide:.1f}v4.5h{-wide:.1f}z" for x in starts)

    return Markup('<path class="pip-lost" d="{}"/><path class="pip-left" d="{}"/>').format(
        boxes(left, whole), boxes(0, left)
    )


@lru_cache(maxsize=512)
def pip_row(left: int, whole: int) -> Markup:
    """The same for a chip: as wide as it is given."""
    frame = '<svg class="pips" viewBox="-20.5 20 41 6.5" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    return Markup(frame).format(pips(left, whole))


def fares(ship: Ship, whole: int) -> str:
    """The class of a ship's state by her hull: whole, wounded, or near her end."""
    left = max(0, whole - ship.damage)
    return "" if not ship.damage else " crippled" if left * 3 <= whole else " wounded"


def aboard(ship: Ship) -> str:
    """Marines, and archers behind a plus, as few figures as can be."""
    return f"{ship.marines}+{ship.archers}" if ship.archers else str(ship.marines)


# -- What the selected ship may do and reach: ghosts of its steps, hexes in reach, range rings, lines of sight.

SWORDS = "M-5 -5L5 5M5 -5L-5 5M-6 2l4 4M6 2l-4 4"  # crossed
ANGLES = {"N": 0, "NE": 60, "SE": 120, "S": 180, "SW": 240, "NW": 300}


def angle_of(facing: str | float | None) -> float:
    """A heading in degrees clockwise from north."""
    return facing if isinstance(facing, int | float) else ANGLES[facing or "N"]


def contacts(battle: Battle) -> str:
    """Who is in contact with whom: a dot between the two bows; who fights aboard whom: crossed swords."""
    found = []
    for ship in battle.ships.values():
        other = battle.ships.get(ship.contact or ship.boarding or "")
        if other is None or other is ship or ship.at is None or other.at is None or other.at == ship.at:
            continue
        x, y = place(ship.at)
        a, b = place(other.at)
        if ship.contact:
            found.append(f'<circle class="meeting" cx="{(x + a) / 2:.0f}" cy="{(y + b) / 2:.0f}" r="5"/>')
        else:
            middle = f"translate({(x + a) / 2:.0f} {(y + b) / 2:.0f})"
            found.append(f'<g class="melee" transform="{middle}"><circle r="11"/><path d="{SWORDS}"/></g>')
    return f'<g class="meetings" aria-hidden="true">{"".join(found)}</g>' if found else ""


def draw_ping(ping: Any) -> str:
    """A place that somebody points at (`pointing.Mark`), with his name."""
    below = 62 if ping.y < 70 else -48
    shape = "" if ping.shape is None else f" side{ping.shape % galley.SHAPES:d}"
    return (
        f'<g class="ping{shape}" data-ping="{escape(ping.name)}" transform="translate({ping.x:g} {ping.y:g})"'
        ' aria-hidden="true"><circle class="ping-ring" r="34"/><circle class="ping-dot" r="7"/>'
        f'<text class="ping-who" y="{below:d}">{escape(ping.who)}</text></g>'
    )


@dataclass(frozen=True)
class Ghost:
    """A step on offer: what it is called, where it leads, and the button that commands it."""

    name: str
    facing: str | float
    to: Place
    meets: str
    label: str
    command: str


def reach(battle: Battle, ship_id: str, speed: int | None = None) -> dict[Hex, int]:
    """The hexes that the ship may come to in this turn, with the steps to each, if all others stay where they are.

    In the plot the whole turn counts, at `speed`; later the steps that are left. By the engine's own choices.
    """
    ship = battle.ships[ship_id]
    if not ship.is_afloat or ship.boarding or (ship.stopped and battle.step != "plot") or ship.at is None:
        return {}
    pace = ship.speed if speed is None else speed
    phases = sorted(STEPS_OF.get(pace, ()))
    now = battle.phase or 0
    left = [phase for phase in phases if battle.step == "plot" or phase > now or (phase == now and battle.is_due(ship))]
    start = msgspec.structs.replace(
        ship, speed=pace, stopped=False, steps_made=0 if battle.step == "plot" else ship.steps_made
    )
    found: dict[Hex, int] = {}
    front: dict[tuple[Hex, str, int], Ship] = {(ship.at, ship.facing or "N", ship.straight): start}
    for number in range(1, len(left) + 1):
        following: dict[tuple[Hex, str, int], Ship] = {}
        for stage in front.values():
            for way in movement.choices(battle, ship_id, stage).values():
                if way.to is None or way.meets in ("blocked", "edge") or way.facing is None:
                    continue
                if way.meets == "contact":
                    found.setdefault(way.to, number)
                    continue
                turned = way.facing != stage.facing
                straight = 0 if turned else stage.straight + 1
                found.setdefault(way.to, number)
                moved = msgspec.structs.replace(
                    stage,
                    at=way.to,
                    facing=way.facing,
                    straight=straight,
                    steps_made=stage.steps_made + 1,
                    free_turn=False,
                    passing=None,
                )
                following[way.to, way.facing, min(straight, 9)] = moved
        front = following
    found.pop(ship.at, None)
    return found


def rings(battle: Battle, ship: Ship) -> list[tuple[int, str]]:
    """The reach of each weapon that may still fire this turn, shortest first."""
    found: dict[int, list[str]] = {}
    for weapon, row in missiles.WEAPONS.items():
        if missiles.may_fire(ship, weapon):
            for band in row.band:
                found.setdefault(band.to, []).append(weapon)
    return [(distance, "+".join(weapons)) for distance, weapons in sorted(found.items())]


def draw_rings(battle: Battle, ship: Ship) -> str:
    """The range rings about a ship."""
    if ship.at is None:
        return ""
    x, y = place(ship.at)
    if battle.board.kind == "open":
        turned = f'transform="translate({x} {y}) rotate({ship.facing:g})"'
        paths = (open_sea.ring(battle, ship, far) for far, _weapons in rings(battle, ship))
        return "".join(f'<path class="ring" d="{escape(path)}" {turned}/>' for path in paths)
    lines = [
        f'<path class="ring" d="{ring(distance)}" transform="translate({x} {y})"/>'
        for distance, _weapons in rings(battle, ship)
    ]
    return "".join(lines)


def draw_sight(battle: Battle, ship: Ship) -> str:
    """Lines to every enemy that some weapon of the ship reaches and sees now."""
    if ship.at is None:
        return ""
    seen: set[str] = set()
    for weapon in missiles.WEAPONS:
        if missiles.may_fire(ship, weapon):
            seen |= set(missiles.targets(battle, ship, weapon))
    return lines(ship.at, [battle.ships[name].at for name in sorted(seen)])


def lines(start: Hex, ends: Iterable[Hex | None]) -> str:
    """Straight lines from one hex to others."""
    x, y = place(start)
    found = [f"M{x} {y}L{a} {b}" for a, b in (place(at) for at in ends if at is not None and at != start)]
    return f'<path class="sight" d="{"".join(found)}"/>' if found else ""


# -- Where the selected ship can go and the course that is looked at: marks to tap, a dotted way to it.

DRAWS = Markup(" data-draws")


def draw_reach(found: Mapping[Hex, int], leads: Collection[Hex], usual: int, is_foe: bool) -> str:
    """Small marks in the hexes in reach, with the number of steps; those to which a course `leads` can be tapped.

    A line goes about what she reaches in `usual` steps, and a dashed one about what a sprint adds.
    """
    parts = []
    for at, steps in found.items():
        x, y = place(at)
        to = f' data-to="{at[0]:d},{at[1]:d}"' if at in leads else ""
        parts.append(f'<text{Markup(to)} x="{x:.0f}" y="{y:.0f}">{steps:d}</text>')
    near = frozenset(at for at, steps in found.items() if steps <= usual)
    far = outline(frozenset(found)) if len(near) < len(found) else ""
    lines = f'<path class="in-reach" d="{outline(near)}"/><path class="in-reach sprint" d="{far}"/>'
    kind = "reach threat" if is_foe else "reach"
    return f'<g class="{kind}" aria-hidden="true">{lines}{"".join(parts)}</g>' if parts else ""


@lru_cache(maxsize=256)
def outline(hexes: frozenset[Hex]) -> str:
    """The line about some hexes together, a little within them."""
    return path(union(hexes).buffer(-0.08, join_style="mitre"))


# -- Where ships have come from: the wakes of their last two steps, and the whole track of the ship that is looked at.

WAKES = 2  # steps
Track = list[tuple[Place, Place]]  # steps, each from where to where


def tracks(battle: Battle, late: Iterable[Entry]) -> dict[str, Track]:
    """The steps of each ship afloat since the plots were last shown, as far as these entries tell."""
    found: dict[str, Track] = {}
    for entry in late:
        for event in entry.events if entry.taken_back is None else ():
            if event.type == "reveal":
                found = {}
            ship = battle.ships.get(str(event.data.get("ship")))
            if event.type != "step" or ship is None or not ship.is_afloat:
                continue
            to, facing = event.data["to"], event.data["facing"]
            steps = found.setdefault(event.data["ship"], [])
            steps.append((steps[-1][1] if steps else behind(to, facing, ship.speed < 0), tuple(to)))
    return found


def behind(to: Place, facing: str | float, backing: bool) -> Place:
    """The place from which a step led."""
    if isinstance(to[0], float):
        return board.onward((to[0], to[1]), board.unit(float(facing)), 1.0 if backing else -1.0)
    step = astern if not backing else ahead
    return step((int(to[0]), int(to[1])), str(facing))


def draw_wakes(found: Mapping[str, Track]) -> Markup:
    """The foam of the last two steps of each ship, the older one fainter."""
    drawn = (
        Markup('<path class="wake-{}" d="M{:g} {:g}L{:g} {:g}"/>').format(age, *place(one), *place(other))
        for steps in found.values()
        for age, (one, other) in enumerate(reversed(steps[-WAKES:]), 1)
    )
    return Markup('<g id="wakes" aria-hidden="true">{}</g>').format(Markup("").join(drawn))


def draw_track(steps: Track) -> str:
    """All her steps as a line, with a dot where each began."""
    spots = [place(one) for one, _other in steps] + [place(steps[-1][1])]
    line = "L".join(f"{x:g} {y:g}" for x, y in spots)
    dots = "".join(f'<circle cx="{x:g}" cy="{y:g}" r="3.5"/>' for x, y in spots[:-1])
    return f'<g class="track" aria-hidden="true"><path d="M{line}"/>{dots}</g>'


def draw_route(ship: Ship, route: Sequence[Any], battle: Battle) -> str:
    """The way step by step: a dotted line, and where each step ends a disc with the phase in which it is made."""
    assert ship.at is not None
    points = [place(at) for at in (ship.at, *route)]
    line = "".join(f"M{x:g} {y:g}L{a:g} {b:g}" for (x, y), (a, b) in pairwise(points))
    discs = "".join(
        f'<g class="{"route-end" if number == len(route) else "route-disc"}" transform="translate({x:g} {y:g})">'
        f'<circle r="11"/><text y="4.500">{phase:d}</text></g>'
        for number, ((x, y), phase) in enumerate(zip(points[1:], phases_of(ship, battle, len(route)), strict=True), 1)
    )
    return f'<g class="route" aria-hidden="true"><path d="{line}"/>{discs}</g>'


def phases_of(ship: Ship, battle: Battle, count: int) -> tuple[int, ...]:
    """G3.2 The phases in which so many steps are made: in the plot at that speed, later from now on at her own."""
    speed = count if battle.step == "plot" else ship.speed
    known = sorted(STEPS_OF.get(speed, ()))
    now = battle.phase or 0
    left = [phase for phase in known if battle.step == "plot" or phase > now or (phase == now and battle.is_due(ship))]
    return tuple(left[:count]) if len(left) >= count else tuple(range(1, count + 1))


def drawable(battle: Battle, draws: bool) -> Markup:
    """For the scripts: may a course of the selected ship be drawn now; and how long a base is in the drawing, where any
    place on the open sea may be tapped."""
    if not draws:
        return Markup("")
    return Markup(' data-draws data-base="{}"').format(open_sea.BASE) if battle.board.kind == "open" else DRAWS


def draw_lead(ghost: Ghost) -> Markup:
    """For the script: the hex of a step into open water, through which a course may be drawn."""
    if ghost.meets != "open" or not isinstance(ghost.to[0], int):
        return Markup("")
    x, y = place(ghost.to)
    return Markup(' data-hex="{:d},{:d}" data-x="{:g}" data-y="{:g}"').format(*ghost.to, x, y)


# -- What a tap on the board does: ghosts of the legal steps, the angles of the measured sea, the enemy that is struck.

CHIP = 118  # from midship to the buttons of the angles, in the drawing's units


def draw_ghost(battle: Battle, ship: Ship, ghost: Ghost) -> str:
    """A legal step as the ship that it would make, with a button over it that commands it."""
    assert ship.at is not None
    x, y = place(ghost.to)
    if battle.board.kind == "open":
        return draw_angle(battle, ship, ghost)
    angle = int(angle_of(ghost.facing))
    if ghost.meets == "contact":
        drawn = f'<path class="ghost-hex strike" d="{hex_path(0.9)}"/>'
    elif ghost.meets == "blocked":
        drawn = f'<path class="ghost-hex stop" d="{hex_path(0.9)}"/><path class="ghost-ram" d="M-14 0H14"/>'
    elif ghost.meets == "place":
        drawn = f'<path class="ghost-place" d="{hex_path(0.9)}"/>'
    else:
        drawn = (
            f'<path class="ghost-hex" d="{hex_path(0.9)}"/>'
            f'<g class="ghost-ship" transform="rotate({angle:d})">'
            f"{galley.ghost(ship.type, look_of(battle, ship.side))}</g>"
        )
    return (
        f'<g class="ghosts"{escape(draw_lead(ghost))} transform="translate({x:g} {y:g})">{drawn}'
        f'<foreignObject x="-30" y="-30" width="60" height="60"><button xmlns="http://www.w3.org/1999/xhtml"'
        f' class="on-board" form="orders" name="command" id="ghost-{escape(ghost.name)}"'
        f' value="{escape(ghost.command)}" aria-label="{escape(ghost.label)}" title="{escape(ghost.label)}">'
        "</button></foreignObject></g>"
    )


def draw_aim(battle: Battle, ship: Ship) -> str:
    """G1.6 The hull that follows the slider and the bow that is dragged, and the handle at the bow."""
    assert ship.at is not None
    x, y = place(ship.at)
    kind = battle.kind(ship)
    way = open_sea.BASE if ship.speed >= 0 else -open_sea.BASE
    return (
        f'<g class="aim" id="aim" data-facing="{ship.facing:g}" data-way="{way:d}" data-x="{x:g}" data-y="{y:g}"'
        f' transform="translate({x:g} {y:g}) rotate({ship.facing:g})">'
        f'<path class="aim-hull" d="{open_sea.outline(kind)}" transform="translate(0 {-way:d})"/>'
        f'<circle class="bow" r="15" cy="{-kind.length * open_sea.BASE / 2:.1f}"/></g>'
    )


def draw_angle(battle: Battle, ship: Ship, ghost: Ghost) -> str:
    """G1.6 A chip's hull where the ship comes to lie, and before it a button with the angle that commands it."""
    assert ship.at is not None
    x, y = place(ghost.to)
    hull = open_sea.outline(battle.kind(ship))
    kind = {"contact": " strike", "blocked": " stop", "edge": " stop"}.get(ghost.meets, "")
    ahead = board.unit(angle_of(ghost.facing))
    far = -CHIP if ship.speed < 0 else CHIP
    at_x, at_y = (start + way * far for start, way in zip(place(ship.at), ahead, strict=True))
    number = int(ghost.name)
    said = f"{'+' if number > 0 else ''}{minus(number)}°"
    return (
        f'<g class="ghosts measured"><path class="ghost{escape(kind)}" d="{hull}"'
        f' transform="translate({x:g} {y:g}) rotate({ghost.facing:g})"/>'
        f'<g transform="translate({at_x:.1f} {at_y:.1f})"><circle class="ghost-hex{escape(kind)}" r="23"/>'
        f'<text class="ghost-angle" y="6">{escape(said)}</text>'
        f'<foreignObject x="-26" y="-26" width="52" height="52"><button xmlns="http://www.w3.org/1999/xhtml"'
        f' class="on-board" form="orders" name="command" id="ghost-{escape(ghost.name)}"'
        f' value="{escape(ghost.command)}" aria-label="{escape(ghost.label)}" title="{escape(ghost.label)}">'
        "</button></foreignObject></g></g>"
    )


def strike(ship: Ship, said: Markup, command: str) -> str:
    """A button over an enemy that was tapped: the second tap strikes; `said` is the ship in words."""
    assert ship.at is not None
    x, y = place(ship.at)
    return (
        f'<foreignObject x="{x - 30:g}" y="{y - 30:g}" width="60" height="60">'
        f'<button xmlns="http://www.w3.org/1999/xhtml" class="on-board" form="orders" name="command" id="strike"'
        f' value="{escape(command)}" aria-label="{escape(said)}"></button></foreignObject>'
    )


# -- The names of ships on the board, prizes too, and below those that fight and are hurt what is left of their hulls.
#
# A name is as large on the screen at every zoom; static/labels.js finds it a place where it covers nothing. Without a
# script it stands below its ship.

BOX, STEP = 5, 6  # pixels of a hull point, and from one to the next
BELOW = 42  # from midship to a name that no script has placed


def draw_names(
    battle: Battle,
    ships: Sequence[tuple[str, Ship]],
    shapes: Mapping[str, int],
    mine: Collection[str],
    named: Collection[str] | None = None,
) -> Markup:
    """The names of the ships that are afloat or prizes, as one element. A prize takes no part (G8.6): no hull stands
    below her name, and no camera seeks her. Where only some are `named`, those and the flagships are shown."""
    drawn = (
        draw_name(
            name,
            ship.name or name,
            ship.type,
            place(ship.at),
            shapes[ship.side],
            "prize"
            if ship.is_prize
            else "mute"
            if named is not None and name not in named and not ship.flagship
            else "mine"
            if name in mine
            else "",
            0 if ship.is_prize else ship.damage,
            battle.kind(ship).hull,
        )
        for name, ship in ships
        if ship.at is not None and (ship.is_afloat or ship.is_prize)
    )
    return Markup('<g id="names" aria-hidden="true">{}</g>').format(Markup("").join(drawn))


@lru_cache(maxsize=4096)
def draw_name(
    ship: str, name: str, kind: str, place: tuple[float, float], shape: int, mark: str, damage: int, whole: int
) -> Markup:
    """One ship's name and hull, with what its place depends on: where she lies, and how large she is. The mark
    says whether she is a prize, belongs to whoever looks, or is not named."""
    x, y = place
    left = max(0, whole - damage)
    return Markup(
        '<g id="name-{}" class="name-tag" data-own="transform visibility" data-of="{}" data-x="{}" data-y="{}"'
        ' data-long="{}" data-broad="{}" data-side="{}" data-left="{}"{} transform="translate({} {})">'
        '<text class="nm">{}</text>{}</g>'
    ).format(
        ship,
        ship,
        f"{x:g}",
        f"{y:g}",
        f"{galley.board_length(kind):g}",
        f"{galley.board_beam(kind):g}",
        shape,
        left,
        Markup(" data-{}").format(mark) if mark else "",
        f"{x:g}",
        f"{y + BELOW:g}",
        name,
        hull_boxes(left, whole) if damage else "",
    )


@lru_cache(maxsize=512)
def hull_boxes(left: int, whole: int) -> Markup:
    """A box for each point of the hull: filled is left, hollow is lost."""
    start = -(STEP * whole - 1) / 2

    def boxes(first: int, end: int) -> str:
        return "".join(f"M{start + STEP * number:g} 6h{BOX}v{BOX}h-{BOX}z" for number in range(first, end))

    drawn = Markup('<path class="pip-lost" d="{}"/><path class="pip-left" d="{}"/>')
    return drawn.format(boxes(left, whole), boxes(0, left))
