"""Who may say what when, as a table. The order within a step stands in the rules: 9.3, 10.3, 10.5, 11.1.

Almost everything here may be said at any moment, and each command knows by itself why it may not be said now.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strategic.sword_of_rome import commands as say
from strategic.sword_of_rome.rules import (
    avoidance,
    battle,
    book_keeping,
    by_hand,
    crossing,
    declining,
    engagements,
    foes,
    forks,
    interception,
    land,
    reaction,
    retreat,
    sea,
    turn,
    umpire,
)
from strategic.sword_of_rome.rules.invariants import waiting_for
from strategic.sword_of_rome.rules.offers import offers, umpires
from strategic.sword_of_rome.rules.survey import seat_of
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import CARTHAGE, POWERS, SEATS, SPACES, called
from tactical.kernel.dice import Dice
from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import UMPIRE, Action, Handled, Illegal, Offer, Step

Whose = Callable[[State, Any], tuple[str | None, ...] | None]


def action(
    command: type,
    do: Callable[[State, Any, Dice], Handled[State]],
    why_not: Callable[[State, Any], Illegal | None],
    whose: Whose,
    by_umpire: bool = False,
    **more: Any,
) -> Action[State]:
    """A command with its paragraph; a side that it names must be one, or the umpire where he may be named."""

    def seats(state: State, given: Any) -> tuple[str, ...] | None:
        side = getattr(given, "side", None)
        if side is not None and side not in SEATS and not (by_umpire and side == UMPIRE):
            raise Illegal("2", "There is no side %(side)s; the sides are %(list)s.", side=repr(side), list=tuple(SEATS))
        found = whose(state, given)
        return None if found is None else tuple(sorted(each for each in found if each))

    paragraph = (command.__doc__ or "").split(" ")[0]
    return Action(command, paragraph, do, why_not, whose=seats, **more)


def active(state: State, command: Any) -> tuple[str | None, ...]:
    """The active player's."""
    return (state.active,)


def mover(state: State, command: Any) -> tuple[str | None, ...] | None:
    """The player's whose army is on the move."""
    return (seat_of(state, state.move.power),) if state.move is not None else None


def asked(*kinds: str) -> Whose:
    """The player's who is asked this."""

    def whose(state: State, command: Any) -> tuple[str | None, ...] | None:
        found = [prompt.seat for prompt in state.pending if prompt.kind in kinds]
        return tuple(found) or None

    return whose


def own_side(state: State, command: Any) -> tuple[str | None, ...]:
    """The side's that the command names."""
    return (command.side,)


def own_power(state: State, command: Any) -> tuple[str | None, ...] | None:
    """The seat's that decides for the power."""
    return (seat_of(state, command.power),) if command.power in POWERS else None


def carthage(state: State, command: Any) -> tuple[str | None, ...]:
    """Carthage's."""
    return (seat_of(state, CARTHAGE),)


def samnites(state: State, command: Any) -> tuple[str | None, ...]:
    """The Samnites'."""
    return (seat_of(state, forks.SAMNITES),)


def holder(state: State, command: say.SetControl) -> tuple[str | None, ...] | None:
    """The old holder's of a space, or the new one's."""
    powers = (command.power, state.control.get(command.space, ""))
    if command.space not in state.control and command.space in SPACES:
        powers = (command.power, state.controller(command.space))
    return tuple(seat_of(state, power) for power in powers if power in POWERS)


def anybody(state: State, command: Any) -> None:
    """Any player's."""
    return None


def nobody(state: State, command: Any) -> tuple[str | None, ...]:
    """The umpire's alone."""
    return ()


def no_objection(state: State, command: Any) -> None:
    """It is always possible."""
    return None


ACTIONS: tuple[Action[State], ...] = (
    action(say.Activate, land.activate, land.why_not_activate, active),
    action(say.ConfirmFlank, land.confirm_flank, land.why_not_confirm_flank, own_side, by_umpire=True),
    action(say.EndAction, turn.end_action, lambda state, _: land.why_not_act(state), active),
    action(say.Step, land.step, lambda state, command: land.why_not_step(state, command.to), mover),
    action(say.Sail, sea.sail, lambda state, command: sea.why_not_sail(state, command.to), mover),
    action(say.Drop, land.drop, land.why_not_drop, mover),
    action(say.PickUp, land.pick_up, land.why_not_pick_up, mover),
    action(say.Halt, land.halt, lambda state, _: land.why_not_halt(state), mover),
    action(say.LendShips, sea.lend_ships, sea.why_not_lend, carthage),
    action(say.Declare, reaction.declare, reaction.why_not_declare, own_side),
    action(say.CloseDeclarations, reaction.close_declarations, reaction.why_not_close, nobody),
    action(say.SetOrder, reaction.set_order, reaction.why_not_order, asked("order")),
    action(say.TakeCommand, interception.take_command, interception.why_not_command, asked("commander")),
    action(say.Decline, declining.decline, lambda state, _: declining.why_not_decline(state), asked("intercepted")),
    action(say.Fight, declining.fight, lambda state, _: declining.why_not_fight(state), asked("intercepted")),
    action(say.Permit, declining.permit, declining.why_not_permit, asked("permit")),
    action(say.Contest, sea.contest, lambda state, command: sea.why_not_answer(state, command.card), carthage),
    action(say.Pass, sea.pass_by, lambda state, _: sea.why_not_answer(state, None), carthage),
    action(say.SeaRoll, sea.sea_roll, lambda state, _: sea.why_not_sea_roll(state), asked("sea_roll")),
    action(say.AvoidTo, avoidance.avoid_to, avoidance.why_not_avoid_to, asked("avoid_to")),
    action(say.ChooseFoe, foes.choose_foe, foes.why_not_choose, asked("foe")),
    action(say.Pursue, avoidance.pursue, lambda state, _: avoidance.why_not_pursue(state), asked("pursue")),
    action(say.RollBattle, battle.roll_battle, lambda state, _: battle.why_not_roll(state), asked("battle")),
    action(say.SetModifier, battle.set_modifier, battle.why_not_modifier, anybody),
    action(say.Retreat, retreat.retreat, retreat.why_not_retreat, asked("retreat")),
    action(say.CaudineForks, forks.caudine_forks, forks.why_not_caudine_forks, samnites),
    action(say.StormsAtSea, declining.storms_at_sea, declining.why_not_storms, own_side),
    action(say.Place, by_hand.place, by_hand.why_not_place, own_power),
    action(say.Remove, by_hand.remove, by_hand.why_not_remove, own_power),
    action(say.MoveByHand, by_hand.move_by_hand, by_hand.why_not_move_by_hand, own_power),
    action(say.SetCommander, by_hand.set_commander, by_hand.why_not_commander, own_power),
    action(say.SetControl, by_hand.set_control, by_hand.why_not_control, holder),
    action(say.SetSiege, by_hand.set_siege, by_hand.why_not_siege, anybody),
    action(say.SetAlliance, by_hand.set_alliance, by_hand.why_not_alliance, own_power),
    action(say.SetPoints, by_hand.set_points, by_hand.why_not_points, own_power),
    action(say.SetUnrest, by_hand.set_unrest, no_objection, anybody),
    action(say.SetEvent, by_hand.set_event, by_hand.why_not_event, anybody),
    action(say.SetRunner, by_hand.set_runner, by_hand.why_not_runner, anybody),
    action(say.TakeCard, turn.take_card, turn.why_not_take_card, own_side),
    action(say.Discard, turn.discard, turn.why_not_discard, own_side),
    action(say.Note, by_hand.note, no_objection, own_side, by_umpire=True, after_end=True),
    action(say.SetActive, turn.set_active, turn.why_not_set_active, nobody),
    action(say.EndGame, turn.end_game, turn.why_not_end_game, nobody),
    action(say.Resign, turn.resign, turn.why_not_resign, own_side),
    action(say.Adjust, umpire.adjust, no_objection, nobody, after_end=True),
    *engagements.MEETING.actions(engagements.by_seat),
)


def own_offers(state: State, seat: str) -> tuple[Offer, ...]:
    """9 What is offered to a seat, and to the umpire beside what every seat may say."""
    return umpires(state) if seat == UMPIRE else offers(state, seat)


BY_ITSELF = {  # what a chapter has asked for and nobody is asked about: another chapter goes on with it
    crossing.UNCONTESTED: Step(crossing.UNCONTESTED, "9.6 (5p)", leave=sea.uncontested, is_open=lambda state: False),
    sea.MEETING: Step(sea.MEETING, "L1.1", leave=engagements.meets, is_open=lambda state: False),
}


def step_of(state: State) -> str:
    """9 The players' moment, or what goes on by itself."""
    return next((prompt.kind for prompt in state.pending if prompt.kind in BY_ITSELF), "play")


SEQUENCE: Sequence[State] = Sequence(
    steps={"play": Step("play", "9", is_open=lambda state: True), **BY_ITSELF},
    step_of=step_of,
    sides=lambda state: tuple(SEATS),
    is_over=lambda state: state.is_over,
    over=("4", "The game is over."),
    anytime=ACTIONS,
    waiting=waiting_for,
    tidy=book_keeping.tidy,
    called=called,
    extra=own_offers,
)
