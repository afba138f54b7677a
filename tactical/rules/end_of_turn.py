"""G9 The end of the turn: fights, surrenders, repairs, flooding, sinking."""

from __future__ import annotations

import msgspec

import data
from tactical.battle import Battle
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, event
from tactical.kernel.record import Record
from tactical.rules import boarding, ending, linked
from tactical.ship import Ship, by_number, maximum


class RepairRow(Record, frozen=True):
    """Which faces close a breach, and what an open one costs."""

    cite: str
    closes: tuple[int, ...]
    closes_in_a_fight: tuple[int, ...]
    flood: int


class RepairTable(Record, frozen=True):
    """The part of data/galley/boarding.toml that repairs need."""

    repair: RepairRow


REPAIR: RepairRow = data.read("galley/boarding.toml", RepairTable).repair


def end_of_turn(battle: Battle, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G9.1 Boarding fights and surrenders, repairs, flooding, sinking; then the next turn or the end.

    In a linked battle the holder of supremacy is asked in between whether he evades (L3.5).
    """
    events: tuple[Event, ...] = ()
    if battle.link is None or battle.link.turn_ended != battle.turn:
        battle, events = worked_out(battle, dice)
        ended, over = ending.without_ships(battle)
        if ended.is_over:
            return ended, (*events, *over)
        if linked.may_evade_now(battle):
            return battle, events
    ended, over = ending.after_turn(battle)
    if ended.is_over:
        return ended, (*events, *over)
    battle, came = linked.arrive(next_turn(battle))
    return battle, (*events, event("G3.0", "turn", turn=battle.turn), *came)


def worked_out(battle: Battle, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G9.1 Fights and surrenders, repairs, flooding and sinking of this turn."""
    battle = counters_lapse(battle)
    battle, fought = boarding.fight_round(battle, dice)
    battle, repaired = repairs(battle, dice)
    battle, flooded = flooding(battle)
    return linked.end_turn(battle), (*fought, *repaired, *flooded)


def counters_lapse(battle: Battle) -> Battle:
    """G8.4 The right to board without a die lasts for the next turn only."""
    return battle.with_ships(
        {name: msgspec.structs.replace(ship, may_board=()) for name, ship in battle.ships.items() if ship.may_board}
    )


def closes(in_fight: bool) -> tuple[int, ...]:
    """G9.2 The faces that close a breach: fewer while the crew fights."""
    return REPAIR.closes_in_a_fight if in_fight else REPAIR.closes


def is_sailing(ship: Ship) -> bool:
    """G9.4 Afloat or a prize: it repairs and floods. Ships kept on paper do so on paper."""
    return ship.status in ("afloat", "captured") and not ship.paper


def repairs(battle: Battle, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G9.2 One die for each open breach, in order of ship id, r2 before r10; what is closed stays closed."""
    events = []
    for name in sorted(battle.ships, key=by_number):
        ship = battle.ships[name]
        if not is_sailing(ship) or not ship.breaches:
            continue
        faces = dice.roll(ship.breaches, 6, "G9.2", ship=name)
        closed = sum(1 for face in faces if face in closes(ship.boarding is not None))
        mended = msgspec.structs.replace(ship, breaches=ship.breaches - closed, repaired=ship.repaired + closed)
        battle = battle.with_ship(name, mended)
        events.append(
            event("G9.2", "repair", ship=name, dice=list(faces), closed=closed, fight=ship.boarding is not None)
        )
    return battle, tuple(events)


def flooding(battle: Battle) -> tuple[Battle, tuple[Event, ...]]:
    """G9.3 Each open breach adds hull damage; at the hull the ship sinks and is a wreck."""
    events = []
    for name in sorted(battle.ships, key=by_number):
        ship = battle.ships[name]
        if not is_sailing(ship):
            continue
        if ship.breaches:
            water = ship.breaches * REPAIR.flood
            ship = ship.hit(water)
            battle = battle.with_ship(name, ship)
            events.append(event("G9.3", "flood", ship=name, damage=water))
        if ship.damage >= battle.kind(ship).hull:
            battle = battle.sunk(name)
            events.append(event("G9.3", "sunk", ship=name, by="flooding"))
    return battle, tuple(events)


def next_turn(battle: Battle) -> Battle:
    """G3.1 A fresh turn: plots are empty, counts of the turn are cleared, freedoms that were not used end (G6.8).

    No side goes without a step any more (G3.0.a).
    """
    ships = {name: rest(battle, ship) for name, ship in battle.ships.items()}
    sides = {
        name: msgspec.structs.replace(side, locked=False, done=False, forgoes=()) for name, side in battle.sides.items()
    }
    return msgspec.structs.replace(
        battle, turn=battle.turn + 1, phase=None, step="plot", first=None, ships=ships, sides=sides
    )


def rest(battle: Battle, ship: Ship) -> Ship:
    """G6.3, G6.7.a, G6.8 What a sheet carries into the next turn; a ship in a fight keeps its debt, not its freedom."""
    most = maximum(battle.kind(ship), ship)
    full = ship.plot == most and ship.steps_made >= most  # whatever stopped her after her last step
    free = ship.free_turn if ship.rammed or ship.backed_for_ram else False
    return msgspec.structs.replace(
        ship,
        plot=None,
        stopped=False,
        stepped=False,
        steps_made=0,
        fired={},
        lost_this_step={},
        contact=None,
        waited=0,
        aspect=None,
        tried_boarding=False,
        full_speed_last=full and ship.is_afloat,
        free_turn=free,
    )
