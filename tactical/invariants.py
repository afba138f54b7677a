"""What must hold in every battle; random play asks after each command."""

from __future__ import annotations

from tactical.battle import Battle
from tactical.kernel.record import BadInput, encode
from tactical.position import check
from tactical.ship import MOVEMENT
from tactical.view import view


def invariants(battle: Battle) -> tuple[str, ...]:
    """Complaints about a state: contradictions, ships without a place, debts without a debtor, leaks."""
    return tuple(complaint for part in (contradictions, sheets, fights, leaks) for complaint in part(battle))


def contradictions(battle: Battle) -> list[str]:
    """G1.1, G2.3 The state would be refused as a position."""
    try:
        check(battle)
    except BadInput as error:
        return [str(error)]
    return []


def sheets(battle: Battle) -> list[str]:
    """G2.3, G3.3, G9.3 Hulls, sprints and places agree with the status."""
    found = []
    for name, ship in battle.ships.items():
        hull = battle.kind(ship).hull
        if ship.status == "sunk" and ship.damage < hull:
            found.append(f"{name} is sunk with {ship.damage} damage on a hull of {hull}")
        if ship.sprints > MOVEMENT.sprints:
            found.append(f"{name} has made {ship.sprints} sprints")
        if battle.step == "plot" and ship.contact is not None:
            found.append(f"{name} keeps a contact past its ram step")
        if ship.must_back and ship.free_turn == "any":
            found.append(f"{name} owes a backing and has the freedom of the rammed")
    return found


def fights(battle: Battle) -> list[str]:
    """G8.2 A fight has one boarded ship, boarders of one side, and none of them moves."""
    found = []
    for name, ship in battle.ships.items():
        if ship.boarding == name:
            sides = {battle.ships[other].side for other in battle.boarders_of(name)}
            if len(sides) != 1 or ship.side in sides:
                found.append(f"the fight on {name} is between {sorted(sides)} and {ship.side}")
        if ship.boarding is not None and ship.speed:
            found.append(f"{name} is in a fight and moves")
    return found


def leaks(battle: Battle) -> list[str]:
    """G3.1 Nothing of a plot that is not shown is in the bytes of another seat."""
    if battle.step != "plot":
        return []
    blank = battle.with_ships(
        {
            name: type(ship)(**{**{field: getattr(ship, field) for field in ship.__struct_fields__}, "plot": None})
            for name, ship in battle.ships.items()
        }
    )
    return [
        f"{side} can tell a secret plot of another"
        for side in battle.sides
        if encode({name: ship for name, ship in view(battle, side).ships.items() if ship.side != side})
        != encode({name: ship for name, ship in view(blank, side).ships.items() if ship.side != side})
    ]
