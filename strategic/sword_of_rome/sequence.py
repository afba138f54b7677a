"""The order of play as steps: an action, the march of an army, and each question that the march brings up.

Between the answers of a step everything stands still; what may be said at any time is the players' book-keeping.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

from strategic.sword_of_rome import commands as say
from strategic.sword_of_rome.commands import Note, OldCommand
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
from strategic.sword_of_rome.rules.offers import actions, answers, cards, marches, umpires
from strategic.sword_of_rome.rules.survey import seat_of
from strategic.sword_of_rome.rules.umpire import waiting_for
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import CARTHAGE, SEATS, name_of
from tactical.kernel.corrections import Approve
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


def own_side(state: State, command: Any) -> tuple[str | None, ...]:
    """The side's that the command names."""
    return (command.side,)


def carthage(state: State, command: Any) -> tuple[str | None, ...]:
    """Carthage's."""
    return (seat_of(state, CARTHAGE),)


def samnites(state: State, command: Any) -> tuple[str | None, ...]:
    """The Samnites'."""
    return (seat_of(state, interception.SAMNITES),)


def anybody(state: State, command: Any) -> None:
    """Any player's."""
    return None


def nobody(state: State, command: Any) -> tuple[str | None, ...]:
    """The umpire's alone."""
    return ()


def no_objection(state: State, command: Any) -> None:
    """It is always possible."""
    return None


def always(state: State) -> bool:
    """Somebody has to act."""
    return True


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
STEPS: tuple[Step[State], ...] = (
    Step(
        "action",
        "5",
        (
            action(say.Activate, land.activate, land.why_not_activate, active, rule="5"),
            action(say.EndAction, turn.end_action, lambda state, _: land.why_not_act(state), active),
            action(say.SetActive, turn.set_active, turn.why_not_set_active, nobody),
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
            action(say.CloseDeclarations, reaction.close_declarations, no_objection, nobody),
        ),
    ),
    Step(
        "order", "10.3", (action(say.SetOrder, reaction.set_order, reaction.why_not_order, seat_of_question("order")),)
    ),
    Step(
        "commander",
        "10.4.a",
        (
            action(
                say.TakeCommand, interception.take_command, interception.why_not_command, seat_of_question("commander")
            ),
        ),
    ),
    Step(
        "intercepted",
        "10.5",
        (
            DECLINE,
            action(say.Fight, interception.fight, no_objection, seat_of_question("intercepted")),
        ),
    ),
    Step(
        "permit",
        "10.5.1",
        (
            action(say.Permit, interception.permit, no_objection, seat_of_question("permit")),
            STORMS,
        ),
    ),
    Step(
        "contest",
        "9.6 (5p)",
        (
            action(say.Contest, sea.contest, sea.why_not_contest_with, carthage, rule="9.6 (5p)"),
            action(say.Pass, sea.pass_by, no_objection, carthage, rule="9.6 (5p)"),
            STORMS,
        ),
    ),
    Step(
        "sea_roll",
        "9.6.4",
        (
            action(say.SeaRoll, sea.sea_roll, no_objection, seat_of_question("sea_roll")),
            STORMS,
        ),
    ),
    Step("engagement", "L1.1", (STORMS,)),
    Step(
        "avoid_to",
        "11.1.a",
        (action(say.AvoidTo, avoidance.avoid_to, avoidance.why_not_avoid_to, seat_of_question("avoid_to")),),
    ),
    Step(
        "foe",
        "9.4.1",
        (action(say.ChooseFoe, moving_army.choose_foe, moving_army.why_not_choose, seat_of_question("foe")),),
    ),
    Step("pursue", "11.3", (action(say.Pursue, avoidance.pursue, no_objection, seat_of_question("pursue")),)),
    Step(
        "battle",
        "12.2",
        (
            action(say.RollBattle, battle.roll_battle, no_objection, seat_of_question("battle")),
            action(say.SetModifier, battle.set_modifier, no_objection, anybody, for_seat=APPROVAL.why_not_wish),
            DECLINE,
        ),
    ),
    Step(
        "retreat", "12.4", (action(say.Retreat, battle.retreat, battle.why_not_retreat, seat_of_question("retreat")),)
    ),
    # what goes on by itself
    Step(moving_army.UNCONTESTED, "9.6 (5p)", leave=sea.cross_freely, is_open=lambda state: False),
    Step(sea.MEETING_STEP, "L1.1", leave=sea.meets, is_open=lambda state: False),
)
ANYTIME: tuple[Action[State], ...] = (
    action(
        say.ByHand,
        by_hand.by_hand,
        by_hand.why_not_by_hand,
        by_hand.whose,
        by_umpire=True,
        after_end=True,
        for_seat=APPROVAL.why_not_wish,
    ),
    *(
        action(
            old,
            by_hand.do,
            by_hand.why_not,
            by_hand.whose_old,
            by_umpire=True,
            after_end=old is Note,
            for_seat=APPROVAL.why_not_wish,
        )
        for old in get_args(OldCommand)
    ),
    action(say.TakeCard, turn.take_card, turn.why_not_take_card, own_side, for_seat=APPROVAL.why_not_wish),
    action(Approve, APPROVAL.approve, APPROVAL.why_not_approve, own_side, by_umpire=True, rule="7"),
    action(say.Discard, turn.discard, turn.why_not_discard, own_side),
    action(say.Resign, turn.resign, turn.why_not_resign, own_side),
    action(say.EndGame, turn.end_game, turn.why_not_end_game, nobody),
    action(say.Adjust, umpire.adjust, no_objection, nobody, after_end=True),
    *sea.MEETING.actions(sea.by_seat),
)


def waits(each: Step[State]) -> Step[State]:
    """The step, waiting for somebody if it has actions; without offers of its own the answers to its question."""
    if not each.actions:
        return each
    return replace(each, is_open=always, seats=sides, offers=each.offers or answers)


def step_of(state: State) -> str:
    """9 The question that is open, else the march under way, else the next action."""
    if state.pending:
        return state.pending[0].kind
    return "action" if state.move is None else "march"


def to_seat(state: State, seat: str) -> tuple[Offer, ...]:
    """What is offered besides the steps: cards taken and laid away, and what the umpire alone may say."""
    if seat == UMPIRE:
        return (*umpires(state), *APPROVAL.offers(state, seat))
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
