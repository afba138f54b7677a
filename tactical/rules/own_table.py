"""G1.5 Movement on the players' own table: models that stand, touch or leave it."""

from __future__ import annotations

import msgspec

from tactical.battle import Battle
from tactical.commands import Contact, Leave
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.rules.ending import over_the_edge
from tactical.rules.movement import leave, may_move_now, may_touch, may_turn, part, stop, wait_again, why_no_step
from tactical.ship import Ship, turn_cycle

ASPECT_OF_TABLE = ("bow_to_bow", "side", "parallel")


def why_not_stand(battle: Battle, name: str) -> Illegal | None:
    """G4.3, G6.9 A player says that a model stays where it is only on the table, and only for a step that is due."""
    ship = battle.ship(name)
    if battle.has_places:
        return Illegal("G6.9", "A ship may hold only in the ram step; she must now take the step that is due (G4.3).")
    return why_no_table_step(battle, name, ship)


def stand(battle: Battle, name: str) -> tuple[Battle, tuple[Event, ...]]:
    """G4.3, G6.7 The model stays where it is and stops; a debt of backing is served, for it cannot back."""
    ship = battle.ships[name]
    said = event("G4.3", "hold", ship=name, target=None, held=[name])
    if ship.passing is not None:
        return battle.with_ship(name, msgspec.structs.replace(ship, stepped=True)), (said,)
    battle, happened = stop(battle, name, "held")
    return battle, (said, *(each for each in happened if each.type == "backing_served"))


def why_not_leave(battle: Battle, command: Leave) -> Illegal | None:
    """G1.4, G1.5 On the table a ship whose step is due may leave it, unless the edge is a wall."""
    ship = battle.ship(command.ship)
    if battle.has_places:
        return Illegal("G1.4", "On a board, a ship leaves the battle by stepping over the edge.")
    wrong = why_no_table_step(battle, command.ship, ship)
    if wrong is None and battle.edge_is_wall():
        return Illegal("G1.4", "The table's edge is a wall; %(ship)s cannot leave.", ship=command.ship)
    return wrong


def leave_table(battle: Battle, command: Leave, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G1.4 The model is taken off the table: withdrawn for good."""
    name = command.ship
    battle, more = leave(battle, name, battle.ships[name].away("withdrawn"), None)
    battle = over_the_edge(battle, name)
    return battle, (event("G1.4", "withdrawn", ship=name), *more)


def why_no_table_step(battle: Battle, name: str, ship: Ship) -> Illegal | None:
    """G3.2, G3.4 Is a step of this ship due, and is it its side's time to move?"""
    if not battle.is_due(ship):
        return why_no_step(battle, name, ship)
    if not may_move_now(battle, ship.side):
        return Illegal(
            "G3.4",
            "%(first)s %(first|has|have)s the initiative and must move all %(first|its|their)s ships first.",
            first=battle.first,
        )
    return None


def why_not_contact(battle: Battle, command: Contact) -> Illegal | None:
    """G1.5 What forbids declaring that two bases touch."""
    ship, target = battle.ship(command.ship), battle.ship(command.target)
    if battle.has_places:
        return Illegal(
            "G4.6",
            "On a board, a ship that reaches an enemy is in contact; "
            "contacts are declared only on the players' own table.",
        )
    if ship.contact is not None:
        return Illegal(
            "G4.6", "%(ship)s is already in contact with %(contact)s.", ship=command.ship, contact=ship.contact
        )
    if target.side == ship.side or not target.is_afloat:
        return Illegal("G4.6", "%(target)s is not an enemy ship afloat.", target=command.target)
    if ship.passing is not None or ship.rowed_clear:
        return Illegal(
            "G7.2",
            "%(ship)s must row straight ahead until she is clear of the ship whose oars she broke; "
            "until then she cannot touch another ship.",
            ship=command.ship,
        )
    if not may_touch(battle, ship):
        return why_no_step(battle, command.ship, ship)
    if battle.is_due(ship) and not may_move_now(battle, ship.side):
        return Illegal(
            "G3.4",
            "%(first)s %(first|has|have)s the initiative and must move all %(first|its|their)s ships first.",
            first=battle.first,
        )
    return why_no_turn(battle, ship, command)


def why_no_turn(battle: Battle, ship: Ship, command: Contact) -> Illegal | None:
    """G4.1, G4.2 May the ship turn as it comes up?"""
    if command.turn == "none":
        return None
    if ship.stepped:
        return Illegal(
            "G4.1", "%(ship)s has already made her step in this phase, with a turn or without.", ship=command.ship
        )
    if not may_turn(battle, ship):
        cycle = turn_cycle(battle.kind(ship), ship)
        told = f"{command.ship} must make {cycle} straight steps before it turns; it has made {ship.straight}."
        return Illegal("G4.2", told)
    return None


def contact(battle: Battle, command: Contact, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G1.5, G4.6 On the table: the bases touch. A step still due is spent by it, with its turn, as it would be by a
    `step` before; either way nobody else has moved, and who waited on this ship waits on.
    """
    ship = battle.ships[command.ship]
    order = 1 + max((other.waited for other in battle.ships.values()), default=0)
    if ship.stepped:
        battle = wait_again(battle, command.ship)
    else:
        battle = part(battle, command.ship, battle.contacts.get(command.ship, ()))
        ship = msgspec.structs.replace(
            ship,
            stepped=True,
            steps_made=ship.steps_made + 1,
            straight=0 if command.turn != "none" else ship.straight + 1,
            free_turn=False,
        )
    waiting = msgspec.structs.replace(
        ship,
        contact=command.target,
        waited=order,
        waited_on=msgspec.UNSET,
        aspect=command.aspect,
        touching=(command.target,),
    )
    battle = battle.with_ship(command.ship, waiting)
    return battle, (
        event("G4.6", "contact", ship=command.ship, target=command.target, aspect=command.aspect, turn=command.turn),
    )
