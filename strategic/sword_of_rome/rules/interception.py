"""10 Interception: who may try, what it means, going back; the Caudine Forks."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from strategic.interception import attempt, beside, chance
from strategic.sword_of_rome.commands import CaudineForks, Decline, Fight, Permit, StormsAtSea, TakeCommand
from strategic.sword_of_rome.rules import avoidance, moving_army
from strategic.sword_of_rome.rules.moving_army import going, put_out, set_down, why_not_spend
from strategic.sword_of_rome.rules.survey import (
    enemies,
    enemy_in_the_open,
    enemy_units_with,
    is_besieged,
    is_friendly,
    may_follow,
    named_leaders,
    room_inside,
    seat_of,
    standing,
)
from strategic.sword_of_rome.state import Attempt, Battle, State
from strategic.sword_of_rome.tables import BOX_WAYS, CHART, SPACES, TABLES, is_clear, name_of, way_between
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Handled, Illegal, Prompt, event
from tactical.kernel.record import Reason

# -- 10 Interception: who may try, with which die, and what success means.


def neighbours(state: State, power: str, space: str) -> tuple[str, ...]:
    """10.1 The spaces next to this one in which the power has anything, over connections of any kind."""
    found = beside(CHART, space, KINDS, lambda there: power in state.forces.get(there, {}))
    boxes = tuple(
        box for box, roads in BOX_WAYS.items() if power in state.forces.get(box, {}) and roads[0].end == space
    )
    return (*found, *boxes)


KINDS = ("clear", "appian", "rough", "strait")


def why_not_from(state: State, power: str, origin: str) -> Illegal | None:
    """10.1, 10.2 Why the power's army in this space may not intercept the moving army; None when it may."""
    move = state.move
    if move is None:
        return Illegal("10.1", "No army is on the move.")
    if not enemies(state, power, move.power):
        return Illegal(
            "10.1",
            "The army of %(power)s is not an enemy of %(power2)s.",
            power=name_of(move.power),
            power2=name_of(power),
        )
    if not move.units:
        return Illegal("10.1", "A leader without CUs is not an army and cannot be intercepted.")
    way = way_between(origin, move.at)
    if way is None or origin == move.at:
        return Illegal("10.1", "%(origin)s is not next to %(at)s.", origin=name(origin), at=name(move.at))
    if move.flank:
        return Illegal("10.2.e", "A flanking army cannot be intercepted.")
    if not is_clear(power, way, TABLES.interception.over):
        kind = Reason("a strait") if way.kind == "strait" else Reason("rough ground")
        return Illegal(
            "10.2.a", "Between %(origin)s and %(at)s lies %(kind)s.", origin=name(origin), at=name(move.at), kind=kind
        )
    force = state.force(origin, power)
    if not force.units and force.inside and enemy_units_with(state, power, origin):
        return Illegal("10.2.b", "The army inside %(origin)s has enemies before the walls.", origin=name(origin))
    if not force.is_army:
        return Illegal("10.1", "There is no leader with CUs in %(origin)s.", origin=name(origin))
    return why_not_into(state, power)


def why_not_into(state: State, power: str) -> Illegal | None:
    """10.2.c, 10.2.d, 10.2.f Why nobody of this power may intercept into the space."""
    move = state.army
    space = move.at
    behind = [other for other, force in state.forces.get(space, {}).items() if force.inside and not force.units]
    for other in (*standing(state, space), *behind):
        if other == power or (other in behind and is_besieged(state, space, other)):
            continue
        if not enemies(state, power, other) and enemies(state, other, move.power):
            return Illegal(
                "10.2.f",
                "Troops of %(other)s, allies who are being attacked, stand in %(space)s.",
                space=name(space),
                other=name_of(other),
            )
        return Illegal(
            "10.2.c",
            "There are CUs of %(other)s in %(space)s that are not besieged.",
            other=name_of(other),
            space=name(space),
        )
    reaction = state.reaction
    if reaction is not None and reaction.intercepted_by not in (None, power):
        return Illegal(
            "10.2.d",
            "%(intercepted_by)s %(intercepted_by|has|have)s just intercepted here.",
            intercepted_by=name_of(reaction.intercepted_by or ""),
        )
    return None


def armies(state: State, power: str) -> tuple[str, ...]:
    """10.1, 10.2 The spaces from which the power may try to intercept the moving army."""
    move = state.move
    if move is None:
        return ()
    return tuple(origin for origin in neighbours(state, power, move.at) if why_not_from(state, power, origin) is None)


def why_not_try(state: State, tried: Attempt) -> Illegal | None:
    """10.3 Why this army, or this part of one, may not try."""
    if tried.space not in SPACES:
        return Illegal("10.3", "There is no space called %(space)s.", space=repr(tried.space))
    wrong = why_not_from(state, tried.power, tried.space)
    if wrong is not None:
        return wrong
    force = state.force(tried.space, tried.power)
    if tried.leader not in force.leaders:
        return Illegal(
            "10.3.c",
            "%(leader)s is not with that army in %(space)s.",
            leader=name_of(tried.leader),
            space=name(tried.space),
        )
    if not going(force.leaders, tried.leader, tried.companions):
        return Illegal("10.3.c", "Companions must be other leaders in the same army, each named once.")
    if not may_follow(tried.leader, tried.companions):
        return Illegal("10.3.c", "A named leader cannot follow a minor one.")
    if tried.units < 1:
        return Illegal("10.3.c", "At least 1 CU must try to intercept.")
    commander = force.leaders[0]
    if tried.leader != commander:
        if commander in tried.companions:
            return Illegal(
                "10.3.a",
                "%(commander)s is in command there and must stay when a subordinate leaves.",
                commander=name_of(commander),
            )
        if force.units - tried.units < TABLES.interception.commander_keeps:
            return Illegal(
                "10.3.a",
                "%(commander)s must keep at least 1 CU in %(space)s.",
                commander=name_of(commander),
                space=name(tried.space),
            )
    if tried.units > force.units:
        return Illegal(
            "10.3.c",
            "There %(units|is|are)s only %(units)s %(units|CU|CUs)s in the open at %(space)s, not %(units2)s.",
            space=name(tried.space),
            units=force.units,
            units2=tried.units,
        )
    return None


def modifier(state: State, power: str, space: str) -> int:
    """10.3.b What is added to the die: 1 in a space that an enemy controls and that holds no CU of the power.

    10.3.b (reading): no CU of the interceptor himself; an ally's would not help him.
    """
    if enemies(state, power, state.controller(space)) and not state.force(space, power).total:
        return TABLES.interception.enemy_space
    return 0


def resolve(state: State, seats: tuple[str, ...], dice: Dice) -> Handled[State]:
    """10.3, 10.3 (reading), 10.4 Roll player by player; once a power has succeeded, the attempts of others lapse.

    Ruling: all armies of the power that succeeds roll, for as many of its armies as succeed take part. 10.3
    (reading of joining): a success is placed at once, so it no longer adds to the die of the next (10.3.b); the owner's
    order is that of his declaration.
    """
    reaction = state.answers
    events: tuple[Event, ...] = ()
    done: list[Attempt] = []
    winner: str | None = None
    groups: list[tuple[str, ...]] = []
    for tried in (each for seat in seats for each in reaction.attempts if seat_of(state, each.power) == seat):
        if winner not in (None, tried.power) or why_not_try(state, tried) is not None:
            done.append(replace(tried, result="lapsed"))
            rule = "10.2.d" if winner not in (None, tried.power) else "10.3"
            events += (event(rule, "interception_lapsed", power=tried.power, space=tried.space, by=winner),)
            continue
        added = modifier(state, tried.power, reaction.space)
        rating = state.leaders[tried.leader].tactics
        about = {"power": tried.power, "leader": tried.leader, "space": tried.space}
        success, face = attempt(dice, "10.4", rating, added, **about)
        done.append(replace(tried, result="intercepted" if success else "failed"))
        events += (
            event(
                "10.4.a" if success else "10.4.b",
                "interception",
                power=tried.power,
                space=tried.space,
                leader=tried.leader,
                units=tried.units,
                dice=[face],
                modifier=added,
                needed=rating,
                success=success,
            ),
        )
        state = remember(state, tried)
        if success:
            groups = groups or [state.force(reaction.space, tried.power).leaders]
            winner = tried.power
            state = state.moved_out(tried.space, winner, tried.units, tried.leaders)
            state = state.moved_in(reaction.space, winner, tried.units, tried.leaders)
            groups.append(tried.leaders)
    state = state.with_reaction(replace(reaction, attempts=tuple(done), intercepted_by=winner))
    if winner is None:
        state, more = avoidance.begin(state, dice)
        return state, (*events, *more)
    return merge(state, winner, groups), events


def remember(state: State, tried: Attempt) -> State:
    """10.6, 10.6 (reading) An army that has rolled may not avoid this army later; one that has not may.

    Ruling: all of a space's army is meant, also when only a part of it tried.
    """
    move = state.army
    return state.with_move(replace(move, tried=tuple(dict.fromkeys((*move.tried, tried.space)))))


def merge(state: State, power: str, groups: list[tuple[str, ...]]) -> State:
    """10.4.a The interceptors are one army; with historical leaders on both hands the player chooses who commands.

    10.4 (reading): the choice is between historical leaders only, for 10.4 stands above 10.1.
    """
    reaction = state.answers
    seat = seat_of(state, power)
    if seat is not None and sum(bool(named_leaders(group)) for group in groups) > 1:
        people = [leader for group in groups for leader in named_leaders(group)]
        about = {"power": power, "space": reaction.space, "leaders": people}
        return state.asking(Prompt("commander", seat, "10.4.a", about))
    return ask_mover(state)


def why_not_command(state: State, command: TakeCommand) -> Illegal | None:
    """10.4.a The choice is among the historical leaders of the joined army."""
    leaders = tuple(state.pending[0].about["leaders"])
    return None if command.leader in leaders else Illegal("10.4.a", "Choose %(either)s.", either=leaders)


def take_command(state: State, command: TakeCommand, dice: Dice) -> Handled[State]:
    """10.4.a The chosen leader commands the joined army."""
    about = state.pending[0].about
    power, space = about["power"], about["space"]
    force = state.force(space, power)
    first = (command.leader, *(leader for leader in force.leaders if leader != command.leader))
    state = state.with_force(space, power, replace(force, leaders=first))
    return ask_mover(state), (event("10.4.a", "commander", power=power, space=space, leader=command.leader),)


def ask_mover(state: State) -> State:
    """10.5 The intercepted army declines or fights."""
    move, reaction = state.army, state.answers
    seat = seat_of(state, move.power)
    assert seat is not None
    about = {"space": reaction.space, "by": reaction.intercepted_by}
    return state.asking(Prompt("intercepted", seat, "10.5.1", about))


def name(space: str) -> str:
    """A space's name, for a sentence."""
    return SPACES[space].name


# -- 10.3.b, 10.4 The chance of each die of the interceptions that an answer declares.


def chances(state: State, command: Mapping[str, Any]) -> tuple[Fraction, ...]:
    """10.3.b, 10.4 The leader's tactics rating; one worse in an enemy's empty space. () for any other command."""
    if command["type"] != "declare" or state.reaction is None:
        return ()
    space = state.reaction.space
    return tuple(
        Fraction(*chance(state.leaders[each["leader"]].tactics, modifier(state, each["power"], space)))
        for each in command.get("intercepts", ())
    )


# -- 10.5.2 (note) Caudine Forks, the Samnite event 31: like an interception, and none.

SAMNITES = "samnites"


def why_not_now(state: State) -> Illegal | None:
    """10.5.2 (note), 9.3.3 The event comes after all attempts in a space that the army has just entered."""
    move, rule = state.move, "10.5.2 (note)"
    if move is None or state.pending or not move.steps or not move.units:
        return Illegal(rule, "No army has just entered a space.")
    if not enemies(state, SAMNITES, move.power):
        return Illegal(rule, "The Samnites are not enemies of %(power)s.", power=name_of(move.power))
    if any(power != SAMNITES for power in standing(state, move.at)):
        return Illegal(rule, "Other troops stand in %(at)s.", at=SPACES[move.at].name)
    if seat_of(state, SAMNITES) is None:
        return Illegal(rule, "Nobody makes the decisions for the Samnites.")
    return None


def why_not_caudine_forks(state: State, command: CaudineForks) -> Illegal | None:
    """10.5.2 (note) Why these Samnites may not fall upon the moving army.

    Ruling: as the card's text is not in the source, any Samnite army next to the space may come, over any ground.
    """
    rule = "10.5.2 (note)"
    wrong = why_not_now(state)
    if wrong is not None:
        return wrong
    move, seat = state.move, seat_of(state, SAMNITES)
    assert move is not None and seat is not None
    if command.card not in state.hands.get(seat, ()):
        return Illegal(
            rule, "No card of value %(card)s is in the hand of %(side)s.", card=command.card, side=name_of(seat)
        )
    if command.space not in SPACES or way_between(command.space, move.at) is None:
        return Illegal(rule, "%(origin)s is not next to %(at)s.", origin=command.space, at=SPACES[move.at].name)
    force = state.force(command.space, SAMNITES)
    if command.leader not in force.leaders or not going(force.leaders, command.leader, command.companions):
        return Illegal(rule, "Name leaders who stand in that space, each once.")
    if not may_follow(command.leader, command.companions):
        return Illegal("8.2.1", "A named leader cannot follow a minor one.")
    if not 1 <= command.units <= force.units:
        return Illegal(rule, "The army there has only %(units)s %(units|CU|CUs)s in the open.", units=force.units)
    if not force.units or (force.inside and enemy_units_with(state, SAMNITES, command.space)):
        return Illegal(rule, "That army is in a city, and enemies stand before its walls.")
    return None


def caudine_forks(state: State, command: CaudineForks, dice: Dice) -> Handled[State]:
    """10.5.2 (note) The Samnites fall upon the army: it may not decline, and there is no bonus for surprise."""
    move, seat = state.move, seat_of(state, SAMNITES)
    assert move is not None and seat is not None
    leaders = (command.leader, *command.companions)
    state = state.discarding(seat, command.card)
    state = state.moved_out(command.space, SAMNITES, command.units, leaders)
    state = state.moved_in(move.at, SAMNITES, command.units, leaders)
    said = event(
        "10.5.2 (note)",
        "caudine_forks",
        card=command.card,
        space=command.space,
        to=move.at,
        units=command.units,
        leaders=list(leaders),
    )
    state, more = moving_army.begin(replace(state, reaction=None), Battle(move.at, move.power, SAMNITES, caudine=True))
    return state, (said, *more)


def samnite_armies(state: State) -> tuple[str, ...]:
    """10.5.2 (note) The spaces from which Samnites may come."""
    move = state.move
    if move is None or why_not_now(state) is not None:
        return ()
    return tuple(
        space
        for space in state.forces
        if state.force(space, SAMNITES).is_army
        and way_between(space, move.at) is not None
        and enemy_in_the_open(state, SAMNITES, space) is None
    )


# -- 10.5 The intercepted army goes back, or attacks those who intercepted it.


def why_not_decline(state: State) -> Illegal | None:
    """10.5.1 Why the army may not try to go back to the space it came from.

    Ruling: nor can it when that space has since filled with another power's CUs, for it would have to end there.
    """
    move = state.army
    if state.battle is not None and state.battle.caudine:
        return Illegal("10.5.2 (note)", "The battle at the Caudine Forks may not be declined.")
    if state.battle is not None:
        return Illegal("10.5.1", "Nobody has intercepted.")
    if move.came_from is None:
        return Illegal("10.5.1", "The army has no space to go back to.")
    back = move.came_from
    for other in standing(state, back):
        force = state.force(back, other)
        fits = enemies(state, other, move.power) and force.units <= room_inside(state, back, other)
        if other != move.power and not fits:
            return Illegal(
                "10.5.1",
                "There are CUs of %(other)s in %(back)s: the army cannot stop there.",
                other=name_of(other),
                back=SPACES[back].name,
            )
    return None


def decline(state: State, command: Decline, dice: Dice) -> Handled[State]:
    """10.5.1 The army wants to go back; the leader who intercepted may permit it."""
    reaction, move = state.answers, state.army
    assert reaction.intercepted_by is not None
    said = event("10.5.1", "decline", power=move.power, space=move.at, back=move.came_from, by=move.by)
    seat = seat_of(state, reaction.intercepted_by)
    if seat is not None:
        about = {"what": "decline", "power": move.power, "space": move.at}
        return state.asking(Prompt("permit", seat, "10.5.1", about)), (said,)
    state, more = answer(state, False, dice)
    return state, (said, *more)


def answer(state: State, allow: bool, dice: Dice) -> Handled[State]:
    """10.5.1 Permitted, or by a die of at most the own leader's tactics; then the way back, by sea if it came so."""
    move = state.army
    assert move.came_from is not None
    if allow:
        happened = event("10.5.1", "permitted", power=move.power, space=move.at)
    else:
        rating = state.leaders[move.leader].tactics
        success, face = attempt(dice, "10.5.1", rating, power=move.power, leader=move.leader)
        happened = event(
            "10.5.1", "declining", power=move.power, leader=move.leader, dice=[face], needed=rating, success=success
        )
        if not success:
            state, more = attack(state)
            return state, (happened, *more)
    if move.by == "sea":
        friendly = is_friendly(state, move.power, move.came_from)
        state, more = put_out(state, "decline", move.power, move.units, move.at, move.came_from, friendly)
        return state, (happened, *more)
    state, more = gone_back(state)
    return state, (happened, *more)


def gone_back(state: State) -> Handled[State]:
    """10.5.1 The army is back in the space it came from, and stops. 10.2.g: nobody intercepts it there."""
    move = state.army
    assert move.came_from is not None
    for other in standing(state, move.came_from):
        if enemies(state, other, move.power):
            force = state.force(move.came_from, other)
            state = state.with_force(move.came_from, other, force.sheltering(force.units, force.leaders))
    state = state.with_move(replace(move, at=move.came_from))
    state, more = set_down(state)
    return state, (event("10.5.1", "declined", power=move.power, space=move.came_from), *more)


def fight(state: State, command: Fight, dice: Dice) -> Handled[State]:
    """10.5.2 The army does not try to go back."""
    return attack(state)


def attack(state: State) -> Handled[State]:
    """10.5.2 The moving army must attack the interceptors, before anything else in the space."""
    move, reaction = state.army, state.answers
    assert reaction.intercepted_by is not None
    return moving_army.begin(state, Battle(move.at, move.power, reaction.intercepted_by, intercepted=True))


def permit(state: State, command: Permit, dice: Dice) -> Handled[State]:
    """10.5.1, 11.1 The enemy leader's word: go, or roll for it."""
    about, state = state.pending[0].about, state.asking()
    if about["what"] == "decline":
        return answer(state, command.allow, dice)
    return avoidance.answer(state, about["power"], command.allow, dice)


def why_not_storms(state: State, command: StormsAtSea) -> Illegal | None:
    """10.5.1 Storms at Sea meets an army that goes back by sea, until its crossing is settled or the fleets have met.

    L1.1: a meeting opens after every choice that comes before it, and nothing but itself settles it.
    """
    if state.engagement is not None:
        return Illegal("L1.1", "The fleets have met; settle that first.")
    move = state.move
    asked, crossing = state.asks("permit"), state.crossing
    waiting = asked is not None and asked.about["what"] == "decline" and move is not None and move.by == "sea"
    at_sea = crossing is not None and crossing.purpose == "decline"
    if not (waiting or at_sea):
        return Illegal("10.5.1", "No army is going back by sea.")
    return why_not_spend(state, command.side, command.card, "10.5.1")


def storms_at_sea(state: State, command: StormsAtSea, dice: Dice) -> Handled[State]:
    """10.5.1 The storm keeps the army where it was intercepted: there is a battle."""
    state = replace(state.discarding(command.side, command.card).asking(), crossing=None)
    state, more = attack(state)
    said = event("10.5.1", "storms_at_sea", side=command.side, card=command.card)
    return state, (said, *more)
