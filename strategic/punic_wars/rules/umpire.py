"""The umpire's hand."""

from __future__ import annotations

from strategic.punic_wars.commands import Adjust
from strategic.punic_wars.rules.aftermath import aftermath
from strategic.punic_wars.rules.position import balance, check, complete
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.view import HIDDEN
from tactical.kernel import adjusting
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event


def adjust(state: Campaign, command: Adjust, dice: Dice) -> tuple[Campaign, tuple[Event, ...]]:
    """The umpire sets fields by their paths, with a reason; the position that results is checked like any other."""
    rule = "L1.4" if state.pending else "4.1"
    new, told = adjusting.adjust(
        state, command.changes, command.why, rule, HIDDEN, check, lambda changed: balance(complete(changed))
    )
    events: tuple[Event, ...] = ()
    if new.result is None and new.pending is None and new.phase != "setup":
        new, events = aftermath(new)
    return new, (*told, *events)
