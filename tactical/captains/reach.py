"""G3.2, G4 Where a ship can be, phase by phase: every course of a speed, each step with its weight.

Geometry only: land, wrecks and prizes close hexes; ships that may move away do not. Results are kept, since the
same ship is asked about many times in a turn.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from tactical.hexes import HEADINGS, STEPS, TURNED, Hex, ahead, astern
from tactical.ship import MOVEMENT, STEPS_OF

PHASES = MOVEMENT.phases
STRAIGHT_ON = 2  # how much likelier a step straight ahead is taken to be than a turn to one side
Near = dict[Hex, float]
LIKELIEST = 3  # poses at the turn's end that are looked at
Spread = dict[Hex, tuple[tuple[str, float], ...]]  # a hex, and with which headings a ship may be there, how likely


class Water(NamedTuple):
    """Where ships may row: the board's size, its closed hexes, and whether the edge is a wall."""

    columns: int
    rows: int
    closed: frozenset[Hex]
    wall: bool

    def holds(self, at: Hex) -> bool:
        """Is the hex on the board?"""
        return 0 <= at[0] < self.columns and 0 <= at[1] + at[0] // 2 < self.rows

    def is_free(self, at: Hex) -> bool:
        """On the board and not closed?"""
        return at not in self.closed and 0 <= at[0] < self.columns and 0 <= at[1] + at[0] // 2 < self.rows


class Pose(NamedTuple):
    """A ship's place, heading, straight steps since its turn, and what its first step may do (G6.7, G6.8)."""

    at: Hex
    facing: str
    straight: int
    free: str = ""  # "", "one_side" or "any"; "passing" for one that rows through another's hex


class Reach(NamedTuple):
    """For each phase (0: now) where the ship may stand after it, where and how it may arrive in it, and how likely
    it is within a hex of a place; at the turn's end its likeliest poses.
    """

    stand: tuple[Spread, ...]
    arrive: tuple[Spread, ...]
    near: tuple[Near, ...]
    ends: tuple[tuple[Hex, str, float], ...]
    steps: int


def headings(pose: Pose, cycle: int) -> tuple[str, ...]:
    """G4.2, G6.7, G6.8 The headings that the next step ahead may take, straight on first."""
    if pose.free == "passing":
        return (pose.facing,)
    if pose.free == "any":
        return (pose.facing, *(heading for heading in HEADINGS if heading != pose.facing))
    if pose.free == "one_side" or pose.straight >= cycle:
        return (pose.facing, TURNED[pose.facing, "left"], TURNED[pose.facing, "right"])
    return (pose.facing,)


def onward(water: Water, pose: Pose, cycle: int, backing: bool) -> tuple[tuple[str, Pose | None], ...]:
    """G4.1, G4.3, G4.4 The steps of a pose: the heading and the pose after it, None over the edge."""
    if backing:
        to = astern(pose.at, pose.facing)
        stays = not water.is_free(to)
        return ((pose.facing, Pose(pose.at if stays else to, pose.facing, pose.straight + (not stays))),)
    found: list[tuple[str, Pose | None]] = []
    blocked = False
    for heading in headings(pose, cycle):
        to = ahead(pose.at, heading)
        if not water.holds(to):
            if not water.wall:
                found.append((heading, None))
            else:
                blocked = blocked or heading == pose.facing
        elif to in water.closed:
            blocked = blocked or heading == pose.facing
        else:
            found.append((heading, Pose(to, heading, pose.straight + 1 if heading == pose.facing else 0)))
    if blocked or not found:
        found.append((pose.facing, Pose(pose.at, pose.facing, pose.straight)))
    return tuple(found)


@lru_cache(maxsize=65536)
def reach(water: Water, pose: Pose, cycle: int, speed: int, after: int) -> Reach:
    """G3.2 The courses of a ship at this speed in the phases after `after`, with the chance of each place."""
    due = STEPS_OF.get(speed, frozenset())
    mass: dict[Pose, float] = {pose: 1.0}
    stand = spread(mass)
    stands: list[Spread] = [stand]
    arrives: list[Spread] = [{}]
    steps = 0
    for phase in range(1, PHASES + 1):
        arrived: dict[tuple[Hex, str], float] = {}
        if phase > after and phase in due:
            steps += 1
            mass, arrived = stepped(water, mass, cycle, speed < 0)
            stand = spread(mass)
        stands.append(stand)
        arrives.append(by_hex(arrived))
    return whole_reach(tuple(stands), tuple(arrives), steps)


def whole_reach(stands: tuple[Spread, ...], arrives: tuple[Spread, ...], steps: int) -> Reach:
    """The reach with what follows from its spreads."""
    near = {id(stand): dilated(stand) for stand in stands}
    return Reach(stands, arrives, tuple(near[id(stand)] for stand in stands), likeliest(stands[-1]), steps)


def dilated(stand: Spread) -> Near:
    """How likely the ship is in a hex or beside it."""
    found: Near = {}
    for at, rows in stand.items():
        mass = sum(weight for _, weight in rows)
        q, r = at
        for hex_ in (at, (q, r - 1), (q + 1, r - 1), (q + 1, r), (q, r + 1), (q - 1, r + 1), (q - 1, r)):
            found[hex_] = found.get(hex_, 0.0) + mass
    return found


def likeliest(stand: Spread) -> tuple[tuple[Hex, str, float], ...]:
    """The likeliest poses, made to add to 1."""
    rows = sorted(((mass, at, facing) for at, cell in stand.items() for facing, mass in cell), reverse=True)[:LIKELIEST]
    whole = sum(mass for mass, _, _ in rows)
    return tuple((at, facing, mass / whole) for mass, at, facing in rows) if whole else ()


def stepped(
    water: Water, mass: dict[Pose, float], cycle: int, backing: bool
) -> tuple[dict[Pose, float], dict[tuple[Hex, str], float]]:
    """One step of every course: where the ship then stands, and into which hexes it stepped with which heading."""
    after: dict[Pose, float] = {}
    arrived: dict[tuple[Hex, str], float] = {}
    for pose, weight in mass.items():
        ways = onward(water, pose, cycle, backing)
        stays_on = [way for way in ways if way[1] is not None] or list(ways)
        shares = [STRAIGHT_ON if heading == pose.facing else 1 for heading, _ in stays_on]
        whole = sum(shares)
        for (heading, then), share in zip(stays_on, shares, strict=True):
            if then is None:
                continue
            part = weight * share / whole
            after[then] = after.get(then, 0.0) + part
            if then.at != pose.at and not backing:
                arrived[then.at, heading] = arrived.get((then.at, heading), 0.0) + part
    return after, arrived


def spread(mass: dict[Pose, float]) -> Spread:
    """The poses by hex and heading."""
    found: dict[tuple[Hex, str], float] = {}
    for pose, weight in mass.items():
        found[pose.at, pose.facing] = found.get((pose.at, pose.facing), 0.0) + weight
    return by_hex(found)


def by_hex(found: dict[tuple[Hex, str], float]) -> Spread:
    """Chances of a hex and a heading, by hex."""
    sorted_by_hex: dict[Hex, list[tuple[str, float]]] = {}
    for (at, heading), weight in found.items():
        sorted_by_hex.setdefault(at, []).append((heading, weight))
    return {at: tuple(rows) for at, rows in sorted_by_hex.items()}


@lru_cache(maxsize=16384)
def escapes(water: Water, pose: Pose, cycle: int, steps: int) -> bool:
    """G1.4, G4.2 Is there a course of so many steps that stays on the board? A ship that can stop always has one."""
    if steps <= 0:
        return True
    return any(
        then is not None and (then.at == pose.at or escapes(water, then, cycle, steps - 1))
        for _, then in onward(water, pose, cycle, False)
    )


@lru_cache(maxsize=16384)
def run(water: Water, at: Hex, heading: str, most: int) -> int:
    """G4.3 How many steps straight ahead are open water, up to `most`."""
    step = STEPS[heading]
    for count in range(most):
        at = (at[0] + step[0], at[1] + step[1])
        if not water.is_free(at):
            return count
    return most
