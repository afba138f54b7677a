"""G6, G7 In contact: the ram, and the rake that breaks oars."""

from __future__ import annotations

import msgspec

import data
from tactical.battle import Battle
from tactical.commands import Hold, Rake, Ram
from tactical.geometry import geometry
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.kernel.record import Record
from tactical.rules.ending import hole
from tactical.rules.movement import can_ram, is_bow_to_bow, is_mutual, rank, to_settle, why_no_choice, why_no_rake
from tactical.rules.own_table import stand, why_not_stand
from tactical.ship import Ship, ShipType, by_number, maximum

# -- G7 Breaking oars: the rake.


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


# -- G6 The ram: who strikes whom, with what, and what both owe afterwards.


class RamRow(Record, frozen=True):
    """The ram's numbers."""

    cite: str
    full_speed: int
    breaches: int
    better_crew: int


class RamTable(Record, frozen=True):
    """The part of data/galley/boarding.toml that a ram needs."""

    ram: RamRow


RAM = data.read("galley/boarding.toml", RamTable).ram


def why_not_ram(battle: Battle, command: Ram) -> Illegal | None:
    """G6.1 What forbids the ram."""
    wrong = why_no_choice(battle, command.ship)
    if wrong:
        return wrong
    if not can_ram(battle, battle.ships[command.ship]):
        return Illegal("L2.3", "%(ship)s has no ram; she can only stay in contact.", ship=command.ship)
    return None


def why_not_hold(battle: Battle, command: Hold) -> Illegal | None:
    """G6.9 What forbids holding: it settles a contact in the ram step (on the table also a step: G4.3)."""
    if battle.step == "move":
        return why_not_stand(battle, command.ship)
    return why_no_choice(battle, command.ship)


def has_full_speed(kind: ShipType, ship: Ship) -> bool:
    """G6.3 Plotted at the maximum, and either at it all last turn or without a step before this phase.

    So of two ships whose first steps bring them together both have it. Never with broken oars, unless they were
    broken in this very ram step (G6.10).
    """
    if (ship.oars_broken and not ship.raked) or ship.plot is None or ship.plot != maximum(kind, ship):
        return False
    stepped = ship.stepped or ship.contact is not None
    return ship.full_speed_last or ship.steps_made - (1 if stepped else 0) <= 0


def ram_damage(face: int, modifier: int, full_speed: bool) -> int:
    """G6.2 One die, the type's modifier, 1 for full speed; never below 0."""
    return max(0, face + modifier + (RAM.full_speed if full_speed else 0))


def head_on(one_face: int, one_rank: int, other_face: int, other_rank: int) -> int:
    """G6.1 Bow to bow: above 0 the one rams, below 0 the other, 0 each rams the other."""
    one = one_face + (RAM.better_crew if one_rank > other_rank else 0)
    other = other_face + (RAM.better_crew if other_rank > one_rank else 0)
    return one - other


def ram(battle: Battle, command: Ram, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G6.1, G6.10 The moving ship rams; bow to bow the dice say who rams whom. One ram settles a meeting of two.

    On the players' own table two ships may have declared each other's side: these are two rams, at once.
    """
    name = command.ship
    ship = battle.ships[name]
    assert ship.contact is not None
    foe = ship.contact
    mutual = is_mutual(battle, name)
    target = battle.ships[foe]
    head = is_bow_to_bow(battle, ship, target) or (mutual and is_bow_to_bow(battle, target, ship))
    fast = {each: has_full_speed(battle.kind(battle.ships[each]), battle.ships[each]) for each in (name, foe)}
    battle = battle.with_ship(name, ship.off_contact())
    if mutual:
        battle = battle.with_ship(foe, target.off_contact())
    one, other = sorted((name, foe), key=by_number)
    if not can_ram(battle, target) or not (head or mutual):
        return strikes(battle, ((name, foe),), fast, dice)
    if not head:
        return strikes(battle, ((one, other), (other, one)), fast, dice)
    faces = {each: dice.roll(1, 6, "G6.1", ship=each)[0] for each in (one, other)}
    margin = head_on(faces[one], rank(battle.ships[one]), faces[other], rank(battle.ships[other]))
    pairs = ((one, other),) if margin > 0 else ((other, one),) if margin < 0 else ((one, other), (other, one))
    met = event(
        "G6.1",
        "bow_to_bow",
        ship=name,
        target=foe,
        dice=[faces[one], faces[other]],
        rolled_by=[one, other],
        rams=[pair[0] for pair in pairs],
        margin=margin,
    )
    battle, events = strikes(battle, pairs, fast, dice)
    return battle, (met, *events)


def strikes(
    battle: Battle, pairs: tuple[tuple[str, str], ...], fast: dict[str, bool], dice: Dice
) -> tuple[Battle, tuple[Event, ...]]:
    """G6.2, G6.4 Roll each ram's damage, then take all of it at once; the hull's end is a wreck (G6.5).

    `fast` says who has full speed (G6.3).
    """
    blows: list[tuple[str, str, int]] = []
    events: list[Event] = []
    for name, foe in pairs:
        modifier = battle.kind(battle.ships[name]).ram or 0
        (face,) = dice.roll(1, 6, "G6.2", ship=name, target=foe)
        damage = ram_damage(face, modifier, fast[name])
        blows.append((name, foe, damage))
        events.append(
            event(
                "G6.2",
                "ram",
                ship=name,
                target=foe,
                dice=[face],
                modifier=modifier,
                full_speed=fast[name],
                damage=damage,
                breaches=RAM.breaches,
            )
        )
    for name, foe, damage in blows:
        battle = battle.with_ship(foe, hole(battle, strike(battle.ships[foe], damage), battle.ships[name].side))
        battle = battle.with_ship(name, owing(battle.ships[name]))
    for _, foe, _ in blows:
        target = battle.ships[foe]
        if target.is_afloat and target.damage >= battle.kind(target).hull:
            battle = battle.sunk(foe)
            events.append(event("G6.5", "sunk", ship=foe, by="ram"))
            battle, off = contacts_off(battle, foe)
            events += off
    return battle, tuple(events)


def strike(target: Ship, damage: int) -> Ship:
    """G6.4, G6.6, G6.8 A breach, the damage, no more steps; next turn it is free, unless it owes a backing."""
    free = target.free_turn if target.must_back else "any"
    hit = msgspec.structs.replace(
        target, damage=target.damage + damage, breaches=target.breaches + RAM.breaches, free_turn=free, rammed=True
    )
    return hit.stop()


def owing(ship: Ship) -> Ship:
    """G6.6, G6.7 The rammer stops, and must back one step next turn; who owes that has no freedom."""
    return msgspec.structs.replace(ship, must_back=True, free_turn=False).stop()


def contacts_off(battle: Battle, sunk: str) -> tuple[Battle, list[Event]]:
    """G6.10 Contacts with a ship already sunk in this step are off and owe nothing."""
    events = []
    for name, ship in battle.ships.items():
        if ship.contact == sunk:
            battle = battle.with_ship(name, ship.off_contact())
            events.append(event("G6.10", "contact_off", ship=name, target=sunk))
    return battle, events


def hold(battle: Battle, command: Hold, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G6.9, G6.10 The ship stops where it is; the other of a meeting of two may still ram.

    On the players' own table, in the move step, the player says that the model stays where it is (G4.3).
    """
    name = command.ship
    if battle.step == "move":
        return stand(battle, name)
    ship = battle.ships[name]
    held = ship.off_contact()
    battle = battle.with_ship(name, held.stop() if held.is_afloat else held)
    return battle, (event("G6.9", "hold", ship=name, target=ship.contact, held=[name]),)


def hold_rest(battle: Battle, side: str, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G6.9, G6.10 A player who says `done` holds the contacts that are his to settle now."""
    events: tuple[Event, ...] = ()
    for name in to_settle(battle, side):
        battle, more = hold(battle, Hold(name), dice)
        events += more
    return battle, events


def close(battle: Battle, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G4.6 The ram step ends, and no contact outlasts it; what was done in it counts from now on (G6.10)."""
    ships = {
        name: msgspec.structs.replace(ship, raked=False, stood=None)
        for name, ship in battle.ships.items()
        if ship.raked or ship.stood
    }
    return battle.with_ships(ships).at_step("board", battle.phase), ()
