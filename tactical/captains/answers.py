"""Everything else that a captain is asked: to lock, to be done, to deploy, to keep dice or throw again, to evade."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from tactical.captains.choice import Choice, reason
from tactical.captains.sea import Sea
from tactical.kernel.protocol import Offer
from tactical.kernel.random_play import QUITTING
from tactical.ship import Ship

POOR_RAM = 3  # L2.5.a a ram's die up to this is worth another throw
EVADES_BELOW = 0.5  # L3.4, L3.5 the share of the enemy's strength below which a side leaves


def lock(side: str) -> Choice:
    """G3.1 All ships have their speed."""
    return Choice({"type": "lock", "side": side}, (reason("lock", rule="G3.1"),))


def answer_with_nothing(sea: Sea, kind: str = "done") -> Choice:
    """G3.0 Nothing more to do in this step, or nothing that is worth doing."""
    return Choice({"type": "done", "side": sea.side}, (reason(kind),))


def dice(sea: Sea, offers: dict[str, list[Offer]]) -> Choice:
    """L2.5.a Throw a bad die again: a missed boarding, a bow-to-bow that was lost, a weak ram that did not sink."""
    thrown = sea.battle.thrown
    keep = Choice({"type": "keep", "side": sea.side}, (reason("keep", rule="L2.5.a"),))
    if thrown is None or "reroll" not in offers:
        return keep
    allowed = offers["reroll"][0].fields["die"]
    own = [allowed] if isinstance(allowed, int) else list(allowed)
    number = -1
    bad: list[tuple[int, int, int]] = []
    faces = [(roll, face) for roll in thrown.rolls for face in roll.faces]
    enemy_best = {roll.rule: face for roll, face in faces if sea.battle.ships[roll.about["ship"]].side != sea.side}
    for number, (roll, face) in enumerate(faces):
        if number not in own:
            continue
        lost_meeting = roll.rule == "G6.1" and face < enemy_best.get("G6.1", 0)
        if (roll.rule == "G8.1" and face <= 3) or lost_meeting or (roll.rule == "G6.2" and face <= POOR_RAM):
            bad.append((face, number, roll.sides))
    if not bad:
        return keep
    face, die, sides = min(bad)
    why = reason("reroll", rule="L2.5.a", odds=(sides - face) / sides, face=face)
    return Choice({"type": "reroll", "side": sea.side, "die": die}, (why,))


def end_of_turn(sea: Sea, kinds: set[str]) -> Choice:
    """L3.5 The holder of supremacy leaves a battle that is being lost; a raw captain never does."""
    if "evade" in kinds and sea.orders.level != "raw":
        mine, theirs = strength(sea, sea.mine), strength(sea, sea.foes)
        if mine < EVADES_BELOW * theirs:
            why = reason("evade", rule="L3.5", mine=round(mine), theirs=round(theirs))
            return Choice({"type": "evade", "side": sea.side}, (why,))
        return answer_with_nothing(sea, "stay")
    return answer_with_nothing(sea)


def break_off(sea: Sea, kinds: Container[str]) -> Choice | None:
    """G10.1, L3.4 Give up a battle that is lost, where the captain's orders allow it: its ships get away."""
    first = sea.orders.breaks_off
    if not first or sea.battle.turn < first or "resign" not in kinds:
        return None
    mine, theirs = strength(sea, sea.mine), strength(sea, sea.foes)
    if mine >= EVADES_BELOW * theirs:
        return None
    why = reason("evade", rule="L3.4", mine=round(mine), theirs=round(theirs))
    return Choice({"type": "resign", "side": sea.side}, (why,))


def strength(sea: Sea, ships: dict[str, Ship]) -> float:
    """Hulls and marines that are left."""
    return sum(max(0, sea.kind(ship).hull - ship.damage) + 0.5 * ship.marines for ship in ships.values())


def ending(sea: Sea, offers: dict[str, list[Offer]]) -> Choice | None:
    """G10.1 Agree to end the battle when all others have, and this side leads."""
    if "agree" not in offers:
        return None
    others = [side for name, side in sea.battle.sides.items() if name != sea.side]
    mine = sea.battle.sides[sea.side].points
    if not all(other.agreed for other in others) or mine <= max(other.points for other in others):
        return None
    why = reason("agree_ahead", rule="G10.1", mine=mine, theirs=max(other.points for other in others))
    return Choice({"type": "agree", "side": sea.side}, (why,))


def anything(side: str, offers: list[Offer]) -> Choice:
    """The first offer that gives nothing up, with the first choice of each field: never no answer."""
    usual = [offer for offer in offers if offer.type not in QUITTING]
    offer = (usual or [each for each in offers if each.type == "agree"] or offers)[0]
    fields = {name: first(value) for name, value in offer.fields.items()}
    return Choice({"type": offer.type, **fields}, (reason("nothing_else", rule=offer.rule),))


def first(value: Any) -> Any:
    """A field's first choice."""
    if isinstance(value, list | tuple):
        return value[0]
    return value["from"] if isinstance(value, dict) else value
