"""Where counters and names stand: one greedy, repeatable placement for each level of nearness.

Marks stand where their space is. Counters come first, beside their marks; names follow in order of weight and
keep off marks, counters and each other; what finds no room is left for a nearer look.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from webapp.http.language import tag
from webapp.presenting.map.layout import sheet
from webapp.presenting.map.sheet import Area, Sheet, Spot
from webapp.presenting.map.zoom_levels import LEVELS, Level
from webapp.presenting.picture import Stack
from webapp.presenting.place_names import place_named

Box = tuple[float, float, float, float]
Boxes = NDArray[np.float64]
CYRILLIC = 1.12  # how much wider its letters are
SPACED = 0.94  # the same of a province's name, in spaced capitals
WIDE = 0.56  # the width of a letter, as a share of its height
BOLD = 0.4  # how wide a sign on a counter is, as a part of the counter's height
MOST_OUTSIDE = 0.45  # how much of a province's name may stand outside it
# Beside a mark, best first: right, left, above, below, and the corners.
BESIDE = ((1, 0), (-1, 0), (1, -0.8), (1, 0.8), (-1, -0.8), (-1, 0.8), (0, 1.05), (0, -1.05))
GAPS = (0, 0.6, 1.5, 2.6, 4, 5.6, 7.4, 9.4, 11.6, 14)  # between a mark and its counter, in heights of the counter
ABOVE = ((0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (1, 1), (-1, 1))


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
class Counter:
    """A stack's counter: its middle, its size, and whether a line must lead to its space."""

    stack: Stack
    x: float
    y: float
    width: float
    height: float
    home: tuple[float, float] | None = None


@dataclass(frozen=True)
class Placed:
    """A level's counters and names."""

    level: Level
    counters: tuple[Counter, ...]
    names: tuple[Name, ...]


def placed(system: str, stacks: tuple[Stack, ...]) -> tuple[Placed, ...]:
    """Counters and names at every level, in the reader's language: a name takes the room that it needs there."""
    return _placed(system, tuple(sorted(stacks, key=_weight)), tag())


@lru_cache(maxsize=256)
def _placed(system: str, stacks: tuple[Stack, ...], language: str) -> tuple[Placed, ...]:
    """The same, kept for each language: `language` is the one that `place_named` speaks."""
    return tuple(_at_level(sheet(system), level, stacks) for level in LEVELS)


def _weight(stack: Stack) -> tuple[int, str, str, bool]:
    digits = "".join(sign for sign in stack.strength if sign in "0123456789")
    return (-int(digits or 0) - 3 * len(stack.leaders), stack.space, stack.side, stack.inside)


def _at_level(paper: Sheet, level: Level, stacks: tuple[Stack, ...]) -> Placed:
    room = Room(paper, level)
    counters = tuple(_counter(room, paper, stack) for stack in stacks)
    occupied = {stack.space for stack in stacks}
    named = [spot for spot in paper.spots.values() if spot.name]
    heavy = [spot for spot in named if rank(spot, occupied) >= 3]
    light = [spot for spot in named if level.least <= rank(spot, occupied) < 3]
    names = [name for spot in _by_rank(heavy, occupied) if (name := _name(room, level, spot))]
    names += [name for area in paper.areas.values() if (name := _area_name(room, level, area))]
    names += [name for spot in _by_rank(light, occupied) if (name := _name(room, level, spot))]
    return Placed(level, counters, tuple(names))


def rank(spot: Spot, occupied: Iterable[str] = ()) -> int:
    """How much a space's name matters: 4 a capital, 3 a city or an army's place, 2 a port, 1 a tribe, 0 the rest."""
    if spot.about.get("capital"):
        return 4
    if spot.kind in ("city", "walled", "walled_city") or spot.id in occupied:
        return 3
    return 2 if spot.port or spot.about.get("settlement") else 1 if spot.kind in ("tribe", "tribal") else 0


def _by_rank(spots: Iterable[Spot], occupied: set[str]) -> list[Spot]:
    return sorted(spots, key=lambda spot: -rank(spot, occupied))


class Room:
    """What is taken already at a level: boxes that nothing may cover; `counters` are those of counters alone."""

    def __init__(self, paper: Sheet, level: Level) -> None:
        self.paper, self.level = paper, level
        self.taken: list[Box] = []
        self.counters: list[Box] = []
        for spot in paper.spots.values():
            if not paper.hexes or rank(spot):
                reach = extent(level, spot)
                self.taken.append((spot.x - reach, spot.y - reach, spot.x + reach, spot.y + reach))

    def clash(self, boxes: Boxes, only: list[Box] | None = None) -> NDArray[np.float64]:
        """For each box, the area of what is taken under it, and much more where it leaves the paper."""
        found = self.taken if only is None else only
        taken = np.array(found) if found else np.zeros((0, 4))
        across = np.minimum(boxes[:, None, 2], taken[None, :, 2]) - np.maximum(boxes[:, None, 0], taken[None, :, 0])
        down = np.minimum(boxes[:, None, 3], taken[None, :, 3]) - np.maximum(boxes[:, None, 1], taken[None, :, 1])
        under = (np.clip(across, 0, None) * np.clip(down, 0, None)).sum(axis=1)
        off = (boxes[:, 0] < 4) | (boxes[:, 1] < 4)
        off |= (boxes[:, 2] > self.paper.width - 4) | (boxes[:, 3] > self.paper.height - 4)
        return np.asarray(under + off * 1e6, dtype=float)

    def take(self, box: Box) -> None:
        """Nothing else may stand here."""
        self.taken.append(box)


def extent(level: Level, spot: Spot) -> float:
    """How far a mark reaches from its middle: walls and tents stand around the holder's shape."""
    factor = 1.75 if rank(spot) >= 3 else 1.45 if spot.kind in ("tribe", "tribal") else 1.0
    return level.units(level.mark) * factor


def crossings(system: str, boxes: Boxes) -> NDArray[np.float64]:
    """For each box, how many roads and shores pass under it."""
    found = _lines(system).query(shapely.box(*boxes.T), predicate="intersects")[0]
    return np.bincount(found, minlength=len(boxes)).astype(float)


@lru_cache(maxsize=8)
def _lines(system: str) -> shapely.STRtree:
    paper = sheet(system)
    shore = shapely.get_parts(shapely.boundary(paper.land))
    lines: list[BaseGeometry] = [way.line for way in paper.ways]
    for line in shore:
        points = shapely.get_coordinates(line)
        lines += [LineString(pair) for pair in pairwise(points)]
    return shapely.STRtree(lines)


def _counter(room: Room, paper: Sheet, stack: Stack) -> Counter:
    """Beside its space, or further off with a line that leads home."""
    level, spot = room.level, paper.spots[stack.space]
    wide, high = (level.units(pixels) for pixels in counter_size(level, stack))
    near = extent(level, spot) + level.units(1)
    options = []
    for ring, share in enumerate(GAPS):
        gap = near + high * share
        for order, (dx, dy) in enumerate(ABOVE):
            x, y = spot.x + dx * (gap + wide / 2), spot.y + dy * (gap + high / 2)
            options.append((x, y, ring * 8 + order, ring))
    boxes = np.array([(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2) for x, y, _, _ in options])
    cost = room.clash(boxes) / (wide * high) * 300 + np.array([preference for _, _, preference, _ in options])
    covers = room.clash(boxes, room.counters) > 0
    cost += covers * 1e9  # rather far off with a line that leads home than over another
    best = int(cost.argmin())
    x, y, _order, ring = options[best]
    room.counters.append(tuple(boxes[best]))
    room.take(tuple(boxes[best]))
    return Counter(stack, x, y, wide, high, spot.at if ring else None)


def counter_size(level: Level, stack: Stack) -> tuple[float, float]:
    """Pixels: the body, with a line for each general above it."""
    wide, high = body_width(level, stack), level.counter[1]
    if not level.full:
        return max(wide, 9.0 * len(stack.leaders) + 4), high + (9 if stack.leaders else 0)
    texts = [leader_text(leader.name, leader.rating) for leader in stack.leaders]
    widest = max((len(text) * WIDE * (level.name - 1) + 12 for text in texts), default=0.0)
    return max(wide, widest), high + (level.name + 3) * len(texts)


def counter_text(stack: Stack) -> str:
    """What stands on the counter: its strength, and letters with numbers."""
    return stack.strength + "".join(f" {letter}{count}" for letter, count in stack.extras)


def body_width(level: Level, stack: Stack) -> float:
    """Pixels that the counter's body needs for what stands on it, with room at both ends whatever its shape."""
    return max(level.counter[0], len(counter_text(stack)) * level.counter[1] * BOLD + 14)


def leader_text(name: str, rating: str) -> str:
    """A general as his line on the counter says."""
    return f"{name} {rating}".strip()


def breadth(text: str) -> float:
    """How many Latin letters wide a text is."""
    return sum(CYRILLIC if "\u0400" <= letter <= "\u04ff" else 1.0 for letter in text)


@dataclass(frozen=True)
class Berths:
    """Where a name may stand at a level, whatever else is on the map: boxes, base points, and what each costs."""

    boxes: Boxes
    places: tuple[tuple[float, float, str], ...]
    cost: NDArray[np.float64]
    size: float
    kind: str


@cache
def _beside(system: str, number: int, id: str, text: str) -> Berths:
    """The eight places beside a space's mark, for its name as it is written there."""
    paper, level = sheet(system), LEVELS[number - 1]
    spot = paper.spots[id]
    weight = rank(spot)
    size = level.units(level.name * (1.12 if weight >= 3 else 1.0))
    wide, high = breadth(text) * WIDE * size, size
    gap = extent(level, spot) + level.units(2)
    boxes, places = [], []
    for dx, dy in BESIDE:
        x = spot.x + dx * (gap if dy == 0 else gap * 0.9)
        middle = spot.y + dy * (gap + high / 2 if dx == 0 else gap + high * 0.2)
        left = x if dx > 0 else x - wide if dx < 0 else x - wide / 2
        boxes.append((left, middle - high * 0.5, left + wide, middle + high * 0.5))
        places.append((x, middle + high * 0.34, "start" if dx > 0 else "end" if dx < 0 else "middle"))
    frames = np.array(boxes)
    cost = crossings(system, frames) + np.arange(len(boxes)) * 0.35
    tribe = "tribe" if spot.kind in ("tribe", "tribal") else "town"
    return Berths(frames, tuple(places), cost, size, {4: "capital", 3: "city"}.get(weight, tribe))


def _name(room: Room, level: Level, spot: Spot) -> Name | None:
    """A space's name beside its mark, where nothing else stands; or nothing."""
    text = place_named(spot.name)
    berths = _beside(room.paper.system, level.number, spot.id, text)
    clash = room.clash(berths.boxes)
    best = int((clash * 50 + berths.cost).argmin())
    if clash[best] > 0:
        return None
    left, top, right, foot = map(float, berths.boxes[best])
    room.take((left, top, right, foot))
    x, y, anchor = berths.places[best]
    return Name(spot.id, text, x, y, anchor, berths.size, berths.kind)


@cache
def _within(system: str, number: int, id: str, text: str) -> Berths | None:
    """Places for a province's name within it, letters spaced; none when it is too long for it."""
    area, level = sheet(system).areas[id], LEVELS[number - 1]
    size = level.units(level.area)
    room = breadth(text) + (2 if area.about.get("value") is not None else 0)  # its value stands behind it
    wide, high = room * SPACED * size, size * 1.1
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
    cost = outside * 6 + crossings(system, boxes) * 0.5 + away
    kept = outside <= MOST_OUTSIDE
    if not kept.any():
        return None
    places = tuple((float(x), float(y) + size * 0.34, "middle") for x, y in points[kept])
    return Berths(boxes[kept], places, cost[kept], size, "area")


def _area_name(room: Room, level: Level, area: Area) -> Name | None:
    """A province's name where it fits best; or nothing."""
    text = place_named(area.name)
    berths = _within(room.paper.system, level.number, area.id, text)
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
