"""G1.5, G4.6 Contacts on the players' own table: who still touches whom, and who waits on a ship that moves."""

from __future__ import annotations

import msgspec

from tactical.battle import Battle
from tactical.kernel.protocol import Event, event


def part(battle: Battle, name: str, but: tuple[str, ...] = ()) -> Battle:
    """G1.5 The battle with a ship that moves touched no longer by those that it touched; `but` wait on it."""
    return battle.with_ships(
        {
            other_id: msgspec.structs.replace(other, touching=tuple(each for each in other.touching if each != name))
            for other_id, other in battle.ships.items()
            if name in other.touching and other_id not in but
        }
    )


def row_on(battle: Battle, name: str) -> tuple[Battle, tuple[Event, ...]]:
    """G4.6 A ship steps: contacts with it are off, and with the one that follows it, as it would on hexes.

    The players say where their models come to lie: whoever touches an enemy again declares that. Should the step end
    in contact, nobody has left a place, and `wait_again` has those contacts back.
    """
    waiting = sorted(battle.contacts.get(name, ()), key=lambda other_id: battle.ships[other_id].waited)
    if not waiting:
        return battle, ()
    changed = {}
    for other_id in waiting:
        ship = battle.ships[other_id]
        changed[other_id] = msgspec.structs.replace(ship, contact=None, waited_on=name)
    battle, more = row_on(battle.with_ships(changed), waiting[0])
    off = tuple(event("G4.6", "contact_off", ship=each, target=name) for each in waiting)
    return battle, (*off, *more)


def wait_again(battle: Battle, name: str) -> Battle:
    """G4.6 A ship's step has ended in contact, in its own place: those that waited on it wait there still."""
    back = [each for each, ship in battle.ships.items() if ship.waited_on == name and ship.contact is None]
    for other_id in back:
        ship = msgspec.structs.replace(battle.ships[other_id], contact=name, waited_on=msgspec.UNSET, touching=(name,))
        battle = wait_again(battle.with_ship(other_id, ship), other_id)
    return battle


def close(battle: Battle) -> Battle:
    """G4.6 The move step ends: of those whose contact is off the first has followed and touches nobody any more."""
    waited: dict[str, list[str]] = {}
    for name, ship in battle.ships.items():
        if isinstance(ship.waited_on, str):
            waited.setdefault(ship.waited_on, []).append(name)
    for names in waited.values():
        first = min(names, key=lambda each: battle.ships[each].waited)
        changed = {}
        for name in names:
            ship = msgspec.structs.replace(battle.ships[name], waited_on=msgspec.UNSET)
            changed[name] = ship.off_contact() if ship.contact is None else ship
        battle = battle.with_ships(changed)
        if battle.ships[first].contact is None:
            alone = msgspec.structs.replace(battle.ships[first], touching=())
            battle = part(battle.with_ship(first, alone), first)
    return battle.with_ships(
        {
            name: msgspec.structs.replace(ship, rowed_clear=msgspec.UNSET)
            for name, ship in battle.ships.items()
            if ship.rowed_clear
        }
    )
