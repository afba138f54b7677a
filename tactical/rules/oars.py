"""G7 Breaking oars: the rake."""

from __future__ import annotations

import msgspec

from tactical.battle import Battle
from tactical.commands import Rake
from tactical.geometry import geometry
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.rules.contacts import is_mutual, why_no_choice, why_no_rake
from tactical.ship import Ship


def why_not_rake(battle: Battle, command: Rake) -> Illegal | None:
    """G7.1 What forbids the rake."""
    ship = battle.ship(command.ship)
    if ship.contact is None:
        return Illegal("G4.6", "%(ship)s is not in contact with an enemy.", ship=command.ship)
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
    place = geometry(battle).raked(battle, name, foe)
    mutual = is_mutual(battle, name)
    broken = break_oars(target.off_contact() if mutual else target, name)
    rowing = ship.off_contact()
    if ship.is_afloat:
        rowing = msgspec.structs.replace(rowing, at=place, passing=foe, stood=ship.at)
    battle = battle.with_ships({foe: broken, name: rowing})
    return battle, (event("G7.2", "rake", ship=name, target=foe, to=place),)


def break_oars(ship: Ship, raker: str) -> Ship:
    """G7.3 Broken for the rest of the battle; the sheet remembers by whom."""
    return msgspec.structs.replace(ship, oars_broken=True, raked_by=raker, raked=True)
