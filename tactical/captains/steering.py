"""G3, G4 Plotting and steering: what the enemy will plot, what courses are worth."""

from __future__ import annotations

from functools import lru_cache, partial
from operator import itemgetter
from typing import Any, NamedTuple

from tactical.battle import Battle
from tactical.board import HEADINGS, TURNED, Hex, ahead, astern
from tactical.captains import at_sea
from tactical.captains.judgement import Aim, Cell, Eye, Sea, Sheet, Sight, aim_of, is_fast, prospect
from tactical.captains.reasons import Choice, Orders, Reason, best_options, reason
from tactical.captains.water import OVER, PHASES, STEP, Chart, Guess, Reach, chart, line, number_of, steps_away
from tactical.kernel.protocol import Offer
from tactical.ship import STEPS_OF, Ship, ShipType, acceleration, cruise, is_sprint, limit, plot_range

# -- G4 What a ship's courses are worth: each step against where the enemy can be, and the place at the turn's end.

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
    ranked = sorted(tracks.items(), key=lambda each: NEARER * steps_away((each[0] >> 12) - goal) - each[1][0])
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
    value = -weights.approach * aim.weight * abs(max(1, steps_away((pose >> 9) - goal)) - aim.range)
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


# -- G3.1 What the enemy will probably plot: from what everybody sees, never from a plot that is hidden.

Lines = dict[str, Reach]
CRUISES, KEEPS, OTHER = 4.0, 2.0, 1.0  # how often a crew cruises, keeps its speed, or does anything else


class Plotted(NamedTuple):
    """A speed's value, and the course that has it."""

    value: float
    track: Track


def guess(sea: Sea, ship: Ship) -> Guess:
    """G3.1 The speeds that a ship may plot, cruise and last turn's speed the likeliest."""
    if ship.boarding is not None:
        return ((0, 1.0),)
    kind = sea.kind(ship)
    low, high = plot_range(kind, ship, sea.battle.options.sprint)
    usual = min(high, cruise(kind, ship))
    shares = {speed: OTHER if speed > 0 else OTHER / 2 for speed in range(low, high + 1)}
    shares[usual] = CRUISES
    shares[ship.speed] = shares.get(ship.speed, 0.0) + KEEPS if low <= ship.speed <= high else 0.0
    shares = {speed: share for speed, share in shares.items() if share}
    whole = sum(shares.values())
    return tuple((speed, share / whole) for speed, share in shares.items())


def certain_guess(speed: int) -> Guess:
    """A speed that everybody sees."""
    return ((speed, 1.0),)


def sight_of(sea: Sea, name: str, lines: Lines | None = None) -> Sight:
    """The nearest enemies as the ship sees them, with where they can be: known speeds, or guessed ones, and the line
    that each will probably row.
    """
    found = []
    ship = sea.battle.ships[name]
    mind, mine = sea.mind, sea.sheet(name)
    own = remaining_steps(sea, ship, mine)
    plotting, option = sea.battle.step == "plot", sea.battle.options.sprint
    for away, foe in sea.foes_near(name)[: sea.weights.forward]:
        other = sea.battle.ships[foe]
        sheet = sea.sheet(foe)
        theirs = remaining_steps(sea, other, sheet)
        if away > own + theirs + 4:
            break
        if plotting:
            where = sea.reach_of(sheet, 0, option, partial(guess, sea, other))
            free = other.full_speed_last and not other.oars_broken
            fast = free and plot_range(sea.kind(other), other, option)[1] == sheet.steps
        else:
            speed = 0 if other.stopped or other.boarding is not None else other.speed
            where = sea.reach_of(sheet, sea.passed(other), None, partial(certain_guess, speed))
            fast = is_fast(sea.kind(other), other, other.plot, not other.steps_made)
        seen = prospect(mind, mine, sheet, fast)
        share = sea.weights.likely
        row = lines.get(foe) if lines is not None else likely_line(sea, foe) if share and where.steps else None
        if row is None:
            found.append(Eye(foe, away, where, seen))
        else:
            found += [Eye(foe, away, row, seen, share), Eye(foe, away, where, seen, 1 - share)]
    return Sight(sea.weights.risk, mine.hull.corvus, sea.passed(ship), tuple(found))


def remaining_steps(sea: Sea, ship: Ship, known: Sheet) -> int:
    """The most steps that a ship can still make this turn."""
    if ship.boarding is not None or (ship.stopped and sea.battle.step != "plot"):
        return 0
    return known.steps if sea.battle.step == "plot" else max(1, ship.speed)


def worth_of_plots(sea: Sea, name: str, sight: Sight, aim: Aim) -> dict[int, Plotted]:
    """G3.1 What each speed that the ship may plot is worth, and by what course."""
    ship = sea.battle.ships[name]
    kind, option = sea.kind(ship), sea.battle.options.sprint
    low, high = plot_range(kind, ship, option)
    if not sight.eyes and low < high:
        high = max(low, min(high, cruise(kind, ship)))
    found = {}
    rower = rower_of(sea, name, sight, aim)
    for speed in range(low, high + 1):
        value, track = max(best_courses(rower, speed).values(), key=itemgetter(0))
        if is_sprint(kind, ship, speed, option):
            value -= sea.weights.sprint * (1 + ship.sprints)
        if aim.why == "hunt" and speed < min(high, cruise(kind, ship)):
            value -= sea.weights.slow * (min(high, cruise(kind, ship)) - speed)
        found[speed] = Plotted(value, track)
    return found


class Seen:
    """A battle as everybody sees it, equal to another that looks the same: the key of what is kept."""

    def __init__(self, battle: Battle, side: str) -> None:
        self.battle = battle
        self.side = side
        self.key = (
            side,
            battle.turn,
            battle.board.columns,
            battle.board.rows,
            battle.board.blocked,
            battle.turn_limit,
            battle.options.sprint,
            battle.edge_is_wall(),
            tuple(
                (
                    name,
                    ship.side,
                    ship.type,
                    ship.at,
                    ship.facing,
                    ship.speed,
                    ship.straight,
                    ship.damage,
                    ship.breaches,
                    ship.heavy,
                    ship.medium,
                    ship.light,
                    ship.crew,
                    ship.corvus,
                    ship.oars_broken,
                    ship.sprints,
                    ship.must_back,
                    ship.free_turn,
                    ship.boarding,
                    ship.status,
                    ship.passing,
                    ship.full_speed_last,
                )
                for name, ship in battle.ships.items()
            ),
        )

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seen) and self.key == other.key


@lru_cache(maxsize=32)
def likely_plots(seen: Seen) -> Lines:
    """G3.1 How an able captain would plot for a side and row its ships, seen from outside: no plot is looked at."""
    sea = Sea(seen.battle, seen.side, Orders("able"))
    found: dict[str, Reach] = {}
    for name, ship in sea.mine.items():
        if ship.boarding is None and ship.at is not None:
            speeds = worth_of_plots(sea, name, sight_of(sea, name), aim_of(sea, name))
            found[name] = line(max(speeds.values(), key=lambda plot: plot.value).track)
    return found


def likely_line(sea: Sea, foe: str) -> Reach:
    """G4.1 How an able captain would row an enemy for the rest of this turn, its speed being known."""
    theirs = sea.opposite(sea.battle.ships[foe].side)
    found = best_tracks(theirs, foe, theirs.battle.ships[foe].speed, sight_of(theirs, foe), aim_of(theirs, foe))
    return line(max(found.values(), key=itemgetter(0))[1])


def foreseen(sea: Sea) -> Lines | None:
    """The lines that a seasoned captain takes the enemy to row; None for one who does not ask."""
    if not sea.weights.likely:
        return None
    found: Lines = {}
    for side in sea.battle.sides:
        if side != sea.side:
            found |= likely_plots(Seen(sea.battle, side))
    return found


# -- G3.1 Plotting: the speed of each ship, against where the enemy can be.


def plot(sea: Sea, offers: dict[str, Offer]) -> Choice:
    """G3.1 The plot of one ship that has none; `offers` are those of the ships by name."""
    return plots(sea, offers, 1)[0]


def plots(sea: Sea, offers: dict[str, Offer], most: int = 999) -> list[Choice]:
    """G3.1 The plots of the ships that have none, of no more than `most` of them."""
    unset = [name for name in offers if sea.battle.ships[name].plot is None] or list(offers)[:1]
    lines = foreseen(sea) if sea.battle.has_hexes else None
    hunted: dict[str, int] = {}
    found = []
    for name in unset[:most]:
        speeds = offers[name].fields["speed"]
        if isinstance(speeds, int):
            found.append(only_plot(sea, name, speeds))
            continue
        if sea.battle.board.kind == "open":
            found.append(at_sea.plot(sea, name, speeds["from"], speeds["to"]))
            continue
        if not sea.battle.has_hexes or sea.battle.ships[name].at is None:
            found.append(by_habit(sea, name, speeds["from"], speeds["to"]))
            continue
        sight = sight_of(sea, name, lines)
        aim = aim_of(sea, name, hunted)
        values = {
            speed: value
            for speed, value in worth_of_plots(sea, name, sight, aim).items()
            if speeds["from"] <= speed <= speeds["to"]
        }
        best = max(values, key=lambda speed: values[speed].value)
        if aim.foe is not None and aim.why == "hunt":
            hunted[aim.foe] = hunted.get(aim.foe, 0) + 1
        found.append(
            Choice(
                command(name, best),
                tuple(plot_reasons(sea, name, best, course_of(*values[best]).foe, bool(lines), aim)),
                best_options([(command(name, speed), value) for speed, (value, _) in values.items()]),
                round(values[best].value, 3),
            )
        )
    return found


def command(name: str, speed: int) -> dict[str, object]:
    """The command."""
    return {"type": "plot", "ship": name, "speed": speed}


def only_plot(sea: Sea, name: str, speed: int) -> Choice:
    """G6.7, G3.1 There is only one speed to plot."""
    owes = sea.battle.ships[name].must_back
    why = reason("plot_owed", rule="G6.7", ship=name) if owes else reason("plot_only", rule="G3.1", ship=name)
    return Choice(command(name, speed), (why,))


def by_habit(sea: Sea, name: str, low: int, high: int) -> Choice:
    """G1.5 Without hexes nobody knows where ships lie: row at cruise."""
    ship = sea.battle.ships[name]
    speed = max(low, min(high, cruise(sea.kind(ship), ship)))
    return Choice(command(name, speed), (reason("plot_cruise", rule="G1.5", ship=name, speed=speed),))


def plot_reasons(sea: Sea, name: str, speed: int, met: str, foreseen: bool, aim: Aim) -> list[Reason]:
    """Why this speed."""
    ship = sea.battle.ships[name]
    found = []
    if met:
        kind = "plot_meet_likely" if foreseen else "plot_meet"
        found.append(reason(kind, rule="G3.1", ship=name, foe=met, speed=speed))
    found.append(reason(f"aim_{aim.why}", ship=name, foe=aim.foe))
    if is_sprint(sea.kind(ship), ship, speed, sea.battle.options.sprint):
        found.append(reason("plot_sprint", rule="G3.3", ship=name, speed=speed, spent=ship.sprints))
    elif speed <= 0 < limit(sea.kind(ship), ship, sea.battle.options.sprint):
        found.append(reason("plot_stays", rule="G3.1", ship=name, speed=speed))
    return found


# -- G4 Steering: which ship steps first, and where.

STOPS = 0.6  # points lost by who runs up on a friend


def steer(sea: Sea, offers: list[Offer]) -> Choice:
    """G4.3 The next step of the side: the ship that gains least by waiting goes first.

    A ship waits while an enemy nearby still has to step, or while a friend that must step lies ahead of it.
    """
    if sea.battle.board.kind == "open":
        return at_sea.steer(sea, offers)
    if not sea.battle.has_hexes:
        return by_hand(offers[0])
    ranked = offers
    if sea.weights.patience:
        found = sorted((waits(sea, offer), number) for number, offer in enumerate(offers))
        ranked = [offers[number] for _, number in found]
    first = step_of(sea, ranked[0])
    for offer in ranked[1:4]:
        if not runs_up(sea, first.command):
            break
        second = step_of(sea, offer)
        if not runs_up(sea, second.command):
            return second
    return first


def waits(sea: Sea, offer: Offer) -> int:
    """How much a ship would learn by waiting: enemies near it that still have to step."""
    name = offer.fields["ship"]
    count = 0
    for away, foe in sea.foes_near(name)[:4]:
        if away > 3:
            break
        count += sea.battle.is_due(sea.battle.ships[foe])
    return count


def runs_up(sea: Sea, command: dict[str, Any]) -> bool:
    """Does the step end at a friend who may still move away?"""
    ship = sea.battle.ships[command["ship"]]
    to = target_hex(sea, command)
    if ship.speed < 0 or to is None:
        return False
    return any(
        other.side == sea.side and other.is_afloat and sea.battle.is_due(other) for other in sea.battle.ships_at(to)
    )


def target_hex(sea: Sea, command: dict[str, Any]) -> Hex | None:
    """The hex that a step leads to."""
    ship = sea.battle.ships[command["ship"]]
    if ship.at is None or ship.facing is None:
        return None
    heading = command.get("facing") or TURNED[ship.facing, command.get("turn", "none")]
    return astern(ship.at, heading) if ship.speed < 0 else ahead(ship.at, heading)


def by_hand(offer: Offer) -> Choice:
    """G1.5 On the players' own table a captain sees no places: straight on."""
    turns = offer.fields.get("turn", "none")
    turn = "none" if turns == "none" or "none" in turns else turns if isinstance(turns, str) else turns[0]
    command = {"type": "step", "ship": offer.fields["ship"], "turn": turn}
    return Choice(command, (reason("step_blind", rule="G1.5", ship=offer.fields["ship"]),))


def step_of(sea: Sea, offer: Offer) -> Choice:
    """G4.1 The best step of one ship."""
    name = offer.fields["ship"]
    ship = sea.battle.ships[name]
    assert ship.facing is not None
    key = "facing" if "facing" in offer.fields else "turn"
    names = offer.fields[key]
    ways = [names] if isinstance(names, str) else list(names)
    headings = {way: way if key == "facing" else TURNED[ship.facing, way] for way in ways}
    if len(ways) == 1:
        command = {"type": "step", "ship": name, key: ways[0]}
        return Choice(command, (reason("step_only", rule="G4.2", ship=name),))
    sight = sight_of(sea, name)
    aim = aim_of(sea, name)
    found = courses(sea, name, ship.speed, sight, aim)
    values = {way: worth(sea, name, heading, found) for way, heading in headings.items()}
    commands: dict[str, dict[str, Any]] = {way: {"type": "step", "ship": name, key: way} for way in ways}
    best = max(values, key=lambda way: (not sea.would_stay or stays(sea, commands[way]), values[way]))
    return Choice(
        commands[best],
        tuple(step_reasons(name, found.get(headings[best]), aim.why, aim.foe)),
        best_options([(commands[way], value) for way, value in values.items()]),
        round(values[best], 3),
    )


def stays(sea: Sea, command: dict[str, Any]) -> bool:
    """G1.4 Does a step lead to a hex of the board?"""
    to = target_hex(sea, command)
    return to is None or sea.battle.board.holds(to)


def worth(sea: Sea, name: str, heading: str, found: dict[str, Course]) -> float:
    """What a step with this heading is worth; running up on a friend costs the rest of the turn."""
    ship = sea.battle.ships[name]
    assert ship.at is not None
    course = found.get(heading)
    value = course.value if course is not None else -sea.weights.edge
    to = astern(ship.at, heading) if ship.speed < 0 else ahead(ship.at, heading)
    if any(other.side == sea.side or other.is_prize for other in sea.battle.ships_at(to)):
        value -= STOPS + sea.weights.crowd
    return value


def step_reasons(name: str, course: Course | None, why: str, foe: str | None) -> list[Reason]:
    """Why this step."""
    found = []
    if course is not None and course.foe and course.gain > 0:
        gain = round(course.gain, 1)
        found.append(reason("step_meet", rule="G4.6", odds=course.chance, ship=name, foe=course.foe, value=gain))
    found.append(reason(f"aim_{why}", ship=name, foe=foe))
    if course is not None and course.risk > 0.5:
        found.append(reason("step_risk", ship=name, value=round(course.risk, 1)))
    return found
