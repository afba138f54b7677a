"""The enemies as one ship sees them: where they can be, what a meeting with each brings, and what places are worth."""

from __future__ import annotations

from typing import NamedTuple

from tactical.captains.chances import BOARDS
from tactical.captains.chart import number_of
from tactical.captains.choice import Level
from tactical.captains.reach import Near, Reach, Spread
from tactical.captains.sea import Hull, Sheet
from tactical.captains.weights import Weights
from tactical.captains.worth import aspect_of, boards, meeting
from tactical.hexes import HEADINGS, STEPS, Hex, distance

FARTHEST = 6  # hexes: an enemy beyond this at the turn's end bears on nobody
ASPECTS = ("head", "stern", "beam")
HEAD, STERN, BEAM = range(3)
MET = tuple(tuple(ASPECTS.index(aspect_of(one, other)) for other in HEADINGS) for one in HEADINGS)
Gains = tuple[float, float, float]  # what a meeting head on, astern, on the beam brings


class Prospect(NamedTuple):
    """What two ships can do to each other: what boarding would bring either, and what either gains by meeting the
    other at its usual speed. `strikes_at` and `struck_at`: the same slow and at full speed, the enemy as it is now.
    """

    boards: float
    boarded: float
    strikes: Gains
    struck: Gains
    strikes_at: tuple[Gains, Gains]
    struck_at: tuple[Gains, Gains]


class Eye(NamedTuple):
    """One enemy as a ship sees it: how far away it lies, where it can be in each phase, what a meeting brings, and how
    likely it is that it rows so.
    """

    name: str
    away: int
    where: Reach
    prospect: Prospect
    share: float = 1.0


# an enemy in one phase: its name, the origin of its hexes, where it is near, stands and arrives, what meeting it and
# being met by it brings, what boarding brings either, and how likely this is
Look = tuple[str, int, Near, Spread, Spread, tuple[Gains, Gains], tuple[Gains, Gains], float, float, float]


class Cell(NamedTuple):
    """What a phase in a place brings a ship that is still under way there: its value, the chance that it goes on, the
    risk in it, and its best meeting with the chance of that.
    """

    value: float
    on: float
    risk: float
    gain: float
    foe: str
    chance: float


class Sight:
    """What a ship sees: worked out once for all its courses."""

    __slots__ = ("_borne", "_cells", "_ends", "_looks", "_near", "after", "dread", "eyes", "moves", "swift")

    def __init__(self, dread: float, swift: bool, after: int, eyes: tuple[Eye, ...]) -> None:
        self.dread = dread
        self.swift = swift
        self.after = after  # the phase up to which the ship has made its steps
        self.eyes = eyes
        self.moves = any(eye.where.steps for eye in eyes)  # may any of them still step?
        self._near: dict[int, list[Eye]] = {}
        self._cells: dict[int, dict[int, Cell | None]] = {}
        self._looks: dict[int, list[Look]] = {}
        self._borne: dict[int, float] = {}
        self._ends: list[tuple[int, int, float, Gains, Gains]] | None = None

    def near(self, phase: int) -> list[Eye]:
        """The enemies that the ship may touch by the end of a phase."""
        found = self._near.get(phase)
        if found is None:
            own = phase - self.after
            found = self._near[phase] = [eye for eye in self.eyes if eye.away <= own + min(phase, eye.where.steps) + 1]
        return found

    def cells(self, phase: int, moved: bool, fast: bool) -> dict[int, Cell | None]:
        """What is known of a phase, by spots."""
        return self._cells.setdefault(phase << 2 | moved << 1 | fast, {})

    def cell(self, phase: int, spot: int, moved: bool, fast: bool) -> Cell | None:
        """What a phase in a place brings; None where no enemy can be near."""
        hex_, heading = spot >> 3, spot & 7
        value, left, risk, touched = 0.0, 1.0, 0.0, False
        gain, foe, chance = 0.0, "", 0.0
        for name, origin, beside, stand, arrive, strikes_at, struck_at, ours, theirs, share in self._looked(phase):
            at = hex_ - origin
            near = beside.get(at)
            if near is None:
                continue
            if moved and (met := stand.get(at)) is not None:
                touched = True
                gains = strikes_at[fast]
                for facing, part in met:
                    mass = part * share
                    found = gains[MET[heading][facing]]
                    value += mass * found
                    left -= mass
                    if found * mass > gain * chance:
                        gain, foe, chance = found, name, mass
            if (came := arrive.get(at)) is not None:
                touched = True
                losses = struck_at[fast]
                for facing, part in came:
                    mass = part * share
                    found = losses[MET[facing][heading]]
                    if found > 0:
                        value -= self.dread * mass * found
                        risk += mass * found
                        left -= mass
            if near and (ours > 0 or theirs > 0):
                touched = True
                near *= share
                value += near * (ours - self.dread * theirs)
                risk += near * theirs
                if ours > 0:
                    left -= near * (1.0 if self.swift else BOARDS)
                    if ours * near > gain * chance:
                        gain, foe, chance = ours, name, near
        return Cell(value, max(0.0, left), risk, gain, foe, chance) if touched else None

    def _looked(self, phase: int) -> list[Look]:
        """What is asked of each enemy near enough in a phase."""
        found = self._looks.get(phase)
        if found is None:
            found = self._looks[phase] = [
                (
                    name,
                    where.origin,
                    where.near(phase),
                    where.stand(phase),
                    where.arrive(phase),
                    each.strikes_at,
                    each.struck_at,
                    each.boards,
                    each.boarded,
                    share,
                )
                for name, _, where, each, share in self.near(phase)
            ]
        return found

    def bearings(self, weights: Weights, spot: int) -> float:
        """Whose bow bears on whom in the turn to come, nearer counting more."""
        found = self._borne.get(spot)
        if found is None:
            found = self._borne[spot] = self._worked_out(weights, spot)
        return found

    def _worked_out(self, weights: Weights, spot: int) -> float:
        value = 0.0
        here, heading = spot >> 3, spot & 7
        ends = self._ends
        if ends is None:
            ends = self._ends = [
                (at + where.origin, facing, part * share, each.strikes, each.struck)
                for _, _, where, each, share in self.eyes
                for at, facing, part in where.ends()
            ]
        bearing, exposure, row = weights.bearing, weights.exposure, POINTING[heading]
        for at, facing, mass, strikes, struck in ends:
            delta = at - here
            if delta in row:
                value += bearing * mass * row[delta] * strikes[MET[heading][facing]]
            if -delta in POINTING[facing]:
                value -= exposure * mass * POINTING[facing][-delta] * struck[MET[facing][heading]]
        return value


_prospects: dict[tuple[Level, int, int, bool], Prospect] = {}  # by the numbers of the hulls
KEPT = 65536


def prospect(level: Level, mine: Sheet, theirs: Sheet, their_speed: bool) -> Prospect:
    """What two ships can do to each other; `their_speed`: is the enemy at full speed?"""
    key = level, mine.number, theirs.number, their_speed
    found = _prospects.get(key)
    if found is None:
        if len(_prospects) >= KEPT:
            _prospects.clear()
        found = _prospects[key] = worked_out(level, mine.hull, theirs.hull, their_speed)
    return found


def worked_out(level: Level, mine: Hull, theirs: Hull, their_speed: bool) -> Prospect:
    """The same of two hulls."""
    strikes, struck = gains(level, mine, theirs, False, False), losses(level, mine, theirs, False, False)
    slow_strikes = gains(level, mine, theirs, False, True) if their_speed else strikes
    slow_struck = losses(level, mine, theirs, False, True) if their_speed else struck
    return Prospect(
        boards(level, mine, theirs),
        boards(level, theirs, mine),
        strikes,
        struck,
        (slow_strikes, gains(level, mine, theirs, True, their_speed)),
        (slow_struck, losses(level, mine, theirs, True, their_speed)),
    )


def gains(level: Level, mine: Hull, theirs: Hull, fast: bool, they_fast: bool) -> Gains:
    """What meeting an enemy brings, by the aspect."""
    head, stern, beam = (meeting(level, mine, theirs, aspect, fast, they_fast, True).value for aspect in ASPECTS)
    return head, stern, beam


def losses(level: Level, mine: Hull, theirs: Hull, fast: bool, they_fast: bool) -> Gains:
    """What being met by an enemy costs, by the aspect; it does not meet us for nothing."""
    head, stern, beam = (
        max(0.0, meeting(level, theirs, mine, aspect, they_fast, fast, True).value) for aspect in ASPECTS
    )
    return head, stern, beam


def bears(facing: str, delta: Hex) -> float:
    """The cosine, as hexes have it, between a heading and a direction: 1 dead ahead, 0 abeam, -1 astern."""
    q, r = delta
    step = STEPS[facing]
    length = max(abs(q), abs(r), abs(q + r))
    return (step[0] * q + step[1] * r + (step[0] + step[1]) * (q + r)) / (2 * length) if length else 0.0


def pointing(heading: str) -> dict[int, float]:
    """How well a bow bears on hexes so far off: 1 dead ahead and beside, half at sixty degrees, less farther away."""
    found = {}
    for q in range(-FARTHEST, FARTHEST + 1):
        for r in range(-FARTHEST, FARTHEST + 1):
            length = distance((0, 0), (q, r))
            if 0 < length <= FARTHEST and (share := bears(heading, (q, r))) > 0:
                found[number_of((q, r))] = share / length
    return found


POINTING = tuple(pointing(heading) for heading in HEADINGS)
