"""What is taken on a map at a level of nearness, and how far signs reach: what plates and names keep off."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from webapp.presenting.map.land_grid import is_land
from webapp.presenting.map.sheet import KEPT, Sheet, Spot
from webapp.presenting.map.svg import is_city
from webapp.presenting.map.zoom_levels import Level

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
        """For each box, what it costs to cover the spaces under it."""
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

    def take(self, box: Box) -> None:
        """Nothing else may stand here."""
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


@lru_cache(KEPT)
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


@lru_cache(KEPT)
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


@lru_cache(KEPT)
def _lines(paper: Sheet) -> shapely.STRtree:
    shore = shapely.get_parts(shapely.boundary(paper.land))
    lines: list[BaseGeometry] = [way.line for way in paper.ways]
    for line in shore:
        points = shapely.get_coordinates(line)
        lines += [LineString(pair) for pair in pairwise(points)]
    return shapely.STRtree(lines)
