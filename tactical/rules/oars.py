"""G7 Breaking oars: the rake."""

from __future__ import annotations

import msgspec

from tactical.battle import Battle
from tactical.commands import Rake
from tactical.hexes import ahead, is_parallel
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, event
from tactical.rules.ramming import can_ram, is_mutual, rank, why_no_choice
from tactical.ship import Ship


def why_no_rake(battle: Battle, name: str) -> str | None:
    """G7.1 What stands against a rake by this ship in contact, as a sentence; None when it may rake.

    A better crew, a parallel heading, a target with whole oars, no third ship in its hex, and a way out that is
    open water or the edge; all places are those of the ram step's start (G6.10).
    """
    ship = battle.ships[name]
    assert ship.contact is not None
    target = battle.ships[ship.contact]
    foe = ship.contact
    if rank(ship) <= rank(target):
        return f"{name}'s crew is {ship.crew}, {foe}'s {target.crew}: only a better crew may rake."
    if target.is_prize:
        return f"{foe} is a prize."
    if target.oars_broken:
        return f"{foe}'s oars are broken already."
    if not can_ram(battle, ship):
        return f"{name} is a transport; its contact is held."
    if not battle.has_hexes:
        bow = battle.ships[foe].aspect if is_mutual(battle, name) else ship.aspect
        if ship.aspect in ("parallel", "bow_to_bow") or bow == "bow_to_bow":
            return None
        return f"{name} does not lie parallel to {foe}."
    if ship.facing is None or target.facing is None or not is_parallel(ship.facing, target.facing):
        return f"{name}'s heading is not parallel to {foe}'s."
    if target.at is None:
        return f"{foe} is gone."
    places = battle.places()
    if any(at == target.at for other, at in places.items() if other not in (name, foe)):
        return f"A third ship is in {foe}'s hex."
    beyond = ahead(target.at, ship.facing)
    if not battle.board.holds(beyond):
        return "The hex beyond is the wall of the board." if battle.edge_is_wall() else None
    if beyond in battle.board.blocked or beyond in battle.by_hex or beyond in places.values():
        return f"The hex beyond {foe} is not free."
    return None


def may_rake(battle: Battle, name: str) -> bool:
    """G7.1 May this ship rake the one that it is in contact with?"""
    return battle.ships[name].contact is not None and why_no_rake(battle, name) is None


def why_not_rake(battle: Battle, command: Rake) -> Illegal | None:
    """G7.1 What forbids the rake."""
    ship = battle.ship(command.ship)
    if ship.contact is None:
        return Illegal("G4.6", f"{command.ship} is in contact with no enemy.")
    wrong = why_no_rake(battle, command.ship)
    return Illegal("G7.1", wrong) if wrong else why_no_choice(battle, command.ship)


def rake(battle: Battle, command: Rake, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G7.2, G7.2.a, G7.3 The target's oars break; the raker rows into its hex and keeps its speed.

    A raker that was sunk in this same ram step has done its work and goes nowhere (G6.10).
    """
    name = command.ship
    ship = battle.ships[name]
    assert ship.contact is not None
    foe = ship.contact
    target = battle.ships[foe]
    mutual = is_mutual(battle, name)
    broken = break_oars(target.off_contact() if mutual else target, name)
    rowing = ship.off_contact()
    if ship.is_afloat:
        rowing = msgspec.structs.replace(rowing, at=target.at, passing=foe, stood=ship.at)
    battle = battle.with_ships({foe: broken, name: rowing})
    return battle, (event("G7.2", "rake", ship=name, target=foe, to=target.at),)


def break_oars(ship: Ship, raker: str) -> Ship:
    """G7.3 Broken for the rest of the battle; the sheet remembers by whom."""
    return msgspec.structs.replace(ship, oars_broken=True, raked_by=raker, raked=True)
