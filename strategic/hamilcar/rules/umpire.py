"""reading.6 The umpire sets any field of a position, in the open but for the cards."""

from __future__ import annotations

from strategic.hamilcar.rules.checks import check
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.view import HIDDEN
from tactical.kernel import adjusting
from tactical.kernel.adjusting import Adjust
from tactical.kernel.dice import Dice


def adjust(state: State, command: Adjust, dice: Dice) -> Handled:
    """reading.6 Each change is a path (`spaces.roma.rome.units`) and its new value; contradictions are refused."""
    return adjusting.adjust(state, command.changes, command.why, "reading.6", HIDDEN, check)
