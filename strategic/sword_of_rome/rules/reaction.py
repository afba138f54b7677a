"""9.3, 10.3, 11.1 What answers a step: all attempts are declared, in secret, before any is resolved."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.sword_of_rome.commands import CloseDeclarations, Declare, SetOrder, Slip, Try
from strategic.sword_of_rome.rules import avoidance, interception
from strategic.sword_of_rome.rules.moving_army import open_gates
from strategic.sword_of_rome.rules.survey import enemies, in_tie_order, powers_of, room_inside, seat_of
from strategic.sword_of_rome.state import Attempt, Avoidance, Reaction, State
from strategic.sword_of_rome.tables import POWERS, name_of
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Handled, Illegal, Prompt, event
from tactical.kernel.record import plain


def enter(state: State, dice: Dice) -> Handled[State]:
    """9.3 The moving army has entered a space: who can answer is asked, otherwise it goes on.

    10.2.g Only a step of an active move comes here: avoiding, declining, retreating and intercepting never do.
    """
    move = state.army
    state = open_gates(state)
    asked = who_can_answer(state)
    state = state.with_reaction(Reaction(move.at, asked))
    if asked:
        return state.asking(*questions(state)), ()
    return close(state, dice)


def who_can_answer(state: State) -> tuple[str, ...]:
    """10.3, 11.1 The seats that have anything to declare, in tie order."""
    move = state.army
    if not move.units:
        return ()
    seats = [
        seat_of(state, power)
        for power in POWERS
        if interception.armies(state, power) or may_answer_in_the_space(state, power)
    ]
    return tuple(dict.fromkeys(seat for seat in seats if seat is not None))


def may_answer_in_the_space(state: State, power: str) -> bool:
    """9.3.1, 11.1 Can CUs of the power in the space avoid battle or go behind walls?"""
    move = state.army
    force = state.force(move.at, power)
    if not enemies(state, power, move.power):
        return False
    if room_inside(state, move.at, power) and (force.units or force.leaders):
        return True
    return avoidance.why_not_at_all(state, power) is None


def questions(state: State) -> tuple[Prompt, ...]:
    """10.3 One question for each seat that has not answered yet."""
    reaction = state.answers
    return tuple(
        Prompt("declare", seat, "10.3", {"space": reaction.space})
        for seat in reaction.asked
        if seat not in reaction.ready
    )


def why_not_declare(state: State, command: Declare) -> Illegal | None:
    """10.3, 11.1 What is wrong with a seat's answer; the attempts are looked at in turn."""
    reaction = state.answers
    if command.side not in reaction.asked:
        return Illegal("10.3", "No army of %(side)s can answer this step.", side=name_of(command.side))
    if command.side in reaction.ready:
        return Illegal("10.3", "%(side)s %(side|has|have)s already answered.", side=name_of(command.side))
    mine = powers_of(state, command.side)
    if command.power is None and (command.units or command.inside or command.leader or command.leaders):
        return Illegal("10.3", "Name the power of the army.")
    origins = [(each.power, each.space) for each in command.attempts]
    if len(set(origins)) < len(origins):
        return Illegal("10.3.c", "Only one interception may come from each space.")
    for each in command.attempts:
        if each.power not in mine:
            return Illegal(
                "10.3",
                "%(side)s cannot decide for %(power)s.",
                side=name_of(command.side),
                power=name_of(each.power),
            )
        wrong = interception.why_not_try(state, attempt_of(each))
        if wrong is not None:
            return wrong
    names = [each.power for each in command.slips]
    if len(set(names)) < len(names):
        return Illegal("11.1", "A power may say only once which part of its army goes.")
    for slip in command.slips:
        if slip.power not in mine:
            return Illegal(
                "11.1",
                "%(side)s cannot decide for %(power)s.",
                side=name_of(command.side),
                power=name_of(slip.power),
            )
        wrong = avoidance.why_not_avoid(state, avoidance_of(slip))
        if wrong is not None:
            return wrong
    return None


def attempt_of(each: Try) -> Attempt:
    """10.3 The attempt that a command names."""
    return Attempt(each.power, each.space, each.leader, each.companions, each.units)


def avoidance_of(slip: Slip) -> Avoidance:
    """11.1 The avoidance that a command names."""
    return Avoidance(slip.power, slip.leaders, slip.units, slip.inside_leaders, slip.inside, slip.port, slip.card)


def declare(state: State, command: Declare, dice: Dice) -> Handled[State]:
    """10.3, 11.1 A seat's answer is taken down; the last one closes the declarations."""
    reaction = state.answers
    attempts = tuple(attempt_of(each) for each in command.attempts)
    slips = tuple(avoidance_of(each) for each in command.slips)
    reaction = replace(
        reaction,
        ready=tuple(seat for seat in reaction.asked if seat == command.side or seat in reaction.ready),
        attempts=(*reaction.attempts, *attempts),
        avoidances=(*reaction.avoidances, *slips),
    )
    state = state.with_reaction(reaction)
    said = (
        event("10.3", "answered", side=command.side),
        event(
            "10.3",
            "declared",
            only=(command.side,),
            side=command.side,
            intercepts=plain(attempts),
            avoids=plain(slips),
        ),
    )
    if questions(state):
        return state.asking(*questions(state)), said
    state, more = close(state, dice)
    return state, (*said, *more)


def close_declarations(state: State, command: CloseDeclarations, dice: Dice) -> Handled[State]:
    """10.3 The umpire's time is up: who has not answered lets the army pass."""
    reaction = state.answers
    late = tuple(seat for seat in reaction.asked if seat not in reaction.ready)
    state = state.with_reaction(replace(reaction, ready=(*reaction.ready, *late)))
    state, more = close(state, dice)
    return state, (event("10.3", "closed", late=list(late)), *more)


def close(state: State, dice: Dice) -> Handled[State]:
    """10.3 All is declared and shown: first who goes behind walls (9.3.1), then interceptions, then avoidances."""
    reaction = state.answers
    # The order in which the answers came in is nobody's business: attempts are kept by player, and each player's as he
    # named them, for so he wants them rolled (10.3 (reading of joining)).
    seats = {each.power: seat_of(state, each.power) or "" for each in reaction.attempts}
    rank = in_tie_order(state, seats.values())
    attempts = tuple(sorted(reaction.attempts, key=lambda each: rank.index(seats[each.power])))
    avoidances = tuple(sorted(reaction.avoidances, key=lambda each: POWERS.index(each.power)))
    state = state.with_reaction(replace(reaction, closed=True, attempts=attempts, avoidances=avoidances)).asking()
    shown: tuple[Event, ...] = ()
    if reaction.asked:
        shown = (
            event(
                "10.3",
                "declarations",
                reveals=True,
                space=reaction.space,
                intercepts=plain(attempts),
                avoids=plain(avoidances),
            ),
        )
    state, inside = avoidance.shelter(state)
    if len(rank) > 1:
        powers = tuple(dict.fromkeys(each.power for each in attempts))
        about = {"players": list(rank), "powers": list(powers), "space": reaction.space}
        return state.asking(Prompt("order", rank[0], "10.3", about)), (*shown, *inside)
    state, more = interception.resolve(state, rank, dice)
    return state, (*shown, *inside, *more)


def players(state: State) -> tuple[str, ...]:
    """10.3 The players whose armies try, as they win ties."""
    attempts = state.reaction.attempts if state.reaction is not None else ()
    return in_tie_order(state, {seat for each in attempts if (seat := seat_of(state, each.power)) is not None})


def order_of(state: State, command: SetOrder) -> tuple[str, ...]:
    """10.3 The players in the order that a command names, as players or by the powers that try."""
    if command.players:
        return command.players
    return tuple(dict.fromkeys(seat_of(state, power) or power for power in command.powers))


def why_not_order(state: State, command: SetOrder) -> Illegal | None:
    """10.3 The order names each player whose armies try, once; a player's powers are not parted."""
    reaction = state.answers
    powers = tuple(dict.fromkeys(each.power for each in reaction.attempts))
    seats = players(state)
    if command.players and command.powers:
        return Illegal("10.3", "Name the players, or their powers, not both.")
    if command.players:
        if sorted(command.players) != sorted(seats):
            return Illegal("10.3", "Name each of these players once: %(list)s.", list=tuple(seats))
        return None
    if sorted(command.powers) != sorted(powers):
        return Illegal("10.3", "Name each of these powers once: %(list)s.", list=tuple(powers))
    named = [seat_of(state, power) for power in command.powers]
    if len([seat for number, seat in enumerate(named) if not number or named[number - 1] != seat]) > len(seats):
        return Illegal("10.3", "Players try in order: keep the powers of one player together.")
    return None


def set_order(state: State, command: SetOrder, dice: Dice) -> Handled[State]:
    """10.3 The attempts are resolved, player by player, as the winner of ties wants it."""
    seats = order_of(state, command)
    attempts = state.reaction.attempts if state.reaction is not None else ()
    powers = [each.power for seat in seats for each in attempts if seat_of(state, each.power) == seat]
    said = event("10.3", "order", players=list(seats), powers=list(dict.fromkeys(powers)))
    state, more = interception.resolve(state.asking(), seats, dice)
    return state, (said, *more)
