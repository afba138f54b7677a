"""What each ship may do in this step, kept from state to state: after a command only what it touches is asked again.

Nothing here is part of a position. A `Todo` is worked out from a battle alone and kept beside it; `follow` hands it to
the next battle of the same step without the entries that the command may have changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, compress
from operator import is_not
from typing import Any

import msgspec

from tactical.battle import Battle
from tactical.commands import Done, Finish, Fire, Lock, Plot, Step
from tactical.geometry import geometry
from tactical.kernel.protocol import Offer
from tactical.rules import linked
from tactical.rules.movement import may_stand
from tactical.ship import SPEEDS_IN, Ship
from tactical.ship_offers import of_ship

BY_SHIP = ("plot", "move", "fire", "board")  # the steps in which a ship's offers hang on the ships near it at most


class Todo(msgspec.Struct, frozen=True):
    """What is known of a step, filled as it is asked for: of each side its ships' offers, and all of them together.

    Ships are those that may have something to do before the step ends; one that has not been asked has None.
    """

    of_ship: dict[str, dict[str, tuple[Offer, ...] | None]]
    of_side: dict[str, tuple[Offer, ...]]


def todo(battle: Battle) -> Todo:
    """G3.0 What is known of what the ships of a battle may do in its step."""
    kept = vars(battle)
    found: Todo | None = kept.get("todo")
    if found is None:
        found = kept["todo"] = Todo({side: {} for side in battle.sides}, {})
        ships = battle.ships
        for name in concerned(battle):
            found.of_ship[ships[name].side][name] = None
    return found


def concerned(battle: Battle) -> Iterable[str]:
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


def asked(battle: Battle, side: str) -> dict[str, tuple[Offer, ...]]:
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
        known[side] = tuple(chain.from_iterable(asked(battle, side).values()))
    return known[side]


def is_busy(battle: Battle, side: str) -> bool:
    """G3.0 Has a ship of the side anything to do in this step? No more ships are asked than it takes to know."""
    own = todo(battle).of_ship[side]
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
    return any(offers and not may_stand(battle, battle.ships[name]) for name, offers in asked(battle, side).items())


def share(battle: Battle, seen: Battle) -> None:
    """G3.1.a What ships may do in a step is the same for who does not know the speeds that are plotted."""
    vars(seen)["todo"] = todo(battle)


def follow(before: Battle, after: Battle, command: Any) -> None:
    """G3.0 Hand on what is known of a step to the battle after a command of it, as far as it is known to hold."""
    kept = vars(before)
    known: Todo | None = kept.get("todo")
    if known is None:
        return
    kind = type(command)
    if kind is Plot:  # a speed that is set changes neither a ship's offers nor who has yet to lock
        vars(after).update(todo=known, waits=kept.get("waits"))
    elif not is_same_step(before, after):
        return
    elif kind is Lock or (kind is Done and after.step != "move"):
        vars(after)["todo"] = known  # a side that is done changes no ship's offers
    elif kind is Fire or kind is Finish:
        vars(after)["todo"] = without(known, after, changed(before, after))
    elif kind is Step and after.board is before.board:
        vars(after)["todo"] = without(known, after, near(before, after, changed(before, after)))


def without(known: Todo, battle: Battle, names: Iterable[str]) -> Todo:
    """What is known, but for these ships."""
    ships, sides = dict(known.of_ship), dict(known.of_side)
    for name in names:
        side = battle.ships[name].side
        if name not in ships[side]:
            continue
        if ships[side] is known.of_ship[side]:
            ships[side] = dict(ships[side])
            sides.pop(side, None)
        ships[side][name] = None
    return Todo(ships, sides)


def is_same_step(before: Battle, after: Battle) -> bool:
    """Is it the same step of the same phase, and do a ship's offers hang on nothing but ships?"""
    return (
        after.step == before.step
        and after.phase == before.phase
        and after.turn == before.turn
        and after.step in BY_SHIP
        and after.board.kind != "table"
        and after.first is None
        and after.thrown is None
        and after.link is before.link
        and linked.deploys(after) is None
    )


def changed(before: Battle, after: Battle) -> list[str]:
    """The ships whose sheets are not those of before; a battle's ships are always the same, in the same order."""
    return list(compress(after.ships, map(is_not, after.ships.values(), before.ships.values())))


def near(before: Battle, after: Battle, names: list[str]) -> set[str]:
    """G4.3 These ships, and those for whom a hex ahead or astern has been left or entered."""
    places = {at for name in names for at in (before.ships[name].at, after.ships[name].at) if at is not None}
    return set(names) | geometry(after).near_ships(after, places)
