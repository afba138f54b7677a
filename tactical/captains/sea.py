"""What a captain reads out of a view: the water, the ships near it, who is worth what. Nothing that a view hides."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import count
from typing import NamedTuple

from tactical.battle import Battle
from tactical.captains.chart import FREE, MOST_STRAIGHT, OVER, STEP, Water, chart, number_of, pose_at
from tactical.captains.choice import Orders
from tactical.captains.reach import Guess, Reach, reach
from tactical.captains.weights import Weights, weights_of
from tactical.hexes import NUMBER, distance
from tactical.rules.ending import HALVES
from tactical.ship import Ship, ShipType, maximum, turn_cycle


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
        self.weights: Weights = weights_of(orders.level)
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
KEPT = 4096
_sheets: dict[int, tuple[Ship, dict[str, ShipType], Sheet]] = {}
_numbers: dict[Hull, int] = {}
_next = count()
_waters: dict[Water, Water] = {}


def kept_water(water: Water) -> Water:
    """An equal water that was met before, so that it is known by itself."""
    if len(_waters) >= KEPT:
        _waters.clear()
    return _waters.setdefault(water, water)


def number_of_hull(hull: Hull) -> int:
    """A number for all equal hulls: a quick key; never given twice."""
    found = _numbers.get(hull)
    if found is None:
        if len(_numbers) >= KEPT:
            _numbers.clear()
        found = _numbers[hull] = next(_next)
    return found


def sheet(battle: Battle, ship: Ship) -> Sheet:
    """What is read out of a ship's sheet; kept by the sheet itself, which is another one after every change."""
    found = _sheets.get(id(ship))
    if found is not None and found[0] is ship and found[1] is battle.types:
        return found[2]
    if len(_sheets) >= KEPT:
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
