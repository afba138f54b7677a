"""G1 What the rules ask of a board, and three boards that answer: hexes, the players' own table, the open sea."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import floor
from typing import Any, Protocol

import msgspec
from shapely import LineString
from shapely import Point as Dot

from tactical import board
from tactical import board as tactical_board
from tactical.battle import Battle
from tactical.board import (
    HEADINGS,
    OPPOSITE,
    STEP,
    TOUCH,
    TURNED,
    Hex,
    Point,
    ahead,
    astern,
    distance,
    is_behind_land,
    is_forward,
    is_hidden,
    is_parallel,
    neighbours,
)
from tactical.commands import Step
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import Reason, because
from tactical.ship import Ship

# -- What the rules ask of a board: where a step leads, who lies where, how far it is. Three boards answer.

Heading = Any  # a hex side's name, degrees on the open sea, None on the players' own table
Place = Any  # a hex, a point on the open sea, None on the players' own table


class Way(msgspec.Struct, frozen=True):
    """Where a step would lead: the heading, the place (None on the table), and what meets the ship there."""

    facing: Heading
    to: Place
    meets: str  # "open", "edge", "contact", "blocked"
    foes: tuple[str, ...] = ()  # whom a contact may be with, where the place does not say it
    rest: float = 0.0  # what is left of a step that ended in contact, in base lengths


class StepField(msgspec.Struct, frozen=True):
    """G4.1 A field of the step on offer: `turn`, `angle` or `facing`, its value or choices, and whom it may meet."""

    key: str
    value: Any
    targets: tuple[str, ...] = ()


class Geometry(Protocol):
    """One kind of board. A heading that a step may take goes by the name that the step's command gives it."""

    declared: bool  # G1.5 the players say where their models are

    def headings(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G4.1, G6.8 The headings of a step, by turn or by themselves; straight on only when it may not turn."""
        ...

    def finer(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G1.6.g More headings, looked at for a ship that none of the others is open to."""
        ...

    def course(self, ship: Ship, command: Step) -> tuple[Heading, bool]:
        """G4.1 The heading that a command takes, and whether that is a turn."""
        ...

    def why_not_course(self, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G4.1, G6.8 What forbids the fields of a step on this board."""
        ...

    def why_not_between(self, battle: Battle, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G1.6.g What forbids a heading that lies between those of the offers."""
        ...

    def way(self, battle: Battle, name: str, ship: Ship, facing: Heading) -> Way:
        """G4.1, G4.3, G4.4 What a step with this heading leads to; backing never enters a ship's place."""
        ...

    def followers(self, battle: Battle, waiting: list[str], vacated: Place) -> list[str]:
        """G4.6 Those of the ships that waited on one that has moved who may complete their step, in order."""
        ...

    def way_on(self, battle: Battle, name: str, vacated: Place, rest: float) -> Way:
        """G4.6 What completing its step leads to; `rest` is what is left of it."""
        ...

    def aspect(self, battle: Battle, ship: Ship, target: Ship) -> str | None:
        """G6.1, G7.1 How a ship touches another, where it is written down; on hexes the headings say it."""
        ...

    def still_passing(self, battle: Battle, ship: Ship, to: Place) -> str | None:
        """G7.2 The ship that a raker who comes to this place has not left behind yet."""
        ...

    def come_clear(self, battle: Battle, name: str) -> dict[str, Ship]:
        """G1.6.f, G7.2 The new sheets of the rakers that a move of this ship has brought clear of their targets.

        The raker who has rowed clear herself is free; one whose target has rowed on owes her step straight ahead still.
        """
        ...

    def is_land_between(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G8.1 Does land lie between two ships at range 1?"""
        ...

    def fields(self, battle: Battle, name: str, ship: Ship, found: dict[str, Way]) -> Iterator[StepField]:
        """G4.1, G6.8 The choices of a step as its offers give them."""
        ...

    def met_by(self, battle: Battle, found: Way) -> tuple[str, ...]:
        """G4.6, G7.2 The enemies that a step meets."""
        ...

    def is_edge_astern(self, battle: Battle, ship: Ship) -> bool:
        """G6.7 Does a step back lead over the edge?"""
        ...

    def standing_serves(self, battle: Battle, name: str, ship: Ship) -> bool:
        """G6.7 Is what lies astern no ship afloat?"""
        ...

    def is_bow_to_bow(self, ship: Ship, target: Ship) -> bool:
        """G6.1 Do the bows of two ships in contact meet?"""
        ...

    def why_no_rake(self, battle: Battle, name: str, foe: str) -> Reason | None:
        """G7.1 What in the places of a ship and her target stands against a rake."""
        ...

    def raked(self, battle: Battle, name: str, foe: str) -> Place:
        """G7.2 Where a raker comes to lie."""
        ...

    def range_between(self, battle: Battle, one: Ship, other: Ship) -> int:
        """G1.3 The range of two ships, 1 at least."""
        ...

    def sees(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G5.6 Is the line between two ships free?"""
        ...

    def in_arc(self, ship: Ship, other: Ship) -> bool:
        """G5.6 Does the other lie abeam or before the beam?"""
        ...

    def near_ships(self, battle: Battle, places: Iterable[Place]) -> set[str]:
        """G4.3 The ships for whom it matters that one of these places was left or entered."""
        ...


# -- G1.1 Hexes: one ship to a hex, six headings.

TURN_NAMES = ("none", "left", "right")


class Hexes:
    """G1.1 The board of hexes."""

    declared = False

    def headings(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G4.1, G6.8 By turn or, when it is free, by name."""
        if any_way:
            return {heading: heading for heading in HEADINGS}
        if not turns:
            return {"none": ship.facing}
        if ship.facing is None:
            return dict.fromkeys(TURN_NAMES)
        return {turn: TURNED[ship.facing, turn] for turn in TURN_NAMES}

    def finer(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G1.1 There are six headings and no others."""
        return {}

    def why_not_between(self, battle: Battle, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G1.1 Nothing lies between two sides of a hex."""
        return None

    def course(self, ship: Ship, command: Step) -> tuple[Heading, bool]:
        """G4.1 A turn by 60 degrees, or by G6.8 a heading."""
        turn = command.turn or "none"
        heading = command.facing or (turn if ship.facing is None else TURNED[ship.facing, turn])
        return heading, heading != ship.facing

    def why_not_course(self, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G4.1, G6.8 A turn or a side of the hex, no degrees."""
        if command.angle is not None or isinstance(command.facing, int | float):
            return Illegal(
                "G4.1",
                "On a board of hexes %(ship)s can turn left, right or not at all; angles are for the measured sea.",
                ship=name,
            )
        return None

    def way(self, battle: Battle, name: str, ship: Ship, facing: Heading) -> Way:
        """G4.1, G4.3, G4.4 The hex ahead or, when backing, astern."""
        if ship.at is None or facing is None:
            return Way(facing, None, "open")
        backing = ship.speed < 0
        to = astern(ship.at, facing) if backing else ahead(ship.at, facing)
        board = battle.board
        if not board.holds(to):
            return Way(facing, to, "blocked" if battle.edge_is_wall() else "edge")
        if to in board.blocked:
            return Way(facing, to, "blocked")
        there = battle.ships_at(to)
        if not there:
            return Way(facing, to, "open")
        if backing or ship.passing is not None:
            return Way(facing, to, "blocked")
        if any(other.side == ship.side or other.status == "captured" for other in there):
            return Way(facing, to, "blocked")
        return Way(facing, to, "contact")

    def followers(self, battle: Battle, waiting: list[str], vacated: Place) -> list[str]:
        """G4.6 The one that waited first, if the hex is free now."""
        if vacated is None or vacated in battle.by_hex or vacated in battle.board.blocked:
            return []
        return waiting[:1]

    def way_on(self, battle: Battle, name: str, vacated: Place, rest: float) -> Way:
        """G4.6 Into the hex that was left."""
        return Way(battle.ships[name].facing, vacated, "open")

    def aspect(self, battle: Battle, ship: Ship, target: Ship) -> str | None:
        """G6.1 The headings say it."""
        return None

    def still_passing(self, battle: Battle, ship: Ship, to: Place) -> str | None:
        """G7.2 One step leads out of the hex."""
        return None

    def come_clear(self, battle: Battle, name: str) -> dict[str, Ship]:
        """G7.2 One step leads out of the hex, the raker's own."""
        return {}

    def is_land_between(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G1.1 Nothing lies between neighbouring hexes."""
        return False

    def fields(self, battle: Battle, name: str, ship: Ship, found: dict[str, Way]) -> Iterator[StepField]:
        """G4.1, G6.8 Turns or headings; where two enemies are in one hex, also which of them is met."""
        key = "turn" if set(found) <= set(TURN_NAMES) else "facing"
        met = {turn: self.met_by(battle, way) for turn, way in found.items() if way.meets == "contact"}
        double = {turn: foes for turn, foes in met.items() if len(foes) > 1}
        single = [turn for turn in found if turn not in double]
        if single:
            yield StepField(key, single[0] if len(single) == 1 else single)
        for turn, foes in double.items():
            yield StepField(key, turn, foes)

    def met_by(self, battle: Battle, found: Way) -> tuple[str, ...]:
        """G4.6, G7.2 A raker and the ship that it rakes may be in one hex."""
        if found.meets != "contact":
            return ()
        return tuple(name for name, ship in battle.ships.items() if ship.at == found.to)

    def is_edge_astern(self, battle: Battle, ship: Ship) -> bool:
        """G6.7 Is the hex behind off the board?"""
        if ship.at is None or ship.facing is None:
            return False
        return not battle.board.holds(astern(ship.at, ship.facing))

    def standing_serves(self, battle: Battle, name: str, ship: Ship) -> bool:
        """G6.7 Land, a wreck, a prize and the board's edge serve; a ship afloat in the hex behind does not."""
        if ship.at is None or ship.facing is None:
            return False
        return all(other.is_prize for other in battle.by_hex.get(astern(ship.at, ship.facing), ()))

    def is_bow_to_bow(self, ship: Ship, target: Ship) -> bool:
        """G6.1 Are the headings opposite?"""
        return ship.facing is not None and target.facing == OPPOSITE[ship.facing]

    def why_no_rake(self, battle: Battle, name: str, foe: str) -> Reason | None:
        """G7.1 A parallel heading, no third ship in the target's hex, and the hex beyond open water or the edge."""
        ship, target = battle.ships[name], battle.ships[foe]
        if ship.facing is None or target.facing is None or not is_parallel(ship.facing, target.facing):
            return because("%(ship)s's heading is not parallel to %(target)s's.", ship=name, target=foe)
        if target.at is None:
            return because("%(target)s is no longer in the battle.", target=foe)
        places = battle.places()
        if any(at == target.at for other, at in places.items() if other not in (name, foe)):
            return because("A third ship is in %(target)s's hex.", target=foe)
        beyond = ahead(target.at, ship.facing)
        if not battle.board.holds(beyond):
            return Reason("Beyond lies the edge of the board, which is a wall.") if battle.edge_is_wall() else None
        if beyond in battle.board.blocked or beyond in battle.by_hex or beyond in places.values():
            return because("The hex beyond %(target)s is not free.", target=foe)
        return None

    def raked(self, battle: Battle, name: str, foe: str) -> Place:
        """G7.2 The target's own hex."""
        return battle.ships[foe].at

    def range_between(self, battle: Battle, one: Ship, other: Ship) -> int:
        """G1.3 The range in hexes; ships in one hex are at range 1."""
        assert one.at is not None and other.at is not None
        return max(1, distance(one.at, other.at))

    def sees(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G5.6 Land blocks the line between the hex centres; ships between the two only by the option.

        A seam between two hexes that block does too, be they land or ships.
        """
        one, two = ship.at, other.at
        if one is None or two is None:
            return True
        if battle.board.land and is_behind_land(battle.board.dry, one, two):
            return False
        return not (battle.options.ships_block_sight and is_hidden((*battle.by_hex, *battle.board.land), one, two))

    def in_arc(self, ship: Ship, other: Ship) -> bool:
        """G5.6 Abeam or before the beam, or in one hex."""
        if ship.at is None or other.at is None or ship.facing is None:
            return True
        return ship.at == other.at or is_forward(ship.at, ship.facing, other.at)

    def near_ships(self, battle: Battle, places: Iterable[Place]) -> set[str]:
        """G4.3 The ships in the hexes about."""
        about: set[Hex] = set()
        for at in places:
            about.update(neighbours(at))
        return battle.names_about(about)


# -- G1.5 The players' own table: the program sees no places, the players say what their models do.


class OwnTable:
    """G1.5 No hexes and no places."""

    declared = True

    def headings(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G4.1, G6.8 A turn to either side; nobody knows which way a free ship faces."""
        return dict.fromkeys(TURN_NAMES) if turns or any_way else {"none": ship.facing}

    def finer(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G1.5 A turn is to the left or to the right."""
        return {}

    def why_not_between(self, battle: Battle, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G1.5 A turn is to the left or to the right."""
        return None

    def course(self, ship: Ship, command: Step) -> tuple[Heading, bool]:
        """G4.1 The turn alone."""
        return ship.facing, (command.turn or "none") != "none"

    def why_not_course(self, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G1.5 A ship has no facing here."""
        if command.facing is not None or command.angle is not None:
            return Illegal(
                "G1.5",
                "On the players' own table the program does not know which way a ship faces; "
                "say how she turns instead.",
            )
        return None

    def way(self, battle: Battle, name: str, ship: Ship, facing: Heading) -> Way:
        """G1.5 Open, as far as the program can see."""
        return Way(facing, None, "open")

    def followers(self, battle: Battle, waiting: list[str], vacated: Place) -> list[str]:
        """G1.5 The players move their models."""
        return []

    def way_on(self, battle: Battle, name: str, vacated: Place, rest: float) -> Way:
        """G1.5 The players move their models."""
        return Way(battle.ships[name].facing, None, "open")

    def aspect(self, battle: Battle, ship: Ship, target: Ship) -> str | None:
        """G6.1 As it was declared."""
        return ship.aspect

    def still_passing(self, battle: Battle, ship: Ship, to: Place) -> str | None:
        """G7.2 One step leads clear."""
        return None

    def come_clear(self, battle: Battle, name: str) -> dict[str, Ship]:
        """G7.2 One step leads clear, the raker's own."""
        return {}

    def is_land_between(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G1.5 The players look."""
        return False

    def fields(self, battle: Battle, name: str, ship: Ship, found: dict[str, Way]) -> Iterator[StepField]:
        """G4.1 The turns."""
        turns = list(found)
        if turns:
            yield StepField("turn", turns[0] if len(turns) == 1 else turns)

    def met_by(self, battle: Battle, found: Way) -> tuple[str, ...]:
        """G1.5 A contact is declared, not met."""
        return ()

    def is_edge_astern(self, battle: Battle, ship: Ship) -> bool:
        """G1.5 The players see to the edge."""
        return False

    def standing_serves(self, battle: Battle, name: str, ship: Ship) -> bool:
        """G6.7 The player says that the model cannot back."""
        return True

    def is_bow_to_bow(self, ship: Ship, target: Ship) -> bool:
        """G6.1 As it was declared."""
        return ship.aspect == "bow_to_bow"

    def why_no_rake(self, battle: Battle, name: str, foe: str) -> Reason | None:
        """G7.1 Parallel, as it was declared."""
        ship = battle.ships[name]
        bow = battle.ships[foe].aspect if battle.ships[foe].contact == name else ship.aspect
        if ship.aspect in ("parallel", "bow_to_bow") or bow == "bow_to_bow":
            return None
        return because("%(ship)s is not parallel to %(target)s.", ship=name, target=foe)

    def raked(self, battle: Battle, name: str, foe: str) -> Place:
        """G7.2 Alongside, wherever that is."""
        return battle.ships[foe].at

    def range_between(self, battle: Battle, one: Ship, other: Ship) -> int:
        """G1.3 The players measure it."""
        return 1

    def sees(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G5.6 The players look."""
        return True

    def in_arc(self, ship: Ship, other: Ship) -> bool:
        """G5.6 The players look."""
        return True

    def near_ships(self, battle: Battle, places: Iterable[Place]) -> set[str]:
        """G1.5 Nobody knows."""
        return set()


# -- G1.6.a What a hull meets on its way over the open sea: others that it touches, pushes off from, or cannot pass.

BESIDE = STEP + 2 * TOUCH  # base lengths between two hulls from which on neither hinders the other's step


def at_place(ship: Ship, at: Place) -> Any:
    """The ship lying at another place."""
    return msgspec.structs.replace(ship, at=at)


def heading_of(ship: Ship) -> float:
    """A ship's heading in degrees."""
    heading: float = ship.facing or 0.0
    return heading


def holds(battle: Battle, at: Point) -> bool:
    """G1.4, G1.6.d Is a midship here still on the board?"""
    width, height = battle.board.size
    return 0 <= at[0] <= width and 0 <= at[1] <= height


def reach(battle: Battle, ship: Ship) -> float:
    """How far a ship's hull comes from its midship, whichever way it heads."""
    kind = battle.kind(ship)
    return tactical_board.reach_of(kind.length, kind.beam)


def backwards(ship: Ship) -> Point:
    """The way astern."""
    x, y = tactical_board.unit(heading_of(ship))
    return -x, -y


Near = list[tuple[str, Ship, tuple[Point, ...]]]


def around(battle: Battle, name: str, ship: Ship) -> Near:
    """The ships near enough to hinder a step and their outlines, but those that a rake has laid across this one."""
    assert ship.at is not None
    (x, y), own = ship.at, reach(battle, ship) + BESIDE
    near = (
        (other, each)
        for other, each in battle.ships.items()
        if each.at is not None
        and max(abs(each.at[0] - x), abs(each.at[1] - y)) <= own + reach(battle, each)
        and other != name
    )
    return [
        (other, each, battle.outline(each)) for other, each in near if not lies_across(battle, name, ship, other, each)
    ]


def lies_across(battle: Battle, name: str, ship: Ship, other: str, each: Ship) -> bool:
    """G1.6.f, G7.2 Of a raker and its target neither is in the other's way until they have come clear."""
    for raker, target in ((ship, other), (each, name)):
        if raker.passing == target:
            return not raker.rowed_clear
    if ship.raked_by != other and each.raked_by != name:
        return False
    lies = battle.ships[name]
    return lies.at is not None and tactical_board.overlap(battle.outline(lies), battle.outline(each))


def row(battle: Battle, name: str, ship: Ship, facing: Heading, length: float, near: Near | None = None) -> Way:
    """G4.1, G4.3, G4.6 What a hull turned to this heading meets along so many base lengths.

    G1.6.a The turn itself, about midship, sweeps no water. A ship that the turned hull would lie across is pushed
    off from when the step leaves it clear, on the side from which it came; otherwise the way is closed.
    """
    backing = ship.speed < 0
    ahead = tactical_board.unit(facing)
    way = (-ahead[0], -ahead[1]) if backing else ahead
    kind = battle.kind(ship)
    assert ship.at is not None
    shape = tactical_board.hull_outline(ship.at, facing, kind.length, kind.beam)
    to = tactical_board.onward(ship.at, way, length)
    closed = Way(facing, to, "blocked")
    pushed: list[tuple[float, tuple[Point, ...]]] = []
    first, met = length + TOUCH, []
    for other, foe, lies in around(battle, name, ship) if near is None else near:
        span = tactical_board.passage(shape, way, lies)
        if span is None or span[1] <= 0 or span[0] > length + TOUCH:
            continue
        if span[0] < -TOUCH:
            if span[1] > length:
                return closed
            pushed.append((span[1], lies))
            continue
        if not (foe.side != ship.side and foe.is_afloat) or backing or ship.passing is not None:
            if span[0] >= length:
                continue
            met.append((max(0.0, span[0]), ""))
        else:
            met.append((max(0.0, span[0]), other))
        first = min(first, met[-1][0])
    touched = tuple(other for begins, other in met if begins <= first + TOUCH)
    if "" in touched:
        return closed
    stop = max(0.0, first - TOUCH) if touched else length
    end = tactical_board.onward(ship.at, way, stop)
    if pushed and not is_pushed_off(
        battle, ship, pushed, stop, tactical_board.hull_outline(end, facing, kind.length, kind.beam)
    ):
        return closed
    if is_closed(battle, shape, way, stop):
        return closed
    if not holds(battle, end):
        return closed if battle.edge_is_wall() else Way(facing, end, "edge")
    if touched:
        return Way(facing, end, "contact", touched, tactical_board.round_off(max(0.0, length - stop)))
    return Way(facing, end, "open")


def is_pushed_off(
    battle: Battle, ship: Ship, pushed: list[tuple[float, tuple[Point, ...]]], stop: float, end: tuple[Point, ...]
) -> bool:
    """G1.6.a Does a step leave each hull that the turn laid across, on the side from which it came?

    It does when one straight line parts the two both before the turn and after the step: nothing of the other lies
    between where the ship was and where it comes to lie. `pushed` are the hulls, each with how far the step must
    lead to come clear of it.
    """
    between = tactical_board.convex_hull(battle.outline(ship), end)
    return all(clear <= stop and not tactical_board.overlap(between, lies) for clear, lies in pushed)


def is_closed(battle: Battle, shape: tuple[Point, ...], way: Point, length: float) -> bool:
    """G1.2, G4.3 Do land or wrecks lie in the water that a hull moves through?"""
    board = battle.board
    if not (board.coasts or board.wrecks):
        return False
    return bool(board.closed.intersects(tactical_board.swept(shape, way, length)))


def is_roomy(battle: Battle, name: str, ship: Ship) -> bool:
    """G4.3 May the ship take any angle at all? Nothing but an enemy to meet is in reach, and none of them too near."""
    if ship.passing is not None or ship.at is None:
        return False
    own = reach(battle, ship)
    for _, foe, _ in around(battle, name, ship):
        turning = own + reach(battle, foe) + TOUCH * 2
        near = tactical_board.apart(ship.at, foe.at) if foe.at is not None else turning + STEP
        harmless = foe.side != ship.side and foe.is_afloat and ship.speed > 0
        if near <= (turning if harmless else turning + STEP):
            return False
    board, (width, height) = battle.board, battle.board.size
    if (board.coasts or board.wrecks) and board.closed.distance(Dot(ship.at)) <= own + STEP:
        return False
    inside = STEP <= ship.at[0] <= width - STEP and STEP <= ship.at[1] <= height - STEP
    return inside or not battle.edge_is_wall()


# -- G1.6 The open sea, measured: hulls at any point and heading, a step of one base length, contact where hulls touch.
#
# Its rulings, where the rules speak of hexes, are the paragraphs G1.6 to G1.6.g of data/galley/paragraphs.toml.

MOST = 60  # degrees of a turn
FINE = 5  # degrees between the angles that are looked at in narrow water
HEAD_ON = 150  # degrees between two headings from which on they count as opposite; below 180 less this, as the same


class OpenSea:
    """G1.6 The board without hexes that the program measures."""

    declared = False

    def headings(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G1.6.g Every five degrees to either side: enough to see whether a ship has a way to go."""
        angles = range(-180 + FINE, 181, FINE) if any_way else range(-MOST, MOST + 1, FINE) if turns else (0,)
        return {str(angle): board.turn_by(heading_of(ship), angle) for angle in angles}

    def finer(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G1.6.g Every whole degree, for a ship that none of five is open to."""
        angles = range(-179, 181) if any_way else range(-MOST, MOST + 1) if turns else ()
        return {str(angle): board.turn_by(heading_of(ship), angle) for angle in angles}

    def course(self, ship: Ship, command: Step) -> tuple[Heading, bool]:
        """G4.1 A turn by an angle, or by G6.8 a heading in degrees."""
        heading = board.turn_by(heading_of(ship), command.angle or 0)
        if isinstance(command.facing, int | float):
            heading = board.turn_by(float(command.facing), 0)
        return heading, heading != ship.facing

    def why_not_course(self, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G4.1, G6.8 Angles and degrees, no sides of a hex."""
        if command.turn is not None:
            return Illegal(
                "G4.1", "On the measured sea give %(ship)s's turn as an angle of -60 to 60 degrees.", ship=name
            )
        if isinstance(command.facing, str):
            return Illegal(
                "G6.8", "On the measured sea give %(ship)s's facing in degrees, clockwise from north.", ship=name
            )
        if command.angle is not None and command.facing is not None:
            return Illegal("G4.1", "Say by what angle the ship turns or which way she is to face, not both.")
        return None

    def why_not_between(self, battle: Battle, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G1.6.g An angle between two whole degrees is free where both are: so a step that is offered to nobody is
        taken from nobody."""
        angle = command.angle or 0.0
        if float(angle).is_integer():
            return None
        for whole_degree in (floor(angle), floor(angle) + 1):
            heading = board.turn_by(heading_of(ship), whole_degree)
            if self.way(battle, name, ship, heading).meets == "blocked":
                return Illegal(
                    "G4.3",
                    "%(ship)s's path is blocked at %(count)s %(count|degree|degrees)s, "
                    "and the angle that you chose is too close to that.",
                    ship=name,
                    count=whole_degree,
                )
        return None

    def way(self, battle: Battle, name: str, ship: Ship, facing: Heading) -> Way:
        """G4.1, G4.3, G4.4 One base length ahead or, when backing, astern."""
        if ship.at is None or facing is None:
            return Way(facing, None, "open")
        return row(battle, name, ship, facing, STEP)

    def way_on(self, battle: Battle, name: str, vacated: Place, rest: float) -> Way:
        """G1.6.e, G4.6 The rest of a step that a contact had cut short."""
        ship = battle.ships[name]
        return row(battle, name, ship, heading_of(ship), rest)

    def followers(self, battle: Battle, waiting: list[str], vacated: Place) -> list[str]:
        """G4.6 Whoever waited on the ship that has moved, in order, tries to complete its step."""
        return [] if vacated is None else waiting

    def met_by(self, battle: Battle, found: Way) -> tuple[str, ...]:
        """G4.6 The enemies that are touched first."""
        return found.foes

    def aspect(self, battle: Battle, ship: Ship, target: Ship) -> str | None:
        """G6.1, G7.1 How a ship touches another: by the angle of the headings and where her ram meets.

        G1.6.b Headings within 30 degrees of opposite meet bow to bow when the ram lies before the other's midship,
        within 30 degrees of the same heading from astern when it lies abaft it; otherwise such ships lie parallel.
        All other meetings are on the side.
        """
        angle = board.between(heading_of(ship), heading_of(target))
        if 180 - HEAD_ON < angle < HEAD_ON:
            return "side"
        assert ship.at is not None and target.at is not None
        ram = battle.outline(ship)[0]
        ahead = board.unit(heading_of(target))
        along = (ram[0] - target.at[0]) * ahead[0] + (ram[1] - target.at[1]) * ahead[1]
        if angle >= HEAD_ON:
            return "bow_to_bow" if along > 0 else "parallel"
        return "stern" if along < 0 else "parallel"

    def still_passing(self, battle: Battle, ship: Ship, to: Place) -> str | None:
        """G7.2 The ship that a raker has not come clear of yet: she rows on along it, straight ahead."""
        foe = ship.passing
        if foe is None or to is None:
            return None
        there = battle.outline(at_place(ship, to))
        other = battle.ships[foe]
        across = other.at is not None and board.overlap(there, battle.outline(other))
        over = any(board.overlap(there, wreck.coordinates[0][:-1]) for wreck in battle.board.covered)
        return foe if across or over else None

    def come_clear(self, battle: Battle, name: str) -> dict[str, Ship]:
        """G1.6.f, G7.2 The rakers that row along this ship, whose hulls have come clear by its move.

        On hexes such a raker still leaves straight ahead, and waits when her target bars the way: here, too.
        """
        return {
            each: msgspec.structs.replace(ship, rowed_clear=True)
            for each, ship in battle.ships.items()
            if ship.passing == name and ship.at is not None and self.still_passing(battle, ship, ship.at) is None
        }

    def is_land_between(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G1.6.c, G8.1 Does a coast cross the line from midpoint to midpoint?"""
        if not battle.board.coasts or ship.at is None or other.at is None:
            return False
        return bool(battle.board.shore.intersects(LineString([ship.at, other.at])))

    def is_edge_astern(self, battle: Battle, ship: Ship) -> bool:
        """G6.7 Does a base length astern lead over the edge?"""
        if ship.at is None:
            return False
        back = board.onward(ship.at, board.unit(heading_of(ship)), -STEP)
        return not holds(battle, back)

    def standing_serves(self, battle: Battle, name: str, ship: Ship) -> bool:
        """G6.7 Nothing afloat lies in the water astern: land, a wreck, a prize or the edge does."""
        way, shape = backwards(ship), battle.outline(ship)
        for _, other, lies in around(battle, name, ship):
            span = board.passage(shape, way, lies)
            if span is not None and span[1] > 0 and span[0] < STEP and other.is_afloat:
                return False
        return True

    def is_bow_to_bow(self, ship: Ship, target: Ship) -> bool:
        """G6.1 As it was measured when they touched."""
        return ship.aspect == "bow_to_bow"

    def why_no_rake(self, battle: Battle, name: str, foe: str) -> Reason | None:
        """G7.1 A heading within 30 degrees of the target's or its opposite, and free water until she is clear of it."""
        ship, target = battle.ships[name], battle.ships[foe]
        if target.at is None:
            return because("%(target)s is no longer in the battle.", target=foe)
        if (ship.aspect or "side") == "side":
            return because("%(ship)s's heading is not parallel to %(target)s's.", ship=name, target=foe)
        if ship.stood is None and ship.at is None:
            return because("%(target)s is no longer in the battle.", target=name)
        here = ship if ship.at is not None else at_place(ship, ship.stood)
        way, shape = board.unit(heading_of(ship)), battle.outline(here)
        span = board.passage(shape, way, battle.outline(target))
        length = max(rest_of(ship), span[1] + TOUCH if span is not None else 0.0)
        for other, at in battle.places().items():
            if other in (name, foe):
                continue
            lies = battle.outline(at_place(battle.ships[other], at))
            third = board.passage(shape, way, lies)
            if third is not None and third[1] > 0 and third[0] < length:
                return because("The water beyond %(target)s is not clear.", target=foe)
        if battle.board.closed.intersects(board.swept(shape, way, length)):
            return because("The water beyond %(target)s is not clear.", target=foe)
        assert here.at is not None
        if battle.edge_is_wall() and not holds(battle, board.onward(here.at, way, length)):
            return Reason("Beyond lies the edge of the board, which is a wall here.")
        return None

    def raked(self, battle: Battle, name: str, foe: str) -> Place:
        """G1.6.f, G7.2 She completes her step along the target's side, on the board."""
        ship = battle.ships[name]
        if ship.at is None:
            return ship.stood
        way = board.unit(heading_of(ship))
        to = board.onward(ship.at, way, rest_of(ship))
        return to if holds(battle, to) else ship.at

    def range_between(self, battle: Battle, one: Ship, other: Ship) -> int:
        """G1.3, G1.6.c The whole base lengths from hull to hull, and one more: a gap of exactly two is range 3."""
        return board.range_of(battle.hull(one), battle.hull(other))

    def sees(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G1.6.c, G5.6 From midship to midship: a coast that the line crosses blocks it; hulls only by the option.

        Two hulls that touch leave no gap to look through.
        """
        if ship.at is None or other.at is None:
            return True
        if self.is_land_between(battle, ship, other):
            return False
        if not battle.options.ships_block_sight:
            return True
        line = LineString([ship.at, other.at])
        rest = (each for each in battle.ships.values() if each is not ship and each is not other)
        return not any(each.at is not None and battle.hull(each).dwithin(line, TOUCH) for each in rest)

    def in_arc(self, ship: Ship, other: Ship) -> bool:
        """G5.6 Midship abeam or before the beam."""
        if ship.at is None or other.at is None:
            return True
        ahead = board.unit(heading_of(ship))
        along: float = (other.at[0] - ship.at[0]) * ahead[0] + (other.at[1] - ship.at[1]) * ahead[1]
        return along >= -TOUCH

    def near_ships(self, battle: Battle, places: Iterable[Place]) -> set[str]:
        """G4.3 The ships whose next step could bring them to a hull that lay or lies in one of these places."""
        spots = list(places)
        longest = max(reach(battle, ship) for ship in battle.ships.values())
        return {
            name
            for name, ship in battle.ships.items()
            if ship.at is not None
            and any(board.apart(ship.at, at) <= reach(battle, ship) + longest + BESIDE for at in spots)
        }

    def fields(self, battle: Battle, name: str, ship: Ship, found: dict[str, Way]) -> Iterator[StepField]:
        """G1.6.g The angles or headings of a step: all in roomy water, else each run of degrees that is free."""
        any_way = ship.free_turn == "any" and not ship.steps_made and ship.passing is None
        key, every = ("facing", range(360)) if any_way else ("angle", range(-MOST, MOST + 1))
        if not found:
            return
        if len(found) == 1 and not any_way:
            yield StepField(key, int(next(iter(found))))
            return
        free = list(every)
        if not is_roomy(battle, name, ship):
            near, own = around(battle, name, ship), "0" in found
            headings = {at: board.turn_by(0 if any_way else heading_of(ship), at) for at in every}
            free = [
                at
                for at, heading in headings.items()
                if (own and heading == ship.facing) or row(battle, name, ship, heading, STEP, near).meets != "blocked"
            ]
        runs = runs_of(free) or [(whole(way.facing) if any_way else int(angle),) * 2 for angle, way in found.items()]
        for first, last in runs:
            yield StepField(key, first if first == last else {"from": first, "to": last})


def runs_of(numbers: list[int]) -> list[tuple[float, float]]:
    """Rising whole numbers as runs without a gap, each by its ends.

    >>> runs_of([1, 2, 3, 7])
    [(1, 3), (7, 7)]
    """
    runs: list[tuple[float, float]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def whole(value: float) -> float:
    """A heading as an offer gives it: whole where it can be."""
    return int(value) if value.is_integer() else value


def rest_of(ship: Ship) -> float:
    """G4.6 What is left of the step that ended in contact."""
    return ship.rest if isinstance(ship.rest, float) else 0.0


# -- G1 Boards: hexes, the players' own table, the open sea. Where ships lie the rules ask `geometry(battle)` alone.

GEOMETRIES: dict[str, Geometry] = {"hexes": Hexes(), "table": OwnTable(), "open": OpenSea()}


def geometry(battle: Battle) -> Geometry:
    """The geometry of the battle's board."""
    return GEOMETRIES[battle.board.kind]
