"""G4 Movement: steps that are due, turns, backing, contacts."""

from __future__ import annotations

import msgspec

from tactical.battle import Battle
from tactical.commands import Step
from tactical.geometry import geometry
from tactical.geometry.places import Heading, Place, Way
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.rules import table_contacts
from tactical.rules.ending import over_the_edge
from tactical.ship import MOVEMENT, STEPS_OF, Ship, turn_cycle


def may_turn(battle: Battle, ship: Ship) -> bool:
    """G4.2, G6.7, G6.8 Has the ship served its turn cycle, or is it free for its first step?

    Never while backing (G4.4), nor while it rows through another's hex (G7.2).
    """
    if ship.passing is not None:
        return False
    if ship.free_turn and not ship.steps_made:
        return ship.free_turn == "any" or ship.speed >= 0
    return ship.speed >= 0 and ship.straight >= turn_cycle(battle.kind(ship), ship)


def headings(battle: Battle, ship: Ship) -> dict[str, Heading]:
    """G4.1, G6.8 The headings that the ship may take for this step, by turn or, when it is free, by name."""
    any_way = ship.free_turn == "any" and not ship.steps_made and ship.passing is None
    return geometry(battle).headings(ship, may_turn(battle, ship), any_way)


def finer(battle: Battle, ship: Ship) -> dict[str, Heading]:
    """G1.6.g The headings in between, on the open sea."""
    any_way = ship.free_turn == "any" and not ship.steps_made and ship.passing is None
    return geometry(battle).finer(ship, may_turn(battle, ship), any_way)


def choices(battle: Battle, ship_id: str, ship: Ship) -> dict[str, Way]:
    """G4.3 The steps a due ship may choose; none at all when it is hemmed in.

    A turn into a blocked hex is no choice; running straight on into one (and stopping) is, as long as there is
    another way to go.
    """
    way = geometry(battle).way
    ways = {name: way(battle, ship_id, ship, facing) for name, facing in headings(battle, ship).items()}
    if all([found.meets != "blocked" for found in ways.values()]):
        return ways
    if all([found.meets == "blocked" for found in ways.values()]):
        ways |= {angle: way(battle, ship_id, ship, facing) for angle, facing in finer(battle, ship).items()}
    free = {name: found for name, found in ways.items() if found.meets != "blocked"}
    if not free or ship.passing is not None:
        return free
    return {name: found for name, found in ways.items() if found.meets != "blocked" or found.facing == ship.facing}


def is_free(battle: Battle, name: str, ship: Ship) -> bool:
    """G4.3 Is there a way that is not closed to the ship?"""
    return any(found.meets != "blocked" for found in choices(battle, name, ship).values())


def may_stand(battle: Battle, ship: Ship) -> bool:
    """G6.7 Before an open edge a debt of backing leaves the choice to stand still or to leave the battle."""
    if not ship.must_back or ship.speed >= 0 or battle.edge_is_wall():
        return False
    return geometry(battle).is_edge_astern(battle, ship)


def owes(battle: Battle, name: str, ship: Ship) -> bool:
    """G4.3 Does the ship owe a step in this phase that it can make and cannot decline?"""
    return battle.is_due(ship) and not may_stand(battle, ship) and bool(choices(battle, name, ship))


def may_leave(battle: Battle, ship: Ship) -> bool:
    """G6.7 May the ship go over the edge behind it, or stand still there, until its side is done?"""
    return battle.is_due(ship) and not battle.sides[ship.side].done and may_stand(battle, ship)


def may_move_now(battle: Battle, side: str) -> bool:
    """G3.4 With initiative the first side makes all its steps before the other makes any."""
    if battle.first is None or battle.first == side:
        return True
    return not any(
        ship.side == battle.first and (owes(battle, name, ship) or may_leave(battle, ship))
        for name, ship in battle.ships.items()
    )


def to_step(battle: Battle, side: str) -> tuple[str, ...]:
    """G4.3 The side's ships that owe a step and have one to choose."""
    if not may_move_now(battle, side):
        return ()
    return tuple(name for name, ship in battle.ships.items() if ship.side == side and owes(battle, name, ship))


def has_steps(battle: Battle, side: str) -> bool:
    """G4.3 Has the side a step to choose?"""
    return may_move_now(battle, side) and any(
        ship.side == side and owes(battle, name, ship) for name, ship in battle.ships.items()
    )


def may_be_done(battle: Battle, side: str) -> bool:
    """G1.5, G6.7 Has the side, not done yet, a choice that it may decline: a contact on the table, an open edge?"""
    if battle.sides[side].done or not may_move_now(battle, side):
        return False
    if geometry(battle).declared:
        return bool(to_touch(battle, side))
    return any(ship.side == side and may_leave(battle, ship) for ship in battle.ships.values())


def why_not_step(battle: Battle, command: Step) -> Illegal | None:
    """G4.1 What forbids this step; a blocked way (G4.3) is named before an unserved cycle (G4.2)."""
    ship = battle.ship(command.ship)
    name = command.ship
    if not battle.is_due(ship):
        return why_no_step(battle, name, ship)
    if not may_move_now(battle, ship.side):
        return Illegal(
            "G3.4",
            "%(first)s %(first|has|have)s the initiative and must move all %(first|its|their)s ships first.",
            first=battle.first,
        )
    if may_stand(battle, ship) and battle.sides[ship.side].done:
        return Illegal(
            "G6.7",
            "%(side)s %(side|has|have)s finished this step; %(ship)s must stop before the edge.",
            side=ship.side,
            ship=name,
        )
    if command.turn is not None and command.facing is not None:
        return Illegal("G4.1", "Say how the ship turns or which way she is to face, not both.")
    if command.facing is not None and not (ship.free_turn == "any" and not ship.steps_made):
        return Illegal(
            "G6.8", "%(ship)s cannot choose her heading freely; she may turn left, right or not at all.", ship=name
        )
    board = geometry(battle)
    wrong = board.why_not_course(name, ship, command)
    if wrong is not None:
        return wrong
    heading, turning = board.course(ship, command)
    there = board.way(battle, name, ship, heading)
    if ship.passing is not None:
        if turning:
            return Illegal(
                "G7.2",
                "%(ship)s is rowing through the hex of %(passing)s and must leave it straight ahead.",
                ship=name,
                passing=ship.passing,
            )
        if there.meets == "blocked":
            return Illegal("G7.2", "The path out is blocked; %(ship)s must wait and make the step later.", ship=name)
        return None
    if there.meets == "blocked":
        if turning:
            return Illegal("G4.3", "%(ship)s may not turn into a hex that is closed to her.", ship=name)
        if not is_free(battle, name, ship):
            return Illegal("G4.3", "%(ship)s has no step to choose; she stops without a command.", ship=name)
    if command.target is not None and command.target not in board.met_by(battle, there):
        return Illegal(
            "G4.6", "%(target)s is not in the hex that %(ship)s steps into.", target=command.target, ship=name
        )
    if turning and not may_turn(battle, ship):
        if ship.speed < 0:
            return Illegal("G4.4", "%(ship)s must back straight and cannot turn.", ship=name)
        cycle = turn_cycle(battle.kind(ship), ship)
        return Illegal(
            "G4.2",
            "%(ship)s must make %(count)s straight %(count|step|steps)s before she turns; she has made %(straight)s.",
            ship=name,
            count=cycle,
            straight=ship.straight,
        )
    if battle.board.kind == "open" and command.facing is not None and not is_free(battle, name, ship):
        return Illegal("G4.3", "%(ship)s has no step to choose; she stops without a command.", ship=name)
    return board.why_not_between(battle, name, ship, command)


def why_no_step(battle: Battle, name: str, ship: Ship) -> Illegal:
    """G3.2, G4.5 Why the ship owes no step in this phase."""
    if not ship.is_afloat:
        return Illegal(
            "G8.6" if ship.is_prize else "G4.1",
            "%(ship)s is %(status)s and cannot move.",
            ship=name,
            status=ship.status,
        )
    if ship.boarding is not None:
        return Illegal("G4.5", "%(ship)s is in a boarding fight and cannot move.", ship=name)
    if ship.stopped:
        return Illegal("G4.5", "%(ship)s has stopped and cannot make another step this turn.", ship=name)
    if ship.stepped:
        return Illegal("G3.2", "%(ship)s has already made her step in this phase.", ship=name)
    phases = ", ".join(str(phase) for phase in sorted(STEPS_OF[ship.speed])) or "none"
    return Illegal(
        "G3.2",
        "%(ship)s at speed %(speed)s cannot step in phase %(phase)s (only in %(phases)s).",
        ship=name,
        speed=ship.speed,
        phase=battle.phase,
        phases=phases,
    )


def step(battle: Battle, command: Step, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G4.1 Turn, then one hex: into open water, over the edge, into contact (G4.6), or to a stop (G4.3)."""
    name = command.ship
    ship = battle.ships[name]
    board = geometry(battle)
    heading, turned = board.course(ship, command)
    found = board.way(battle, name, ship, heading)
    if found.meets == "blocked":
        return stop(battle, name, "run_up")
    backed = ship.must_back and ship.speed < 0
    moved = msgspec.structs.replace(
        ship,
        facing=heading,
        straight=0 if turned else ship.straight + 1,
        stepped=True,
        steps_made=ship.steps_made + 1,
        must_back=ship.must_back and not backed,
        backed_for_ram=backed,
        free_turn="one_side" if backed else False,
        passing=board.still_passing(battle, ship, found.to) if ship.passing else None,
        rowed_clear=True if ship.passing and board.declared else msgspec.UNSET,
    )
    turn = command.turn or ("none" if not turned else "facing" if command.angle is None else "angle")
    if found.meets == "contact":
        return touch(battle, name, moved, found, command.target, turn)
    if found.meets == "edge":
        battle, followed = leave(battle, name, moved.away("withdrawn"), None)
        battle = over_the_edge(battle, name)
        return battle, (event("G1.4", "withdrawn", ship=name), *followed)
    battle, followed = leave(battle, name, moved, found.to)
    return battle, (event("G4.1", "step", ship=name, turn=turn, facing=moved.facing, to=found.to), *followed)


def touch(
    battle: Battle, name: str, moved: Ship, found: Way, met: str | None, turn: str
) -> tuple[Battle, tuple[Event, ...]]:
    """G4.6, G4.6.a The way is an enemy's: the ship waits in contact, on hexes in its own hex.

    Of two enemies that it may meet (G7.2) it meets the one that was named, else the first. On the open sea it has
    rowed up until the hulls touch, and those that waited on it may go on.
    """
    board = geometry(battle)
    target = met or board.met_by(battle, found)[0]
    order = 1 + max((other.waited for other in battle.ships.values()), default=0)
    waiting = msgspec.structs.replace(moved, contact=target, waited=order)
    happened = event("G4.6", "contact", ship=name, target=target, turn=turn, facing=moved.facing)
    if battle.board.kind != "open":
        return battle.with_ship(name, waiting), (happened,)
    foe = battle.ships[target]
    there = msgspec.structs.replace(waiting, at=found.to, rest=found.rest)
    there = msgspec.structs.replace(there, aspect=board.aspect(battle, there, foe))
    if foe.contact == name:
        battle = battle.with_ship(target, msgspec.structs.replace(foe, aspect=board.aspect(battle, foe, there)))
    if there.at == battle.ships[name].at:
        return battle.with_ship(name, there), (happened,)
    battle, followed = leave(battle, name, there, there.at)
    return battle, (happened, *followed)


def leave(battle: Battle, name: str, moved: Ship, to: Place) -> tuple[Battle, tuple[Event, ...]]:
    """G4.6 A ship leaves its place; of those who waited on it the first follows, the others are out of contact.

    On the open sea each of them in turn completes its step as far as it can; on the table the players say so.
    """
    vacated = battle.ships[name].at
    arrived = msgspec.structs.replace(moved, at=to, touching=())
    battle = battle.with_ship(name, arrived).surfaced()
    board = geometry(battle)
    if board.declared:
        return table_contacts.row_on(table_contacts.part(battle, name), name)
    battle = battle.with_ships(board.come_clear(battle, name))
    if name not in battle.contacts:
        return battle, ()
    waiting = sorted(battle.contacts[name], key=lambda other_id: battle.ships[other_id].waited)
    rests = {other_id: battle.ships[other_id].rest for other_id in waiting}
    battle = battle.with_ships({other_id: battle.ships[other_id].off_contact() for other_id in waiting})
    lead: list[Event] = []
    then: list[Event] = []
    for follower in (followers := board.followers(battle, waiting, vacated)):
        rest = rests[follower]
        found = board.way_on(battle, follower, vacated, rest if isinstance(rest, float) else 0.0)
        battle, more = follow(battle, follower, name, found)
        lead += more[:1]
        then += more[1:]
    off = (event("G4.6", "contact_off", ship=each, target=name) for each in waiting if each not in followers)
    return battle, (*lead, *off, *then)


def follow(battle: Battle, name: str, target: str, found: Way) -> tuple[Battle, tuple[Event, ...]]:
    """G4.6 A ship that waited completes its step: into open water, over the edge, to another contact, or not at all."""
    ship = battle.ships[name]
    if found.meets == "blocked":
        return battle, (event("G4.6", "contact_off", ship=name, target=target),)
    if found.meets == "contact":
        return touch(battle, name, ship, found, None, "none")
    if found.meets == "edge":
        battle, more = leave(battle, name, ship.away("withdrawn"), None)
        return over_the_edge(battle, name), (event("G1.4", "withdrawn", ship=name), *more)
    battle, more = leave(battle, name, ship, found.to)
    return battle, (event("G4.6", "follow", ship=name, target=target, to=found.to), *more)


def stop(battle: Battle, name: str, why: str) -> tuple[Battle, tuple[Event, ...]]:
    """G4.3, G6.7 Shut in: the ship loses its remaining steps and its speed; who rows through a hex waits there."""
    ship = battle.ships[name]
    if ship.passing is not None:
        return battle, (event("G7.2", "waits", ship=name, target=ship.passing),)
    if ship.must_back and ship.speed < 0 and geometry(battle).standing_serves(battle, name, ship):
        return battle.with_ship(name, serve_debt(ship)), (event("G6.7", "backing_served", ship=name),)
    return battle.with_ship(name, ship.stop()), (event("G4.3", "stopped", ship=name, why=why),)


def serve_debt(ship: Ship) -> Ship:
    """G6.7, G6.7.a The debt of backing is served by standing still; next turn's first step may turn."""
    return msgspec.structs.replace(ship.stop(), must_back=False, backed_for_ram=True, free_turn="one_side")


def close(battle: Battle, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G4.3 The move step ends: ships that owe a step and have none to choose stop."""
    events: tuple[Event, ...] = ()
    for name in [name for name, ship in battle.ships.items() if not ship.stepped and battle.is_due(ship)]:
        battle, more = stop(battle, name, "shut_in")
        events += more
    if geometry(battle).declared:
        battle = table_contacts.close(battle)
    return battle.at_step("fire", battle.phase), events


def to_touch(battle: Battle, side: str) -> tuple[str, ...]:
    """G1.5 The side's ships that may have come into contact on the table in this phase: those that step in it."""
    if not may_move_now(battle, side):
        return ()
    return tuple(name for name, ship in battle.ships.items() if ship.side == side and may_touch(battle, ship))


def may_touch(battle: Battle, ship: Ship) -> bool:
    """G1.5, G4.6 A ship that steps in this phase, ahead, and has no contact yet; none that rows clear (G7.2)."""
    if ship.contact is not None or ship.speed < 1 or ship.status != "afloat" or ship.paper:
        return False
    if ship.passing is not None or ship.rowed_clear:
        return False
    return battle.is_due(ship) or (ship.stepped and not ship.stopped and battle.phase in STEPS_OF[ship.speed])


def is_bow_to_bow(battle: Battle, ship: Ship, target: Ship) -> bool:
    """G6.1 Do their bows meet?"""
    return geometry(battle).is_bow_to_bow(ship, target)


def phases_of(speed: int) -> tuple[int, ...]:
    """G3.2 The phases in which a ship of this speed makes a step; BadSpeed is impossible, unknown speeds have none."""
    return tuple(sorted(STEPS_OF.get(speed, ())))


PHASES = tuple(range(1, MOVEMENT.phases + 1))
