"""Where plates and names stand: one greedy, repeatable placement for each level of nearness.

Signs stand where their space is. Plates come first, near their space and first over the sea; names follow in order of
weight and keep off signs, plates and each other; what finds no room is left for a nearer look.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from webapp.http.language import tag
from webapp.presenting.map.land_grid import is_land
from webapp.presenting.map.plate_placement import Counter, Mole, counter, mole
from webapp.presenting.map.plates import breadth
from webapp.presenting.map.relief import Sea, seas
from webapp.presenting.map.room import Boxes, Room, crossings, rank
from webapp.presenting.map.sheet import Area, Sheet, Spot
from webapp.presenting.map.zoom_levels import LEVELS, Level
from webapp.presenting.picture import Stack
from webapp.presenting.place_names import place_name

WIDE, HEAVY = 0.56, 0.62  # the width of a letter, as a share of its height; in bold
SPACED = 0.94  # the same of a province's name, in spaced capitals
NAMES_KEPT = 16384  # names whose places are kept: of all printed maps at all levels, in three languages
SEA = 0.72  # the same of a sea's name
MOST_OUTSIDE = 0.45  # how much of a province's name may stand outside it
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


def place_labels(paper: Sheet, stacks: tuple[Stack, ...], ringed: frozenset[str] = frozenset()) -> tuple[Placed, ...]:
    """Plates and names at every level, in the reader's language: a name takes the room that it needs there."""
    return _place_labels(paper, tuple(sorted(stacks, key=_weight)), ringed, tag())


@lru_cache(maxsize=256)
def _place_labels(paper: Sheet, stacks: tuple[Stack, ...], ringed: frozenset[str], language: str) -> tuple[Placed, ...]:
    """The same, kept for each language: `language` is the one that `place_name` speaks."""
    return tuple(_at_level(paper, level, stacks, ringed) for level in LEVELS)


def _weight(stack: Stack) -> tuple[int, str, str, bool]:
    digits = "".join(sign for sign in stack.strength if sign in "0123456789")
    return (-int(digits or 0) - 3 * len(stack.leaders), stack.space, stack.side, stack.inside)


def _at_level(paper: Sheet, level: Level, stacks: tuple[Stack, ...], ringed: frozenset[str]) -> Placed:
    room = Room(paper, level, ringed)
    moles = tuple(found for stack in stacks if (found := mole(room, paper, stack)))
    counters = tuple(counter(room, paper, stack) for stack in stacks)
    occupied = {stack.space for stack in stacks}
    named = [spot for spot in paper.spots.values() if spot.name]
    heavy = [spot for spot in named if rank(spot, occupied) >= 3]
    light = [spot for spot in named if level.least <= rank(spot, occupied) < 3]
    names = [name for spot in _by_rank(heavy, occupied) if (name := _name(room, level, spot))]
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


@lru_cache(NAMES_KEPT)
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


@lru_cache(NAMES_KEPT)
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
    kept = outside <= MOST_OUTSIDE
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


@lru_cache(NAMES_KEPT)
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
