"""G3.2, G4 Where a ship can be, phase by phase: every course of a speed, each step with its weight.

Geometry only: land, wrecks and prizes close hexes; ships that may move away do not. Results are kept, since the
same ship is asked about many times in a turn, and open water is the same everywhere.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tactical.captains.chart import OPEN_CHARTS, OVER, PHASES, STEP, Chart, Water, as_if_here, chart, room
from tactical.ship import STEPS_OF

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


@lru_cache(maxsize=16384)
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


@lru_cache(maxsize=65536)
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
