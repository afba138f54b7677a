"""What each ship may do in this step, kept from state to state: after a command only what it touches is asked again.

Nothing here is part of a position. A `Todo` is worked out from a battle alone and kept beside it; `follow` hands it to
the next battle of the same step without the entries that the command may have changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

from tactical.battle import Battle
from tactical.commands import Done, Finish, Fire, Lock, Plot, Step
from tactical.geometry import geometry
from tactical.kernel.protocol import Offer
from tactical.rules import linked
from tactical.rules.movement import may_stand
from tactical.ship import STEPS_OF, Ship
from tactical.ship_offers import of_ship

BY_SHIP = ("plot", "move", "fire", "board")  # the steps in which a ship's offers hang on the ships near it at most


class Todo(NamedTuple):
    """What is known of a step, filled as it is asked for: of each side its ships' offers, and all of them together.

    A ship that has not been asked has None.
    """

    of_ship: dict[str, dict[str, tuple[Offer, ...] | None]]
    of_side: dict[str, tuple[Offer, ...]]


def todo(battle: Battle) -> Todo:
    """G3.0 What is known of what the ships of a battle may do in its step."""
    kept = vars(battle)
    found: Todo | None = kept.get("todo")
    if found is None:
        found = kept["todo"] = Todo({side: {} for side in battle.sides}, {})
        for name, ship in battle.ships.items():
            found.of_ship[ship.side][name] = None
    return found


def unasked(known: Mapping[str, tuple[Offer, ...] | None]) -> list[str]:
    """The ships whose offers are not known yet."""
    return [name for name, offers in known.items() if offers is None]


def ask(battle: Battle, name: str) -> tuple[Offer, ...]:
    """G3.0 What this ship may do in the step."""
    ship = battle.ships[name]
    return tuple(of_ship(battle, name, ship)) if is_concerned(battle, ship) else ()


def asked(battle: Battle, side: str) -> dict[str, tuple[Offer, ...]]:
    """G3.0 The side's ships with their offers, in the order of the ships."""
    own: dict[str, Any] = todo(battle).of_ship[side]
    for name in unasked(own):
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
    for name in unasked(own):
        own[name] = ask(battle, name)
        if own[name]:
            return True
    return False


def owes_step(battle: Battle, side: str) -> bool:
    """G4.3, G6.7 Has a ship of the side a step to make that it may not as well leave alone before an open edge?"""
    return any(offers and not may_stand(battle, battle.ships[name]) for name, offers in asked(battle, side).items())


def is_concerned(battle: Battle, ship: Ship) -> bool:
    """G3.0 Is this ship worth asking in this step? A quick look at what most ships lack: a step due, an enemy near."""
    step = battle.step
    if step == "plot" or step == "ram" or not battle.has_places:
        return True
    if step == "move":
        return battle.phase in STEPS_OF[ship.speed] and not ship.stopped and ship.contact is None
    if ship.status != "afloat":
        return False
    if step == "fire":
        return bool(ship.archers or ship.catapults or ship.stone_throwers or ship.lost_this_step)
    return not ship.tried_boarding and ship.boarding is None and is_met(battle, ship)


def is_met(battle: Battle, ship: Ship) -> bool:
    """G8.1 Is an enemy at range 1?"""
    near = battle.enemies_of(ship)
    return bool(near) and near[0][1] <= 1


def share(battle: Battle, seen: Battle) -> None:
    """G3.1.a What ships may do in a step is the same for who does not know the speeds that are plotted."""
    vars(seen)["todo"] = todo(battle)


def follow(before: Battle, after: Battle, command: Any) -> None:
    """G3.0 Hand on what is known of a step to the battle after a command of it, as far as it is known to hold."""
    kept = vars(before)
    known: Todo | None = kept.get("todo")
    if known is None or not is_same_step(before, after):
        return
    kind = type(command)
    if kind is Plot:  # a speed that is set changes neither a ship's offers nor who has yet to lock
        vars(after).update(todo=known, waits=kept.get("waits"))
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
        and after.has_places
        and after.first is None
        and after.thrown is None
        and after.link is before.link
        and linked.deploys(after) is None
    )


def changed(before: Battle, after: Battle) -> list[str]:
    """The ships whose sheets are not those of before."""
    old = before.ships
    return [name for name, ship in after.ships.items() if old[name] is not ship]


def near(before: Battle, after: Battle, names: list[str]) -> set[str]:
    """G4.3 These ships, and those for whom a hex ahead or astern has been left or entered."""
    places = {at for name in names for at in (before.ships[name].at, after.ships[name].at) if at is not None}
    return set(names) | geometry(after).near_ships(after, places)
