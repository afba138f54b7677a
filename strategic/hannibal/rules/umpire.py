"""What stands outside the rules: the umpire's hand, and giving up."""

from __future__ import annotations

from strategic.hannibal.rules.checks import check
from strategic.hannibal.rules.removal import end
from strategic.hannibal.state import State
from strategic.hannibal.view import HIDDEN
from strategic.point_to_point.commands import Resign
from strategic.point_to_point.tables import enemy
from tactical.kernel import adjusting
from tactical.kernel.adjusting import Adjust
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event


def resign(state: State, command: Resign, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """victory.4 A side sues for peace."""
    return end(state, enemy(command.side), "victory.4", f"{command.side} sues for peace")


def adjust(state: State, command: Adjust, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """reading.6 Fields set by their paths, as `spaces.rome.control`, with a reason; a contradiction is refused."""
    return adjusting.adjust(state, command.changes, command.why, "reading.6", HIDDEN, check)
