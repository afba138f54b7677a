"""Where plates stand and fleets lie: near their space, first over the sea, never over one another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webapp.presenting.map.land_grid import is_land
from webapp.presenting.map.plates import Plate, plate, standard
from webapp.presenting.map.room import BEARINGS, COVERS, Room, boxes_of, overlaps, seaward
from webapp.presenting.map.sheet import Sheet
from webapp.presenting.picture import Stack

FAR = (0, 5, 10, 18, 28, 40, 54, 70, 88, 110, 136, 166, 200, 240, 290, 350, 420)  # pixels between a sign and a plate
NEAR = 9  # how many of these distances are near enough for a plate; farther off stands a standard alone
CROWDED = 400.0  # from here on a plate would cover a space's middle or another plate, or leave the paper
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
    if best[0] >= CROWDED:
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
