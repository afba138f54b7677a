"""G4 The water as a captain reckons on it: every hex and every pose a whole number, every step worked out once.

A *spot* is a hex with a heading; a *pose* is a spot with the straight steps since the last turn, and what the next
step may do. Sums of hexes are sums of their numbers, so that what was worked out in open water holds everywhere.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from tactical.hexes import HEADINGS, NUMBER, STEPS, TURNED, Hex, distance
from tactical.ship import MOVEMENT

WIDTH = 1 << 10  # more rows than any board has
HALF = WIDTH // 2
PHASES = MOVEMENT.phases
FREE = ("", "one_side", "any", "passing")  # G6.7, G6.8, G7.2 what the next step may do besides the turn cycle's due
ANY, PASSING = FREE.index("any"), FREE.index("passing")
MOST_STRAIGHT = 15

Way = tuple[int, int]  # a heading's number and the pose after the step; -1 over the edge
OVER = -1 << 60


class Water(NamedTuple):
    """Where ships may row: the board's size, its closed hexes, and whether the edge is a wall."""

    columns: int
    rows: int
    closed: frozenset[Hex]
    wall: bool
    open: bool = False  # without any edge

    def holds(self, at: Hex) -> bool:
        """Is the hex on the board?"""
        return self.open or (0 <= at[0] < self.columns and 0 <= at[1] + at[0] // 2 < self.rows)


OPEN = Water(0, 0, frozenset(), False, True)


def number_of(at: Hex) -> int:
    """A hex as a number."""
    return at[0] * WIDTH + at[1]


def hex_of(number: int) -> Hex:
    """The hex of a number.

    >>> hex_of(number_of((3, -7)))
    (3, -7)
    """
    q = (number + HALF) // WIDTH
    return q, number - q * WIDTH


STEP = tuple(number_of(STEPS[heading]) for heading in HEADINGS)
ASIDE = tuple((NUMBER[TURNED[heading, "left"]], NUMBER[TURNED[heading, "right"]]) for heading in HEADINGS)
OTHERS = tuple(tuple(other for other in range(6) if other != heading) for heading in range(6))


def pose_at(hex_: int, heading: int, straight: int, free: int = 0) -> int:
    """A pose as a number; its spot is the number without its last six bits, its hex that without its last nine."""
    return hex_ << 9 | heading << 6 | straight << 2 | free


def as_if_here(pose: int) -> tuple[int, int]:
    """The pose moved to the hex that is number 0, and the hex that it was moved from."""
    hex_ = pose >> 9
    return pose - (hex_ << 9), hex_


@lru_cache(maxsize=65536)
def away(delta: int) -> int:
    """How far a hex is from another, by the difference of their numbers."""
    return distance((0, 0), hex_of(delta))


class Chart:
    """One water for ships of one turn cycle: what each pose may do next, and how shut in it is; kept as it is asked."""

    def __init__(self, water: Water, cycle: int) -> None:
        self.water = water
        self.cycle = cycle
        self.closed = frozenset(number_of(at) for at in water.closed)
        self._ahead: dict[int, tuple[Way, ...]] = {}
        self._escapes: dict[tuple[int, int], bool] = {}
        self._runs: dict[int, int] = {}

    def holds(self, hex_: int) -> bool:
        """Is the hex on the board?"""
        return self.water.holds(hex_of(hex_))

    def is_free(self, hex_: int) -> bool:
        """On the board and not closed?"""
        return hex_ not in self.closed and self.holds(hex_)

    def onward(self, pose: int, backing: bool) -> tuple[Way, ...]:
        """G4.1, G4.3, G4.4 The steps of a pose: each heading and the pose after it."""
        if backing:
            return self._astern(pose)
        found = self._ahead.get(pose)
        if found is None:
            found = self._ahead[pose] = self._worked_out(pose)
        return found

    def _astern(self, pose: int) -> tuple[Way, ...]:
        heading, straight = pose >> 6 & 7, pose >> 2 & 15
        to = (pose >> 9) - STEP[heading]
        if self.is_free(to):
            return ((heading, pose_at(to, heading, min(straight + 1, self.cycle))),)
        return ((heading, pose_at(pose >> 9, heading, straight)),)

    def headings(self, pose: int) -> tuple[int, ...]:
        """G4.2, G6.7, G6.8 The headings that the next step ahead may take, straight on first."""
        heading, straight, free = pose >> 6 & 7, pose >> 2 & 15, pose & 3
        if free == PASSING:
            return (heading,)
        if free == ANY:
            return (heading, *OTHERS[heading])
        return (heading, *ASIDE[heading]) if free or straight >= self.cycle else (heading,)

    def _worked_out(self, pose: int) -> tuple[Way, ...]:
        hex_, facing, straight = pose >> 9, pose >> 6 & 7, pose >> 2 & 15
        longer = min(straight + 1, self.cycle)
        found: list[Way] = []
        blocked = False
        for heading in self.headings(pose):
            to = hex_ + STEP[heading]
            if not self.holds(to):
                if not self.water.wall:
                    found.append((heading, OVER))
                else:
                    blocked = blocked or heading == facing
            elif to in self.closed:
                blocked = blocked or heading == facing
            else:
                found.append((heading, pose_at(to, heading, longer if heading == facing else 0)))
        if blocked or not found:
            found.append((facing, pose_at(hex_, facing, straight)))
        return tuple(found)

    def escapes(self, pose: int, steps: int) -> bool:
        """G1.4, G4.2 Is there a course of so many steps that stays on the board? Who can stop always has one."""
        if steps <= 0:
            return True
        found = self._escapes.get((pose, steps))
        if found is None:
            found = self._escapes[pose, steps] = any(
                then != OVER and (then >> 9 == pose >> 9 or self.escapes(then, steps - 1))
                for _, then in self.onward(pose, False)
            )
        return found

    def run(self, spot: int) -> int:
        """G4.3 How many steps straight ahead are open water, up to the longest that is ever asked for."""
        found = self._runs.get(spot)
        if found is None:
            hex_, step = spot >> 3, STEP[spot & 7]
            count = 0
            while count < 2 + MOST_STRAIGHT and self.is_free(hex_ + (count + 1) * step):
                count += 1
            found = self._runs[spot] = count
        return found


@lru_cache(maxsize=64)
def chart(water: Water, cycle: int) -> Chart:
    """The chart of a water for a turn cycle."""
    return Chart(water, cycle)


OPEN_CHARTS = {cycle: Chart(OPEN, cycle) for cycle in range(MOST_STRAIGHT)}


@lru_cache(maxsize=16384)
def room(water: Water, hex_: int) -> int:
    """G1.4, G4.3 How many steps any course from a hex can make before it may meet a closed hex or the edge."""
    at = hex_of(hex_)
    q, row = at[0], at[1] + at[0] // 2
    free = min(q, water.columns - 1 - q, row, water.rows - 1 - row, PHASES)
    for each in water.closed:
        if (near := distance(at, each) - 1) < free:
            free = near
    return free
