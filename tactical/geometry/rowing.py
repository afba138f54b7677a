"""G1.6.a What a hull meets on its way over the open sea: others that it touches, pushes off from, or cannot pass."""

from __future__ import annotations

from typing import Any

import msgspec
from shapely import Point as Dot

from tactical import measured
from tactical.battle import Battle
from tactical.geometry.places import Heading, Place, Way
from tactical.measured import STEP, TOUCH
from tactical.places import Point
from tactical.ship import Ship

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
    return measured.reach_of(kind.length, kind.beam)


def backwards(ship: Ship) -> Point:
    """The way astern."""
    x, y = measured.unit(heading_of(ship))
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
    if ship.passing == other or each.passing == name:
        return True
    if ship.raked_by != other and each.raked_by != name:
        return False
    lies = battle.ships[name]
    return lies.at is not None and measured.overlap(battle.outline(lies), battle.outline(each))


def row(battle: Battle, name: str, ship: Ship, facing: Heading, length: float, near: Near | None = None) -> Way:
    """G4.1, G4.3, G4.6 What a hull turned to this heading meets along so many base lengths.

    G1.6.a The turn itself, about midship, sweeps no water. A ship that the turned hull would lie across is pushed
    off from when the step leaves it clear, on the side from which it came; otherwise the way is closed.
    """
    backing = ship.speed < 0
    ahead = measured.unit(facing)
    way = (-ahead[0], -ahead[1]) if backing else ahead
    kind = battle.kind(ship)
    assert ship.at is not None
    shape = measured.outline(ship.at, facing, kind.length, kind.beam)
    to = measured.onward(ship.at, way, length)
    closed = Way(facing, to, "blocked")
    pushed: list[tuple[float, tuple[Point, ...]]] = []
    first, met = length + TOUCH, []
    for other, foe, lies in around(battle, name, ship) if near is None else near:
        span = measured.passage(shape, way, lies)
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
    end = measured.onward(ship.at, way, stop)
    if pushed and not is_pushed_off(battle, ship, pushed, stop, measured.outline(end, facing, kind.length, kind.beam)):
        return closed
    if is_closed(battle, shape, way, stop):
        return closed
    if not holds(battle, end):
        return closed if battle.edge_is_wall() else Way(facing, end, "edge")
    if touched:
        return Way(facing, end, "contact", touched, measured.round_off(max(0.0, length - stop)))
    return Way(facing, end, "open")


def is_pushed_off(
    battle: Battle, ship: Ship, pushed: list[tuple[float, tuple[Point, ...]]], stop: float, end: tuple[Point, ...]
) -> bool:
    """G1.6.a Does a step leave each hull that the turn laid across, on the side from which it came?

    It does when one straight line parts the two both before the turn and after the step: nothing of the other lies
    between where the ship was and where it comes to lie. `pushed` are the hulls, each with how far the step must
    lead to come clear of it.
    """
    between = measured.convex_hull(battle.outline(ship), end)
    return all(clear <= stop and not measured.overlap(between, lies) for clear, lies in pushed)


def is_closed(battle: Battle, shape: tuple[Point, ...], way: Point, length: float) -> bool:
    """G1.2, G4.3 Do land or wrecks lie in the water that a hull moves through?"""
    board = battle.board
    if not (board.coasts or board.wrecks):
        return False
    return bool(board.closed.intersects(measured.swept(shape, way, length)))


def is_roomy(battle: Battle, name: str, ship: Ship) -> bool:
    """G4.3 May the ship take any angle at all? Nothing but an enemy to meet is in reach, and none of them too near."""
    if ship.passing is not None or ship.at is None:
        return False
    own = reach(battle, ship)
    for _, foe, _ in around(battle, name, ship):
        turning = own + reach(battle, foe) + TOUCH * 2
        near = measured.apart(ship.at, foe.at) if foe.at is not None else turning + STEP
        harmless = foe.side != ship.side and foe.is_afloat and ship.speed > 0
        if near <= (turning if harmless else turning + STEP):
            return False
    board, (width, height) = battle.board, battle.board.size
    if (board.coasts or board.wrecks) and board.closed.distance(Dot(ship.at)) <= own + STEP:
        return False
    inside = STEP <= ship.at[0] <= width - STEP and STEP <= ship.at[1] <= height - STEP
    return inside or not battle.edge_is_wall()
