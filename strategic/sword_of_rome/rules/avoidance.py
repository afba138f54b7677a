"""11 Avoiding battle: an army that is entered upon goes behind its walls, slips away, or stands."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from strategic.interception import attempt, outs
from strategic.sword_of_rome.commands import AvoidTo, Pursue
from strategic.sword_of_rome.rules import moving_army
from strategic.sword_of_rome.rules.moving_army import going, put_out, set_down
from strategic.sword_of_rome.rules.survey import (
    carries,
    enemies,
    enemy_in_the_open,
    is_friendly,
    may_follow,
    room_inside,
    seat_of,
    strangers,
    tactics,
)
from strategic.sword_of_rome.state import Avoidance, Crossing, State
from strategic.sword_of_rome.tables import CHART, SPACES, TABLES, is_clear, name_of, way_between
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Handled, Illegal, Prompt, event


def why_not_at_all(state: State, power: str) -> Illegal | None:
    """11.1, 10.6 Why no army of the power in the entered space may try to avoid battle; None when it may."""
    move = state.move
    if move is None or not move.units:
        return Illegal("11.1", "No army is entering a space.")
    if not enemies(state, power, move.power):
        return Illegal("11.1", "No enemy of %(power)s is entering a space.", power=name_of(power))
    if not state.force(move.at, power).is_army:
        return Illegal("11.1", "Only CUs with a leader, outside the walls, may avoid battle.")
    if move.flank:
        return Illegal("9.5.6", "Nobody may avoid battle with a flanking army.")
    if move.at in move.tried:
        return Illegal("10.6", "The army has already tried to intercept that army in this action.")
    if not ways_out(state, power, move.at) and not ports_out(state, power, move.at):
        return Illegal("11.1.a", "There is nowhere to go.")
    return None


def why_not_avoid(state: State, slip: Avoidance) -> Illegal | None:
    """11.1, 9.3.1 What is wrong with this answer of an army that is entered upon."""
    move = state.army
    space = move.at
    if slip.power not in state.forces.get(space, {}) or not enemies(state, slip.power, move.power):
        return Illegal(
            "11.1",
            "No army of %(power)s in %(space)s faces an army that has just entered.",
            power=name_of(slip.power),
            space=SPACES[space].name,
        )
    force = state.force(space, slip.power)
    people = (*slip.leaders, *slip.inside_leaders)
    if len(set(people)) < len(people) or not set(people) <= set(force.leaders):
        return Illegal("11.1", "Name leaders who stand in the space, each once.")
    if slip.units + slip.inside > TABLES.avoidance.limit:
        return Illegal(
            "11.1",
            "At most %(limit)s %(limit|CU|CUs)s in all may avoid battle or go inside the walls.",
            limit=TABLES.avoidance.limit,
        )
    if slip.units + slip.inside > force.units:
        return Illegal("11.1", "There %(units|is|are)s only %(units)s %(units|CU|CUs)s in the open.", units=force.units)
    if slip.inside > room_inside(state, space, slip.power):
        return Illegal(
            "9.3.1",
            "There is room inside the walls for only %(room_inside)s more %(room_inside|CU|CUs)s of %(power)s.",
            room_inside=room_inside(state, space, slip.power),
            power=name_of(slip.power),
        )
    if slip.inside_leaders and not own_walls(state, space, slip.power):
        return Illegal(
            "9.3.1",
            "%(space)s is not a walled city held by %(power)s.",
            space=SPACES[space].name,
            power=name_of(slip.power),
        )
    if not slip.leaves:
        if slip.leaders or slip.port or slip.card:
            return Illegal("11.1", "Leaders must have at least 1 CU with them to avoid battle.")
        return None
    return why_not_leave(state, slip)


def own_walls(state: State, space: str, power: str) -> bool:
    """9.3.1 Is the space a walled city of the power?"""
    return SPACES[space].kind == "walled" and state.controller(space) == power


def why_not_leave(state: State, slip: Avoidance) -> Illegal | None:
    """11.1, 11.1.1 Why this part of the army may not try to slip away.

    11.1 (reading): a commander behind the walls is still in the space, with a CU that is there with him.
    """
    move = state.army
    space, force = move.at, state.force(move.at, slip.power)
    wrong = why_not_at_all(state, slip.power)
    if wrong is not None:
        return wrong
    if not slip.leaders:
        return Illegal("11.1", "Say which leaders avoid battle.")
    if not going(force.leaders, slip.leaders[0], slip.leaders[1:]) or not may_follow(slip.leaders[0], slip.leaders[1:]):
        return Illegal("8.2.1", "A named leader cannot follow a minor one.")
    commander = force.leaders[0]
    if commander not in slip.leaders:
        behind = commander in slip.inside_leaders
        with_him = slip.inside + force.inside if behind else force.units - slip.units - slip.inside
        if with_him < keeps():
            return Illegal(
                "11.1",
                "%(commander)s is in command: at least 1 CU must stay with him when a subordinate leaves.",
                commander=name_of(commander),
            )
    elif slip.leaders[0] != commander:
        return Illegal("11.1", "%(commander)s must command those who go.", commander=name_of(commander))
    if slip.port is None:
        if slip.card is not None:
            return Illegal("11.1.1", "A card may be spent only to leave by sea.")
        if not ways_out(state, slip.power, space):
            return Illegal("11.1.a", "There is nowhere to go by land.")
        return None
    if slip.port not in ports_out(state, slip.power, space):
        return Illegal("11.1.1", "The port must be friendly and hold no CUs of other powers.")
    seat = seat_of(state, slip.power)
    if slip.card is None or seat is None or slip.card not in state.hands.get(seat, ()):
        return Illegal("11.1.1", "To leave by sea you must name a card in your hand.")
    room = carries(state, slip.power, slip.card, space, slip.port)
    if slip.units > room:
        return Illegal("11.1.1", "With that card the ships can carry %(room)s %(room|CU|CUs)s.", room=room)
    return None


def keeps() -> int:
    """11.1 The CUs that stay with the commander."""
    return TABLES.interception.commander_keeps


def ways_out(state: State, power: str, space: str) -> tuple[str, ...]:
    """11.1.a, 11.2 Where an army may slip away by land: over clear ground, never towards the enemy, never to enemies.

    If no such space is next to it, through spaces of allied armies, four spaces at most.
    """

    def is_open(here: str, there: str) -> bool:
        way = way_between(here, there)
        if way is None or not is_clear(power, way, TABLES.avoidance.over):
            return False
        return enemy_in_the_open(state, power, there) is None and is_friendly(state, power, there)

    move = state.move
    came_from = move.came_from if move is not None else None
    seen, edge = {space}, [space]
    for _ in range(TABLES.avoidance.spaces):
        near = [there for here in edge for there in outs(CHART, here, KINDS, came_from, partial(is_open, here))]
        reached = [there for there in near if there not in seen]
        ends = tuple(dict.fromkeys(there for there in reached if not strangers(state, power, there)))
        if ends:
            return ends
        seen.update(reached)
        edge = list(dict.fromkeys(reached))
    return ()


KINDS = ("clear", "appian", "rough", "strait")


def ports_out(state: State, power: str, space: str) -> tuple[str, ...]:
    """11.1.1 The friendly ports, free of others, to which an army might leave by sea."""
    if not SPACES[space].port:
        return ()
    seat = seat_of(state, power)
    cards = state.hands.get(seat, ()) if seat is not None else ()
    return tuple(
        port
        for port in CHART.ports()
        if port != space
        and is_friendly(state, power, port)
        and not strangers(state, power, port)
        and any(carries(state, power, card, space, port) for card in set(cards))
    )


def shelter(state: State) -> Handled[State]:
    """9.3.1 Those who said so are behind the walls before anything is rolled."""
    reaction = state.answers
    events: tuple[Event, ...] = ()
    for slip in reaction.avoidances:
        if slip.inside or slip.inside_leaders:
            force = state.force(reaction.space, slip.power)
            state = state.with_force(reaction.space, slip.power, force.sheltering(slip.inside, slip.inside_leaders))
            events += (
                event(
                    "9.3.1",
                    "sheltered",
                    power=slip.power,
                    space=reaction.space,
                    units=slip.inside,
                    leaders=list(slip.inside_leaders),
                ),
            )
    return state, events


def begin(state: State, dice: Dice) -> Handled[State]:
    """11.1 Nobody has intercepted: the declared avoidances are resolved, one after the other."""
    reaction, move = state.answers, state.army
    slip = next((each for each in reaction.avoidances if each.leaves), None)
    if slip is None:
        return after(state, dice)
    seat = seat_of(state, move.power)
    assert seat is not None
    about = {"what": "avoid", "power": slip.power, "space": reaction.space}
    return state.asking(Prompt("permit", seat, "11.1", about)), ()


def current(state: State, power: str) -> Avoidance:
    """11.1 The avoidance of the power that is being resolved."""
    reaction = state.answers
    return next(each for each in reaction.avoidances if each.power == power and each.leaves)


def settle(state: State, power: str, avoided: bool) -> State:
    """11.1 This avoidance is resolved."""
    reaction = state.answers
    rest = tuple(each for each in reaction.avoidances if each.power != power)
    caught = reaction.caught if avoided else (*reaction.caught, power)
    avoided = reaction.avoided or avoided
    return state.with_reaction(
        replace(reaction, avoidances=rest, avoided=avoided, failed=bool(reaction.failed or caught), caught=caught)
    )


def answer(state: State, power: str, allow: bool, dice: Dice) -> Handled[State]:
    """11.1 Permitted, or by a die of at most the leader's tactics."""
    slip = current(state, power)
    if allow:
        happened = event("11.1", "permitted", power=power)
    else:
        rating = tactics(state, slip.leaders)
        success, face = attempt(dice, "11.1", rating, power=power, leader=slip.leaders[0])
        happened = event(
            "11.1.a" if success else "11.1.b",
            "avoiding",
            power=power,
            leader=slip.leaders[0],
            dice=[face],
            needed=rating,
            success=success,
        )
        if not success:
            state, more = begin(settle(state, power, False), dice)
            return state, (happened, *more)
    state, more = leave(state, slip, dice)
    return state, (happened, *more)


def leave(state: State, slip: Avoidance, dice: Dice) -> Handled[State]:
    """11.1.a, 11.1.1 The army may go: by sea to its port, or the player chooses among the spaces next to it."""
    move, seat = state.move, seat_of(state, slip.power)
    assert move is not None and seat is not None
    if slip.port is not None and slip.card is not None:
        state = state.discarding(seat, slip.card)
        return put_out(state, "avoid", slip.power, slip.units, move.at, slip.port, True)
    choices = ways_out(state, slip.power, move.at)
    if not choices:  # only an umpire's adjust can close the ways in between
        return begin(settle(state, slip.power, False), dice)
    if len(choices) > 1:
        about = {"power": slip.power, "space": move.at, "choices": list(choices)}
        return state.asking(Prompt("avoid_to", seat, "11.1.a", about)), ()
    return go_to(state, slip, choices[0], 0, dice)


def go_to(state: State, slip: Avoidance, to: str, lost: int, dice: Dice) -> Handled[State]:
    """11.1.a The army is in its new space. 10.2.g: nobody intercepts it there."""
    move = state.army
    state = state.moved_out(move.at, slip.power, slip.units, slip.leaders)
    left = slip.units - lost
    happened = event("11.1.a", "avoided", power=slip.power, start=move.at, end=to, units=left, lost=lost)
    state = state.counted(slip.power, removed=lost)
    state = state.moved_in(to, slip.power, left, slip.leaders) if left else state.displacing(slip.leaders)
    state, more = begin(settle(state, slip.power, True), dice)
    return state, (happened, *more)


def by_sea(state: State, crossing: Crossing, arrived: bool, lost: int, dice: Dice) -> Handled[State]:
    """9.6 (5p) An army that avoids battle by sea has met the fleet.

    Ruling: a Return brings it back to the battle that it wanted to avoid, as a failed attempt.
    """
    slip = current(state, crossing.power)
    lost = min(lost, slip.units)
    if arrived:
        return go_to(state, slip, crossing.end, lost, dice)
    force = state.force(crossing.start, crossing.power)
    state = state.counted(crossing.power, removed=lost)
    state = state.with_force(crossing.start, crossing.power, replace(force, units=force.units - lost))
    return begin(settle(state, crossing.power, False), dice)


def why_not_avoid_to(state: State, command: AvoidTo) -> Illegal | None:
    """11.1.a The space must be one of those that need no ally's space, if there is one."""
    choices = state.pending[0].about["choices"]
    if command.to in choices:
        return None
    return Illegal(
        "11.1.a", "The army may go only to %(either)s.", either=tuple(SPACES[space].name for space in choices)
    )


def avoid_to(state: State, command: AvoidTo, dice: Dice) -> Handled[State]:
    """11.1.a The player has chosen the space."""
    slip = current(state, state.pending[0].about["power"])
    return go_to(state.asking(), slip, command.to, 0, dice)


def after(state: State, dice: Dice) -> Handled[State]:
    """9.4.1, 11.3 All who still stand are attacked; if all have slipped away the army may pursue; else it moves on."""
    move, reaction = state.army, state.answers
    if moving_army.foes(state):
        return moving_army.face(state)
    state = state.asking().with_reaction(None)
    if reaction.avoided:
        seat = seat_of(state, move.power)
        assert seat is not None
        return state.asking(Prompt("pursue", seat, "11.3", {"space": move.at})), ()
    return state, ()


def pursue(state: State, command: Pursue, dice: Dice) -> Handled[State]:
    """11.3 With a die of at most the commander's tactics the army may move on; else its move is over."""
    move = state.army
    rating = state.leaders[move.leader].tactics
    success, face = attempt(dice, "11.3", rating, power=move.power, leader=move.leader)
    happened = event("11.3", "pursuit", power=move.power, dice=[face], needed=rating, success=success)
    state = state.asking()
    if success:
        return state, (happened,)
    state, more = set_down(state)
    return state, (happened, *more)
