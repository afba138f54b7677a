"""G4 The water as a captain reckons on it: every pose a number, and where ships can be."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from tactical.board import HEADINGS, NUMBER, STEPS, TURNED, Hex, distance
from tactical.ship import MOVEMENT, STEPS_OF

# -- G4 The water as a captain reckons on it: every hex and every pose a whole number, every step worked out once.
#
# A *spot* is a hex with a heading; a *pose* is a spot with the straight steps since the last turn, and what the next
# step may do. Sums of hexes are sums of their numbers, so that what was worked out in open water holds everywhere.

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


@lru_cache(maxsize=16384)
def steps_away(delta: int) -> int:
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


@lru_cache(maxsize=4096)
def room(water: Water, hex_: int) -> int:
    """G1.4, G4.3 How many steps any course from a hex can make before it may meet a closed hex or the edge."""
    at = hex_of(hex_)
    q, row = at[0], at[1] + at[0] // 2
    free = min(q, water.columns - 1 - q, row, water.rows - 1 - row, PHASES)
    for each in water.closed:
        if (near := distance(at, each) - 1) < free:
            free = near
    return free


# -- G3.2, G4 Where a ship can be, phase by phase: every course of a speed, each step with its weight.
#
# Geometry only: land, wrecks and prizes close hexes; ships that may move away do not. Results are kept, since the
# same ship is asked about many times in a turn, and open water is the same everywhere.

STRAIGHT_ON = 2  # how much likelier a step straight ahead is taken to be than a turn to one side
LIKELIEST = 3  # poses at the turn's end that are looked at
Near = dict[int, float]
Spread = dict[int, tuple[tuple[int, float], ...]]  # a hex, and with which headings a ship may be there, how likely
NOWHERE: Spread = {}
Guess = tuple[tuple[int, float], ...]  # a speed and how likely it is
End = tuple[int, int, float]  # a hex, a heading and how likely they are
Mixed = tuple[tuple["Reach", float], ...]  # reaches of single speeds by their shares


class Reach:
    """For each phase (0: now) where the ship may stand after it, and where and how it may arrive in it; at the turn's
    end its likeliest poses. Hexes are counted from `origin`.

    Of several speeds each phase is mixed when it is asked for: most ships are too far away for most phases.
    """

    __slots__ = ("_arrive", "_ends", "_mixed", "_near", "_stand", "origin", "steps")

    def __init__(self, stand: list[Spread | None], arrive: list[Spread | None], steps: int, mixed: Mixed = ()) -> None:
        self._stand = stand
        self._arrive = arrive
        self._mixed = mixed
        self._near: dict[int, Near] = {}
        self._ends: list[End] = []
        self.steps = steps
        self.origin = 0

    def stand(self, phase: int) -> Spread:
        """Where the ship may stand after a phase."""
        found = self._stand[phase]
        if found is None:
            found = self._stand[phase] = blend([(each.stand(phase), share) for each, share in self._mixed])
        return found

    def arrive(self, phase: int) -> Spread:
        """Where and how the ship may arrive in a phase."""
        found = self._arrive[phase]
        if found is None:
            found = self._arrive[phase] = blend([(each.arrive(phase), share) for each, share in self._mixed])
        return found

    def near(self, phase: int) -> Near:
        """How likely the ship is in a hex or beside it after a phase."""
        stand = self.stand(phase)
        found = self._near.get(id(stand))
        if found is None:
            found = self._near[id(stand)] = widen(stand)
        return found

    def ends(self) -> list[End]:
        """The likeliest poses at the turn's end, made to add to 1."""
        if not self._ends:
            self._ends += likeliest(self.stand(PHASES))
        return self._ends

    def moved(self, origin: int) -> Reach:
        """The same from another hex: what is worked out for the one is known to the other."""
        found = Reach(self._stand, self._arrive, self.steps, self._mixed)
        found.origin, found._near, found._ends = origin, self._near, self._ends
        return found


def reach(water: Water, pose: int, cycle: int, speeds: Guess, after: int) -> Reach:
    """G3.2 The courses of a ship in the phases after `after` by the speeds that it may have, each by its share."""
    steps = max(sum(1 for phase in STEPS_OF.get(speed, ()) if phase > after) for speed, _ in speeds)
    if steps > room(water, pose >> 9):
        return mix(chart(water, cycle), pose, speeds, after)
    here, origin = as_if_here(pose)
    return mix(OPEN_CHARTS[cycle], here, speeds, after).moved(origin)


@lru_cache(maxsize=1024)  # a value holds every place of a course; another battle asks for few of them again
def mix(water: Chart, pose: int, speeds: Guess, after: int) -> Reach:
    """The courses of each speed, by their shares."""
    if len(speeds) == 1:
        return of_speed(water, pose, speeds[0][0], after)
    found = tuple((of_speed(water, pose, speed, after), share) for speed, share in speeds)
    open_yet: list[Spread | None] = [None] * (PHASES + 1)
    return Reach(open_yet, [*open_yet], max(each.steps for each, _ in found), found)


def blend(parts: list[tuple[Spread, float]]) -> Spread:
    """Several spreads by their shares."""
    whole: dict[int, dict[int, float]] = {}
    for spread, share in parts:
        for at, rows in spread.items():
            cell = whole.setdefault(at, {})
            for heading, weight in rows:
                cell[heading] = cell.get(heading, 0.0) + weight * share
    return {at: tuple(cell.items()) for at, cell in whole.items()}


@lru_cache(maxsize=2048)
def of_speed(water: Chart, pose: int, speed: int, after: int) -> Reach:
    """The courses of one speed, each step looked at."""
    due = STEPS_OF.get(speed, frozenset())
    mass: dict[int, float] = {pose: 1.0}
    stand = spread(mass)
    stands: list[Spread | None] = [stand]
    arrives: list[Spread | None] = [NOWHERE]
    steps = 0
    for phase in range(1, PHASES + 1):
        arrived = NOWHERE
        if phase > after and phase in due:
            steps += 1
            mass, found = after_step(water, mass, speed < 0)
            stand, arrived = spread(mass), by_hex(found)
        stands.append(stand)
        arrives.append(arrived)
    return Reach(stands, arrives, steps)


def widen(stand: Spread) -> Near:
    """How likely the ship is in a hex or beside it."""
    found: Near = {}
    for at, rows in stand.items():
        mass = 0.0
        for _, weight in rows:
            mass += weight
        found[at] = found.get(at, 0.0) + mass
        for step in STEP:
            found[at + step] = found.get(at + step, 0.0) + mass
    return found


def likeliest(stand: Spread) -> tuple[tuple[int, int, float], ...]:
    """The likeliest poses, made to add to 1."""
    rows = sorted(((mass, at, facing) for at, cell in stand.items() for facing, mass in cell), reverse=True)[:LIKELIEST]
    whole = sum(mass for mass, _, _ in rows)
    return tuple((at, facing, mass / whole) for mass, at, facing in rows) if whole else ()


def after_step(water: Chart, mass: dict[int, float], backing: bool) -> tuple[dict[int, float], dict[int, float]]:
    """One step of every course: where the ship then stands, and into which hexes it stepped with which heading."""
    after: dict[int, float] = {}
    arrived: dict[int, float] = {}
    for pose, weight in mass.items():
        ways = water.onward(pose, backing)
        facing = pose >> 6 & 7
        stays_on = [way for way in ways if way[1] != OVER] or ways
        whole = sum(STRAIGHT_ON if heading == facing else 1 for heading, _ in stays_on)
        for heading, then in stays_on:
            if then == OVER:
                continue
            part = weight * (STRAIGHT_ON if heading == facing else 1) / whole
            after[then] = after.get(then, 0.0) + part
            if then >> 9 != pose >> 9 and not backing:
                spot = then >> 6
                arrived[spot] = arrived.get(spot, 0.0) + part
    return after, arrived


def spread(mass: dict[int, float]) -> Spread:
    """The poses by hex and heading."""
    found: dict[int, float] = {}
    for pose, weight in mass.items():
        spot = pose >> 6
        found[spot] = found.get(spot, 0.0) + weight
    return by_hex(found)


def by_hex(found: dict[int, float]) -> Spread:
    """Chances of a hex and a heading, by hex."""
    sorted_by_hex: dict[int, list[tuple[int, float]]] = {}
    for spot, weight in found.items():
        sorted_by_hex.setdefault(spot >> 3, []).append((spot & 7, weight))
    return {at: tuple(rows) for at, rows in sorted_by_hex.items()}


def line(track: Any) -> Reach:
    """The reach of a ship that rows one course and no other; `track` is the course, its last phase first."""
    places: dict[int, int] = {}
    while track is not None:
        places[track[5]] = track[4]
        track = track[2]
    pose = places[min(places)]
    stands: list[Spread | None] = []
    arrives: list[Spread | None] = []
    steps = 0
    for phase in range(PHASES + 1):
        then = places.get(phase, pose)
        moved = then >> 9 != pose >> 9
        steps += moved
        pose = then
        here: Spread = {pose >> 9: ((pose >> 6 & 7, 1.0),)}
        stands.append(here)
        arrives.append(here if moved else NOWHERE)
    return Reach(stands, arrives, steps)
