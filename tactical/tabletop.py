"""Models on a real table: the layout of the tags on their bases, where a base lies, and hulls that a board takes.

Nothing here knows a picture. Lengths are millimetres unless a name says base lengths; x is measured from the table's
west edge to the east and y from its north edge to the south; headings are degrees clockwise from north.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import combinations
from math import degrees, hypot
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from msgspec import Meta
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Polygon, get_coordinates, shortest_line

from tactical.battle import LONGEST_SHOT, Battle
from tactical.board import DEPTH, TOUCH, Board, Point, axes, round_off, turn_by, unit
from tactical.geometry import GEOMETRIES
from tactical.kernel.record import BadInput, Reason, Record, because, read
from tactical.position import check_place
from tactical.ship import TYPES, ShipType

Points = NDArray[np.float64]

# -- The layout: where every tag sits, on the table and on the bases.

DICTIONARIES = {"4x4_100": 100, "5x5_250": 250}  # how many tags each has
MOST_SHIPS = 121  # of a layout: so many have two tags each in the larger dictionary, beside those of the table
MOST_TAGS, MOST_CORNERS = 6, 12  # of a ship, and on the table itself
SMALLEST_TABLE, LARGEST_TABLE, LARGEST_BASE, LARGEST_TAG, THICKEST = 100, 5000, 400, 200, 60  # mm
ShipName = Annotated[str, Meta(pattern=r"^[a-z0-9_-]{1,40}$")]
Id = Annotated[int, Meta(ge=0, le=249)]
Length = Annotated[float, Meta(gt=0, le=LARGEST_BASE)]
Side = Annotated[float, Meta(ge=4, le=LARGEST_TAG)]
Offset = Annotated[float, Meta(ge=-LARGEST_BASE, le=LARGEST_BASE)]
Height = Annotated[float, Meta(ge=0, le=THICKEST)]
Span = Annotated[float, Meta(ge=SMALLEST_TABLE, le=LARGEST_TABLE)]
Spot = Annotated[float, Meta(ge=-LARGEST_TABLE, le=2 * LARGEST_TABLE)]


class Tag(Record, frozen=True):
    """A tag on a base: its middle `along` towards the bow and `across` to starboard from the base's middle.

    `size` is the side of its black square. Its upper edge points to the bow.
    """

    id: Id
    along: Offset
    size: Side
    across: Offset = 0.0


class Model(Record, frozen=True):
    """A ship's base: length and width, thickness, and its tags; `name` is for the sheet that is printed."""

    base: tuple[Length, Length]
    tags: Annotated[tuple[Tag, ...], Meta(min_length=1, max_length=MOST_TAGS)]
    height: Height = 3.0
    name: Annotated[str, Meta(max_length=200)] = ""


class Layout(Record, frozen=True):
    """Where every tag of a table sits. `corners` lie on the table itself, upright to the north: middle x, y, and size.

    `base_length` is what a base length of the rules measures on this table.
    """

    table: tuple[Span, Span]
    ships: Annotated[dict[ShipName, Model], Meta(max_length=MOST_SHIPS)]
    corners: Annotated[dict[Id, tuple[Spot, Spot, Side]], Meta(max_length=MOST_CORNERS)] = {}
    dictionary: Literal["4x4_100", "5x5_250"] = "4x4_100"
    base_length: Length = 80.0

    @cached_property
    def tags(self) -> dict[int, tuple[str, Tag]]:
        """The tags of the ships by their ids, each with its ship."""
        return {tag.id: (name, tag) for name, model in self.ships.items() for tag in model.tags}


def read_layout(raw: Any, at: str = "layout") -> Layout:
    """A layout that somebody has written. Raises BadInput with the path to the field."""
    layout: Layout = read(raw, Layout, at)
    many, seen = DICTIONARIES[layout.dictionary], set(layout.corners)
    for id in layout.corners:
        check_id(id, many, f"{at}.corners.{id}")
    for name, model in layout.ships.items():
        for number, tag in enumerate(model.tags):
            path = f"{at}.ships.{name}.tags[{number}].id"
            check_id(tag.id, many, path)
            if tag.id in seen:
                raise BadInput(path, "the tag %(id)s is in two places", id=tag.id)
            seen.add(tag.id)
    return layout


def check_id(id: int, many: int, at: str) -> None:
    """Raises BadInput for a tag that the dictionary does not have."""
    if id >= many:
        raise BadInput(at, "this dictionary has the tags 0 to %(last)s", last=many - 1)


def hulls_of_bases(
    own: Mapping[str, ShipType], bases: Mapping[str, tuple[float, float]], base_length: float
) -> dict[str, ShipType]:
    """G2.0, G1.6 A battle's own ship types, with hulls as large as the bases (length and width in mm, by type).

    With them ships whose models touch on the table touch on the measured sea. A type whose hull is so large already
    stays as it is, and is not added.
    """
    found = dict(own)
    for name, (length, width) in bases.items():
        kind = own.get(name) or TYPES[name]
        size = round(length / base_length, 4), round(width / base_length, 4)
        if size != (kind.length, kind.beam):
            found[name] = replace(kind, length=size[0], beam=size[1], source="house")
    return found


# -- Rigid fits: a base of known shape laid upon points that were measured.

SQUARE: Points = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])  # clockwise from a tag's upper left


def corners_of(tag: Tag) -> Points:
    """The corners of a tag's black square on its base, 4 × 2: to starboard and to the stern of the base's middle."""
    return SQUARE * tag.size + (tag.across, -tag.along)


class Fit(NamedTuple):
    """Turns in radians clockwise, the place of each body's origin, and what each point lies off, in their unit."""

    turn: Points
    at: Points
    off: Points

    @property
    def spread(self) -> Points:
        """The root mean square of what a body's points lie off."""
        found: Points = np.sqrt((self.off**2).sum(-1).mean(-1))
        return found


def fit_rigid(shape: Points, measured: Points) -> Fit:
    """The turn and the shift that lay shapes (… × n × 2) best upon measured points, in the sense of least squares."""
    middle, centre = shape.mean(-2, keepdims=True), measured.mean(-2, keepdims=True)
    own, other = shape - middle, measured - centre
    cross = (own[..., 0] * other[..., 1] - own[..., 1] * other[..., 0]).sum(-1)
    turn = np.arctan2(cross, (own * other).sum((-2, -1)))
    cos, sin = np.cos(turn), np.sin(turn)
    rotation = np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], -2)  # of points written as rows
    off = measured - centre - own @ rotation
    return Fit(turn, (centre - middle @ rotation)[..., 0, :], off)


class Lies(NamedTuple):
    """Where a base lies: its middle, its heading, of how many tags that is known, and how far those disagree."""

    x: float
    y: float
    heading: float
    tags: int
    spread: float


def lay(tags: Collection[Tag], measured: Points, scale: float = 1.0) -> Lies:
    """Where the base lies whose tags' corners were measured (n × 4 × 2); they were printed at this scale."""
    fit = fit_rigid(np.concatenate([corners_of(tag) for tag in tags]) * scale, measured.reshape(-1, 2))
    x, y = fit.at.tolist()
    return Lies(x, y, degrees(float(fit.turn)) % 360, len(tags), float(fit.spread))


# -- Settling: hulls as they were read become hulls that the board takes.
#
# A hull that was read a hair inside another overlaps it, and one a hair away does not touch: no camera is as exact as
# TOUCH. So hulls that overlap are pushed apart, those nearer than a tolerance are drawn together until they touch, and
# nothing else moves. Headings stay.

AIM = 5e-5  # base lengths that settled hulls lie apart: more than DEPTH, less than TOUCH
ROUNDS = 200
NEAR = 0.5  # base lengths: hulls farther apart than this do not meet while others settle


class Settled(NamedTuple):
    """By how much each ship moved (x, y), which pairs touch now, and which still lie across each other."""

    shifts: dict[str, Point]
    contacts: tuple[tuple[str, str], ...]
    crossed: tuple[tuple[str, str], ...]

    def moved(self, name: str) -> float:
        """How far this ship moved."""
        return hypot(*self.shifts[name])

    def outlines(self, before: Mapping[str, tuple[Point, ...]], but: Collection[str]) -> dict[str, tuple[Point, ...]]:
        """Where the outlines lie now, but for those of some ships."""
        return {
            name: tuple((x + shift[0], y + shift[1]) for x, y in before[name])
            for name, shift in self.shifts.items()
            if name not in but
        }


def settle(
    outlines: Mapping[str, tuple[Point, ...]], tolerance: float, let_be: Collection[frozenset[str]] = ()
) -> Settled:
    """Convex outlines settled, all in base lengths; pairs that may overlap (a raker and her target) are in `let_be`."""
    lies = dict(outlines)
    boxes = {name: Polygon(outline).bounds for name, outline in lies.items()}
    pairs = [
        (one, other)
        for one, other in combinations(lies, 2)
        if are_near(boxes[one], boxes[other]) and frozenset((one, other)) not in let_be
    ]
    drawn = {pair for pair in pairs if gap_of(lies, pair) <= tolerance}
    for wanted in (drawn, set[tuple[str, str]]()):  # in the end no hull overlaps, whatever would have to touch
        for _ in range(ROUNDS):
            most = 0.0
            for pair in pairs:
                way = way_apart(lies[pair[0]], lies[pair[1]], pair in wanted)
                if way is not None:
                    most = max(most, hypot(*way))
                    for name, half in zip(pair, (-0.5, 0.5), strict=True):
                        lies[name] = tuple((x + way[0] * half, y + way[1] * half) for x, y in lies[name])
            if most < DEPTH:
                break
    return Settled(
        {name: (lies[name][0][0] - was[0][0], lies[name][0][1] - was[0][1]) for name, was in outlines.items()},
        tuple(pair for pair in pairs if gap_of(lies, pair) < TOUCH),
        tuple(pair for pair in pairs if depth_of(lies[pair[0]], lies[pair[1]]) is not None),
    )


def gap_of(lies: Mapping[str, tuple[Point, ...]], pair: tuple[str, str]) -> float:
    """How far apart two outlines lie."""
    return Polygon(lies[pair[0]]).distance(Polygon(lies[pair[1]]))


def are_near(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Do two boxes (left, top, right, bottom) come near each other?"""
    return (
        one[0] - NEAR < other[2] and other[0] - NEAR < one[2] and one[1] - NEAR < other[3] and other[1] - NEAR < one[3]
    )


def way_apart(one: tuple[Point, ...], other: tuple[Point, ...], is_drawn: bool) -> Point | None:
    """The way that the other hull must go from the first, or towards it where the two shall touch; None: none."""
    deep = depth_of(one, other)
    if deep is not None:
        depth, (x, y) = deep
        return x * (depth + AIM), y * (depth + AIM)
    if not is_drawn:
        return None
    (ax, ay), (bx, by) = get_coordinates(shortest_line(Polygon(one), Polygon(other))).tolist()
    gap = hypot(bx - ax, by - ay)
    if gap < TOUCH * 0.9:
        return None
    return (ax - bx) * (gap - AIM) / gap, (ay - by) * (gap - AIM) / gap


def depth_of(one: tuple[Point, ...], other: tuple[Point, ...]) -> tuple[float, Point] | None:
    """How deep two convex shapes overlap and where the other leaves soonest; None: they do not."""
    best: tuple[float, Point] | None = None
    for x, y in axes(one) + axes(other):
        ours = [x * px + y * py for px, py in one]
        theirs = [x * px + y * py for px, py in other]
        ahead, behind = max(ours) - min(theirs), max(theirs) - min(ours)
        depth = min(ahead, behind)
        if depth <= 0:
            return None
        if best is None or depth < best[0]:
            best = depth, (x, y) if ahead < behind else (-x, -y)
    return best


# -- A measuring tape: ranges and contacts of bases on the players' own table.

UNSURE = 1.0  # mm about a whole base length within which a ruler must say which range it is


def rectangle(at: Point, heading: float, length: float, width: float) -> tuple[Point, ...]:
    """The corners of a base by its middle, its heading and its size."""
    (x, y), half, side = unit(heading), length / 2, width / 2
    return tuple(
        (at[0] + along * half * x - across * side * y, at[1] + along * half * y + across * side * x)
        for along, across in ((1, -1), (1, 1), (-1, 1), (-1, -1))
    )


def base_outline(lies: Lies, model: Model) -> tuple[Point, ...]:
    """The corners of a base on the table."""
    return rectangle((lies.x, lies.y), lies.heading, *model.base)


def ranges_of(gap: float, base_length: float, unsure: float = UNSURE) -> tuple[int, ...]:
    """G1.3 The range for a gap between two bases, in mm; two ranges where only a ruler can say which of them it is.

    >>> ranges_of(100, 80), ranges_of(159.5, 80), ranges_of(0.3, 80)
    ((2,), (2, 3), (1,))
    """
    low, high = max(0.0, gap - unsure) // base_length, (gap + unsure) // base_length
    return tuple(range(int(low) + 1, int(high) + 2))


# -- A reading as a proposal for a battle: for the measured sea a position that it accepts, for the players' own table a
# measuring tape (G1.5): nothing is decided by it.

TOLERANCE = 2.0  # mm: hulls that were read nearer than this touch


class Placed(Record, frozen=True):
    """Where a ship would lie: base lengths on the measured sea, millimetres on the players' own table."""

    at: tuple[float, float]
    heading: float
    moved: float  # mm by which settling moved her


class Measured(Record, frozen=True):
    """Two enemies within the longest shot: the range (two where a ruler must say), who has whom in the arc, how they
    touch (with her bow, or lying alongside); `between`: a hull or a coast lies in the line from midship to midship.
    """

    ships: tuple[str, str]
    ranges: tuple[int, ...]
    in_arc: tuple[str, ...]
    aspects: dict[str, str] = {}
    between: bool = False


class Tape(Record, frozen=True):
    """G1.5 What a photograph measured on the players' own table, in the turn and the phase in which it was taken."""

    turn: int
    phase: int | None
    measured: tuple[Measured, ...]

    def holds(self, battle: Battle) -> bool:
        """Is it still the phase in which it was taken?"""
        return (self.turn, self.phase) == (battle.turn, battle.phase)

    def of(self, ship: str) -> dict[str, Measured]:
        """What it says of each enemy of a ship, those in contact first and the nearest before the others."""
        found = [(each, each.ships[1 - each.ships.index(ship)]) for each in self.measured if ship in each.ships]
        return {foe: each for each, foe in sorted(found, key=lambda pair: (not pair[0].aspects, pair[0].ranges))}


class Proposal(Record, frozen=True):
    """A reading settled: ships, pairs that touch, the farthest that a ship was moved (mm), and what a tape measures."""

    ships: dict[str, Placed]
    contacts: tuple[tuple[str, str], ...]
    moved: float
    measured: tuple[Measured, ...] = ()


class Doubts(NamedTuple):
    """What goes with a proposal: ships to ask about, those that were not seen, and why."""

    ask: tuple[str, ...]
    not_seen: tuple[str, ...]
    reasons: tuple[Reason, ...]


def propose(battle: Battle, layout: Layout, lies: Mapping[str, Lies]) -> tuple[Proposal, Doubts]:
    """What bases that lie so on a table mean for a battle. Raises BadInput (`game`) on hexes."""
    if battle.board.kind == "hexes":
        raise BadInput("game", "a photograph is read for the measured sea and for the players' own table")
    on_board = {name: ship for name, ship in battle.ships.items() if ship.is_afloat or ship.is_prize}
    placed = {name: ship for name, ship in lies.items() if name in on_board}
    reasons = [because("%(ship)s is not on this board", ship=name) for name in lies if name not in on_board]
    measured, outlines = measure_off(battle, layout, placed)
    let_be = {frozenset((name, ship.raked_by)) for name, ship in battle.ships.items() if ship.raked_by}
    settled = settle(outlines, TOLERANCE / layout.base_length, let_be)
    ships = {
        name: replace(ship, at=(round_off(ship.at[0] + shift[0]), round_off(ship.at[1] + shift[1])))
        for name, shift in settled.shifts.items()
        if (ship := measured.ships[name]).at is not None
    }
    measured = measured.with_ships(ships)
    ask = {name for pair in settled.crossed for name in pair}
    reasons += [because("%(one)s and %(other)s overlap", one=one, other=other) for one, other in settled.crossed]
    if battle.board.kind == "open":
        for name, ship in ships.items():
            try:
                check_place(measured, ship, f"ships.{name}")
            except BadInput as fault:
                ask.add(name)
                reasons.append(because("%(ship)s: %(why)s", ship=name, why=fault.why))
        reasons += compare_bases(battle, layout, placed)
    unit = 1.0 if battle.board.kind == "open" else layout.base_length
    contacts = tuple(pair for pair in settled.contacts if not ask & {*pair})
    proposal = Proposal(
        {
            name: Placed(
                (round_off(ship.at[0] * unit), round_off(ship.at[1] * unit)),
                float(ship.facing),
                round(settled.moved(name) * layout.base_length, 2),
            )
            for name, ship in ships.items()
            if name not in ask and ship.at is not None and isinstance(ship.facing, int | float)
        },
        contacts,
        round(max((settled.moved(name) for name in ships if name not in ask), default=0.0) * layout.base_length, 2),
        tuple(tape(measured, settled.outlines(outlines, ask), layout.base_length, contacts)),
    )
    not_seen = tuple(name for name in on_board if name not in placed)
    return proposal, Doubts(tuple(sorted(ask)), not_seen, tuple(reasons))


def measure_off(
    battle: Battle, layout: Layout, lies: Mapping[str, Lies]
) -> tuple[Battle, dict[str, tuple[Point, ...]]]:
    """The battle on a measured sea with its ships as they lie, and their outlines, in base lengths.

    On the players' own table a base is the hull, and each ship has a type of its base's size.
    """
    length = layout.base_length
    ships = {
        name: replace(
            battle.ships[name],
            at=(round_off(ship.x / length), round_off(ship.y / length)),
            facing=turn_by(ship.heading, 0),
        )
        for name, ship in lies.items()
    }
    if battle.board.kind == "open":
        sea = battle.with_ships(ships)
        return sea, {name: sea.outline(ship) for name, ship in ships.items()}
    types = {}
    for name, ship in ships.items():
        long, wide = layout.ships[name].base
        types[name] = replace(battle.kind(ship), length=long / length, beam=wide / length)
        ships[name] = replace(ship, type=name)
    board = Board("open", width=layout.table[0] / length, height=layout.table[1] / length)
    sea = replace(battle, board=board, types=types, ships=ships)
    outlines = {
        name: tuple((x / length, y / length) for x, y in base_outline(ship, layout.ships[name]))
        for name, ship in lies.items()
    }
    return sea, outlines


def compare_bases(battle: Battle, layout: Layout, names: Iterable[str]) -> Iterator[Reason]:
    """What to say of ships whose bases are not as large as their hulls on the board; once for each type."""
    told = set()
    for name in names:
        ship = battle.ships[name]
        kind, base = battle.kind(ship), layout.ships[name].base
        hull = kind.length * layout.base_length, kind.beam * layout.base_length
        if ship.type not in told and max(abs(base[0] - hull[0]), abs(base[1] - hull[1])) > TOLERANCE:
            told.add(ship.type)
            yield because(
                "the base of a %(type)s is %(length)s × %(width)s mm, and her hull on the board %(long)s × %(broad)s "
                "mm: contact is measured from hull to hull; give her a ship type of the base's size",
                type=ship.type,
                length=f"{base[0]:g}",
                width=f"{base[1]:g}",
                long=f"{hull[0]:g}",
                broad=f"{hull[1]:g}",
            )


def bow_of(outline: tuple[Point, ...]) -> tuple[Point, ...]:
    """The fore part of an outline that begins at the bow: the front of a base, or the ram with both shoulders."""
    return outline[:2] if len(outline) == 4 else (outline[-1], *outline[:2])


def tape(
    sea: Battle, outlines: Mapping[str, tuple[Point, ...]], base_length: float, contacts: Collection[tuple[str, str]]
) -> Iterator[Measured]:
    """G1.3, G5.6 What lies between enemies within the longest shot, by their outlines in base lengths."""
    geometry = GEOMETRIES["open"]
    looked = replace(sea, options=replace(sea.options, ships_block_sight=True))
    shapes = {name: Polygon(outline) for name, outline in outlines.items()}
    for one, other in combinations(shapes, 2):
        ship, foe = sea.ships[one], sea.ships[other]
        if ship.side == foe.side or not (ship.is_afloat and foe.is_afloat):
            continue
        touches = (one, other) in contacts
        ranges = (1,) if touches else ranges_of(shapes[one].distance(shapes[other]) * base_length, base_length)
        if ranges[0] > LONGEST_SHOT:
            continue
        seen = tuple(name for name, a, b in ((one, ship, foe), (other, foe, ship)) if geometry.in_arc(a, b))
        told = {}
        for name, it, others in ((one, ship, other), (other, foe, one)) if touches else ():
            how = geometry.aspect(sea, it, sea.ships[others])
            meets = LineString(bow_of(outlines[name])).distance(shapes[others]) < TOUCH
            if how and (meets or how == "parallel"):
                told[name] = how
        yield Measured((one, other), ranges, seen, told, not touches and not geometry.sees(looked, ship, foe))
