"""What each ship may do in this step, kept from state to state: a command asks again only the ships that it touches.

Nothing here is part of a position. A `Todo` is worked out from a battle alone and kept beside it; `follow` hands it to
the next battle of the same step with the entries made anew that the command may have changed.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    """The offers of each side's ships, in the order of the ships, and how many ships have any.

    `optional` counts those among them that may as well be left alone (G6.7: before an open edge).
    """

    offers: dict[str, dict[str, tuple[Offer, ...]]]
    busy: dict[str, int]
    optional: dict[str, int]
    whole: dict[str, tuple[Offer, ...]]

    def of_side(self, side: str) -> tuple[Offer, ...]:
        """All offers of a side's ships; put together once."""
        found = self.whole.get(side)
        if found is None:
            found = self.whole[side] = tuple(chain.from_iterable(self.offers[side].values()))
        return found


def todo(battle: Battle) -> Todo:
    """G3.0 What the ships of a battle may do in its step."""
    kept = vars(battle)
    found: Todo | None = kept.get("todo")
    if found is None:
        found = kept["todo"] = asked(battle, Todo({side: {} for side in battle.sides}, {}, {}, {}), battle.ships)
    return found


def asked(battle: Battle, known: Todo, names: Iterable[str]) -> Todo:
    """The todo in which these ships have been asked anew."""
    offers, busy, optional, whole = dict(known.offers), dict(known.busy), dict(known.optional), dict(known.whole)
    moving = battle.step == "move"
    own: set[str] = set()
    for name in names:
        ship = battle.ships[name]
        side = ship.side
        if side not in own:
            own.add(side)
            whole.pop(side, None)
            offers[side] = dict(offers[side])
        found = tuple(of_ship(battle, name, ship)) if is_concerned(battle, ship) else ()
        busy[side] = busy.get(side, 0) + bool(found) - bool(offers[side].get(name))
        offers[side][name] = found
        if moving and found and may_stand(battle, ship):
            optional[side] = optional.get(side, 0) + 1
    return Todo(offers, busy, optional, whole)


def is_concerned(battle: Battle, ship: Ship) -> bool:
    """G3.0 Is this ship worth asking in this step? A quick look at what most ships lack: a step due, an enemy near."""
    step = battle.step
    if not battle.has_places or step == "plot" or step == "ram":
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


def follow(before: Battle, after: Battle, command: Any) -> None:
    """G3.0 Hand on what is known of a step to the battle after a command of it, where that is known to hold."""
    kept = vars(before)
    known: Todo | None = kept.get("todo")
    if known is None or known.optional or not is_same_step(before, after):
        return
    kind = type(command)
    if kind is Plot:  # a speed that is set changes neither a ship's offers nor who has yet to lock
        vars(after).update(todo=known, waits=kept.get("waits"))
    elif kind is Lock or (kind is Done and after.step != "move"):
        vars(after)["todo"] = known  # a side that is done changes no ship's offers
    elif kind is Fire or kind is Finish:
        vars(after)["todo"] = asked(after, known, changed(before, after))
    elif kind is Step and after.board is before.board:
        vars(after)["todo"] = asked(after, known, near(before, after, changed(before, after)))


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
