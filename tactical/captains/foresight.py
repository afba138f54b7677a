"""G3.1 What the enemy will probably plot: from what everybody sees, never from a plot that is hidden."""

from __future__ import annotations

from functools import lru_cache

from tactical.battle import Battle
from tactical.captains.aims import aim_of
from tactical.captains.choice import Orders
from tactical.captains.courses import Eye, courses, eye_of
from tactical.captains.reach import Pose, Reach, Spread, Water, reach, whole_reach
from tactical.captains.sea import Sea, is_fast, pose_of
from tactical.hexes import Hex
from tactical.ship import Ship, cruise, is_sprint, maximum, plot_range, turn_cycle

Guess = tuple[tuple[int, float], ...]  # a speed and how likely it is
CRUISES, KEEPS, OTHER = 4.0, 2.0, 1.0  # how often a crew cruises, keeps its speed, or does anything else


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


@lru_cache(maxsize=16384)
def mixed(water: Water, pose: Pose, cycle: int, speeds: Guess) -> Reach:
    """Where a ship may be when its speed is only guessed: the courses of each speed, by their shares."""
    if len(speeds) == 1:
        return reach(water, pose, cycle, speeds[0][0], 0)
    found = [(reach(water, pose, cycle, speed, 0), share) for speed, share in speeds]
    phases = range(len(found[0][0].stand))
    return whole_reach(
        tuple(blend([(each.stand[phase], share) for each, share in found]) for phase in phases),
        tuple(blend([(each.arrive[phase], share) for each, share in found]) for phase in phases),
        max(each.steps for each, _ in found),
    )


def blend(parts: list[tuple[Spread, float]]) -> Spread:
    """Several spreads by their shares."""
    whole: dict[Hex, dict[str, float]] = {}
    for spread, share in parts:
        for at, rows in spread.items():
            cell = whole.setdefault(at, {})
            for heading, weight in rows:
                cell[heading] = cell.get(heading, 0.0) + weight * share
    return {at: tuple(cell.items()) for at, cell in whole.items()}


def sighted(sea: Sea, name: str, plots: dict[str, Guess] | None = None) -> tuple[Eye, ...]:
    """The nearest enemies as the ship sees them, with where they can be: known speeds, or guessed ones."""
    found = []
    ship = sea.battle.ships[name]
    own = steps_left(sea, ship)
    for away, foe in sea.foes_near(name)[: sea.weights.forward]:
        other = sea.battle.ships[foe]
        theirs = steps_left(sea, other)
        if away > own + theirs + 4:
            break
        kind = sea.kind(other)
        if sea.battle.step == "plot":
            speeds = (plots or {}).get(foe) or guess(sea, other)
            where = mixed(sea.water, pose_of(other), turn_cycle(kind, other), speeds)
            fast = other.full_speed_last and not other.oars_broken
        else:
            where = sea.reach_of(foe, 0 if other.stopped or other.boarding is not None else other.speed)
            fast = is_fast(kind, other, other.plot, not other.steps_made)
        found.append(eye_of(sea, name, foe, where, fast))
    return tuple(found)


def steps_left(sea: Sea, ship: Ship) -> int:
    """The most steps that a ship can still make this turn."""
    if ship.boarding is not None or (ship.stopped and sea.battle.step != "plot"):
        return 0
    return maximum(sea.kind(ship), ship) if sea.battle.step == "plot" else max(1, ship.speed)


def plotted(sea: Sea, name: str, eyes: tuple[Eye, ...], hunted: dict[str, int]) -> dict[int, tuple[float, str]]:
    """G3.1 What each speed that the ship may plot is worth, and by what course ("": no enemy in it)."""
    ship = sea.battle.ships[name]
    kind, option = sea.kind(ship), sea.battle.options.sprint
    low, high = plot_range(kind, ship, option)
    aim = aim_of(sea, name, hunted)
    if not eyes and low < high:
        high = max(low, min(high, cruise(kind, ship)))
    found = {}
    for speed in range(low, high + 1):
        best = max(courses(sea, name, speed, eyes, aim).values(), key=lambda course: course.value)
        value = best.value
        if is_sprint(kind, ship, speed, option):
            value -= sea.weights.sprint * (1 + ship.sprints)
        if aim.why == "hunt" and speed < min(high, cruise(kind, ship)):
            value -= sea.weights.slow * (min(high, cruise(kind, ship)) - speed)
        found[speed] = (value, best.foe)
    return found


class Seen:
    """A battle as everybody sees it, equal to another that looks the same: the key of what is kept."""

    def __init__(self, battle: Battle, side: str) -> None:
        self.battle = battle
        self.side = side
        self.key = (
            side, battle.turn, battle.board.columns, battle.board.rows, battle.board.blocked, battle.turn_limit,
            battle.options.sprint, battle.edge_is_wall(),
            tuple(
                (name, ship.side, ship.type, ship.at, ship.facing, ship.speed, ship.straight, ship.damage,
                 ship.breaches, ship.heavy, ship.medium, ship.light, ship.crew, ship.corvus, ship.oars_broken,
                 ship.sprints, ship.must_back, ship.free_turn, ship.boarding, ship.status, ship.passing,
                 ship.full_speed_last)
                for name, ship in battle.ships.items()
            ),
        )  # fmt: skip

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seen) and self.key == other.key


@lru_cache(maxsize=32)
def likely_plots(seen: Seen) -> dict[str, int]:
    """What an able captain would plot for each ship of a side, seen from outside: no plot is looked at."""
    sea = Sea(seen.battle, seen.side, Orders("able"))
    hunted: dict[str, int] = {}
    found = {}
    for name, ship in sea.mine.items():
        if ship.boarding is None and ship.at is not None:
            values = plotted(sea, name, sighted(sea, name), hunted)
            found[name] = max(values, key=lambda speed: values[speed][0])
    return found


def foreseen(sea: Sea) -> dict[str, Guess]:
    """The guesses of a seasoned captain: mostly what the enemy's own lights would have it plot."""
    share = sea.weights.likely
    if not share:
        return {}
    found: dict[str, Guess] = {}
    for side in sea.battle.sides:
        if side == sea.side:
            continue
        best = likely_plots(Seen(sea.battle, side))
        for name, speed in best.items():
            rest = dict(guess(sea, sea.battle.ships[name]))
            shares = {each: (1 - share) * part for each, part in rest.items()}
            shares[speed] = shares.get(speed, 0.0) + share
            found[name] = tuple(shares.items())
    return found
