"""The umpire's hand."""

from __future__ import annotations

from strategic.sword_of_rome.commands import Adjust
from strategic.sword_of_rome.rules.checks import check
from strategic.sword_of_rome.rules.survey import with_pairs_in_order
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.view import HIDDEN
from tactical.kernel import adjusting
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Handled


def adjust(state: State, command: Adjust, dice: Dice) -> Handled[State]:
    """By the umpire: any field by its path (`forces.roma.romans.units`), with a reason; it must still be a position."""
    return adjusting.adjust(state, command.changes, command.why, "7", HIDDEN, check, with_pairs_in_order)
