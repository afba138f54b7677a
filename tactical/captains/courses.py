"""G4 What a ship's courses are worth: each step against where the enemy can be, and the place at the turn's end."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tactical.captains.aims import Aim
from tactical.captains.chances import BOARDS
from tactical.captains.choice import Level
from tactical.captains.reach import PHASES, Pose, Reach, escapes, onward, run
from tactical.captains.sea import Hull, Sea, is_fast, pose_of
from tactical.captains.worth import aspect_of, boards, meeting
from tactical.hexes import STEPS, Hex, distance
from tactical.ship import STEPS_OF, acceleration, turn_cycle

FARTHEST = 6  # hexes: an enemy beyond this at the turn's end bears on nobody
BEAM = 24  # courses that are followed further
LOOKED = 4  # courses of each first step whose bearings are looked at
NEARER = 0.3  # points that a hex nearer to the aim promises


class Eye(NamedTuple):
    """One enemy as a ship sees it: where it can be in each phase, and what boarding would bring either.

    `strikes` and `struck` are what either gains by meeting the other, by the aspect.
    """

    name: str
    hull: Hull
    where: Reach
    fast: bool
    boards: float
    boarded: float
    strikes: dict[str, float]
    struck: dict[str, float]


class Course(NamedTuple):
    """A course's value, its first step, the chance that it is still under way, where it ends, and its best meeting."""

    value: float
    live: float
    first: str
    pose: Pose
    gain: float = 0.0
    foe: str = ""
    chance: float = 0.0
    risk: float = 0.0


ASPECTS = ("head", "stern", "beam")


def eye_of(sea: Sea, name: str, foe: str, where: Reach, fast: bool) -> Eye:
    """An enemy as one of our ships sees it."""
    level, mine, theirs = sea.orders.level, sea.hull(name), sea.hull(foe)
    strikes = {aspect: meeting(level, mine, theirs, aspect, False, False, True).value for aspect in ASPECTS}
    struck = {aspect: max(0.0, meeting(level, theirs, mine, aspect, False, False, True).value) for aspect in ASPECTS}
    return Eye(foe, theirs, where, fast, boards(level, mine, theirs), boards(level, theirs, mine), strikes, struck)


def courses(sea: Sea, name: str, speed: int, eyes: tuple[Eye, ...], aim: Aim) -> dict[str, Course]:
    """The best course for each first step (its heading; "edge" over it), from this phase to the turn's end.

    A ship that makes no step has one course, by its own heading.
    """
    ship = sea.battle.ships[name]
    kind = sea.kind(ship)
    cycle = turn_cycle(kind, ship)
    after = sea.passed(ship)
    due = STEPS_OF.get(speed, frozenset())
    start = pose_of(ship)
    level, weights, hull = sea.orders.level, sea.weights, sea.hull(name)
    fast_first, fast_later = is_fast(kind, ship, speed, not ship.steps_made), is_fast(kind, ship, speed, False)
    open_courses: dict[tuple[Pose, str], Course] = {(start, ""): Course(0.0, 1.0, "", start)}
    ended: dict[str, Course] = {}
    made = 0
    for phase in range(after + 1, PHASES + 1):
        steps = phase in due
        if not steps and not any(eye.where.steps for eye in eyes):
            continue
        fast = fast_first if not made else fast_later
        made += steps
        following: dict[tuple[Pose, str], Course] = {}
        for (pose, first), course in open_courses.items():
            ways: tuple[tuple[str, Pose | None], ...] = ((pose.facing, pose),)
            if steps:
                ways = onward(sea.water, pose, cycle, speed < 0)
            for heading, then in ways:
                begun = first or heading
                if then is None:
                    gone = course._replace(value=course.value - weights.edge, first=begun)
                    if begun not in ended or gone.value > ended[begun].value:
                        ended[begun] = gone
                    continue
                if steps and then.at in sea.moored and sea.moored[then.at] in sea.mine and then.at != pose.at:
                    if heading != pose.facing:
                        continue
                    then = pose
                found = stepped(level, hull, eyes, phase, pose, then, course, begun, fast, weights.risk)
                key = (found.pose, begun)
                if key not in following or found.value > following[key].value:
                    following[key] = found
        open_courses = following if len(following) <= BEAM else narrowed(following, aim)
    owed = speed - acceleration(kind, ship)
    placed = [
        (course.value + course.live * place(sea, pose, cycle, aim, owed), first or start.facing, course)
        for (pose, first), course in open_courses.items()
    ]
    placed.sort(key=lambda each: -each[0])
    looked: dict[str, int] = {}
    for value, first, course in placed:
        looked[first] = looked.get(first, 0) + 1
        if looked[first] > LOOKED:
            continue
        if eyes and weights.bearing:
            value += course.live * bearings(sea, course.pose, eyes)
        if first not in ended or value > ended[first].value:
            ended[first] = course._replace(value=value, first=first)
    return ended


def narrowed(found: dict[tuple[Pose, str], Course], aim: Aim) -> dict[tuple[Pose, str], Course]:
    """The courses that promise most so far, for each first step; nearer to the aim counts as promise."""
    ranked = sorted(found.items(), key=lambda each: NEARER * distance(each[0][0].at, aim.at) - each[1].value)
    kept = dict(ranked[:BEAM])
    for key, course in ranked[BEAM:]:
        if all(first != key[1] for _, first in kept):
            kept[key] = course
    return kept


def stepped(
    level: Level, hull: Hull, eyes: tuple[Eye, ...], phase: int, pose: Pose, then: Pose, course: Course, first: str,
    fast: bool, dread: float,
) -> Course:  # fmt: skip
    """One phase of a course: the enemies it may meet, those that may meet it, and those it may board."""
    value, live = course.value, course.live
    gain, foe, chance, risk = course.gain, course.foe, course.chance, course.risk
    moved = then.at != pose.at
    left = live
    for eye in eyes:
        where = eye.where
        if moved and (met := where.stand[phase].get(then.at)) is not None:
            for facing, mass in met:
                found = meeting(level, hull, eye.hull, aspect_of(then.facing, facing), fast, eye.fast, True)
                value += live * mass * found.value
                left -= live * mass
                if found.value * mass > gain * chance:
                    gain, foe, chance = found.value, eye.name, mass
        if (came := where.arrive[phase].get(then.at)) is not None:
            for facing, mass in came:
                found = meeting(level, eye.hull, hull, aspect_of(facing, then.facing), eye.fast, fast, True)
                if found.value > 0:
                    value -= dread * live * mass * found.value
                    risk += live * mass * found.value
                    left -= live * mass
        if eye.boards > 0 or eye.boarded > 0:
            near = where.near[phase].get(then.at)
            if near:
                value += live * near * (eye.boards - dread * eye.boarded)
                if eye.boards > 0:
                    left -= live * near * (1.0 if hull.corvus else BOARDS)
                    if eye.boards * near > gain * chance:
                        gain, foe, chance = eye.boards, eye.name, near
                risk += live * near * eye.boarded
    return Course(value, max(0.0, left), first, then, gain, foe, min(1.0, chance), risk)


def place(sea: Sea, pose: Pose, cycle: int, aim: Aim, owed: int = 0) -> float:
    """What a place is worth at the turn's end: nearer to the hunted, and off the shore.

    `owed` is the lowest speed of the turn to come: who cannot slow down in time leaves the board (G1.4).
    """
    weights = sea.weights
    value = -weights.approach * aim.weight * abs(max(1, distance(pose.at, aim.at)) - aim.range)
    need = 2 + max(0, cycle - pose.straight)
    open_water = run(sea.water, pose.at, pose.facing, need)
    if open_water < need:
        value -= weights.shore * (need - open_water)
        if not escapes(sea.water, pose, cycle, owed):
            value -= weights.edge
    return value


def bearings(sea: Sea, pose: Pose, eyes: tuple[Eye, ...]) -> float:
    """Whose bow bears on whom in the turn to come, nearer counting more."""
    weights = sea.weights
    value = 0.0
    for eye in eyes:
        for at, facing, mass in eye.where.ends:
            delta = (at[0] - pose.at[0], at[1] - pose.at[1])
            on, under = pointing(pose.facing, delta), pointing(facing, (-delta[0], -delta[1]))
            if on:
                value += weights.bearing * mass * on * eye.strikes[aspect_of(pose.facing, facing)]
            if under:
                value -= weights.exposure * mass * under * eye.struck[aspect_of(facing, pose.facing)]
    return value


@cache
def pointing(facing: str, delta: Hex) -> float:
    """How well a bow bears on a hex so far off: 1 dead ahead and beside, half at sixty degrees, less farther away."""
    q, r = delta
    length = max(abs(q), abs(r), abs(q + r))
    if not 0 < length <= FARTHEST:
        return 0.0
    return max(0.0, bears(facing, delta)) / length


def bears(facing: str, delta: Hex) -> float:
    """The cosine, as hexes have it, between a heading and a direction: 1 dead ahead, 0 abeam, -1 astern."""
    q, r = delta
    step = STEPS[facing]
    length = max(abs(q), abs(r), abs(q + r))
    return (step[0] * q + step[1] * r + (step[0] + step[1]) * (q + r)) / (2 * length) if length else 0.0
