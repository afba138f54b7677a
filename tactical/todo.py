"""What each ship may do in this step, kept from state to state: after a command only what it touches is asked again.

Nothing here is part of a position. A `Todo` is worked out from a battle alone and stands in its `derived`; `follow`
takes it over from an earlier battle of the same step, but for the entries that changed sheets may have changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

import msgspec

from tactical.battle import Battle
from tactical.derived import Todo
from tactical.geometry import geometry
from tactical.kernel.protocol import Offer
from tactical.rules import linked
from tactical.rules.movement import may_stand
from tactical.ship import SPEEDS_IN, Ship
from tactical.ship_offers import of_ship

BY_SHIP = ("plot", "move", "fire", "board")  # the steps in which a ship's offers hang on the ships near it at most


def todo(battle: Battle) -> Todo:
    """G3.0 What is known of what the ships of a battle may do in its step."""
    derived = battle.derived
    found = derived.todo
    if found is None:
        earlier, derived.earlier = derived.earlier, None
        found = follow(earlier.battle, battle, earlier.changed) if earlier is not None else None
        derived.todo = found = found or begin(battle)
    return found


def begin(battle: Battle) -> Todo:
    """G3.0 The ships worth asking, none of them asked yet."""
    found = Todo({side: {} for side in battle.sides}, {})
    ships = battle.ships
    for name in worth_asking(battle):
        found.of_ship[ships[name].side][name] = None
    return found


def worth_asking(battle: Battle) -> Iterable[str]:
    """G3.0 The ships worth asking in this step. A quick look at what most lack: a step due, a weapon, an enemy near."""
    step, ships = battle.step, battle.ships
    if step == "plot" or step == "ram" or battle.board.kind == "table":
        return ships
    if step == "move":
        due = SPEEDS_IN[battle.phase]
        return [name for name, ship in ships.items() if ship.speed in due and not ship.stopped]
    if step == "fire":
        return [name for name, ship in ships.items() if ship.status == "afloat" and is_armed(ship)]
    if step == "board":
        return [name for name, ship in ships.items() if not ship.tried_boarding and is_met(battle, ship)]
    return ()


def is_armed(ship: Ship) -> bool:
    """G5.1, G5.7 Has the ship a weapon, or had it one when the fire step began?"""
    return bool(ship.archers or ship.catapults or ship.stone_throwers or ship.lost_this_step)


def is_met(battle: Battle, ship: Ship) -> bool:
    """G8.1 Is the ship afloat and in no fight, with an enemy at range 1?"""
    if ship.status != "afloat" or ship.boarding is not None:
        return False
    near = battle.enemies_of(ship)
    return bool(near) and near[0][1] <= 1


def ask(battle: Battle, name: str) -> tuple[Offer, ...]:
    """G3.0 What this ship may do in the step."""
    return tuple(of_ship(battle, name, battle.ships[name]))


def ask_side(battle: Battle, side: str) -> dict[str, tuple[Offer, ...]]:
    """G3.0 The side's ships that may have something to do, with their offers, in the order of the ships."""
    own: dict[str, Any] = todo(battle).of_ship[side]
    for name, offers in own.items():
        if offers is None:
            own[name] = ask(battle, name)
    return own


def of_side(battle: Battle, side: str) -> tuple[Offer, ...]:
    """G3.0 All offers of a side's ships."""
    known = todo(battle).of_side
    if side not in known:
        known[side] = tuple(chain.from_iterable(ask_side(battle, side).values()))
    return known[side]


def is_busy(battle: Battle, side: str) -> bool:
    """G3.0 Has a ship of the side anything to do in this step? No more ships are asked than it takes to know."""
    own = todo(battle).of_ship[side]
    if not own:
        return False
    if any(own.values()):
        return True
    for name, offers in own.items():
        if offers is None:
            own[name] = now = ask(battle, name)
            if now:
                return True
    return False


def owes_step(battle: Battle, side: str) -> bool:
    """G4.3, G6.7 Has a ship of the side a step to make that it may not as well leave alone before an open edge?"""
    return any(offers and not may_stand(battle, battle.ships[name]) for name, offers in ask_side(battle, side).items())


def follow(before: Battle, after: Battle, changed: frozenset[str]) -> Todo | None:
    """G3.0 What was known before and holds for a later battle; `changed` are the ships with other sheets since then."""
    known = before.derived.todo
    if known is None or not is_same_step(before, after):
        return None
    if not changed:
        return known
    if after.step == "move":
        return without(known, after, changed, near(before, after, changed))
    if after.step == "fire" and after.derived.lying is not before.derived.lying:
        return None  # a ship has moved
    if after.step == "board" and not all(is_finished(before.ships[name], after.ships[name]) for name in changed):
        return None
    return without(known, after, changed, changed)


def is_finished(was: Ship, now: Ship) -> bool:
    """G3.0 Is the sheet the same but for the word that its player wants nothing more of it in this step?"""
    return msgspec.structs.replace(was, finished=now.finished) == now


def without(known: Todo, battle: Battle, changed: frozenset[str], names: Iterable[str]) -> Todo | None:
    """What is known, but for the ships of these names; None where a changed ship has only now become worth asking."""
    ships, sides = dict(known.of_ship), dict(known.of_side)
    for name in names:
        side = battle.ships[name].side
        if name not in ships[side]:
            if name in changed and name in worth_asking(battle):
                return None
            continue
        if ships[side] is known.of_ship[side]:
            ships[side] = dict(ships[side])
            sides.pop(side, None)
        ships[side][name] = None
    return Todo(ships, sides)


def is_same_step(before: Battle, after: Battle) -> bool:
    """Is it the same step of the same phase, and do a ship's offers hang on nothing but ships?

    In a move step they hang on who is done, too (G6.7).
    """
    return (
        after.step == before.step
        and after.phase == before.phase
        and after.turn == before.turn
        and after.step in BY_SHIP
        and after.board is before.board
        and after.board.kind != "table"
        and after.first is None
        and after.thrown is None
        and after.link is before.link
        and after.options is before.options
        and after.level == before.level
        and (after.sides is before.sides or after.step != "move")
        and linked.deploys(after) is None
    )


def near(before: Battle, after: Battle, names: Iterable[str]) -> set[str]:
    """G4.3 These ships, and those for whom a hex ahead or astern has been left or entered."""
    places = {at for name in names for at in (before.ships[name].at, after.ships[name].at) if at is not None}
    return {*names, *geometry(after).near_ships(after, places)}
