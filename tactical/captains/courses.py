"""G4 What a ship's courses are worth: each step against where the enemy can be, and the place at the turn's end."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, NamedTuple

from tactical.captains.aims import Aim
from tactical.captains.chart import OVER, PHASES, STEP, Chart, away, chart, number_of
from tactical.captains.sea import Sea, is_fast
from tactical.captains.sight import Cell, Sight
from tactical.hexes import HEADINGS
from tactical.ship import STEPS_OF, Ship, ShipType, acceleration

BEAM = 24  # courses that are followed further
LOOKED = 4  # courses of each first step whose bearings are looked at
NEARER = 0.3  # points that a hex nearer to the aim promises
UNBEGUN = 7  # the number that stands for the first step of a course that has none yet

Track = tuple[float, float, Any, Cell | None, int, int]
# a course so far: its value, the chance that it is still under way, the track before, what its last phase met, its pose
# and the phase


Tracks = dict[int, Track]  # by pose and first step
End = tuple[float, bool]  # what a place is worth, and whether it is hemmed in
BY_VALUE = itemgetter(0)


class Course(NamedTuple):
    """A course's value, its best meeting with the chance of that, and its risk."""

    value: float
    gain: float = 0.0
    foe: str = ""
    chance: float = 0.0
    risk: float = 0.0


def courses(sea: Sea, name: str, speed: int, sight: Sight, aim: Aim) -> dict[str, Course]:
    """The best course for each first step (its heading), from this phase to the turn's end.

    A ship that makes no step has one course, by its own heading.
    """
    found = best_tracks(sea, name, speed, sight, aim)
    return {HEADINGS[first]: course_of(value, track) for first, (value, track) in found.items()}


def best_tracks(sea: Sea, name: str, speed: int, sight: Sight, aim: Aim) -> dict[int, tuple[float, Track]]:
    """The best course for each first step: its value and its track."""
    return best_courses(rower_of(sea, name, sight, aim), speed)


class Rower(NamedTuple):
    """What all courses of a ship share, whatever its speed: `held` are the hexes of friends that cannot go on, `ends`
    keeps what each pose is worth at the turn's end.
    """

    sea: Sea
    ship: Ship
    kind: ShipType
    water: Chart
    sight: Sight
    aim: Aim
    goal: int
    start: int
    after: int
    change: int
    held: frozenset[int]
    ends: dict[int, End]


def rower_of(sea: Sea, name: str, sight: Sight, aim: Aim) -> Rower:
    """A ship that is about to look at its courses."""
    ship = sea.battle.ships[name]
    kind, known = sea.kind(ship), sea.sheet(name)
    water, change = chart(sea.water, known.cycle), acceleration(kind, ship)
    goal = number_of(aim.at)
    held = sea.held_friends
    if known.pose >> 9 in held:
        held -= {known.pose >> 9}
    return Rower(sea, ship, kind, water, sight, aim, goal, known.pose, sea.passed(ship), change, held, {})


def best_courses(rower: Rower, speed: int) -> dict[int, tuple[float, Track]]:
    """The best course for each first step at a speed: its value and its track."""
    sea, ship, kind, water, sight, aim, goal, start, after, change, held, ends = rower
    due = STEPS_OF.get(speed, frozenset())
    fast = is_fast(kind, ship, speed, not ship.steps_made)
    later = is_fast(kind, ship, speed, False)
    tracks: Tracks = {start << 3 | UNBEGUN: (0.0, 1.0, None, None, start, after)}
    ended: dict[int, tuple[float, Track]] = {}
    for phase in range(after + 1, PHASES + 1):
        if phase in due:
            tracks = after_step(sea, water, tracks, ended, sight, phase, speed < 0, fast, sea.moored_friends)
            fast = later
            if len(tracks) > BEAM:
                tracks = most_promising(tracks, goal)
        elif sight.moves and sight.near(phase):
            tracks = after_wait(tracks, sight, phase, fast)
    placed = []
    owed, edge = speed - change, sea.weights.edge
    for key, track in tracks.items():
        pose, first = key >> 3, key & 7
        end = ends.get(pose)
        if end is None:
            end = ends[pose] = place(sea, water, pose, aim, goal, held)
        worth, shut = end
        if shut and not water.escapes(pose, owed):
            worth -= edge
        placed.append((track[0] + track[1] * worth, pose >> 6 & 7 if first == UNBEGUN else first, pose >> 6, track))
    if len(placed) > 1:
        placed.sort(key=BY_VALUE, reverse=True)
    looked: dict[int, int] = {}
    bearings = sight.bearings if sight.eyes and sea.weights.bearing else None
    for value, first, spot, track in placed:
        seen = looked.get(first, 0)
        if seen >= LOOKED:
            continue
        looked[first] = seen + 1
        if bearings is not None:
            value += track[1] * bearings(sea.weights, spot)
        if first not in ended or value > ended[first][0]:
            ended[first] = value, track
    return ended


def after_step(
    sea: Sea,
    water: Chart,
    tracks: Tracks,
    ended: dict[int, tuple[float, Track]],
    sight: Sight,
    phase: int,
    backing: bool,
    fast: bool,
    friends: frozenset[int],
) -> Tracks:
    """G4.1 Every course makes each step that it may make; the better of two that come to the same pose goes on."""
    following: Tracks = {}
    empty = not sight.near(phase)
    went, stayed = sight.cells(phase, True, fast), sight.cells(phase, False, fast)
    for key, track in tracks.items():
        pose, first = key >> 3, key & 7
        value, live = track[0], track[1]
        for heading, then in water.onward(pose, backing):
            begun = heading if first == UNBEGUN else first
            if then == OVER:
                gone = value - sea.weights.edge
                if begun not in ended or gone > ended[begun][0]:
                    ended[begun] = gone, track
                continue
            moved = then >> 9 != pose >> 9
            if moved and then >> 9 in friends:
                if heading != pose >> 6 & 7:
                    continue
                then, moved = pose, False
            to, cell = then << 3 | begun, None
            if not empty:
                spot, cells = then >> 6, went if moved else stayed
                cell = cells[spot] if spot in cells else cells.setdefault(spot, sight.cell(phase, spot, moved, fast))
            if cell is None:
                if to not in following or value > following[to][0]:
                    following[to] = value, live, track, None, then, phase
                continue
            worth = value + live * cell.value
            if to not in following or worth > following[to][0]:
                following[to] = worth, live * cell.on, track, cell, then, phase
    return following


def after_wait(tracks: Tracks, sight: Sight, phase: int, fast: bool) -> Tracks:
    """G3.2 A phase without a step of its own: others may come."""
    cells = sight.cells(phase, False, fast)
    following: Tracks = {}
    for key, track in tracks.items():
        spot = key >> 9
        cell = cells[spot] if spot in cells else cells.setdefault(spot, sight.cell(phase, spot, False, fast))
        if cell is None:
            following[key] = track
        else:
            value, live = track[0], track[1]
            following[key] = value + live * cell.value, live * cell.on, track, cell, track[4], phase
    return following


def most_promising(tracks: Tracks, goal: int) -> Tracks:
    """The courses that promise most so far, for each first step; nearer to the aim counts as promise."""
    ranked = sorted(tracks.items(), key=lambda each: NEARER * away((each[0] >> 12) - goal) - each[1][0])
    kept = dict(ranked[:BEAM])
    firsts = {key & 7 for key in kept}
    for key, track in ranked[BEAM:]:
        if key & 7 not in firsts:
            firsts.add(key & 7)
            kept[key] = track
    return kept


def course_of(value: float, track: Track) -> Course:
    """A track with what it meets on its way."""
    met: list[tuple[float, Cell]] = []
    while (before := track[2]) is not None:
        if track[3] is not None:
            met.append((before[1], track[3]))
        track = before
    gain, foe, chance, risk = 0.0, "", 0.0, 0.0
    for live, cell in reversed(met):
        risk += live * cell.risk
        if cell.gain * cell.chance > gain * chance:
            gain, foe, chance = cell.gain, cell.foe, min(1.0, cell.chance)
    return Course(value, gain, foe, chance, risk)


def place(sea: Sea, water: Chart, pose: int, aim: Aim, goal: int, held: frozenset[int]) -> End:
    """What a place is worth at the turn's end, nearer to the hunted and off the shore; and whether it is hemmed in:
    who cannot slow down in time leaves the board from there (G1.4).
    """
    weights = sea.weights
    value = -weights.approach * aim.weight * abs(max(1, away((pose >> 9) - goal)) - aim.range)
    need = 2 + max(0, water.cycle - (pose >> 2 & 15))
    if weights.yields and pose >> 9 in sea.berths:
        value -= weights.yields
    run = water.run(pose >> 6)
    if held and run > 0:
        run = open_run(pose, min(run, need), held)
    lacks = need - run
    return (value - weights.shore * lacks, True) if lacks > 0 else (value, False)


def open_run(pose: int, most: int, held: frozenset[int]) -> int:
    """How many steps straight ahead are free of friends that cannot go on, up to `most`."""
    hex_, step = pose >> 9, STEP[pose >> 6 & 7]
    for count in range(most):
        if hex_ + (count + 1) * step in held:
            return count
    return most
