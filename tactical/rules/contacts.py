"""G4.6, G6.10, G7.1 Ships in contact: who may rake, and whose turn it is to settle a meeting."""

from __future__ import annotations

from tactical.battle import Battle
from tactical.geometry import geometry
from tactical.kernel.protocol import Illegal
from tactical.kernel.reason import Reason, because
from tactical.ship import CREWS, Ship


def rank(ship: Ship) -> int:
    """G2.2 The crew's rank: poor 0, average 1, elite 2."""
    return CREWS[ship.crew].rank


def can_ram(battle: Battle, ship: Ship) -> bool:
    """L2.3, L2.3.a A transport has no ram: its contacts are held, and bow to bow with one there is no roll."""
    return battle.kind(ship).ram is not None


def is_mutual(battle: Battle, name: str) -> bool:
    """G6.10 Are this ship and its target in contact with each other?"""
    target = battle.ships[name].contact
    return target is not None and battle.ships[target].contact == name


def why_no_rake(battle: Battle, name: str) -> Reason | None:
    """G7.1 What stands against a rake by this ship in contact, as a sentence; None when it may rake.

    A better crew, a parallel heading, a target with whole oars, no third ship in its hex, and a way out that is
    open water or the edge; all places are those of the ram step's start (G6.10).
    """
    ship = battle.ships[name]
    assert ship.contact is not None
    target = battle.ships[ship.contact]
    foe = ship.contact
    if rank(ship) <= rank(target):
        return because(
            "%(ship)s's crew is %(crew)s, %(target)s's %(crew2)s: only a better crew may break oars.",
            ship=name,
            crew=ship.crew,
            target=foe,
            crew2=target.crew,
        )
    if target.is_prize:
        return because("%(target)s is a prize.", target=foe)
    if target.oars_broken:
        return because("%(target)s's oars are already broken.", target=foe)
    if not can_ram(battle, ship):
        return because("%(ship)s is a transport; she can only stay in contact.", ship=name)
    return geometry(battle).why_no_rake(battle, name, foe)


def may_rake(battle: Battle, name: str) -> bool:
    """G7.1 May this ship rake the one that it is in contact with?"""
    return battle.ships[name].contact is not None and why_no_rake(battle, name) is None


def why_no_choice(battle: Battle, name: str) -> Illegal | None:
    """G4.6, G6.10 Is there a contact to settle, and is it this ship's turn to choose?

    Of two that step at each other the crew that may rake chooses first, and nobody's `done` takes that choice away.
    """
    ship = battle.ship(name)
    if ship.contact is None:
        return Illegal("G4.6", "%(ship)s is not in contact with an enemy.", ship=name)
    if is_mutual(battle, name) and not may_rake(battle, name) and may_rake(battle, ship.contact):
        return Illegal(
            "G6.10", "%(contact)s has the better crew, may break oars and chooses first.", contact=ship.contact
        )
    return None


def in_contact(battle: Battle, side: str) -> tuple[str, ...]:
    """G4.6 The side's ships whose contact waits for a choice; a ship sunk in this step still has its own (G6.10)."""
    return tuple(name for name, ship in battle.ships.items() if ship.side == side and ship.contact is not None)


def to_settle(battle: Battle, side: str) -> tuple[str, ...]:
    """G6.10 The side's ships that may settle their contact now."""
    return tuple(name for name in in_contact(battle, side) if why_no_choice(battle, name) is None)


def has_choice(battle: Battle, side: str) -> bool:
    """G6.10 Has the side a contact to settle now?"""
    return any(why_no_choice(battle, name) is None for name in in_contact(battle, side))


def is_open(battle: Battle) -> bool:
    """G6.9 A contact waits for a choice; `done` holds what is left."""
    return bool(battle.contacts)
