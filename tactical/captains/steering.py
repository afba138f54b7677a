"""G4 Steering: which ship steps first, and where."""

from __future__ import annotations

from typing import Any

from tactical.captains import at_sea
from tactical.captains.aims import aim_of
from tactical.captains.choice import Choice, Reason, best_options, reason
from tactical.captains.courses import Course, courses
from tactical.captains.foresight import sight_of
from tactical.captains.sea import Sea
from tactical.hexes import TURNED, Hex, ahead, astern
from tactical.kernel.protocol import Offer

STOPS = 0.6  # points lost by who runs up on a friend


def steer(sea: Sea, offers: list[Offer]) -> Choice:
    """G4.3 The next step of the side: the ship that gains least by waiting goes first.

    A ship waits while an enemy nearby still has to step, or while a friend that must step lies ahead of it.
    """
    if sea.battle.board.kind == "open":
        return at_sea.steer(sea, offers)
    if not sea.battle.has_hexes:
        return by_hand(offers[0])
    ranked = offers
    if sea.weights.patience:
        found = sorted((waits(sea, offer), number) for number, offer in enumerate(offers))
        ranked = [offers[number] for _, number in found]
    first = step_of(sea, ranked[0])
    for offer in ranked[1:4]:
        if not runs_up(sea, first.command):
            break
        second = step_of(sea, offer)
        if not runs_up(sea, second.command):
            return second
    return first


def waits(sea: Sea, offer: Offer) -> int:
    """How much a ship would learn by waiting: enemies near it that still have to step."""
    name = offer.fields["ship"]
    count = 0
    for away, foe in sea.foes_near(name)[:4]:
        if away > 3:
            break
        count += sea.battle.is_due(sea.battle.ships[foe])
    return count


def runs_up(sea: Sea, command: dict[str, Any]) -> bool:
    """Does the step end at a friend who may still move away?"""
    ship = sea.battle.ships[command["ship"]]
    to = target_hex(sea, command)
    if ship.speed < 0 or to is None:
        return False
    return any(
        other.side == sea.side and other.is_afloat and sea.battle.is_due(other) for other in sea.battle.ships_at(to)
    )


def target_hex(sea: Sea, command: dict[str, Any]) -> Hex | None:
    """The hex that a step leads to."""
    ship = sea.battle.ships[command["ship"]]
    if ship.at is None or ship.facing is None:
        return None
    heading = command.get("facing") or TURNED[ship.facing, command.get("turn", "none")]
    return astern(ship.at, heading) if ship.speed < 0 else ahead(ship.at, heading)


def by_hand(offer: Offer) -> Choice:
    """G1.5 On the players' own table a captain sees no places: straight on."""
    turns = offer.fields.get("turn", "none")
    turn = "none" if turns == "none" or "none" in turns else turns if isinstance(turns, str) else turns[0]
    command = {"type": "step", "ship": offer.fields["ship"], "turn": turn}
    return Choice(command, (reason("step_blind", rule="G1.5", ship=offer.fields["ship"]),))


def step_of(sea: Sea, offer: Offer) -> Choice:
    """G4.1 The best step of one ship."""
    name = offer.fields["ship"]
    ship = sea.battle.ships[name]
    assert ship.facing is not None
    key = "facing" if "facing" in offer.fields else "turn"
    names = offer.fields[key]
    ways = [names] if isinstance(names, str) else list(names)
    headings = {way: way if key == "facing" else TURNED[ship.facing, way] for way in ways}
    if len(ways) == 1:
        command = {"type": "step", "ship": name, key: ways[0]}
        return Choice(command, (reason("step_only", rule="G4.2", ship=name),))
    sight = sight_of(sea, name)
    aim = aim_of(sea, name)
    found = courses(sea, name, ship.speed, sight, aim)
    values = {way: worth(sea, name, heading, found) for way, heading in headings.items()}
    best = max(values, key=lambda way: values[way])
    commands = {way: {"type": "step", "ship": name, key: way} for way in ways}
    return Choice(
        commands[best],
        tuple(reasons(name, found.get(headings[best]), aim.why, aim.foe)),
        best_options([(commands[way], value) for way, value in values.items()]),
        round(values[best], 3),
    )


def worth(sea: Sea, name: str, heading: str, found: dict[str, Course]) -> float:
    """What a step with this heading is worth; running up on a friend costs the rest of the turn."""
    ship = sea.battle.ships[name]
    assert ship.at is not None
    course = found.get(heading)
    value = course.value if course is not None else -sea.weights.edge
    to = astern(ship.at, heading) if ship.speed < 0 else ahead(ship.at, heading)
    if any(other.side == sea.side or other.is_prize for other in sea.battle.ships_at(to)):
        value -= STOPS + sea.weights.crowd
    return value


def reasons(name: str, course: Course | None, why: str, foe: str | None) -> list[Reason]:
    """Why this step."""
    found = []
    if course is not None and course.foe and course.gain > 0:
        gain = round(course.gain, 1)
        found.append(reason("step_meet", rule="G4.6", odds=course.chance, ship=name, foe=course.foe, value=gain))
    found.append(reason(f"aim_{why}", ship=name, foe=foe))
    if course is not None and course.risk > 0.5:
        found.append(reason("step_risk", ship=name, value=round(course.risk, 1)))
    return found
