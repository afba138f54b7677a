"""What a captain sees and what a meeting is worth: ships near, exact odds, aims."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from itertools import count
from typing import NamedTuple

import numpy as np

from tactical.battle import Battle
from tactical.board import HEADINGS, NUMBER, OPPOSITE, STEPS, Hex, distance, from_column_row
from tactical.captains.reasons import Mind, Orders, Role, Weights, weights_of
from tactical.captains.water import (
    FREE,
    MOST_STRAIGHT,
    OVER,
    STEP,
    Guess,
    Near,
    Reach,
    Spread,
    Water,
    chart,
    number_of,
    pose_at,
    reach,
)
from tactical.odds import Leaks, after_turn, bow_to_bow, fought_out, left_tables, map_outcomes, of_die, volley
from tactical.rules.boarding import TABLE, verdict
from tactical.rules.ending import HALVES
from tactical.rules.ramming import RAM, ram_damage
from tactical.ship import CREWS, MARINES, Ship, ShipType, maximum, turn_cycle

# -- The exact odds of `tactical.odds` as floats, kept by the numbers they depend on: a captain asks them often.

FLOODING = 4  # turns of flooding after a ram that are reckoned with
Crew = tuple[int, int, int]  # heavy, medium, light


class Blow(NamedTuple):
    """G6.2 What one ram does: the chance that it sinks at once, soon (by flooding too), and its mean damage."""

    sinks: float
    sinks_soon: float
    damage: float


@lru_cache(maxsize=4096)
def blow(modifier: int, full_speed: bool, hull_left: int, breaches: int) -> Blow:
    """G6.2, G6.5, G9.3 A ram on a hull with so much left and so many breaches open already."""
    faces = of_die(lambda face: ram_damage(face, modifier, full_speed))
    sinks = float(sum(p for damage, p in faces.items() if damage >= hull_left))
    leaks: Leaks = map_outcomes(faces, lambda damage: (breaches + RAM.breaches, min(damage, hull_left)))
    for _ in range(FLOODING):
        leaks = after_turn(leaks, False, hull_left)
    soon = float(sum(p for (_, damage), p in leaks.items() if damage >= hull_left))
    mean = float(sum(min(damage, hull_left) * p for (_, damage), p in leaks.items()))
    return Blow(sinks, soon, mean)


@lru_cache(maxsize=4096)
def sinks_by_flooding(breaches: int, hull_left: int, in_fight: bool, turns: int = FLOODING) -> float:
    """G9.2, G9.3 The chance that a hull with so many breaches open is gone within so many turns."""
    if hull_left <= 0:
        return 1.0
    if not breaches:
        return 0.0
    leaks: Leaks = {(breaches, 0): of_die(lambda face: 1)[1]}
    for _ in range(turns):
        leaks = after_turn(leaks, in_fight, hull_left)
    return float(sum(p for (_, damage), p in leaks.items() if damage >= hull_left))


@lru_cache(maxsize=64)
def head_on(crew: str, enemy: str) -> tuple[float, float, float]:
    """G6.1 Bow to bow: the chances to ram, to be rammed, and of both."""
    odds = bow_to_bow(crew, enemy)
    return float(odds["rams"]), float(odds["rammed"]), float(odds["both"])


@lru_cache(maxsize=16384)
def fight(attacker: Crew, defender: Crew) -> tuple[float, float]:
    """G8.3, G8.4 A boarding fight to its end: the chances that the boarders win and that they are thrown back."""
    if sum(attacker) == 0:
        return 0.0, 0.0
    if sum(defender) == 0:
        return 1.0, 0.0
    mine, theirs = (dict(zip(MARINES, crew, strict=True)) for crew in (attacker, defender))
    left_a, left_d = left_tables(mine, theirs, False)
    won = lost = 0.0
    for (x, y), chance in np.ndenumerate(fought_out(left_a, left_d)):
        if chance:
            result = verdict(x, y)
            if result == "captured":
                won += chance
            elif result == "thrown_back":
                lost += chance
    return float(won), float(lost)


def combine(*crews: Crew) -> Crew:
    """The marines of several ships together."""
    return sum(crew[0] for crew in crews), sum(crew[1] for crew in crews), sum(crew[2] for crew in crews)


BOARDS = len(TABLE.board.succeeds) / 6  # G8.1 the chance to board without a corvus


@lru_cache(maxsize=4096)
def shot(weapon: str, reach: int) -> tuple[float, float]:
    """G5.2 The mean kills and hull damage of one die of a weapon at a range."""
    found = volley({weapon: 1}, reach)
    return (
        float(sum(kills * p for (kills, _), p in found.items())),
        float(sum(hull * p for (_, hull), p in found.items())),
    )


@lru_cache(maxsize=4096)
def shots_sink(weapon: str, count: int, reach: int, hull_left: int) -> float:
    """G5.8 The chance that so many dice of a weapon make as much damage as a hull has left."""
    found = volley({weapon: count}, reach)
    return float(sum(p for (_, hull), p in found.items() if hull >= hull_left))


# -- What a captain reads out of a view: the water, the ships near it, who is worth what. Nothing that a view hides.


class Hull(NamedTuple):
    """What matters of a ship in a meeting: equal hulls have equal odds, so that they are kept by this."""

    ram: int | None
    hull: int
    left: int
    breaches: int
    crew: str
    marines: tuple[int, int, int]
    corvus: bool
    oars: bool
    fighting: bool
    raked_by: str | None


class Sea:
    """One view as a captain of one side reads it; made for each decision and thrown away."""

    def __init__(self, battle: Battle, side: str, orders: Orders) -> None:
        self.battle = battle
        self.side = side
        self.orders = orders
        self.mind = orders.mind
        self.weights: Weights = weights_of(self.mind)
        self.mine: dict[str, Ship] = {}
        self.foes: dict[str, Ship] = {}
        prizes = set()
        for name, ship in battle.ships.items():
            if ship.status == "afloat":
                (self.mine if ship.side == side else self.foes)[name] = ship
            elif ship.status == "captured" and ship.at is not None:
                prizes.add(ship.at)
        board = battle.board
        closed = board.blocked | prizes if prizes else board.blocked
        self.water = kept_water(Water(board.columns, board.rows, closed, battle.edge_is_wall()))
        self._opposite: dict[str, Sea] = {}
        self._near: dict[str, tuple[tuple[int, str], ...]] = {}

    @cached_property
    def moored_friends(self) -> frozenset[int]:
        """The hexes of one's own ships that stay where they are for the rest of this turn."""
        moored = frozenset(
            number_of(ship.at) for ship in self.mine.values() if ship.at is not None and is_moored(self.battle, ship)
        )
        return moored | self.held_friends if self.battle.step == "plot" else moored

    @cached_property
    def held_friends(self) -> frozenset[int]:
        """G4.3, G6.7 The hexes of one's own ships that cannot go on: they fight, owe a backing, or are shut in."""
        if not self.weights.yields:
            return frozenset()
        lying = [(ship, sheet(self.battle, ship)) for ship in self.mine.values() if ship.at is not None]
        hexes = {known.pose >> 9 for _, known in lying}
        return frozenset(known.pose >> 9 for ship, known in lying if self.is_held(ship, known, hexes))

    def is_held(self, ship: Ship, known: Sheet, lie: set[int]) -> bool:
        """Can the ship not go on, its friends lying where they do?"""
        if ship.boarding is not None or ship.must_back:
            return True
        pose = known.pose
        if pose < 0:
            return False
        ahead = (pose >> 9) + STEP[pose >> 6 & 7]
        water = chart(self.water, known.cycle)
        if ahead not in lie and ahead not in water.closed and not self.water.wall:
            return False
        return all(
            then != OVER and (then >> 9 == pose >> 9 or then >> 9 in lie) for _, then in water.onward(pose, False)
        )

    @cached_property
    def berths(self) -> frozenset[int]:
        """G6.7 The hexes into which one's own ships owe a backing."""
        return frozenset(
            (pose >> 9) - STEP[pose >> 6 & 7]
            for ship in self.mine.values()
            if ship.must_back and (pose := sheet(self.battle, ship).pose) >= 0
        )

    def opposite(self, side: str) -> Sea:
        """The same view as an able captain of another side would read it."""
        found = self._opposite.get(side)
        if found is None:
            found = self._opposite[side] = Sea(self.battle, side, Orders("able"))
        return found

    @property
    def after(self) -> int:
        """The phase whose move step is over for a ship that has stepped; 0 before the turn's first."""
        return self.battle.phase or 0

    @cached_property
    def lead_with_all_sunk(self) -> float:
        """G10.2 The side's lead in points if all enemies afloat were sunk; when it is not above 0, only prizes win."""
        if not self.weights.prizes_win or self.battle.link is not None:
            return 1.0
        return self.lead + SUNK * sum(self.kind(ship).hull for ship in self.foes.values())

    @cached_property
    def lead(self) -> int:
        """G10.2 The side's points, less those of the best other side."""
        sides = self.battle.sides
        others = (each.points for name, each in sides.items() if name != self.side)
        return sides[self.side].points - max(others, default=0)

    @property
    def would_stay(self) -> bool:
        """G1.4, G10.2 Is the side ahead? Then its ships turn back from an open edge where they may."""
        return self.lead > 0 and self.orders.level != "raw"

    def kind(self, ship: Ship) -> ShipType:
        """The ship's type."""
        return self.battle.kind(ship)

    def hull(self, name: str) -> Hull:
        """What matters of a ship in a meeting."""
        return sheet(self.battle, self.battle.ships[name]).hull

    def sheet(self, name: str) -> Sheet:
        """What is read out of a ship's sheet."""
        return sheet(self.battle, self.battle.ships[name])

    def foes_near(self, name: str) -> tuple[tuple[int, str], ...]:
        """The enemies afloat with their distance, the nearest first."""
        found = self._near.get(name)
        if found is None:
            at = self.battle.ships[name].at
            assert at is not None
            others = self.foes if name in self.mine else self.mine
            found = self._near[name] = tuple(
                sorted((distance(at, foe.at), other) for other, foe in others.items() if foe.at is not None)
            )
        return found

    def reach_of(self, known: Sheet, after: int, asked: object, speeds: Callable[[], Guess]) -> Reach:
        """G3.2 Where a ship may be in the phases after `after`; kept by its sheet for what is `asked`."""
        found = known.reaches.get((after, asked))
        if found is None or found[0] is not self.water:
            made = reach(self.water, known.pose, known.cycle, speeds(), after)
            found = known.reaches[after, asked] = self.water, made
        return found[1]

    def cycle(self, ship: Ship) -> int:
        """G2.2 The straight steps that the ship owes before a turn."""
        return sheet(self.battle, ship).cycle

    def pose(self, ship: Ship) -> int:
        """The ship's pose, with what its first step may do."""
        return sheet(self.battle, ship).pose

    def passed(self, ship: Ship) -> int:
        """The phase up to which the ship's steps of this turn are made or gone by."""
        phase = self.battle.phase
        if phase is None:
            return 0
        if self.battle.step == "move" and not ship.stepped:
            return phase - 1
        return phase

    def turns_left(self) -> int:
        """Turns to the limit, this one included; 99 without a limit."""
        limit = self.battle.turn_limit
        return 99 if limit is None else limit - self.battle.turn + 1


class Sheet(NamedTuple):
    """What is read out of one ship's sheet, again and again while it stays the same.

    Equal hulls have one number; `reaches` keeps where the ship can be, by the phase and what it was asked for.
    """

    hull: Hull
    number: int
    cycle: int
    pose: int
    steps: int
    reaches: dict[object, tuple[Water, Reach]]


SUNK: float = HALVES["sunk"] / 2
READINGS_KEPT = 4096
_sheets: dict[int, tuple[Ship, dict[str, ShipType], Sheet]] = {}
_numbers: dict[Hull, int] = {}
_next = count()
_waters: dict[Water, Water] = {}


def kept_water(water: Water) -> Water:
    """An equal water that was met before, so that it is known by itself."""
    if len(_waters) >= READINGS_KEPT:
        _waters.clear()
    return _waters.setdefault(water, water)


def number_of_hull(hull: Hull) -> int:
    """A number for all equal hulls: a quick key; never given twice."""
    found = _numbers.get(hull)
    if found is None:
        if len(_numbers) >= READINGS_KEPT:
            _numbers.clear()
        found = _numbers[hull] = next(_next)
    return found


def sheet(battle: Battle, ship: Ship) -> Sheet:
    """What is read out of a ship's sheet; kept by the sheet itself, which is another one after every change."""
    found = _sheets.get(id(ship))
    if found is not None and found[0] is ship and found[1] is battle.types:
        return found[2]
    if len(_sheets) >= READINGS_KEPT:
        _sheets.clear()
    kind = battle.kind(ship)
    cycle = min(turn_cycle(kind, ship), MOST_STRAIGHT - 1)
    hull = hull_of(battle, ship)
    made = Sheet(hull, number_of_hull(hull), cycle, pose_of(ship, cycle), maximum(kind, ship), {})
    _sheets[id(ship)] = ship, battle.types, made
    return made


def pose_of(ship: Ship, cycle: int) -> int:
    """The ship's pose, with what its first step may do; -1 for one that lies nowhere on hexes."""
    if not isinstance(ship.facing, str) or ship.at is None:
        return -1
    free = str(ship.free_turn or "") if not ship.steps_made else ""
    which = FREE.index("passing" if ship.passing is not None else free)
    return pose_at(number_of((int(ship.at[0]), int(ship.at[1]))), NUMBER[ship.facing], min(ship.straight, cycle), which)


def hull_of(battle: Battle, ship: Ship) -> Hull:
    """What matters of a ship in a meeting."""
    kind = battle.kind(ship)
    return Hull(
        kind.ram,
        kind.hull,
        max(1, kind.hull - ship.damage),
        ship.breaches,
        ship.crew,
        (ship.heavy, ship.medium, ship.light),
        ship.corvus,
        ship.oars_broken,
        ship.boarding is not None,
        ship.raked_by,
    )


def is_moored(battle: Battle, ship: Ship) -> bool:
    """Will the ship stay where it is for the rest of this turn? Known once the plots are shown."""
    if ship.status == "captured" or ship.boarding is not None:
        return True
    return battle.step != "plot" and (ship.stopped or ship.speed == 0)


def is_fast(kind: ShipType, ship: Ship, plot: int | None, first: bool) -> bool:
    """G6.3 Would a ship that plotted so have full speed in a meeting of its first step, or of a later one?"""
    if ship.oars_broken or plot is None or plot != maximum(kind, ship):
        return False
    return ship.full_speed_last or first


# -- What a meeting is worth: rams, rakes and boardings by their exact odds, in points of hull (G10.2).
#
# Each value is a gain for the ship that acts, its risk taken off. Kept by the hulls that meet, not by the ships.

CAPTURED: float = HALVES["captured"] / 2


class Meeting(NamedTuple):
    """How a ship best settles a meeting: `deed` is "ram", "rake" or "hold" (to board, or to do nothing)."""

    deed: str
    value: float
    ram: float
    rake: float
    hold: float


@lru_cache(maxsize=16384)
def boarding_value(mind: Mind, one: Hull, other: Hull) -> float:
    """G8.4 The gain of a boarding fight that is begun: the prize, against being thrown back and boarded in turn.

    A prize that goes down counts as sunk (G9.4), so a hull full of water is worth less.
    """
    weights = weights_of(mind)
    won, lost = fight(one.marines, other.marines)
    sinks = sinks_by_flooding(other.breaches, other.left, False) if other.breaches else 0.0
    prize = other.hull * (CAPTURED * (1 - sinks) + SUNK * sinks)
    retaken = one.hull * CAPTURED * weights.retaken if sum(other.marines) else 0.0
    return weights.prize * won * prize - weights.risk * lost * retaken


def boards(mind: Mind, one: Hull, other: Hull) -> float:
    """G8.1 The gain of trying to board now: with the corvus at once, else by a die; 0 when it is better left."""
    if not sum(one.marines) or one.fighting or other.fighting:
        return 0.0
    chance = 1.0 if one.corvus else BOARDS
    return chance * max(0.0, boarding_value(mind, one, other))


@lru_cache(maxsize=16384)
def ram_value(mind: Mind, one: Hull, other: Hull, full_speed: bool) -> float:
    """G6.2 The gain of one ram that strikes: the hull sunk, or the share of it that is broken."""
    weights = weights_of(mind)
    struck = blow(one.ram or 0, full_speed, other.left, other.breaches)
    broken = struck.damage / other.hull
    hit = other.hull * SUNK * (struck.sinks_soon + (1 - struck.sinks_soon) * weights.damage * broken)
    return weights.ram * hit


def hit_before_boarding(mind: Mind, one: Hull, other: Hull, full_speed: bool, boards_her: float) -> float:
    """G6.2, G8.4 A ram by a ship that will then board with this chance: what it breaks of its own prize is no gain."""
    weights, struck = weights_of(mind), blow(one.ram or 0, full_speed, other.left, other.breaches)
    lost_later = (struck.sinks_soon - struck.sinks) / max(1e-9, 1 - struck.sinks)
    won, _ = fight(one.marines, other.marines)
    taken = boards_her * won
    prize = weights.prize * (CAPTURED * (1 - lost_later) + SUNK * lost_later)
    broken = weights.ram * SUNK * (lost_later + (1 - lost_later) * weights.damage * struck.damage / other.hull)
    sunk = weights.ram * SUNK * struck.sinks
    return other.hull * (sunk + (1 - struck.sinks) * (taken * prize + (1 - taken) * broken))


@lru_cache(maxsize=16384)
def meeting(
    mind: Mind, one: Hull, other: Hull, aspect: str, full_speed: bool, their_full_speed: bool, open_beyond: bool
) -> Meeting:
    """G6.1, G6.9, G7.1 What a ship gains from a contact; `aspect` is "head", "stern" or "beam".

    After the ram step comes the boarding step: whoever is left afloat may board the other.
    """
    weights = weights_of(mind)
    mine, theirs = boards(mind, one, other), boards(mind, other, one)
    first = (1.0 if one.corvus else BOARDS) if mine > theirs else 0.0
    after = mine - weights.risk * theirs * (1 - first)
    if one.ram is None:
        return Meeting("hold", after, -99.0, -99.0, after)
    hit = ram_value(mind, one, other, full_speed)
    sinks = blow(one.ram, full_speed, other.left, other.breaches).sinks
    later = after
    if first and mine > 0:
        hit = hit_before_boarding(mind, one, other, full_speed, first)
        later = -weights.risk * theirs * (1 - first)
    if aspect == "head" and other.ram is not None:
        rams, rammed, both = head_on(one.crew, other.crew)
        theirs_hit = ram_value(mind, other, one, their_full_speed)
        ram = (rams + both) * hit - weights.risk * (rammed + both) * theirs_hit - weights.owing
        ram += (1 - (rams + both) * sinks) * later
    else:
        ram = hit - weights.owing + (1 - sinks) * later
    rake = -99.0
    better = CREWS[one.crew].rank > CREWS[other.crew].rank
    if better and aspect != "beam" and not other.oars and open_beyond:
        rake = weights.oars * other.hull
    deed, value = max((("ram", ram), ("rake", rake), ("hold", after)), key=lambda each: each[1])
    return Meeting(deed, value, ram, rake, after)


def aspect_of(facing: str, target: str) -> str:
    """G6.1, G7.1 How a ship with this heading strikes one with that: head on, astern, or on the beam."""
    if facing == OPPOSITE[target]:
        return "head"
    return "stern" if facing == target else "beam"


# -- The enemies as one ship sees them: where they can be, what a meeting with each brings, and what places are worth.

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


_prospects: dict[tuple[Mind, int, int, bool], Prospect] = {}  # by the numbers of the hulls
SIGHTS_KEPT = 65536


def prospect(mind: Mind, mine: Sheet, theirs: Sheet, their_speed: bool) -> Prospect:
    """What two ships can do to each other; `their_speed`: is the enemy at full speed?"""
    key = mind, mine.number, theirs.number, their_speed
    found = _prospects.get(key)
    if found is None:
        if len(_prospects) >= SIGHTS_KEPT:
            _prospects.clear()
        found = _prospects[key] = worked_out(mind, mine.hull, theirs.hull, their_speed)
    return found


def worked_out(mind: Mind, mine: Hull, theirs: Hull, their_speed: bool) -> Prospect:
    """The same of two hulls."""
    strikes, struck = gains(mind, mine, theirs, False, False), losses(mind, mine, theirs, False, False)
    slow_strikes = gains(mind, mine, theirs, False, True) if their_speed else strikes
    slow_struck = losses(mind, mine, theirs, False, True) if their_speed else struck
    return Prospect(
        boards(mind, mine, theirs),
        boards(mind, theirs, mine),
        strikes,
        struck,
        (slow_strikes, gains(mind, mine, theirs, True, their_speed)),
        (slow_struck, losses(mind, mine, theirs, True, their_speed)),
    )


def gains(mind: Mind, mine: Hull, theirs: Hull, fast: bool, they_fast: bool) -> Gains:
    """What meeting an enemy brings, by the aspect."""
    head, stern, beam = (meeting(mind, mine, theirs, aspect, fast, they_fast, True).value for aspect in ASPECTS)
    return head, stern, beam


def losses(mind: Mind, mine: Hull, theirs: Hull, fast: bool, they_fast: bool) -> Gains:
    """What being met by an enemy costs, by the aspect; it does not meet us for nothing."""
    head, stern, beam = (
        max(0.0, meeting(mind, theirs, mine, aspect, they_fast, fast, True).value) for aspect in ASPECTS
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


# -- Whom each ship hunts, keeps off or covers: by what a meeting would bring, how far it is, and the squadron's role.

STAND_OFF = 3  # G5.2 the short range of artillery: whence a ship that had better not close shoots
AIMS_KEPT = 65536
LOOKED = 8  # enemies that are looked at, the nearest
_charms: dict[tuple[Mind, int, int], float] = {}  # by the numbers of the hulls
PER_HEX = 0.35  # points of hull that a hex of way is worth when a target is chosen


class Aim(NamedTuple):
    """What a ship steers by: a hex, at which distance, how urgently, whom it means, and why ("hunt", "keep_off" …)."""

    at: Hex
    range: int
    weight: float
    foe: str | None
    why: str


def aim_of(sea: Sea, name: str, hunted: dict[str, int] | None = None) -> Aim:
    """The aim of one ship; `hunted` counts how many friends hunt each enemy already."""
    role = role_of(sea, name)
    foes = sea.foes_near(name)
    at = sea.battle.ships[name].at
    assert at is not None
    if not foes:
        return Aim(middle(sea.water), 0, 0.2, None, "no_enemy")
    if leads_at_the_end(sea):
        return Aim(nearest(sea, foes), 7, 2.0, foes[0][1], "keep_lead")
    if role == "guard" and (ward := ward_of(sea, at)) is not None:
        menace = min((distance(ward, sea.battle.ships[foe].at or ward), foe) for _, foe in foes)
        if menace[0] > sea.weights.guard + 2:
            return Aim(ward, 2, 1.0, None, "guard")
        return hunt(sea, menace[1], "guard")
    if role == "reserve" and foes[0][0] > sea.weights.reserve and not has_begun(sea):
        return Aim(at, 0, 0.6, None, "reserve")
    mine, best, top, promise = sea.sheet(name), foes[0][1], -1e9, 0.0
    for away, foe in foes[: 1 if sea.orders.level == "raw" else LOOKED]:
        promised = attraction(sea, mine, foe)
        value = promised - PER_HEX * away
        if hunted:
            value -= sea.weights.spreads * max(0, hunted.get(foe, 0) - 1)
        if value > top:
            best, top, promise = foe, value, promised
    if sea.orders.level != "raw" and promise < 0:
        return Aim(nearest(sea, foes), STAND_OFF if role != "screen" else STAND_OFF - 1, 0.8, foes[0][1], "keep_off")
    return hunt(sea, best, "hunt")


def hunt(sea: Sea, foe: str, why: str) -> Aim:
    """An aim at an enemy where it lies now."""
    at = sea.battle.ships[foe].at
    assert at is not None
    return Aim(at, 1, 1.0, foe, why)


def role_of(sea: Sea, name: str) -> Role:
    """The role of the ship's squadron; a ship without one is of the line."""
    squadron = sea.battle.ships[name].squadron
    return sea.orders.roles.get(squadron, "line") if squadron else "line"


def attraction(sea: Sea, mine: Sheet, foe: str) -> float:
    """What it would bring to meet this enemy on the beam, or to board it."""
    theirs = sea.sheet(foe)
    key = sea.mind, mine.number, theirs.number
    found = _charms.get(key)
    if found is None:
        if len(_charms) >= AIMS_KEPT:
            _charms.clear()
        found = _charms[key] = charm(sea.mind, mine.hull, theirs.hull)
    return found


def charm(mind: Mind, mine: Hull, theirs: Hull) -> float:
    """The same of two hulls."""
    if mine.ram is None:
        return -1.0
    found = meeting(mind, mine, theirs, "beam", False, False, True)
    return max(found.value, boards(mind, mine, theirs) - weights_of(mind).risk * boards(mind, theirs, mine))


def nearest(sea: Sea, foes: tuple[tuple[int, str], ...]) -> Hex:
    """Where the nearest enemy lies."""
    at = sea.battle.ships[foes[0][1]].at
    assert at is not None
    return at


def ward_of(sea: Sea, at: Hex) -> Hex | None:
    """L2.3 The nearest transport of one's own."""
    places = [ship.at for ship in sea.mine.values() if sea.kind(ship).ram is None and ship.at is not None]
    return min(places, key=lambda place: distance(at, place), default=None)


def has_begun(sea: Sea) -> bool:
    """Has the fight begun: a ship hurt, boarded, or gone?"""
    return any(ship.damage or ship.boarding is not None for ship in sea.mine.values()) or any(
        ship.side == sea.side and ship.status != "afloat" for ship in sea.battle.ships.values()
    )


def leads_at_the_end(sea: Sea) -> bool:
    """G10.1 Near the turn limit, with a lead in points: time to keep away."""
    if sea.turns_left() > sea.weights.last or sea.battle.link is not None:
        return False
    return sea.lead >= sea.weights.ahead


def middle(water: Water) -> Hex:
    """The hex in the middle of the board."""
    return from_column_row(water.columns // 2, water.rows // 2)
