"""Where names and plates stand on a map at each level of nearness."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product

import msgspec
import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

import data
from tactical.kernel.record import Record
from webapp.http.cache import Cache
from webapp.presenting.labels import place_name
from webapp.presenting.map.sheet import Area, Sea, Sheet, Spot, is_city, is_land, keep_by_sheet, seas
from webapp.presenting.presentation import Stack

# -- How near one looks: six levels of nearness, each with its own choice of names and plates.
#
# Names, plates and signs have sizes in pixels of the screen. A level is laid out at the lowest scale at which it is
# shown; nearer in, everything keeps its size on the screen (`--u` in map.css) and only gains room.


@dataclass(frozen=True)
class Level:
    """`edge`: the pixels to a unit of the drawing from which on it is shown. Sizes are in pixels.

    `name` is the height of names; `sign` how large signs are drawn; `least` the lowest rank of a name that is tried.
    Generals are named where the level `names` them, and `rates` them nearer in; else they are heads alone.
    """

    number: int
    edge: float
    name: float
    sign: float
    least: int
    names: bool = True
    rates: bool = False

    def units(self, pixels: float) -> float:
        """A length on the screen as units of the drawing."""
        return pixels / self.edge


LEVELS = (
    Level(1, 0.22, 12.0, 0.62, 3, names=False),
    Level(2, 0.31, 12.0, 0.75, 2),
    Level(3, 0.42, 12.0, 0.85, 2),
    Level(4, 0.62, 12.5, 1.0, 0),
    Level(5, 0.95, 13.0, 1.15, 0, rates=True),
    Level(6, 1.5, 14.0, 1.3, 0, rates=True),
)


def level_at(scale: float) -> int:
    """The number of the level that is shown at so many pixels to a unit of the drawing."""
    return max((level.number for level in LEVELS if level.edge <= scale), default=1)


def level_of(box: tuple[int, int, int, int], wide: int, high: int) -> int:
    """The level of a still picture of a box (x, y, width, height) of the drawing in so many pixels."""
    return level_at(min(wide / box[2], high / box[3]))


# -- The heads of generals: a face and a few strokes for each, no two alike in a game (`data/heads.toml`).


class Pieces(Record, frozen=True):
    """What a head is put together of: one of each list; several strokes are divided by blanks."""

    head: tuple[str, ...]
    chin: tuple[str, ...]
    mark: tuple[str, ...]


class Drawn(Record, frozen=True):
    """The strokes as SVG paths by their names, and the pieces."""

    strokes: dict[str, str]
    pieces: Pieces


DRAWN = data.read("heads.toml", Drawn)
STEP = 47  # among the combinations, so that neighbours in a list do not look like brothers


class _Named(msgspec.Struct):
    id: str


class _Leaders(msgspec.Struct):
    leader: list[_Named] = []


@cache
def combinations() -> tuple[tuple[str, ...], ...]:
    """Every head as the strokes over its face; a veil hides what is under it."""
    found: dict[tuple[str, ...], None] = {}
    for head, chin, mark in product(DRAWN.pieces.head, DRAWN.pieces.chin, DRAWN.pieces.mark):
        if head == "veil" and chin == "long_beard":
            continue
        found[tuple(f"{chin} {mark} {head}".split())] = None
    return tuple(found)


@cache
def order(system: str) -> dict[str, int]:
    """The generals of a system, numbered as its table has them."""
    if not (data.ROOT / system / "leaders.toml").is_file():
        return {}
    return {leader.id: number for number, leader in enumerate(data.read(f"{system}/leaders.toml", _Leaders).leader)}


def head(system: str, leader: str) -> tuple[str, ...]:
    """The strokes over a general's face, by their names. Whoever is in no table has those that follow from his id."""
    number = order(system).get(leader)
    if number is None:
        number = int.from_bytes(hashlib.blake2b(leader.encode(), digest_size=2).digest())
    every = combinations()
    return every[number * STEP % len(every)]


# -- What is taken on a map at a level of nearness, and how far signs reach: what plates and names keep off.

Box = tuple[float, float, float, float]
Boxes = NDArray[np.float64]
ANCHORED, CROWDED = 3, 150  # the level from which on ports have anchors; two levels later where there are so many
BEARINGS = 16
WATERS = np.array((14.0, 24.0, 36.0, 52.0))  # how far from a port it is asked whether there is sea
SIGN_PIXELS = {"capital": 12.0, "city": 10.0, "tribe": 6.5, "": 5.0}  # how far a sign reaches from its middle
WORKS = 22.0  # the same with a besieger's tents
COVERS = {"capital": 220.0, "city": 140.0, "tribe": 60.0, "": 60.0}  # what it costs a plate to cover a space
MIDDLE = 500.0  # the same for a space's very middle


def rank(spot: Spot, occupied: Iterable[str] = ()) -> int:
    """How much a space's name matters: 4 a capital, 3 a city or an army's place, 2 a port, 1 a tribe, 0 the rest."""
    if spot.about.get("capital"):
        return 4
    if is_city(spot) or spot.id in occupied:
        return 3
    return 2 if spot.port or spot.about.get("settlement") else 1 if spot.kind in ("tribe", "tribal") else 0


class Room:
    """What is taken at a level: boxes that nothing may cover; `plates` are those of plates and galleys alone.

    `ringed` are the spaces with tents, rams or swords around their sign.
    """

    def __init__(self, paper: Sheet, level: Level, ringed: frozenset[str] = frozenset()) -> None:
        self.paper, self.level, self.ringed = paper, level, ringed
        taken: list[Box] = []
        self.plates: list[Box] = []
        costs = []
        for spot in paper.spots.values():
            if not paper.hexes or rank(spot) or spot.id in ringed:
                reach = self.reach(spot)
                taken.append((spot.x - reach, spot.y - reach, spot.x + reach, spot.y + reach))
                costs.append(COVERS[sign_kind(spot)])
        self.spaces, self.costs = boxes_of(taken), np.array(costs)
        middles = (self.spaces[:, :2] + self.spaces[:, 2:]) / 2
        self.middles = np.hstack((middles - 0.1, middles + 0.1))
        for space, (dx, dy) in anchors(paper).items() if level.number >= anchor_level(paper) else ():
            x = paper.spots[space].x + level.units(dx * level.sign)
            y = paper.spots[space].y + level.units(dy * level.sign)
            half = level.units(5 * level.sign)
            taken.append((x - half, y - half, x + half, y + half))
        self._taken, self._count = boxes_of(taken), len(taken)

    def reach(self, spot: Spot) -> float:
        """How far what is drawn about a space reaches: its sign, or tents, rams or swords around it."""
        if spot.id in self.ringed:
            return self.level.units(WORKS * self.level.sign)
        return extent(self.level, spot)

    def covered(self, boxes: Boxes) -> NDArray[np.float64]:
        """For each box, what it costs to cover the spaces and names under it."""
        middles = overlaps(boxes, self.middles).sum(axis=1) * MIDDLE
        return np.asarray(overlaps(boxes, self.spaces) @ self.costs + middles, dtype=float)

    def is_off(self, boxes: Boxes) -> NDArray[np.bool_]:
        """Which boxes leave the paper."""
        off = (boxes[:, 0] < 4) | (boxes[:, 1] < 4)
        return np.asarray(off | (boxes[:, 2] > self.paper.width - 4) | (boxes[:, 3] > self.paper.height - 4))

    def clash(self, boxes: Boxes) -> NDArray[np.float64]:
        """For each box, the area of what is taken under it, and much more where it leaves the paper."""
        taken = self._taken[: self._count]
        across = np.minimum(boxes[:, None, 2], taken[None, :, 2]) - np.maximum(boxes[:, None, 0], taken[None, :, 0])
        down = np.minimum(boxes[:, None, 3], taken[None, :, 3]) - np.maximum(boxes[:, None, 1], taken[None, :, 1])
        under = (np.maximum(across, 0) * np.maximum(down, 0)).sum(axis=1)
        return np.asarray(under + self.is_off(boxes) * 1e6, dtype=float)

    @property
    def last(self) -> Boxes:
        """The box that was taken last."""
        return self._taken[self._count - 1]

    def take(self, box: Box) -> None:
        """No name and no sign may stand here, and plates that have room elsewhere keep off."""
        self.spaces, self.costs = np.vstack((self.spaces, box)), np.append(self.costs, COVERS["city"])
        if self._count == len(self._taken):
            self._taken = np.vstack((self._taken, np.zeros((max(64, self._count), 4))))
        self._taken[self._count] = box
        self._count += 1


def boxes_of(found: list[Box]) -> Boxes:
    """Boxes as an array."""
    return np.array(found, dtype=float) if found else np.zeros((0, 4))


def overlaps(boxes: Boxes, others: Boxes) -> NDArray[np.bool_]:
    """For each box, which of the others it touches."""
    across = np.minimum(boxes[:, None, 2], others[None, :, 2]) > np.maximum(boxes[:, None, 0], others[None, :, 0])
    down = np.minimum(boxes[:, None, 3], others[None, :, 3]) > np.maximum(boxes[:, None, 1], others[None, :, 1])
    return np.asarray(across & down)


def sign_kind(spot: Spot) -> str:
    """A space by the sign that stands for it: a capital, a walled city, a tribe, or any other."""
    if spot.about.get("capital"):
        return "capital"
    return "city" if is_city(spot) else "tribe" if spot.kind in ("tribe", "tribal") else ""


def extent(level: Level, spot: Spot) -> float:
    """How far a sign reaches from its middle, in units of the drawing."""
    return level.units(SIGN_PIXELS[sign_kind(spot)] * level.sign)


@keep_by_sheet
def seaward(paper: Sheet) -> dict[str, tuple[float, float]]:
    """For each port, the direction in which the sea is nearest."""
    found = {}
    angles = np.arange(BEARINGS) * 2 * np.pi / BEARINGS
    steps = np.column_stack((np.cos(angles), np.sin(angles)))
    for spot in paper.spots.values():
        if spot.port or (paper.hexes and spot.name):
            x = spot.x + steps[:, 0] * WATERS[:, None]
            y = spot.y + steps[:, 1] * WATERS[:, None]
            wet = (~is_land(paper, x, y)).sum(axis=0)
            if wet.any():
                best = steps[wet == wet.max()].mean(axis=0)
                long = float(np.hypot(*best))
                one = best / long if long > 0.2 else steps[int(wet.argmax())]
                found[spot.id] = (float(one[0]), float(one[1]))
    return found


def anchor_level(paper: Sheet) -> int:
    """The level from which on the ports of a map have anchors."""
    return ANCHORED if len(anchors(paper)) < CROWDED else ANCHORED + 2


@keep_by_sheet
def anchors(paper: Sheet) -> dict[str, tuple[float, float]]:
    """How many pixels of the screen the anchor of each port stands from its space, on the side of the sea."""
    if paper.hexes:
        return {}
    far = {space: SIGN_PIXELS[sign_kind(paper.spots[space])] + 7 for space in seaward(paper)}
    return {space: (dx * far[space], dy * far[space]) for space, (dx, dy) in seaward(paper).items()}


def crossings(paper: Sheet, boxes: Boxes) -> NDArray[np.float64]:
    """For each box, how many roads and shores pass under it."""
    found = _lines(paper).query(shapely.box(*boxes.T), predicate="intersects")[0]
    return np.bincount(found, minlength=len(boxes)).astype(float)


@keep_by_sheet
def _lines(paper: Sheet) -> shapely.STRtree:
    shore = shapely.get_parts(shapely.boundary(paper.land))
    lines: list[BaseGeometry] = [way.line for way in paper.ways]
    for line in shore:
        points = shapely.get_coordinates(line)
        lines += [LineString(pair) for pair in pairwise(points)]
    return shapely.STRtree(lines)


# -- The plate of an army in pixels around its middle: head, name, signs, strength; far away its head and its number.

HIGH = 26.0  # of a plate
HEAD = 30.0  # how wide and high a head is
BARE = 22.0  # a square without a general
STANDARD = 12.0  # an army of which there is room for nothing more
NAME, BOLD, FIGURE = 12.5, 0.64, 9.6  # the height of a name, how wide its letters are of that, and a digit's width
CUT = 6.0  # how deep a plate of these shapes is cut
ENDS = {  # the right ends of some shapes, from the top down: how far from the edge they begin, and their line
    5: (CUT, f"l{CUT} {HIGH / 2} {-CUT} {HIGH / 2}"),
    6: (0.0, f"l{-CUT} {HIGH / 2} {CUT} {HIGH / 2}"),
    7: (CUT, f"a{CUT} {CUT} 0 0 0 {CUT} {CUT}v{HIGH - 2 * CUT}a{CUT} {CUT} 0 0 0 {-CUT} {CUT}"),
}
SIGN = 20.0  # an elephant, a galley, a wagon, with room at both sides
SIGNS = {"E": "elephant", "N": "galley", "T": "wagon"}
CYRILLIC = 1.12  # how much wider its letters are
LONG = 14  # letters; of a longer name the last word stands on the map


@dataclass(frozen=True)
class Plate:
    """An army's plate: its size and outline, its coloured `field`, where its `head` stands in a `frame` (none without a
    general), its name (may be empty), signs as (which, where, number), and its strength."""

    width: float
    height: float
    outline: str
    field: str
    head: float | None
    frame: str
    name: str
    name_at: float
    signs: tuple[tuple[str, float, str], ...]
    figure: str
    figure_at: float


def breadth(text: str) -> float:
    """How many Latin letters wide a text is."""
    return sum(CYRILLIC if "\u0400" <= letter <= "\u04ff" else 1.0 for letter in text)


def leader_text(name: str, rating: str) -> str:
    """A general with his rating."""
    return f"{name} {rating}".strip()


def commander(level: Level, stack: Stack) -> str:
    """Who commands, as his plate says it at this level, and how many more generals are with him."""
    first, *more = stack.leaders
    name = first.name.partition(" (")[0]
    short = name if len(name) <= LONG else name.rpartition(" ")[2]
    said = leader_text(short, first.rating) if level.rates else short
    return f"{said} +{len(more)}" if more else said


def plate(level: Level, stack: Stack, side: int, is_short: bool = False) -> Plate:
    """The plate of an army at a level; `is_short` leaves its general's name out."""
    signs = [_sign(kind, count) for kind, count in stack.extras]
    wide = sum((SIGN if sign else 0) + len(text) * FIGURE for sign, text in signs)
    figure = "" if signs and stack.strength == "0" else stack.strength
    field = max(len(figure) * FIGURE + wide + 10, 18.0)
    if not stack.leaders:
        width = max(BARE, field)
        shape = outline(side, width, -BARE / 2, BARE / 2)
        return Plate(width, BARE, shape, "", None, "", "", 0, *_figures(-width / 2, width, signs, figure))
    name = "" if is_short or not level.names else commander(level, stack)
    named = breadth(name) * BOLD * NAME + 8 if name else 0.0
    width = HEAD - 2 + named + field
    left, begin = -width / 2, width / 2 - field
    return Plate(
        width,
        HEAD,
        outline(side, width, -HIGH / 2, HIGH / 2),
        end(side, begin, width / 2),
        left + HEAD / 2,
        frame(side),
        name,
        left + HEAD + named / 2 - 1,
        *_figures(begin, field, signs, figure),
    )


def standard(side: int) -> Plate:
    """What stands for an army whose plate finds no room near its space: its side's shape and colour alone."""
    shape = outline(side, STANDARD, -STANDARD / 2, STANDARD / 2)
    return Plate(STANDARD, STANDARD, shape, "", None, "", "", 0, (), "", 0)


def _sign(kind: str, count: int) -> tuple[str, str]:
    """A sign and the number beside it; what has no sign keeps its letter."""
    if kind not in SIGNS:
        return "", f"{kind}{count}"
    return SIGNS[kind], "" if count == 1 else str(count)


def frame(side: int) -> str:
    """The frame of a head: square for the first side, round for the second, else as the side's plates."""
    half = HEAD / 2 - 1
    if side == 0:
        long = 2 * half - 6
        return f"M{-half} {3 - half}a3 3 0 0 1 3-3h{long}a3 3 0 0 1 3 3v{long}a3 3 0 0 1-3 3h{-long}a3 3 0 0 1-3-3z"
    return outline(side, 2 * half, -half, half)


def _figures(
    left: float, width: float, signs: list[tuple[str, str]], figure: str
) -> tuple[tuple[tuple[str, float, str], ...], str, float]:
    """The signs with their numbers from left to right, then where the strength stands: all of it in the middle."""
    used = len(figure) * FIGURE + sum((SIGN if sign else 0) + len(text) * FIGURE for sign, text in signs)
    at = left + (width - used) / 2
    figure_at = at + len(figure) * FIGURE / 2
    at += len(figure) * FIGURE
    placed = []
    for sign, text in signs:
        placed.append((sign, at + SIGN / 2, text))
        at += (SIGN if sign else 0) + len(text) * FIGURE
    return tuple(placed), figure, figure_at


def end(side: int, left: float, right: float) -> str:
    """The coloured end of a plate with the strength, with the plate's own corners."""
    half = HIGH / 2
    if side in ENDS:
        inset, line = ENDS[side]
        return f"M{left:.1f} {-half}H{right - inset:.1f}{line}H{left:.1f}z"
    r = {0: 3.0, 1: HIGH / 2}.get(side, 6.0)
    r = min(r, right - left)
    return f"M{left:.1f} {-half}H{right - r:.1f}a{r} {r} 0 0 1 {r} {r}V{half - r}a{r} {r} 0 0 1 {-r} {r}H{left:.1f}z"


def outline(side: int, wide: float, top: float, foot: float) -> str:
    """The shape of a side's plates: square, round-ended, pointed, notched, arched; a pennant, a ribbon, with hollow
    corners; and slanted, of whoever plays no side."""
    w, h = round(wide / 2, 1), foot - top
    middle = (top + foot) / 2
    match side:
        case 0:
            return f"M{-w} {top}h{2 * w}v{h}h{-2 * w}z"
        case 1:
            r = h / 2
            flat = round(max(2 * w - h, 0), 1)
            return f"M{-flat / 2} {top}h{flat}a{r} {r} 0 0 1 0 {h}h{-flat}a{r} {r} 0 0 1 0 {-h}z"
        case 2:
            return f"M{-w} {middle}L{-w + 6} {top}H{w - 6}L{w} {middle}L{w - 6} {foot}H{-w + 6}z"
        case 3:
            return f"M{-w} {top}H{w}V{foot - 6}L{w - 6} {foot}H{-w + 6}L{-w} {foot - 6}z"
        case 4:
            return f"M{-w} {foot}V{top + 8}Q{-w} {top} {-w + 8} {top}H{w - 8}Q{w} {top} {w} {top + 8}V{foot}z"
        case 5:
            return f"M{-w} {top}H{w - CUT}L{w} {middle}L{w - CUT} {foot}H{-w}z"
        case 6:
            return f"M{-w} {top}H{w}L{w - CUT} {middle}L{w} {foot}H{-w}L{-w + CUT} {middle}z"
        case 7:
            r = CUT
            return (
                f"M{-w + r} {top}H{w - r}a{r} {r} 0 0 0 {r} {r}V{foot - r}a{r} {r} 0 0 0 {-r} {r}"
                f"H{-w + r}a{r} {r} 0 0 0 {-r} {-r}V{top + r}a{r} {r} 0 0 0 {r} {-r}z"
            )
        case _:
            return f"M{-w + 5} {top}H{w}L{w - 5} {foot}H{-w}z"


# -- Where plates stand and fleets lie: near their space, first over the sea, never over one another.

FAR = (0, 5, 10, 18, 28, 40, 54, 70, 88, 110, 136, 166, 200, 240, 290, 350, 420)  # pixels between a sign and a plate
NEAR = 9  # how many of these distances are near enough for a plate; farther off stands a standard alone
CROWDED_COST = 400.0  # from here on a plate would cover a space's middle or another plate, or leave the paper
LYING = (26.0, 20.0)  # galleys at a mole: how far from the space they lie, and how wide the box is that they need


@dataclass(frozen=True)
class Counter:
    """An army's plate: its middle, its size in units of the drawing, and the wedge that points to its space."""

    stack: Stack
    plate: Plate
    x: float
    y: float
    width: float
    height: float
    wedge: str


@dataclass(frozen=True)
class Mole:
    """Galleys that lie at a mole: where, how many, the number of their side; the mole runs from the port to them."""

    x: float
    y: float
    galleys: int
    side: int
    pier: str


def mole(room: Room, paper: Sheet, stack: Stack) -> Mole | None:
    """The galleys of a fleet that lies in a port, out to sea; none where no sea is near or something lies there."""
    count = dict(stack.extras).get("N", 0)
    way = seaward(paper).get(stack.space) if count and not room.level.number < 2 else None
    if way is None:
        return None
    spot, level = paper.spots[stack.space], room.level
    far, half = (level.units(pixels * level.sign) for pixels in (LYING[0], LYING[1] / 2))
    x, y = spot.x + way[0] * far, spot.y + way[1] * far
    box = (x - half, y - half, x + half, y + half)
    if overlaps(boxes_of([box]), boxes_of(room.plates)).any():
        return None
    room.plates.append(box)
    room.take(box)
    return Mole(x, y, min(3, count), stack.number, f"M{spot.x:.1f} {spot.y:.1f}L{x:.1f} {y:.1f}")


def counter(room: Room, paper: Sheet, stack: Stack) -> Counter:
    """An army's plate near its space: whole or, where that would cover something, with its head alone.

    Where neither finds room near by, a small standard tells that an army is there, and a nearer level says which.
    """
    side = stack.number
    best = _berth(room, paper, stack, plate(room.level, stack, side), NEAR)
    if best[0] >= COVERS[""] and stack.leaders and room.level.names:
        short = _berth(room, paper, stack, plate(room.level, stack, side, is_short=True), NEAR)
        best = short if short[0] + COVERS[""] < best[0] else best
    if best[0] >= CROWDED_COST:
        best = _berth(room, paper, stack, standard(side), len(FAR))
    _cost, x, y, own = best
    wide, high = room.level.units(own.width), room.level.units(own.height)
    box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
    room.plates.append(box)
    room.take(box)
    return Counter(stack, own, x, y, wide, high, wedge(paper.spots[stack.space].at, (x, y), room.level.units(4.5)))


def _berth(room: Room, paper: Sheet, stack: Stack, own: Plate, many: int) -> tuple[float, float, float, Plate]:
    """What the best place for a plate costs, and that place: on sixteen bearings, at so `many` distances."""
    level, spot = room.level, paper.spots[stack.space]
    wide, high = level.units(own.width + 3), level.units(own.height + 3)
    near = room.reach(spot) + level.units(5)
    angles = np.arange(BEARINGS) * 2 * np.pi / BEARINGS
    cos, sin = np.cos(angles), np.sin(angles)
    # As far as the plate reaches on each bearing, so that its edge keeps the distance.
    reach = np.minimum(wide / 2 / np.maximum(abs(cos), 1e-6), high / 2 / np.maximum(abs(sin), 1e-6))
    gaps = near + np.array([level.units(pixels) for pixels in FAR[:many]])
    x = (spot.x + cos * (reach + gaps[:, None])).ravel()
    y = (spot.y + sin * (reach + gaps[:, None])).ravel()
    boxes = np.column_stack((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
    at_sea = ~is_land(paper, x, y)
    cost = room.covered(boxes) + np.repeat(np.array(FAR[:many]), BEARINGS) * 0.7 + np.tile(abs(sin), many) * 3
    cost += np.where(at_sea, 0.0, 16.0) + room.is_off(boxes) * 400.0
    cost += overlaps(boxes, boxes_of(room.plates)).any(axis=1) * 1e9
    best = int(cost.argmin())
    return float(cost[best]), float(x[best]), float(y[best]), own


def wedge(space: tuple[float, float], middle: tuple[float, float], half: float) -> str:
    """The wedge from a plate's middle to its space."""
    dx, dy = middle[0] - space[0], middle[1] - space[1]
    long = float(np.hypot(dx, dy)) or 1.0
    ax, ay = -dy / long * half, dx / long * half
    (x, y), (sx, sy) = middle, space
    return f"M{sx:.1f} {sy:.1f}L{x + ax:.1f} {y + ay:.1f}L{x - ax:.1f} {y - ay:.1f}z"


# -- Where plates and names stand: one greedy, repeatable placement for each level of nearness.
#
# Signs stand where their space is. Plates come first, near their space and first over the sea; names follow in order of
# weight and keep off signs, plates and each other; what finds no room is left for a nearer look.

WIDE, HEAVY = 0.56, 0.62  # the width of a letter, as a share of its height; in bold
SPACED = 0.94  # the same of a province's name, in spaced capitals
SEA = 0.72  # the same of a sea's name
MOST_OUTSIDE = 0.45  # how much of a province's name may stand outside it
MOST_FOREIGN = 0.03  # of it over the provinces beside it, where it would be read as theirs
OF_A_NAME = 300  # bytes of a name or a plate that is kept, about
# Beside a mark, best first: right, left, above, below, and the corners.
BESIDE = ((1, 0), (-1, 0), (1, -0.8), (1, 0.8), (-1, -0.8), (-1, 0.8), (0, 1.05), (0, -1.05))


@dataclass(frozen=True)
class Name:
    """A name on the map; `anchor` is SVG's text-anchor and (x, y) its base line."""

    id: str
    text: str
    x: float
    y: float
    anchor: str
    size: float
    kind: str


@dataclass(frozen=True)
class Placed:
    """A level's plates, galleys and names."""

    level: Level
    counters: tuple[Counter, ...]
    names: tuple[Name, ...]
    moles: tuple[Mole, ...] = ()


PLACED = Cache(size=lambda placed: OF_A_NAME * sum(len(each.names) + len(each.counters) for each in placed))


def place_labels(paper: Sheet, stacks: tuple[Stack, ...], ringed: frozenset[str] = frozenset()) -> tuple[Placed, ...]:
    """Plates and names at every level, in the reader's language: a name takes the room that it needs there."""
    ranked = tuple(sorted(stacks, key=_weight))
    return PLACED.get(
        (paper.number, ranked, ringed), lambda: tuple(_at_level(paper, level, ranked, ringed) for level in LEVELS)
    )


def _weight(stack: Stack) -> tuple[int, str, str, bool]:
    digits = "".join(sign for sign in stack.strength if sign in "0123456789")
    return (-int(digits or 0) - 3 * len(stack.leaders), stack.space, stack.side, stack.inside)


def _at_level(paper: Sheet, level: Level, stacks: tuple[Stack, ...], ringed: frozenset[str]) -> Placed:
    room = Room(paper, level, ringed)
    moles = tuple(found for stack in stacks if (found := mole(room, paper, stack)))
    named = [spot for spot in paper.spots.values() if spot.name]
    capitals = [(name, room.last) for spot in named if rank(spot) == 4 and (name := _name(room, level, spot))]
    counters = tuple(counter(room, paper, stack) for stack in stacks)
    occupied = {stack.space for stack in stacks}
    plates = boxes_of(room.plates)
    names = [name for name, box in capitals if not overlaps(box[None], plates).any()]
    there = {name.id for name in names}
    heavy = [spot for spot in named if rank(spot, occupied) >= 3 and spot.id not in there]
    light = [spot for spot in named if level.least <= rank(spot, occupied) < 3]
    names += [name for spot in _by_rank(heavy, occupied) if (name := _name(room, level, spot))]
    names += [name for area in paper.areas.values() if (name := _area_name(room, level, area))]
    names += [name for spot in _by_rank(light, occupied) if (name := _name(room, level, spot))]
    names += [name for sea in seas() if (name := _sea_name(room, level, sea))]
    return Placed(level, counters, tuple(names), moles)


@dataclass(frozen=True)
class Berths:
    """Where a name may stand at a level, whatever else is on the map: boxes, base points, and what each costs."""

    boxes: Boxes
    places: tuple[tuple[float, float, str], ...]
    cost: NDArray[np.float64]
    size: float
    kind: str


@keep_by_sheet
def _beside(paper: Sheet, number: int, id: str, text: str, reach: float) -> Berths:
    """The eight places for a space's name, as it is written there, beside what is drawn about it and reaches so far."""
    level = LEVELS[number - 1]
    spot = paper.spots[id]
    weight = rank(spot)
    size = level.name * (1.12 if weight >= 3 else 1.0)
    wide, high = level.units(breadth(text) * (HEAVY if weight >= 3 else WIDE) * size), level.units(size)
    gap = reach + level.units(2)
    boxes, places = [], []
    for dx, dy in BESIDE:
        x = spot.x + dx * (gap if dy == 0 else gap * 0.9)
        middle = spot.y + dy * (gap + high / 2 if dx == 0 else gap + high * 0.2)
        left = x if dx > 0 else x - wide if dx < 0 else x - wide / 2
        boxes.append((left, middle - high * 0.5, left + wide, middle + high * 0.5))
        places.append((x, middle + high * 0.34, "start" if dx > 0 else "end" if dx < 0 else "middle"))
    frames = np.array(boxes)
    cost = crossings(paper, frames) + np.arange(len(boxes)) * 0.35
    tribe = "tribe" if spot.kind in ("tribe", "tribal") else "town"
    return Berths(frames, tuple(places), cost, size, {4: "capital", 3: "city"}.get(weight, tribe))


def _by_rank(spots: Iterable[Spot], occupied: set[str]) -> list[Spot]:
    return sorted(spots, key=lambda spot: -rank(spot, occupied))


def _name(room: Room, level: Level, spot: Spot) -> Name | None:
    """A space's name beside its mark, where nothing else stands; or nothing."""
    text = place_name(spot.name)
    berths = _beside(room.paper, level.number, spot.id, text, room.reach(spot))
    clash = room.clash(berths.boxes)
    best = int((clash * 50 + berths.cost).argmin())
    if clash[best] > 0:
        return None
    left, top, right, foot = map(float, berths.boxes[best])
    room.take((left, top, right, foot))
    x, y, anchor = berths.places[best]
    return Name(spot.id, text, x, y, anchor, berths.size, berths.kind)


def _around(paper: Sheet, id: str) -> BaseGeometry:
    """The provinces beside one, where its name would be read as theirs."""
    near = paper.areas[id].shape.envelope
    others = [area.shape for other, area in paper.areas.items() if other != id]
    return shapely.union_all([shape for shape in others if shape.intersects(near)])


@keep_by_sheet
def _within(paper: Sheet, number: int, id: str, text: str) -> Berths | None:
    """Places for a province's name within it, letters spaced; none when it is too long for it."""
    area, level = paper.areas[id], LEVELS[number - 1]
    size = level.name
    room = breadth(text) + (2 if area.about.get("value") is not None else 0)  # its value stands behind it
    wide, high = level.units(room * SPACED * size), level.units(size * 1.1)
    if area.shape.is_empty or wide > (area.shape.bounds[2] - area.shape.bounds[0]) * 1.25:
        return None
    low_x, low_y, high_x, high_y = area.shape.bounds
    across, down = np.linspace(low_x, high_x, 13)[1:-1], np.linspace(low_y, high_y, 13)[1:-1]
    points = np.array([area.label, *((x, y) for x in across for y in down)])
    half = np.array([wide / 2, high / 2])
    boxes = np.hstack((points - half, points + half))
    inside = np.asarray(shapely.area(shapely.intersection(shapely.box(*boxes.T), area.shape)), dtype=float)
    outside = 1 - inside / (wide * high)
    away = np.hypot(*(points - np.array(area.label)).T) / max(high_x - low_x, 1)
    cost = outside * 6 + crossings(paper, boxes) * 0.5 + away
    foreign = shapely.area(shapely.intersection(shapely.box(*boxes.T), _around(paper, id))) / (wide * high)
    kept = (outside <= MOST_OUTSIDE) & (foreign <= MOST_FOREIGN)
    if not kept.any():
        return None
    places = tuple((float(x), float(y) + high * 0.31, "middle") for x, y in points[kept])
    return Berths(boxes[kept], places, cost[kept], size, "area")


def _area_name(room: Room, level: Level, area: Area) -> Name | None:
    """A province's name where it fits best; or nothing."""
    text = place_name(area.name)
    berths = _within(room.paper, level.number, area.id, text)
    if berths is None:
        return None
    clash = room.clash(berths.boxes)
    best = int((clash * 50 + berths.cost).argmin())
    if clash[best] > 0:
        return None
    left, top, right, foot = map(float, berths.boxes[best])
    room.take((left, top, right, foot))
    x, y, anchor = berths.places[best]
    return Name(area.id, text, x, y, anchor, berths.size, berths.kind)


@keep_by_sheet
def _on_water(paper: Sheet, number: int, sea: Sea, text: str) -> Berths:
    """Places for a sea's name near its middle, best first, where no land is."""
    level = LEVELS[number - 1]
    size = level.name + 2
    wide, high = level.units(len(text) * SEA * size), level.units(size * 1.2)
    x, y = paper.conic.one(*sea.at)
    spread = np.array([(dx, dy) for dy in (0, -1, 1, -2, 2) for dx in (0, -0.5, 0.5, -1, 1)])
    points = np.array((x, y)) + spread * np.array((wide / 2, high * 1.3))
    half = np.array((wide / 2, high / 2))
    boxes = np.hstack((points - half, points + half))
    across, down = np.linspace(0, 1, 25), np.linspace(0, 1, 5)[:, None]
    inside = boxes[:, :2, None, None] + (boxes[:, 2:] - boxes[:, :2])[:, :, None, None] * np.stack(
        (across + 0 * down, down + 0 * across)
    )
    wet = ~is_land(paper, inside[:, 0], inside[:, 1]).any(axis=(1, 2))
    places = tuple((float(x), float(y) + high * 0.28, "middle") for x, y in points[wet])
    return Berths(boxes[wet], places, np.zeros(len(places)), size, "sea")


def _sea_name(room: Room, level: Level, sea: Sea) -> Name | None:
    """The name of a sea in the first place where nothing else stands; or nothing."""
    text = place_name(sea.name)
    berths = _on_water(room.paper, level.number, sea, text)
    free = np.flatnonzero(room.clash(berths.boxes) == 0)
    if not free.size:
        return None
    left, top, right, foot = map(float, berths.boxes[free[0]])
    room.take((left, top, right, foot))
    x, y, anchor = berths.places[free[0]]
    return Name(sea.name, text, x, y, anchor, berths.size, berths.kind)
