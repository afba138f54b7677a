"""7 What is set by hand and is not the player's own affair waits for the word of others, as the group has chosen."""

from __future__ import annotations

from typing import Any, get_args

from strategic.sword_of_rome.commands import AnyCommand, ByHand, SetModifier, TakeCard
from strategic.sword_of_rome.rules import battle, by_hand, turn, upgrade
from strategic.sword_of_rome.rules.old_commands import OldCommand
from strategic.sword_of_rome.rules.own_affairs import is_own, others
from strategic.sword_of_rome.state import State
from tactical.kernel.approval import Approval
from tactical.kernel.protocol import Action, Illegal

OLD = get_args(OldCommand)
BY_HAND: tuple[Action[State], ...] = (
    Action(ByHand, "7", by_hand.by_hand, by_hand.why_not_by_hand, whose=by_hand.whose),
    *(Action(old, "7", upgrade.do, upgrade.why_not, whose=upgrade.whose) for old in OLD),
    Action(TakeCard, "6.2", turn.take_card, turn.why_not_take_card),
    Action(SetModifier, "12.2", battle.set_modifier, lambda state, _: why_not_modify(state)),
)


def why_not_modify(state: State) -> Illegal | None:
    """12.2 A card changes a battle that is still to be rolled."""
    return None if state.asks("battle") else Illegal("12.2", "No battle is waiting for a roll.")


def is_own_command(state: State, seat: str, command: Any) -> bool:
    """7 The same of a command of an earlier version, as what it has become."""
    if isinstance(command, OLD):
        try:
            command = upgrade.upgrade(state, command)
        except Illegal:
            return True  # it is refused anyway
    return is_own(state, seat, command)


APPROVAL: Approval[State] = Approval(
    rule="7",
    commands=AnyCommand,
    actions={each.command: each for each in BY_HAND},
    word=lambda state: state.options.by_hand,
    is_own=is_own_command,
    others=others,
)
