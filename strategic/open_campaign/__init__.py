"""The open campaign: a war of one's own at sea, with secret orders and simultaneous turns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from strategic.open_campaign.commands import Command
from strategic.open_campaign.rules.charge import CHARGES
from strategic.open_campaign.rules.holding import hold_back, openings, release, why_not_meeting
from strategic.open_campaign.rules.position import check, invariants
from strategic.open_campaign.sequence import SEQUENCE
from strategic.open_campaign.setup import DRAWN, OPTIONS, all_scenarios, start
from strategic.open_campaign.state import State
from strategic.open_campaign.tables import HOUSE
from strategic.open_campaign.view import HIDDEN, view
from tactical.kernel import engine
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Outcome, Refusal, declare, refuse

OF_FLEETS = ("order", "cancel_order", "detach", "mark", "assign", "write", "answer")
OF_SIDES = ("post", "propose", "agree_treaty", "denounce", "build", "borrow", "repay", "subsidize", "ransom")

ENGINE = engine.system(
    SEQUENCE,
    name="open_campaign",
    title="The open campaign",
    version="11",
    state=State,
    command=Command,
    options=OPTIONS,
    scenarios=all_scenarios,
    start=start,
    view=view,
    invariants=invariants,
    hidden=HIDDEN,
    events=declare("kernel", "naval", "open_campaign"),
    check=check,
    drawn=DRAWN,
    internal=(
        *("before", "goals", "known", "letters", "mail", "orders", "pins", "step", "stocks", "treaties", "unsent"),
        "weather",
    ),
    house=HOUSE,
    effects=openings,
    secret=frozenset((*OF_FLEETS, *OF_SIDES)),
    charges=CHARGES,
    unsent=release,
)


def apply(state: State, seat: str, command: Any, dice: Dice) -> Outcome[State]:
    """What a command brings; while the umpire holds a turn, what happens in it is his alone (O3.7).

    Raises as `engine.apply` does.
    """
    refuse(why_not_meeting(state, seat, command))
    return hold_back(command, ENGINE.apply(state, seat, command, dice))


def why_not(state: State, seat: str, command: Any) -> Refusal | None:
    """Why this seat may not give the command now; None where it may."""
    return why_not_meeting(state, seat, command) or ENGINE.why_not(state, seat, command)


OPEN_CAMPAIGN = replace(ENGINE, apply=apply, why_not=why_not)
