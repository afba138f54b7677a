"""G4 Courses: several steps ahead as one plan of a ship's, made of ordinary steps.

A course is no rule and no part of a position: who keeps one says each step when it is due. Here stands which steps lead
to a place, whether the next one goes through open water, and which enemies are so near that they change a plan.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from tactical.battle import Battle
from tactical.commands import Angle, Step
from tactical.geometry import geometry
from tactical.geometry.open_sea import MOST
from tactical.hexes import Hex
from tactical.kernel.record import Input, Record
from tactical.places import Place
from tactical.rules import missiles, movement
from tactical.rules.plotting import can_plot
from tactical.ship import STEPS_OF, Ship, is_sprint, plot_range

NEAR = 2  # an enemy within so many steps may be met next
CLOSE_ENOUGH = 0.5  # base lengths from the point that was meant


class Leg(Input, frozen=True):
    """One step of a course: the turn, or on the open sea the angle."""

    turn: Literal["left", "right", "none"] | None = None
    angle: Angle | None = None

    def of(self, name: str) -> Step:
        """The step as a ship's command."""
        return Step(name, turn=self.turn, angle=self.angle)


TURNS = {"none": Leg("none"), "left": Leg("left"), "right": Leg("right")}


class Route(Record, frozen=True):
    """A course with the places that it leads through."""

    legs: tuple[Leg, ...]
    places: tuple[Place, ...]


def steps_to_make(battle: Battle, ship: Ship, speed: int | None = None) -> int:
    """G3.2 How many steps a ship makes in what is left of the turn; in the plot in the whole of it, at `speed`."""
    if not ship.is_afloat or ship.boarding or ship.paper or ship.at is None or ship.contact:
        return 0
    if battle.step == "plot":
        return len(STEPS_OF.get(ship.speed if speed is None else speed, ()))
    if ship.stopped:
        return 0
    now = battle.phase or 0
    return sum(1 for phase in STEPS_OF[ship.speed] if phase > now or (phase == now and battle.is_due(ship)))


def starting(battle: Battle, ship: Ship, speed: int | None) -> Ship:
    """The ship as her course begins: in the plot at the turn's first step, at the speed that is meant."""
    if battle.step != "plot":
        return ship
    pace = ship.speed if speed is None else speed
    return msgspec.structs.replace(ship, speed=pace, stopped=False, stepped=False, steps_made=0)


def routes(battle: Battle, name: str, speed: int | None = None) -> dict[Hex, Route]:
    """G4.1 On hexes: the shortest course through open water to each hex in reach, if all others stay where they are."""
    ship = battle.ships[name]
    found: dict[Hex, Route] = {}
    if not battle.has_hexes or ship.at is None:
        return found
    front: dict[tuple[Place, Any, int], tuple[Ship, Route]] = {
        (ship.at, ship.facing, ship.straight): (starting(battle, ship, speed), Route((), ()))
    }
    for _ in range(steps_to_make(battle, ship, speed)):
        following: dict[tuple[Place, Any, int], tuple[Ship, Route]] = {}
        for stage, route in front.values():
            for turn, way in movement.choices(battle, name, stage).items():
                if way.meets != "open" or way.to is None or turn not in TURNS:
                    continue
                there = Route((*route.legs, TURNS[turn]), (*route.places, way.to))
                found.setdefault(way.to, there)
                moved = after(stage, way.to, way.facing)
                following.setdefault((way.to, moved.facing, min(moved.straight, 9)), (moved, there))
        front = following
    found.pop(ship.at, None)
    return found


def along(battle: Battle, name: str, way: Sequence[Hex], speed: int | None = None) -> Route:
    """G4.1 On hexes: the course through these hexes, one after the other; without steps where none leads so."""
    stage, route = starting(battle, battle.ships[name], speed), Route((), ())
    if not battle.has_hexes or not 0 < len(way) <= steps_to_make(battle, battle.ships[name], speed):
        return route
    for hex_ in way:
        turns = movement.choices(battle, name, stage).items()
        found = next(((turn, to) for turn, to in turns if to.to == hex_ and to.meets == "open" and turn in TURNS), None)
        if found is None:
            return Route((), ())
        route = Route((*route.legs, TURNS[found[0]]), (*route.places, hex_))
        stage = after(stage, hex_, found[1].facing)
    return route


def after(ship: Ship, to: Place, facing: Any) -> Ship:
    """The ship when she has made a step."""
    return msgspec.structs.replace(
        ship,
        at=to,
        facing=facing,
        straight=0 if facing != ship.facing else ship.straight + 1,
        steps_made=ship.steps_made + 1,
        free_turn=False,
        passing=None,
    )


def towards(battle: Battle, name: str, point: tuple[float, float], speed: int | None = None) -> Route:
    """G1.6, G4.1 On the open sea: turn to the point as soon as the turn cycle lets her, and row until she is there."""
    stage = starting(battle, battle.ships[name], speed)
    board, route = geometry(battle), Route((), ())
    for _ in range(steps_to_make(battle, battle.ships[name], speed)):
        assert stage.at is not None
        far = math.dist(stage.at, point)
        if far < CLOSE_ENOUGH:
            break
        bearing = math.degrees(math.atan2(point[0] - stage.at[0], stage.at[1] - point[1]))
        off = round((bearing - float(stage.facing or 0) + 540) % 360 - 180)
        angle = max(-MOST, min(MOST, off)) if movement.may_turn(battle, stage) else 0
        way = board.way(battle, name, stage, board.course(stage, Step(name, angle=float(angle)))[0])
        if way.meets != "open" or math.dist(way.to, point) > far:
            break
        route = Route((*route.legs, Leg(angle=float(angle))), (*route.places, way.to))
        stage = after(stage, way.to, way.facing)
    return route


def ahead(battle: Battle, name: str, speed: int | None = None) -> tuple[Leg, ...]:
    """G4.1 Straight on for the rest of the turn."""
    return (straight(battle),) * steps_to_make(battle, battle.ships[name], speed)


def straight(battle: Battle) -> Leg:
    """G4.1, G1.6 A step straight on, as this board says it."""
    return Leg(angle=0.0) if battle.board.kind == "open" else Leg("none")


def is_open(battle: Battle, name: str, leg: Leg) -> bool:
    """G4.1 May the ship make this step now, and does it lead into open water?"""
    step, ship = leg.of(name), battle.ships[name]
    if movement.why_not_step(battle, step) is not None:
        return False
    board = geometry(battle)
    return board.way(battle, name, ship, board.course(ship, step)[0]).meets == "open"


def is_behind_friend(battle: Battle, name: str, leg: Leg) -> bool:
    """G4.3 Is the way closed only by a ship of her own side that has yet to step in this phase?"""
    ship = battle.ships[name]
    if not battle.is_due(ship):
        return False
    board = geometry(battle)
    heading, _turned = board.course(ship, leg.of(name))
    if board.way(battle, name, ship, heading).meets != "blocked":
        return False
    gone = {
        other: friend
        for other, friend in battle.ships.items()
        if other == name or friend.side != ship.side or not battle.is_due(friend)
    }
    alone = msgspec.structs.replace(battle, ships=gone)
    return len(gone) < len(battle.ships) and board.way(alone, name, ship, heading).meets == "open"


def enemies_in_sight(battle: Battle, name: str) -> tuple[str, ...]:
    """G5.6 The enemies within two steps whom a ship sees: one more, and a plan is thought over."""
    ship = battle.ships[name]
    near = (foe for foe, range_ in battle.enemies_of(ship) if range_ <= NEAR) if battle.has_places else ()
    return tuple(sorted(foe for foe in near if missiles.sees(battle, ship, battle.ships[foe])))


def followers(battle: Battle, leader: str, legs: tuple[Leg, ...]) -> Iterator[tuple[str, bool]]:
    """G2.4 A line keeps station on its flagship: the ships of her squadron, and whether each can make the same course.

    Each is tried with all others who are to make it out of the way, as they step together.
    """
    line = [
        name
        for name, ship in battle.ships.items()
        if ship.side == battle.ships[leader].side and ship.squadron == battle.ships[leader].squadron and ship.is_afloat
    ]
    others = {name: ship for name, ship in battle.ships.items() if name not in line}
    for name in line:
        alone = msgspec.structs.replace(battle, ships={**others, name: battle.ships[name]})
        yield name, battle.ships[name].at is not None and can_make(alone, name, legs)


def can_make(battle: Battle, name: str, legs: tuple[Leg, ...]) -> bool:
    """G4.1 Can the ship make every step of a course in what is left of the turn, through open water?

    In the plot (G3.1) at the speed of so many steps, and without a sprint, which nobody spends for her.
    """
    ship, kind = battle.ships[name], battle.kind(battle.ships[name])
    speed = len(legs) if battle.step == "plot" else None
    if speed is not None:
        low, high = plot_range(kind, ship, battle.options.sprint)
        if not can_plot(ship) or not low <= speed <= high or is_sprint(kind, ship, speed, battle.options.sprint):
            return False
    if steps_to_make(battle, ship, speed) < len(legs):
        return False
    board = geometry(battle)
    stage = starting(battle, ship, speed)
    for leg in legs:
        heading, turned = board.course(stage, leg.of(name))
        if turned and not movement.may_turn(battle, stage):
            return False
        way = board.way(battle, name, stage, heading)
        if way.meets != "open":
            return False
        stage = after(stage, way.to, way.facing)
    return True
