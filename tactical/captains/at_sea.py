"""G1.6 A captain on the measured sea: each speed rowed through towards the enemy, each angle of a step measured."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from tactical import board
from tactical.battle import Battle
from tactical.board import Point
from tactical.captains.judgement import Sea, boards, meeting
from tactical.captains.reasons import Choice, best_options, reason
from tactical.geometry import MOST, geometry
from tactical.kernel.protocol import Offer
from tactical.rules.movement import may_turn
from tactical.rules.ramming import has_full_speed
from tactical.ship import MOVEMENT, STEPS_OF, Ship, cruise, is_sprint, maximum

ASPECTS = {"bow_to_bow": "head", "stern": "stern", "parallel": "stern", "side": "beam"}
FAN = 10  # degrees between the angles that are looked at
NEARER = 0.35  # points of hull that a base length of way is worth
TURNS = 0.012  # points for each degree that the bow points nearer to the enemy
BEAM = 0.8  # points lost by lying with the side before an enemy's ram
RIM = 2.0  # base lengths from the edge within which the bow had better not point outwards


class Course(NamedTuple):
    """What a speed or an angle is worth, whom it meets, and whether it leaves the board."""

    value: float
    foe: str | None = None
    leaves: bool = False


def prey_of(sea: Sea, name: str, ship: Ship) -> str | None:
    """The enemy that promises most for the way to it."""
    best, top = None, -1e9
    for foe, other in sea.foes.items():
        if other.at is None or ship.at is None:
            continue
        gain = worth_of(sea, name, foe, "beam", False)
        value = gain - NEARER * board.apart(ship.at, other.at)
        if value > top:
            best, top = foe, value
    return best


def worth_of(sea: Sea, name: str, foe: str, aspect: str, fast: bool) -> float:
    """What meeting an enemy so brings, by the exact odds."""
    mind, mine, theirs = sea.mind, sea.hull(name), sea.hull(foe)
    if mine.ram is None:
        return -1.0
    found = meeting(mind, mine, theirs, aspect, fast, False, True)
    return max(found.value, boards(mind, mine, theirs) - sea.weights.risk * boards(mind, theirs, mine))


def steer(sea: Sea, offers: list[Offer]) -> Choice:
    """G4.1 The best step of the ship whose enemy is nearest; the others wait and see."""
    names = list(dict.fromkeys(offer.fields["ship"] for offer in offers))
    name = min(names, key=lambda each: (nearest(sea, each), each))
    ship = sea.battle.ships[name]
    options: list[tuple[dict[str, Any], float]] = []
    found: dict[int, Course] = {}
    for offer in offers:
        if offer.fields["ship"] != name:
            continue
        key = "facing" if "facing" in offer.fields else "angle"
        for value in looked_at(offer.fields[key], sea, name, ship):
            heading = board.turn_by(value, 0) if key == "facing" else board.turn_by(ship.facing or 0.0, value)
            found[len(options)] = course = after_step(sea, name, ship, heading)
            options.append(({"type": "step", "ship": name, key: value}, course.value))
    best = max(found, key=lambda number: (not (sea.would_stay and found[number].leaves), found[number].value))
    command, value = options[best]
    if len(options) == 1:
        return Choice(command, (reason("step_only", rule="G4.2", ship=name),))
    met = found[best].foe
    why = [reason("step_meet", rule="G4.6", ship=name, foe=met, value=round(value, 1), odds=1.0)] if met else []
    prey = prey_of(sea, name, ship)
    why.append(reason("aim_hunt" if prey else "aim_no_enemy", ship=name, foe=prey))
    return Choice(command, tuple(why), best_options(options), round(value, 3))


def looked_at(value: Any, sea: Sea, name: str, ship: Ship) -> list[float]:
    """The angles or headings of an offer that are worth a look: a fan of them, its ends, and the one at the enemy."""
    if not isinstance(value, dict):
        return [value]
    low, high = value["from"], value["to"]
    fan = {low, high, *(angle for angle in range(-(-low // FAN) * FAN, high + 1, FAN))}
    prey = prey_of(sea, name, ship)
    if prey is not None and low >= -MOST and high <= MOST:
        to = board.degrees_to(place(ship), place(sea.foes[prey]))
        fan.add(max(low, min(high, round(side_of(to - (ship.facing or 0.0))))))
    return sorted(fan)


def place(ship: Ship) -> Point:
    """Where a ship lies."""
    assert ship.at is not None
    return ship.at


def side_of(angle: float) -> float:
    """An angle between -180 and 180."""
    return (angle + 180) % 360 - 180


def nearest(sea: Sea, name: str) -> float:
    """How far the nearest enemy is."""
    at = sea.battle.ships[name].at
    return min((board.apart(at, foe.at) for foe in sea.foes.values() if foe.at is not None and at), default=99.0)


def after_step(sea: Sea, name: str, ship: Ship, heading: float) -> Course:
    """What one step with this heading brings: a meeting, or a place from which to come to one."""
    battle = sea.battle
    way = geometry(battle).way(battle, name, ship, heading)
    if way.meets == "edge":
        return Course(-sea.weights.edge, leaves=True)
    if way.meets == "blocked":
        return Course(-2.0)
    after = msgspec.structs.replace(ship, at=way.to, facing=heading, steps_made=ship.steps_made + 1)
    if way.meets == "contact":
        foe = way.foes[0]
        aspect = geometry(battle).aspect(battle, after, battle.ships[foe]) or "side"
        fast = has_full_speed(sea.kind(ship), msgspec.structs.replace(after, stepped=True))
        return Course(1.0 + worth_of(sea, name, foe, ASPECTS[aspect], fast), foe)
    return Course(lying(sea, name, after))


def lying(sea: Sea, name: str, ship: Ship) -> float:
    """What it is worth to lie here: near to the prey, the bow at it, the side out of the rams, the edge not ahead."""
    battle = sea.battle
    prey = prey_of(sea, name, ship)
    assert ship.at is not None
    value = 0.0
    if prey is not None:
        at = where_to(battle, battle.ships[prey])
        off = abs(side_of(board.degrees_to(ship.at, at) - (ship.facing or 0.0)))
        value -= NEARER * board.apart(ship.at, at) + TURNS * off
    for foe in sea.foes.values():
        if foe.at is None or foe.boarding is not None or board.apart(foe.at, ship.at) > 3:
            continue
        pointed = abs(side_of(board.degrees_to(foe.at, ship.at) - (foe.facing or 0.0)))
        across = board.between(foe.facing or 0.0, ship.facing or 0.0)
        if pointed < 40 and 30 < across < 150:
            value -= BEAM * sea.weights.risk
    width, height = battle.board.size
    ahead = board.onward(ship.at, board.unit(ship.facing or 0.0), RIM)
    if not (0 <= ahead[0] <= width and 0 <= ahead[1] <= height):
        value -= 1.5
    return value


def where_to(battle: Battle, foe: Ship) -> Any:
    """Where an enemy will probably be when its steps of this turn are made: straight ahead."""
    left = sum(1 for phase in STEPS_OF.get(foe.speed, ()) if phase > (battle.phase or 0))
    if foe.stopped or foe.boarding is not None or foe.speed < 0:
        left = 0
    return board.onward(foe.at or (0.0, 0.0), board.unit(foe.facing or 0.0), min(left, 2))


def plot(sea: Sea, name: str, low: int, high: int) -> Choice:
    """G3.1 The speed that comes best to the prey when the ship steers for it; sprints are spent on rams only."""
    ship = sea.battle.ships[name]
    kind = sea.kind(ship)
    values = {}
    for speed in range(low, high + 1):
        course = course_at(sea, name, ship, speed)
        sprint = is_sprint(kind, ship, speed, sea.battle.options.sprint)
        values[speed] = Course(course.value - (sea.weights.sprint if sprint else 0.0), course.foe)
    best = max(values, key=lambda speed: (values[speed].value, speed == cruise(kind, ship)))
    met = values[best].foe
    why = reason("plot_meet", rule="G3.1", ship=name, foe=met, speed=best) if met else None
    prey = prey_of(sea, name, ship)
    aim = reason("aim_hunt" if prey else "aim_no_enemy", ship=name, foe=prey)
    options: list[tuple[dict[str, Any], float]] = [
        ({"type": "plot", "ship": name, "speed": speed}, course.value) for speed, course in values.items()
    ]
    command = {"type": "plot", "ship": name, "speed": best}
    return Choice(command, (why, aim) if why else (aim,), best_options(options), round(values[best].value, 3))


def course_at(sea: Sea, name: str, ship: Ship, speed: int) -> Course:
    """Where a turn at this speed leads when each step that may turn is turned at the prey."""
    battle = sea.battle
    prey = prey_of(sea, name, ship)
    steps = min(abs(speed), MOVEMENT.phases)
    at = msgspec.structs.replace(ship, speed=speed, plot=speed, steps_made=0, stopped=False)
    for _ in range(steps):
        angle = 0.0
        if prey is not None and speed > 0 and may_turn(battle, at):
            to = board.degrees_to(place(at), place(sea.foes[prey]))
            angle = max(-MOST, min(MOST, side_of(to - (at.facing or 0.0))))
        heading = board.turn_by(at.facing or 0.0, angle)
        way = geometry(battle).way(battle, name, at, heading)
        if way.meets == "edge":
            return Course(-sea.weights.edge)
        if way.meets == "blocked":
            return Course(lying(sea, name, at) - 1.0)
        at = msgspec.structs.replace(
            at,
            at=way.to,
            facing=heading,
            steps_made=at.steps_made + 1,
            free_turn=False,
            straight=0 if heading != at.facing else at.straight + 1,
        )
        if way.meets == "contact":
            foe = way.foes[0]
            fast = speed == maximum(sea.kind(ship), ship) and not ship.oars_broken
            aspect = geometry(battle).aspect(battle, at, battle.ships[foe]) or "side"
            return Course(0.5 * worth_of(sea, name, foe, ASPECTS[aspect], fast), foe)
    return Course(lying(sea, name, at))
