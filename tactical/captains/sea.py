"""What a captain reads out of a view: the water, the ships near it, who is worth what. Nothing that a view hides."""

from __future__ import annotations

from typing import NamedTuple

from tactical.battle import Battle
from tactical.captains.choice import Orders
from tactical.captains.reach import Pose, Reach, Water, reach
from tactical.captains.weights import Weights, weights_of
from tactical.hexes import Hex, distance
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
        self.water = Water(board.columns, board.rows, closed, battle.edge_is_wall())
        self.moored: dict[Hex, str] = {
            ship.at: name for name, ship in battle.ships.items() if ship.at is not None and is_moored(battle, ship)
        }
        self._hulls: dict[str, Hull] = {}
        self._near: dict[str, tuple[tuple[int, str], ...]] = {}

    @property
    def after(self) -> int:
        """The phase whose move step is over for a ship that has stepped; 0 before the turn's first."""
        return self.battle.phase or 0

    def kind(self, ship: Ship) -> ShipType:
        """The ship's type."""
        return self.battle.kind(ship)

    def hull(self, name: str) -> Hull:
        """What matters of a ship in a meeting."""
        found = self._hulls.get(name)
        if found is None:
            ship = self.battle.ships[name]
            found = self._hulls[name] = hull_of(self.battle, ship)
        return found

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

    def reach_of(self, name: str, speed: int) -> Reach:
        """Where a ship may be at a speed, from this phase on."""
        ship = self.battle.ships[name]
        return reach(self.water, pose_of(ship), turn_cycle(self.kind(ship), ship), speed, self.passed(ship))

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


def hull_of(battle: Battle, ship: Ship) -> Hull:
    """What matters of a ship in a meeting."""
    kind = battle.kind(ship)
    return Hull(
        kind.ram, kind.hull, max(1, kind.hull - ship.damage), ship.breaches, ship.crew,
        (ship.heavy, ship.medium, ship.light), ship.corvus, ship.oars_broken, ship.boarding is not None, ship.raked_by,
    )  # fmt: skip


def is_moored(battle: Battle, ship: Ship) -> bool:
    """Will the ship stay where it is for the rest of this turn? Known once the plots are shown."""
    if ship.status == "captured" or ship.boarding is not None:
        return True
    return battle.step != "plot" and (ship.stopped or ship.speed == 0)


def pose_of(ship: Ship) -> Pose:
    """The ship's pose, with what its first step may do."""
    assert ship.at is not None and ship.facing is not None
    free = ship.free_turn or "" if not ship.steps_made else ""
    return Pose(ship.at, ship.facing, min(ship.straight, 9), "passing" if ship.passing is not None else str(free))


def is_fast(kind: ShipType, ship: Ship, plot: int | None, first: bool) -> bool:
    """G6.3 Would a ship that plotted so have full speed in a meeting of its first step, or of a later one?"""
    if ship.oars_broken or plot is None or plot != maximum(kind, ship):
        return False
    return ship.full_speed_last or first
