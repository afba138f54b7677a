"""G3.1 What the enemy will probably plot: from what everybody sees, never from a plot that is hidden."""

from __future__ import annotations

from functools import lru_cache, partial
from operator import itemgetter
from typing import NamedTuple

from tactical.battle import Battle
from tactical.captains.aims import Aim, aim_of
from tactical.captains.choice import Orders
from tactical.captains.courses import Track, best_courses, best_tracks, rower_of
from tactical.captains.reach import Guess, Reach, line
from tactical.captains.sea import Sea, Sheet, is_fast
from tactical.captains.sight import Eye, Sight, prospect
from tactical.ship import Ship, cruise, is_sprint, plot_range

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
    level, mine = sea.orders.level, sea.sheet(name)
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
            fast = other.full_speed_last and not other.oars_broken
        else:
            speed = 0 if other.stopped or other.boarding is not None else other.speed
            where = sea.reach_of(sheet, sea.passed(other), None, partial(certain_guess, speed))
            fast = is_fast(sea.kind(other), other, other.plot, not other.steps_made)
        seen = prospect(level, mine, sheet, fast)
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
