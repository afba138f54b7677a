"""The battle record: board, sides, ships, and the small named changes that rules make to it."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, Literal

import msgspec

from tactical.hexes import Hex, distance, is_on_board
from tactical.kernel.dice import Roll
from tactical.kernel.play import Illegal
from tactical.kernel.record import Record
from tactical.ship import STEPS_OF, TYPES, Navy, Ship, ShipType

StepName = Literal["plot", "move", "fire", "ram", "board", "end", "over"]
Level = Literal["adjudicate", "advise", "record"]


class Board(Record, frozen=True):
    """G1 The board: hexes of offset columns and rows, or the players' own table (G1.5)."""

    kind: Literal["hexes", "table"] = "hexes"
    columns: int = 20
    rows: int = 14
    land: tuple[Hex, ...] = ()
    wrecks: tuple[Hex, ...] = ()

    @cached_property
    def dry(self) -> frozenset[Hex]:
        """The land hexes."""
        return frozenset(self.land)

    @cached_property
    def blocked(self) -> frozenset[Hex]:
        """G1.2 Hexes that no ship may enter: land and wrecks."""
        return self.dry | frozenset(self.wrecks)

    def holds(self, at: Hex) -> bool:
        """Is the hex on the board?"""
        return is_on_board(at, self.columns, self.rows)

    def with_wreck(self, at: Hex) -> Board:
        """G6.5 A hex that a wreck has closed for the rest of the battle."""
        return self if at in self.wrecks else msgspec.structs.replace(self, wrecks=(*self.wrecks, at))


class Side(Record, frozen=True):
    """One side: its name, its navy (which column of the ship table it uses), and where it stands in this step."""

    name: str = ""
    navy: Navy = "hellenistic"
    locked: bool = False
    done: bool = False
    points: int = 0
    agreed: bool = False
    resigned: bool = False


class Options(Record, frozen=True):
    """The rule options of data/galley/options.toml, as this battle is played."""

    edge: Literal["withdraw", "wall"] = "withdraw"
    sprint: Literal["above_cruise", "maximum"] = "above_cruise"
    order: Literal["free", "initiative"] = "free"
    ships_block_sight: bool = False
    arcs: Literal["all_round", "forward"] = "all_round"
    model: Literal["ship", "squadron"] = "ship"


class Result(Record, frozen=True):
    """G10 How the battle ended: the winner or nobody, each side's points, and why it ended."""

    winner: str | None
    points: dict[str, int]
    why: str


class Link(Record, frozen=True):
    """L1.4 The campaign that this battle belongs to: its game, its engagement, and what is special at sea.

    `wall_until` is the last turn in which the edge is a wall (L3.4); `supremacy` the side that may evade (L3.5);
    `evades` whether the system has evasion; `rerolls` re-rolls of dice left to each side (L2.5); `units` which
    campaign unit each ship is; `evaded` the side that has gone.
    """

    game: str
    engagement: str
    system: str
    models_per_unit: int = 1
    wall_until: int = 4
    supremacy: str | None = None
    evades: bool = False
    evaded: str | None = None
    rerolls: dict[str, int] = {}
    rerolled: dict[str, int] = {}
    units: dict[str, str] = {}
    deploying: tuple[str, ...] = ()
    stakes: str = ""


LONGEST_SHOT = 10


@lru_cache(maxsize=512)
def enemies_near(stands: tuple[tuple[str, str, Hex], ...]) -> dict[tuple[str, Hex], tuple[tuple[str, int], ...]]:
    """G1.3 Who stands within the longest shot of a side's ship in a hex; ships in one hex are at range 1."""
    found: dict[tuple[str, Hex], list[tuple[int, int, str]]] = {(side, at): [] for _, side, at in stands}
    for number, (name, side, at) in enumerate(stands):
        for later in range(number + 1, len(stands)):
            other, other_side, place = stands[later]
            if side == other_side or abs(at[0] - place[0]) > LONGEST_SHOT:
                continue
            range_ = max(1, distance(at, place))
            if range_ <= LONGEST_SHOT:
                found[side, at].append((range_, later, other))
                found[other_side, place].append((range_, number, name))
    return {stand: tuple((other, range_) for range_, _, other in sorted(near)) for stand, near in found.items()}


class Thrown(Record, frozen=True):
    """L2.5.a Dice on the table while a commander may still throw one again.

    `command` is what was ordered; `rolls` what fell, each die with its paragraph and the ship that rolled;
    `waits` the sides that have not answered yet.
    """

    command: dict[str, Any]
    seat: str
    rolls: tuple[Roll, ...]
    waits: tuple[str, ...]


class Battle(Record, frozen=True):
    """One battle as it stands. `level`, `types` and `options` are recorded with it; `link` ties it to a campaign."""

    turn: int = 1
    phase: int | None = None
    step: StepName = "plot"
    board: Board = Board()
    sides: dict[str, Side] = {}
    ships: dict[str, Ship] = {}
    first: str | None = None
    turn_limit: int | None = None
    result: Result | None = None
    options: Options = Options()
    level: Level = "adjudicate"
    types: dict[str, ShipType] = {}
    scenario: str | None = None
    link: Link | None = None
    thrown: Thrown | None = None

    @cached_property
    def by_hex(self) -> dict[Hex, tuple[Ship, ...]]:
        """Who is where: afloat ships and prizes."""
        found: dict[Hex, tuple[Ship, ...]] = {}
        for ship in self.ships.values():
            if ship.at is not None:
                found[ship.at] = (*found[ship.at], ship) if ship.at in found else (ship,)
        return found

    @cached_property
    def _near(self) -> dict[tuple[str, Hex], tuple[tuple[str, int], ...]]:
        stands = ((name, ship.side, ship.at) for name, ship in self.ships.items() if ship.status == "afloat")
        return enemies_near(tuple((name, side, at) for name, side, at in stands if at is not None))

    def enemies_of(self, ship: Ship) -> tuple[tuple[str, int], ...]:
        """G1.3 The enemies afloat within the longest shot of a ship afloat, with their range, nearest first."""
        return self._near.get((ship.side, ship.at), ()) if ship.at is not None else ()

    @property
    def has_hexes(self) -> bool:
        """On hexes, or on the players' own table?"""
        return self.board.kind == "hexes"

    @property
    def is_over(self) -> bool:
        """Has the battle ended?"""
        return self.step == "over"

    def ship(self, ship_id: str) -> Ship:
        """The ship of this id; Illegal names it when there is none."""
        found = self.ships.get(ship_id)
        if found is None:
            raise Illegal("G2.3", f"There is no ship {ship_id!r} in this battle.")
        return found

    def kind(self, ship: Ship) -> ShipType:
        """The row of the ship table, the battle's own types first."""
        return self.types.get(ship.type) or TYPES[ship.type]

    def afloat(self, side: str | None = None) -> tuple[str, ...]:
        """Ids of the ships that still fight, of one side or of all."""
        return tuple(
            ship_id
            for ship_id, ship in self.ships.items()
            if ship.status == "afloat" and (side is None or ship.side == side)
        )

    def is_due(self, ship: Ship) -> bool:
        """G3.2 Does the ship owe a step in this phase?"""
        return (
            not ship.stepped
            and ship.contact is None
            and not ship.stopped
            and ship.status == "afloat"
            and self.phase in STEPS_OF[ship.speed]
            and ship.boarding is None
            and not ship.paper
        )

    def edge_is_wall(self) -> bool:
        """G1.4, L3.4 May a ship leave over the edge?"""
        return self.options.edge == "wall" or (self.link is not None and self.turn <= self.link.wall_until)

    def with_ship(self, ship_id: str, ship: Ship) -> Battle:
        """The battle with one sheet changed."""
        return msgspec.structs.replace(self, ships={**self.ships, ship_id: ship})

    def with_ships(self, changed: dict[str, Ship]) -> Battle:
        """The battle with several sheets changed."""
        return msgspec.structs.replace(self, ships={**self.ships, **changed}) if changed else self

    def with_side(self, side_id: str, side: Side) -> Battle:
        """The battle with one side changed."""
        return msgspec.structs.replace(self, sides={**self.sides, side_id: side})

    def with_wreck(self, at: Hex | None) -> Battle:
        """The battle with a hex closed by a wreck."""
        return self if at is None else msgspec.structs.replace(self, board=self.board.with_wreck(at))

    def at_step(self, step: StepName, phase: int | None) -> Battle:
        """The battle at a new step, in which no side and no ship is done yet."""
        fresh = {
            name: msgspec.structs.replace(ship, finished=False) for name, ship in self.ships.items() if ship.finished
        }
        sides = {name: msgspec.structs.replace(side, done=False) for name, side in self.sides.items()}
        return msgspec.structs.replace(self.with_ships(fresh), step=step, phase=phase, sides=sides)

    def side_done(self, side_id: str) -> Battle:
        """A side has said that it has nothing more to do in this step."""
        return self.with_side(side_id, msgspec.structs.replace(self.sides[side_id], done=True))

    def sunk(self, ship_id: str) -> Battle:
        """G6.5, G9.3 A ship goes down: its hex is a wreck, and who fought it is free."""
        ship = self.ships[ship_id]
        return self.with_wreck(ship.at).with_ship(ship_id, ship.away("sunk")).without_fights_of(ship_id)

    def without_fights_of(self, ship_id: str) -> Battle:
        """G9.3 Free those who fought a ship that is gone; a boarded ship whose last boarder is gone is free too."""
        freed = {
            other_id: msgspec.structs.replace(other, boarding=None)
            for other_id, other in self.ships.items()
            if other.boarding == ship_id
        }
        battle = self.with_ships(freed)
        alone = {
            other_id: msgspec.structs.replace(other, boarding=None)
            for other_id, other in battle.ships.items()
            if other.boarding == other_id and not battle.boarders_of(other_id)
        }
        return battle.with_ships(alone)

    def boarders_of(self, ship_id: str) -> tuple[str, ...]:
        """G8.2 The ships that board this one, in order of id."""
        return tuple(
            sorted(other for other, ship in self.ships.items() if ship.boarding == ship_id and other != ship_id)
        )

    def ended(self, result: Result) -> Battle:
        """G10.1 The battle is over."""
        return msgspec.structs.replace(self, step="over", phase=None, result=result)
