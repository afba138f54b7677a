"""10.5.2 (note) Caudine Forks, the Samnite event 31: like an interception, and none."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.sword_of_rome.commands import CaudineForks
from strategic.sword_of_rome.rules import foes
from strategic.sword_of_rome.rules.moving_army import going
from strategic.sword_of_rome.rules.survey import (
    enemies,
    enemy_in_the_open,
    enemy_units_with,
    may_follow,
    seat_of,
    standing,
)
from strategic.sword_of_rome.state import Battle, State
from strategic.sword_of_rome.tables import SPACES, name_of, way_between
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Handled, Illegal, event

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
    state, more = foes.begin(replace(state, reaction=None), Battle(move.at, move.power, SAMNITES, caudine=True))
    return state, (said, *more)


def armies(state: State) -> tuple[str, ...]:
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
