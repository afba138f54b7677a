"""Who may say what when, and `apply`, which does it. The order of a step stands in the rules: 9.3, 10.3, 10.5, 11.1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from strategic.settling import LinkCommand
from strategic.sword_of_rome import commands as say
from strategic.sword_of_rome.rules import (
    avoidance,
    battle,
    book_keeping,
    by_hand,
    declining,
    forks,
    interception,
    land,
    link,
    reaction,
    retreat,
    sea,
    turn,
    umpire,
)
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.survey import seat_of
from strategic.sword_of_rome.tables import CARTHAGE, POWERS, SEATS, SPACES, called
from tactical.kernel.dice import Dice
from tactical.kernel.play import SPECTATOR, UMPIRE, Handled, Illegal, NotYours, Outcome

Whose = Callable[[State, Any], tuple[str | None, ...] | None]


@dataclass(frozen=True)
class Rule:
    """What a command does, why it may be refused, and whose it is (None: any player's)."""

    do: Callable[[State, Any, Dice], Handled[State]]
    why_not: Callable[[State, Any], Illegal | None]
    whose: Whose


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


RULES: dict[type, Rule] = {
    say.Activate: Rule(land.activate, land.why_not_activate, active),
    say.EndAction: Rule(turn.end_action, lambda state, _: land.why_not_act(state), active),
    say.Step: Rule(land.step, lambda state, command: land.why_not_step(state, command.to), mover),
    say.Sail: Rule(sea.sail, lambda state, command: sea.why_not_sail(state, command.to), mover),
    say.Drop: Rule(land.drop, land.why_not_drop, mover),
    say.PickUp: Rule(land.pick_up, land.why_not_pick_up, mover),
    say.Halt: Rule(land.halt, lambda state, _: land.why_not_halt(state), mover),
    say.LendShips: Rule(sea.lend_ships, sea.why_not_lend, carthage),
    say.Declare: Rule(reaction.declare, reaction.why_not_declare, own_side),
    say.CloseDeclarations: Rule(reaction.close_declarations, reaction.why_not_close, nobody),
    say.SetOrder: Rule(reaction.set_order, reaction.why_not_order, asked("order")),
    say.TakeCommand: Rule(interception.take_command, interception.why_not_command, asked("commander")),
    say.Decline: Rule(declining.decline, lambda state, _: declining.why_not_decline(state), asked("intercepted")),
    say.Fight: Rule(declining.fight, lambda state, _: declining.why_not_fight(state), asked("intercepted")),
    say.Permit: Rule(declining.permit, declining.why_not_permit, asked("permit")),
    say.Contest: Rule(sea.contest, lambda state, command: sea.why_not_answer(state, command.card), carthage),
    say.Pass: Rule(sea.pass_by, lambda state, _: sea.why_not_answer(state, None), carthage),
    say.SeaRoll: Rule(sea.sea_roll, lambda state, _: sea.why_not_sea_roll(state), asked("sea_roll")),
    say.AvoidTo: Rule(avoidance.avoid_to, avoidance.why_not_avoid_to, asked("avoid_to")),
    say.Pursue: Rule(avoidance.pursue, lambda state, _: avoidance.why_not_pursue(state), asked("pursue")),
    say.RollBattle: Rule(battle.roll_battle, lambda state, _: battle.why_not_roll(state), asked("battle")),
    say.SetModifier: Rule(battle.set_modifier, battle.why_not_modifier, anybody),
    say.Retreat: Rule(retreat.retreat, retreat.why_not_retreat, asked("retreat")),
    say.CaudineForks: Rule(forks.caudine_forks, forks.why_not_caudine_forks, samnites),
    say.StormsAtSea: Rule(declining.storms_at_sea, declining.why_not_storms, own_side),
    say.Place: Rule(by_hand.place, by_hand.why_not_place, own_power),
    say.Remove: Rule(by_hand.remove, by_hand.why_not_remove, own_power),
    say.MoveByHand: Rule(by_hand.move_by_hand, by_hand.why_not_move_by_hand, own_power),
    say.SetCommander: Rule(by_hand.set_commander, by_hand.why_not_commander, own_power),
    say.SetControl: Rule(by_hand.set_control, by_hand.why_not_control, holder),
    say.SetSiege: Rule(by_hand.set_siege, by_hand.why_not_siege, anybody),
    say.SetAlliance: Rule(by_hand.set_alliance, by_hand.why_not_alliance, own_power),
    say.SetPoints: Rule(by_hand.set_points, by_hand.why_not_points, own_power),
    say.SetUnrest: Rule(by_hand.set_unrest, no_objection, anybody),
    say.SetEvent: Rule(by_hand.set_event, by_hand.why_not_event, anybody),
    say.SetRunner: Rule(by_hand.set_runner, by_hand.why_not_runner, anybody),
    say.TakeCard: Rule(turn.take_card, turn.why_not_take_card, own_side),
    say.Discard: Rule(turn.discard, turn.why_not_discard, own_side),
    say.Note: Rule(by_hand.note, no_objection, own_side),
    say.SetActive: Rule(turn.set_active, turn.why_not_set_active, nobody),
    say.EndGame: Rule(turn.end_game, turn.why_not_end_game, nobody),
    say.Resign: Rule(turn.resign, turn.why_not_resign, own_side),
    say.Adjust: Rule(umpire.adjust, no_objection, nobody),
}
AFTER_THE_END = (say.Adjust, say.Note)


def apply(state: State, seat: str, command: Any, dice: Dice) -> Outcome[State]:
    """9 Carry out one command of a seat. Raises NotYours, Illegal with the paragraph, RollNeeded for dice."""
    if isinstance(command, LinkCommand) and not state.is_over:
        state, events = link.command(state, seat, command, dice)
        state, more = book_keeping.tidy(state)
        dice.finish()
        return Outcome(state, (*events, *more))
    rule = RULES.get(type(command))
    if rule is None:
        raise Illegal("4", "The game is over.")
    if state.is_over and not isinstance(command, AFTER_THE_END):
        raise Illegal("4", "The game is over.")
    yours(state, seat, command, rule)
    wrong = rule.why_not(state, command)
    if wrong is not None:
        raise wrong
    state, events = rule.do(state, command, dice)
    state, more = book_keeping.tidy(state)
    dice.finish()
    return Outcome(state, (*events, *more))


def yours(state: State, seat: str, command: Any, rule: Rule) -> None:
    """A seat speaks for its own powers; the umpire for any; a spectator for none. Unknown sides are named."""
    side = getattr(command, "side", None)
    if side is not None and side not in SEATS and not (isinstance(command, say.Note) and side == UMPIRE):
        raise Illegal("2", f"There is no side {side!r}; the sides are {', '.join(SEATS)}.")
    if seat == UMPIRE:
        return
    if seat == SPECTATOR or seat not in SEATS:
        raise NotYours("A spectator gives no commands.")
    whose = rule.whose(state, command)
    if whose is None or seat in whose:
        return
    others = " and ".join(called(each) for each in sorted(each for each in whose if each)) or "the umpire"
    raise NotYours(f"This is for {others} to say, not for {called(seat)}.")
