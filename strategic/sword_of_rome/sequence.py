"""The order of play as steps: an action, the march of an army, and each question that the march brings up.

Between the answers of a step everything stands still; what may be said at any time is the players' book-keeping.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from strategic.sword_of_rome import commands as say
from strategic.sword_of_rome.rules import (
    avoidance,
    battle,
    by_hand,
    interception,
    land,
    moving_army,
    reaction,
    sea,
    turn,
    umpire,
)
from strategic.sword_of_rome.rules.by_hand import APPROVAL
from strategic.sword_of_rome.rules.offers import actions, answers, cards, marches, to_umpire
from strategic.sword_of_rome.rules.survey import seat_of
from strategic.sword_of_rome.rules.umpire import waiting_for
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import CARTHAGE, SEATS, name_of
from tactical.kernel.corrections import Approve
from tactical.kernel.dice import Dice
from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import UMPIRE, Action, Handled, Illegal, Offer, Step, allow, anybody, own_side, umpires

Whose = Callable[[State, Any], tuple[str | None, ...] | None]


def action(
    command: type,
    do: Callable[[State, Any, Dice], Handled[State]],
    why_not: Callable[[State, Any], Illegal | None],
    whose: Whose,
    by_umpire: bool = False,
    rule: str = "",
    **more: Any,
) -> Action[State]:
    """A command with the paragraph that says when it is possible.

    A side that it names must be one, or the umpire where he may be named.
    """

    def seats(state: State, given: Any) -> tuple[str, ...] | None:
        side = getattr(given, "side", None)
        if side is not None and side not in SEATS and not (by_umpire and side == UMPIRE):
            raise Illegal(
                "2", "There is no side called %(side)s; the sides are %(list)s.", side=repr(side), list=tuple(SEATS)
            )
        found = whose(state, given)
        return None if found is None else tuple(sorted(each for each in found if each))

    return Action(command, rule or (command.__doc__ or "").split(" ")[0].rstrip(","), do, why_not, whose=seats, **more)


def asked(
    kind: str,
    rule: str,
    command: type,
    do: Callable[[State, Any, Dice], Handled[State]],
    why_not: Callable[[State, Any], Illegal | None],
    *more: Action[State],
) -> Step[State]:
    """The step of a question, with the command of the player who is asked, and what else may be said then."""
    return Step(kind, rule, (action(command, do, why_not, seat_of_question(kind)), *more))


def active(state: State, command: Any) -> tuple[str | None, ...]:
    """The active player's."""
    return (state.active,)


def mover(state: State, command: Any) -> tuple[str | None, ...] | None:
    """The player's whose army is on the move."""
    return (seat_of(state, state.move.power),) if state.move is not None else None


def seat_of_question(*kinds: str) -> Whose:
    """The player's who is asked this."""

    def whose(state: State, command: Any) -> tuple[str | None, ...] | None:
        found = [prompt.seat for prompt in state.pending if prompt.kind in kinds]
        return tuple(found) or None

    return whose


def carthage(state: State, command: Any) -> tuple[str | None, ...]:
    """Carthage's."""
    return (seat_of(state, CARTHAGE),)


def samnites(state: State, command: Any) -> tuple[str | None, ...]:
    """The Samnites'."""
    return (seat_of(state, interception.SAMNITES),)


def sides(state: State) -> tuple[str, ...]:
    """2 All seats; who of them is waited for says `waiting_for`."""
    return tuple(SEATS)


STORMS = action(say.StormsAtSea, interception.storms_at_sea, interception.why_not_storms, own_side)
DECLINE = action(
    say.Decline,
    interception.decline,
    lambda state, _: interception.why_not_decline(state),
    seat_of_question("intercepted", "battle"),
)
MODIFY = action(say.SetModifier, battle.set_modifier, allow, anybody, for_seat=APPROVAL.why_not_wish)
STEPS: tuple[Step[State], ...] = (
    Step(
        "action",
        "5",
        (
            action(say.Activate, land.activate, land.why_not_activate, active, rule="5"),
            action(say.EndAction, turn.end_action, lambda state, _: land.why_not_act(state), active),
            action(say.SetActive, turn.set_active, turn.why_not_set_active, umpires),
        ),
        offers=actions,
    ),
    Step(
        "march",
        "9.2",
        (
            action(say.Step, land.step, lambda state, command: land.why_not_step(state, command.to), mover),
            action(say.Sail, sea.sail, lambda state, command: sea.why_not_sail(state, command.to), mover),
            action(say.Drop, land.drop, land.why_not_drop, mover, rule="9.2"),
            action(say.PickUp, land.pick_up, land.why_not_pick_up, mover, rule="9.2"),
            action(say.Halt, land.halt, lambda state, _: land.why_not_halt(state), mover),
            action(say.LendShips, sea.lend_ships, sea.why_not_lend, carthage),
            action(
                say.CaudineForks,
                interception.caudine_forks,
                interception.why_not_caudine_forks,
                samnites,
                rule="10.5.2 (note)",
            ),
        ),
        offers=marches,
    ),
    Step("flank", "9.5.6", (action(say.ConfirmFlank, land.confirm_flank, land.why_not_confirm_flank, own_side, True),)),
    Step(
        "declare",
        "10.3",
        (
            action(say.Declare, reaction.declare, reaction.why_not_declare, own_side),
            action(say.CloseDeclarations, reaction.close_declarations, allow, umpires),
        ),
    ),
    asked("order", "10.3", say.SetOrder, reaction.set_order, reaction.why_not_order),
    asked("commander", "10.4.a", say.TakeCommand, interception.take_command, interception.why_not_command),
    Step(
        "intercepted",
        "10.5",
        (DECLINE, action(say.Fight, interception.fight, allow, seat_of_question("intercepted"))),
    ),
    asked("permit", "10.5.1", say.Permit, interception.permit, allow, STORMS),
    Step(
        "contest",
        "9.6 (5p)",
        (
            action(say.Contest, sea.contest, sea.why_not_contest_with, carthage, rule="9.6 (5p)"),
            action(say.Pass, sea.pass_by, allow, carthage, rule="9.6 (5p)"),
            STORMS,
        ),
    ),
    asked("sea_roll", "9.6.4", say.SeaRoll, sea.sea_roll, allow, STORMS),
    Step("engagement", "L1.1", (STORMS,)),
    asked("avoid_to", "11.1.a", say.AvoidTo, avoidance.avoid_to, avoidance.why_not_avoid_to),
    asked("foe", "9.4.1", say.ChooseFoe, moving_army.choose_foe, moving_army.why_not_choose),
    asked("pursue", "11.3", say.Pursue, avoidance.pursue, allow),
    asked("battle", "12.2", say.RollBattle, battle.roll_battle, allow, MODIFY, DECLINE),
    asked("retreat", "12.4", say.Retreat, battle.retreat, battle.why_not_retreat),
    # what goes on by itself
    Step(moving_army.UNCONTESTED, "9.6 (5p)", leave=sea.cross_freely, is_open=lambda state: False),
    Step(sea.MEETING_STEP, "L1.1", leave=sea.meets, is_open=lambda state: False),
)
ANYTIME: tuple[Action[State], ...] = (
    *(
        action(
            each.command,
            each.do,
            each.why_not,
            each.whose or own_side,
            by_umpire=each.command is not say.TakeCard,
            after_end=each.command in (say.ByHand, say.Note),
            for_seat=APPROVAL.why_not_wish,
        )
        for each in by_hand.BY_HAND
        if each.command is not say.SetModifier
    ),
    action(Approve, APPROVAL.approve, APPROVAL.why_not_approve, own_side, by_umpire=True, rule="7"),
    action(say.Discard, turn.discard, turn.why_not_discard, own_side),
    action(say.Resign, turn.resign, turn.why_not_resign, own_side),
    action(say.EndGame, turn.end_game, turn.why_not_end_game, umpires),
    action(say.Adjust, umpire.adjust, allow, umpires, after_end=True),
    *sea.MEETING.actions(sea.by_seat),
)


def waits(each: Step[State]) -> Step[State]:
    """The step, waiting for somebody if it has actions; without offers of its own the answers to its question."""
    if not each.actions:
        return each
    return replace(each, is_open=lambda state: True, seats=sides, offers=each.offers or answers)


def step_of(state: State) -> str:
    """9 The question that is open, else the march under way, else the next action."""
    if state.pending:
        return state.pending[0].kind
    return "action" if state.move is None else "march"


def to_seat(state: State, seat: str) -> tuple[Offer, ...]:
    """What is offered besides the steps: cards taken and laid away, and what the umpire alone may say."""
    if seat == UMPIRE:
        return (*to_umpire(state), *APPROVAL.offers(state, seat))
    return (*cards(state, seat), *(() if state.is_over or seat in state.resigned else APPROVAL.offers(state, seat)))


SEQUENCE: Sequence[State] = Sequence(
    steps={each.name: waits(each) for each in STEPS},
    step_of=step_of,
    sides=sides,
    is_over=lambda state: state.is_over,
    over=("4", "The game is over."),
    anytime=ANYTIME,
    waiting=waiting_for,
    tidy=moving_army.tidy,
    wrap=APPROVAL.wrap,
    called=name_of,
    by_own_rule=True,
    extra=to_seat,
)
