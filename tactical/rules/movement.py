"""G4 Movement: steps that are due, turns, backing, contacts."""

from __future__ import annotations

import msgspec

from tactical.battle import Battle
from tactical.commands import Step
from tactical.geometry import Heading, Place, Way, geometry
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.kernel.record import Reason, because
from tactical.rules.ending import over_the_edge
from tactical.ship import CREWS, MOVEMENT, STEPS_OF, Ship, turn_cycle

# -- G4.6, G6.10, G7.1 Ships in contact: who may rake, and whose turn it is to settle a meeting.


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


# -- G1.5, G4.6 Contacts on the players' own table: who still touches whom, and who waits on a ship that moves.


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


def close_contacts(battle: Battle) -> Battle:
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


# -- G4 Movement: steps that are due, turns, backing, contacts.


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
    phases = tuple(sorted(STEPS_OF[ship.speed])) or (Reason("none"),)
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
        return row_on(part(battle, name), name)
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
        battle = close_contacts(battle)
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
