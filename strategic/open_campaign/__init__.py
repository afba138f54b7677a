"""The open campaign: a war of one's own at sea, with secret orders and simultaneous turns."""

from __future__ import annotations

from strategic.open_campaign.commands import Command
from strategic.open_campaign.rules.charge import CHARGES
from strategic.open_campaign.rules.house_rules import HOUSE
from strategic.open_campaign.rules.position import check, invariants
from strategic.open_campaign.rules.waiting import openings
from strategic.open_campaign.sequence import SEQUENCE
from strategic.open_campaign.setup import OPTIONS, all_scenarios, start
from strategic.open_campaign.state import State
from strategic.open_campaign.view import HIDDEN, view
from tactical.kernel import engine
from tactical.kernel.vocabulary import declare

OF_FLEETS = ("order", "cancel_order", "detach", "mark", "assign", "write", "answer")
OF_SIDES = ("post", "propose", "agree_treaty", "denounce", "build", "borrow", "repay", "subsidize", "ransom")

OPEN_CAMPAIGN = engine.system(
    SEQUENCE,
    name="open_campaign",
    title="The open campaign",
    version="5",
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
    internal=("before", "goals", "known", "letters", "mail", "orders", "pins", "step", "stocks", "treaties", "weather"),
    house=HOUSE,
    effects=openings,
    secret=frozenset((*OF_FLEETS, *OF_SIDES)),
    charges=CHARGES,
)
