"""The umpire's hand."""

from __future__ import annotations

from strategic.sword_of_rome.commands import Adjust
from strategic.sword_of_rome.rules.by_hand import with_counts
from strategic.sword_of_rome.rules.checks import check
from strategic.sword_of_rome.rules.survey import with_pairs_in_order
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.view import HIDDEN
from tactical.kernel import adjusting
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Handled


def adjust(state: State, command: Adjust, dice: Dice) -> Handled[State]:
    """By the umpire: any field by its path (`forces.roma.romans.units`), with a reason; it must still be a position.

    How many CUs of a power have come and gone follows from the map, unless he sets that too.
    """

    def finish(raw: State) -> State:
        ordered = with_pairs_in_order(raw)
        is_counted = bool(state.tallies) and not any(path.startswith("tallies") for path in command.changes)
        return with_counts(state, ordered) if is_counted else ordered

    return adjusting.adjust(state, command.changes, command.why, "7", HIDDEN, check, finish)
