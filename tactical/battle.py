"""The battle record: options, its place in a campaign, sides and ships, and the small changes that rules make to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec
from msgspec import UNSET, UnsetType
from shapely import Polygon

from tactical import board as tactical_board
from tactical.board import Area, Board, Hex, Place, Point, distance, within
from tactical.kernel.dice import BY_HAND, Roll
from tactical.kernel.house_rules import HouseRules
from tactical.kernel.options import infos, options_record
from tactical.kernel.protocol import Illegal, Offer
from tactical.kernel.record import BadInput, Input, Record, check_bounds
from tactical.ship import STEPS_OF, TYPES, Look, Navy, Ship, ShipType, by_number

# -- The rule options of a battle; data/galley/options.toml alone has their choices and defaults.

OPTIONS = infos("galley/options.toml")

if TYPE_CHECKING:

    class Options(Record, frozen=True):
        """How this battle is played."""

        edge: str = ""
        sprint: str = ""
        order: str = ""
        ships_block_sight: bool = False
        arcs: str = ""
        model: str = ""
else:
    Options = options_record("Options", OPTIONS, __name__)


# -- L1.4 What a battle knows of the campaign that it belongs to.


class Arrival(Record, frozen=True):
    """L2.5 Ships of a side that come in over its own long edge at the beginning of this turn."""

    side: str
    turn: int
    ships: dict[str, Ship]


class Link(Record, frozen=True):
    """L1.4 The campaign that this battle belongs to: its game, its engagement, and what is special at sea.

    `wall_until` is the last turn in which the edge is a wall (L3.4); `supremacy` the side that may evade (L3.5);
    `evades` whether the system has evasion; `rerolls` re-rolls of dice left to each side (L2.5); `units` which
    campaign unit each ship is; `evaded` the side that has gone; `fled` the sides whose last warship went over the edge
    (L3.4; None in battles of version 0.1, which did not note it); `powers` the sides of the campaign in their order, by
    which a side has its colour and its sign (unset in battles of earlier versions); `turn_ended` the last turn whose
    fights, repairs and floods are over; `arrivals` who is still to come in.
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
    fled: tuple[str, ...] | None = None
    turn_ended: int = 0
    arrivals: tuple[Arrival, ...] | UnsetType = UNSET
    powers: tuple[str, ...] | UnsetType = UNSET


# -- G2.0, G2.1 A group's own ship types, beside those of the table or in their place, kept in the battle.

LONGEST = 5  # base lengths


class House(Input, frozen=True):
    """G2.1 Ship types by name: new ones, and those of the table with other figures."""

    title: str = ""
    types: dict[str, ShipType] = {}


def check_types(types: Mapping[str, ShipType], at: str = "types") -> None:
    """G2.0 Raises BadInput for figures with which no ship can be rowed."""
    for name, kind in types.items():
        path = f"{at}.{name}"
        check_bounds(kind, path)
        for field in ("length", "beam"):
            if not 0 < getattr(kind, field) <= LONGEST:
                raise BadInput(
                    f"{path}.{field}", "the size must be above 0 and at most %(most)s base lengths", most=LONGEST
                )


def check(house: House) -> None:
    """G2.1 Raises BadInput for types with which nothing can be played."""
    check_types(house.types)


def house_of(battle: Any) -> House | None:
    """G2.1 The types of its own that a battle is played with."""
    return House(types=battle.types) if battle.types else None


EXAMPLE = """[types.trireme]
hull = 5
maximum = 6
cruise = 4
turn_cycle = 1
acceleration = 3
ram = 0
crew.hellenistic = {medium = 2, archers = 1}"""
HOUSE = HouseRules(House, "G2.1", check, lambda: House(types=TYPES), house_of, EXAMPLE)


# -- G1.3 Who is where, and how far two hexes are apart, as a battle keeps it from command to command.

LONGEST_SHOT = 10
WIDTH = 4096  # a hex as one number, so that the way between two of them is one number, too
RANGES: dict[int, int] = {q * WIDTH + r: max(1, distance((0, 0), (q, r))) for q, r in within((0, 0), LONGEST_SHOT)}


class Lying(msgspec.Struct, frozen=True):
    """What is worked out from where the ships lie: who is in a place, and, as it is asked for, who is near whom."""

    names_at: dict[Hex, tuple[str, ...]]
    near: dict[tuple[Any, ...], tuple[tuple[str, int], ...]]
    foes: dict[str, list[tuple[int, str]]]

    @staticmethod
    def of(ships: dict[str, Ship]) -> Lying:
        """Who is where."""
        found: dict[Any, tuple[str, ...]] = {}
        for name, ship in ships.items():
            at = ship.at
            if at is not None:
                found[at] = (*found[at], name) if at in found else (name,)
        return Lying(found, {}, {})

    def moved(self, old: Mapping[str, Ship], new: Mapping[str, Ship], moved: list[str]) -> Lying | None:
        """Who is where after these ships have moved; None where two come to share a hex: then their order counts."""
        found: dict[Any, tuple[str, ...]] = dict(self.names_at)
        for name in moved:
            was = old[name].at
            if was is not None:
                rest = tuple(other for other in found[was] if other != name)
                if rest:
                    found[was] = rest
                else:
                    del found[was]
        for name in moved:
            at = new[name].at
            if at is not None:
                if at in found:
                    return None
                found[at] = (name,)
        return Lying(found, {}, {})

    def foes_of(self, side: str, ships: dict[str, Ship]) -> list[tuple[int, str]]:
        """G1.3 The enemies of a side afloat, each with its hex as a number."""
        found = self.foes.get(side)
        if found is None:
            found = self.foes[side] = [
                (ship.at[0] * WIDTH + ship.at[1], name)
                for name, ship in ships.items()
                if ship.side != side and ship.at is not None and ship.status == "afloat"
            ]
        return found


def in_range(at: Any, foes: list[tuple[int, str]]) -> tuple[tuple[str, int], ...]:
    """G1.3 The enemies within the longest shot of a hex, with their range, nearest first, else in their own order."""
    here, get = at[0] * WIDTH + at[1], RANGES.get
    near = [(name, range_) for code, name in foes if (range_ := get(code - here)) is not None]
    near.sort(key=itemgetter(1))
    return tuple(near)


# -- What a battle has worked out about itself, and how much of it holds for the next battle.
#
# Nothing here is part of a position: each value follows from the battle alone, and a battle that has been handed
# nothing
# works it out when it is asked. `hand_on` compares two battles and hands on what it can see to hold, so that no rule
# has
# to know what has been worked out. `tests/tactical/test_derived.py` reckons everything anew after each command.


class Todo(msgspec.Struct, frozen=True):
    """What is known of a step, filled as it is asked for: of each side its ships' offers, and all of them together.

    Ships are those that may have something to do before the step ends; one that has not been asked has None.
    """

    of_ship: dict[str, dict[str, tuple[Offer, ...] | None]]
    of_side: dict[str, tuple[Offer, ...]]


class Earlier(msgspec.Struct, frozen=True):
    """An earlier battle whose `todo` is known, and the ships whose sheets have changed since."""

    battle: Any
    changed: frozenset[str]


class Derived(msgspec.Struct):
    """What a battle has worked out about itself; None is what it has not been asked for.

    `lying`: who is where. `contacts`: who waits in contact with whom. `is_scored`: the sides' points are counted.
    `todo`: what ships may do in the step; `earlier`: the battle from which that can be followed instead. `waits`: the
    sides that have something to do.
    """

    lying: Lying | None = None
    contacts: dict[str, tuple[str, ...]] | None = None
    is_scored: bool = False
    todo: Todo | None = None
    earlier: Earlier | None = None
    waits: tuple[str, ...] | None = None


class Deriving(Protocol):
    """What `hand_on` compares of two battles."""

    @property
    def board(self) -> Board: ...
    @property
    def sides(self) -> Mapping[str, Any]: ...
    @property
    def ships(self) -> Mapping[str, Ship]: ...
    @property
    def step(self) -> str: ...
    @property
    def phase(self) -> int | None: ...
    @property
    def types(self) -> Mapping[str, ShipType]: ...


def hand_on(before: Deriving, after: Deriving, changed: Collection[str]) -> None:
    """Give the battle after what has been worked out before and still holds; `changed` are the ships with new sheets.

    A ship that is lost or taken ends all that is known; battles have the same ships from beginning to end.
    """
    known: Derived | None = vars(before).get("derived")
    if known is None or after.types is not before.types or after.board.kind != before.board.kind:
        return
    lying, contacts, is_scored = known.lying, known.contacts, known.is_scored
    if changed:
        old, new, moved = before.ships, after.ships, []
        measures, swings, many = after.board.kind == "open", False, len(after.sides) > 2
        for name in changed:
            was, now = old[name], new[name]
            if was.status != now.status or was.captured_by != now.captured_by:
                return
            if was.at != now.at:
                moved.append(name)
            if was.contact != now.contact:
                contacts = None
            if measures and was.facing != now.facing:
                swings = True
            if many and was.holed != now.holed:
                is_scored = False
        if lying is not None and (moved or swings):
            lying = lying.moved(old, new, moved)
    if is_scored and after.sides is not before.sides:
        is_scored = all(side.points == before.sides[name].points for name, side in after.sides.items())
    earlier = None
    if after.step == before.step and after.phase == before.phase:
        if known.todo is not None:
            earlier = Earlier(before, frozenset(changed))
        elif known.earlier is not None:
            earlier = Earlier(known.earlier.battle, known.earlier.changed.union(changed)) if changed else known.earlier
    vars(after)["derived"] = Derived(lying, contacts, is_scored, None, earlier)


def share(before: Deriving, after: Deriving) -> None:
    """Give all that has been worked out, now or later, to a battle that differs in its ships' plots alone (G3.1).

    Nothing here hangs on a plot: neither what speeds a ship may plot nor who has yet to lock.
    """
    if "derived" in vars(before):
        vars(after)["derived"] = vars(before)["derived"]


# -- The battle record: sides, ships, and the small named changes that rules make to it.

StepName = Literal["plot", "move", "fire", "ram", "board", "end", "over"]
Level = Literal["adjudicate", "advise", "record"]


class Side(Record, frozen=True):
    """One side: its name, its navy (which column of the ship table it uses), and where it stands in this step.

    `forgoes`: the steps that it goes without for the rest of this turn (G3.0.a). `look` is how its ships are drawn,
    where that is not what its name or its navy says; no rule asks for it.
    """

    name: str = ""
    navy: Navy = "hellenistic"
    locked: bool = False
    done: bool = False
    points: int = 0
    agreed: bool = False
    resigned: bool = False
    forgoes: tuple[Literal["fire", "board"], ...] = ()
    look: Look | msgspec.UnsetType = msgspec.UNSET


class Result(Record, frozen=True):
    """G10 How the battle ended: the winner or nobody, each side's points, and why it ended."""

    winner: str | None
    points: dict[str, int]
    why: str


class Thrown(Record, frozen=True):
    """L2.5.a Dice on the table while a commander may still throw one again.

    `command` is what was ordered; `rolls` what fell, each die with its paragraph and the ship that rolled;
    `waits` the sides that have not answered yet. Whether the server or a hand threw them stands in the journal alone: a
    position is the same, whoever threw.
    """

    command: dict[str, Any]
    seat: str
    rolls: tuple[Roll, ...]
    waits: tuple[str, ...]

    def __post_init__(self) -> None:
        """Positions of long ago say who threw."""
        if any(roll.by != BY_HAND for roll in self.rolls):
            told = tuple(msgspec.structs.replace(roll, by=BY_HAND) for roll in self.rolls)
            msgspec.structs.force_setattr(self, "rolls", told)


class Battle(Record, frozen=True):
    """One battle as it stands. `level`, `types` and `options` are recorded with it; `link` ties it to a campaign.

    `stands` says that a typed position waits before the dice of its turn's end until somebody says `done`.
    """

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
    stands: bool = False

    @cached_property
    def derived(self) -> Derived:
        """What the battle has worked out about itself; `hand_on` may have given it before anybody asks."""
        return Derived()

    @property
    def lying(self) -> Lying:
        """Who is where."""
        derived = self.derived
        found = derived.lying
        if found is None:
            found = derived.lying = Lying.of(self.ships)
        return found

    @cached_property
    def by_hex(self) -> dict[Hex, tuple[Ship, ...]]:
        """Who is where: afloat ships and prizes."""
        ships = self.ships
        return {at: tuple(ships[name] for name in names) for at, names in self.lying.names_at.items()}

    def ships_at(self, at: Hex) -> tuple[Ship, ...]:
        """The ships in a hex, afloat or prizes."""
        names = self.lying.names_at.get(at)
        return () if names is None else tuple(self.ships[name] for name in names)

    def names_about(self, places: Iterable[Hex]) -> set[str]:
        """The ids of the ships in some hexes."""
        found: set[str] = set()
        here = self.lying.names_at
        for at in places:
            if at in here:
                found.update(here[at])
        return found

    @property
    def contacts(self) -> dict[str, tuple[str, ...]]:
        """G4.6 Who waits in contact with whom, in the order of the ships."""
        found = self.derived.contacts
        if found is None:
            found = self.derived.contacts = {}
            for name, ship in self.ships.items():
                if ship.contact is not None:
                    found[ship.contact] = (*found.get(ship.contact, ()), name)
        return found

    def enemies_of(self, ship: Ship) -> tuple[tuple[str, int], ...]:
        """G1.3 The enemies afloat within the longest shot of a ship, with their range, nearest first.

        Ships in one hex are at range 1.
        """
        if ship.at is None:
            return ()
        lying = self.lying
        if self.board.kind == "open":
            stand: tuple[Any, ...] = (ship.side, ship.at, ship.facing, ship.type)
            found = lying.near.get(stand)
            if found is None:
                found = lying.near[stand] = self._measured(ship)
            return found
        stand = (ship.side, ship.at)
        found = lying.near.get(stand)
        if found is None:
            found = lying.near[stand] = in_range(ship.at, lying.foes_of(ship.side, self.ships))
        return found

    def _measured(self, ship: Ship) -> tuple[tuple[str, int], ...]:
        """G1.6 The enemies afloat within the longest shot on the open sea, from hull to hull, nearest first."""
        own = self.hull(ship)
        foes = ((name, foe) for name, foe in self.ships.items() if foe.side != ship.side and foe.is_afloat)
        near = [(tactical_board.range_of(own, self.hull(foe)), name) for name, foe in foes if foe.at is not None]
        near.sort(key=itemgetter(0))
        return tuple((name, range_) for range_, name in near if range_ <= LONGEST_SHOT)

    def outline(self, ship: Ship) -> tuple[Point, ...]:
        """G1.6 The corners of a ship's hull on the open sea."""
        kind = self.kind(ship)
        assert ship.at is not None
        return tactical_board.hull_outline(ship.at, ship.facing, kind.length, kind.beam)

    def hull(self, ship: Ship) -> Polygon:
        """G1.6 A ship's hull on the open sea, as a shape."""
        kind = self.kind(ship)
        assert ship.at is not None
        return tactical_board.hull(ship.at, ship.facing, kind.length, kind.beam)

    @property
    def has_hexes(self) -> bool:
        """On hexes, or on the players' own table?"""
        return self.board.kind == "hexes"

    @property
    def has_places(self) -> bool:
        """Does the program know where ships lie? Not on the players' own table (G1.5)."""
        return self.board.kind != "table"

    @property
    def is_over(self) -> bool:
        """Has the battle ended?"""
        return self.step == "over"

    def ship(self, ship_id: str) -> Ship:
        """The ship of this id; Illegal names it when there is none."""
        found = self.ships.get(ship_id)
        if found is None:
            raise Illegal("G2.3", "There is no ship called %(ship_id)s in this battle.", ship_id=repr(ship_id))
        return found

    def side(self, side_id: str) -> Side:
        """The side of this id; Illegal names it when there is none."""
        found = self.sides.get(side_id)
        if found is None:
            raise Illegal("G2.3", "There is no side called %(side)s in this battle.", side=repr(side_id))
        return found

    def kind(self, ship: Ship) -> ShipType:
        """The row of the ship table, the battle's own types first."""
        types = self.types
        return types[ship.type] if types and ship.type in types else TYPES[ship.type]

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
        return self.with_ships({ship_id: ship})

    def with_ships(self, changed: dict[str, Ship]) -> Battle:
        """The battle with several sheets changed."""
        if not changed:
            return self
        after = msgspec.structs.replace(self, ships=self.ships | changed)
        hand_on(self, after, changed)
        return after

    def with_plots(self, changed: dict[str, Ship]) -> Battle:
        """G3.1 The battle with sheets changed in nothing but their plots."""
        if not changed:
            return self
        after = msgspec.structs.replace(self, ships=self.ships | changed)
        share(self, after)
        return after

    def but(self, **changes: Any) -> Battle:
        """The battle with other fields changed than its ships."""
        after = msgspec.structs.replace(self, **changes)
        hand_on(self, after, ())
        return after

    def with_side(self, side_id: str, side: Side) -> Battle:
        """The battle with one side changed."""
        return self.but(sides={**self.sides, side_id: side})

    def with_wreck(self, at: Any) -> Battle:
        """G6.5, G7.2 The battle with a place closed by a wreck, at once or when the ship in that place has left it."""
        if at is None:
            return self
        board = self.board.with_covered(at) if self.is_covered(at) else self.board.with_wreck(at)
        return self.but(board=board)

    def is_covered(self, at: Any) -> bool:
        """G7.2 Does a ship lie over this wreck?"""
        if not isinstance(at, Area):
            return at in self.by_hex
        shape = at.coordinates[0][:-1]
        return any(
            tactical_board.overlap(self.outline(ship), shape) for ship in self.ships.values() if ship.at is not None
        )

    def surfaced(self) -> Battle:
        """G7.2 The battle in which every covered wreck that nobody lies over any more closes its place."""
        battle = self
        for at in self.board.covered:
            if not self.is_covered(at):
                battle = battle.with_wreck(at)
        return battle

    def remains(self, ship: Ship, place: Any) -> Any:
        """G1.6.d, G6.5 What a ship that sinks here leaves: her hex, or on the open sea the outline of her hull."""
        if place is None or self.board.kind != "open":
            return place
        return tactical_board.area_of(self.outline(msgspec.structs.replace(ship, at=place)))

    def places(self) -> dict[str, Place]:
        """G6.10 Where each ship was when this ram step began; in other steps, where it is."""
        stands = ((name, ship.stood or ship.at) for name, ship in self.ships.items())
        return {name: at for name, at in stands if at is not None}

    def at_step(self, step: StepName, phase: int | None) -> Battle:
        """The battle at a new step, in which no ship is done yet, nor a side that has not said so before (G3.0.a)."""
        fresh = {
            name: msgspec.structs.replace(ship, finished=False) for name, ship in self.ships.items() if ship.finished
        }
        sides = self.sides
        if any([side.done or side.forgoes for side in sides.values()]):
            sides = {name: msgspec.structs.replace(side, done=step in side.forgoes) for name, side in sides.items()}
        ships = self.ships | fresh if fresh else self.ships
        after = msgspec.structs.replace(self, step=step, phase=phase, sides=sides, ships=ships)
        hand_on(self, after, fresh)
        return after

    def standing(self, stands: bool) -> Battle:
        """The battle waiting, or waiting no more, before the dice of its turn's end."""
        return self if self.stands == stands else self.but(stands=stands)

    def side_done(self, side_id: str) -> Battle:
        """A side has said that it has nothing more to do in this step."""
        return self.with_side(side_id, msgspec.structs.replace(self.sides[side_id], done=True))

    def sunk(self, ship_id: str) -> Battle:
        """G6.5, G9.3 A ship goes down: its hex is a wreck, and who fought it is free.

        In a ram step it lies where it was when that step began (G6.10).
        """
        ship = self.ships[ship_id]
        place = ship.stood or ship.at
        gone = ship.away("sunk")
        if self.step == "ram":
            gone = msgspec.structs.replace(gone, stood=place)
        return self.with_ship(ship_id, gone).with_wreck(self.remains(ship, place)).surfaced().without_fights_of(ship_id)

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
            sorted(
                (other for other, ship in self.ships.items() if ship.boarding == ship_id and other != ship_id),
                key=by_number,
            )
        )

    def has_resigned(self, side: str) -> bool:
        """G10.1 Has the side given up? Its ships lie still, and nobody waits for it."""
        return self.sides[side].resigned

    def ended(self, result: Result) -> Battle:
        """G10.1 The battle is over."""
        return self.but(step="over", phase=None, result=result)
