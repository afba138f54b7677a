"""The Sword of Rome: five powers, contested seas, interception. The fragment is enforced; the rest is by hand."""

from __future__ import annotations

from strategic.naval.engagement import put_on_table
from strategic.sword_of_rome.commands import BY_HAND, AnyCommand
from strategic.sword_of_rome.rules.by_hand import settable
from strategic.sword_of_rome.rules.checks import check
from strategic.sword_of_rome.rules.interception import chances
from strategic.sword_of_rome.rules.umpire import invariants
from strategic.sword_of_rome.sequence import SEQUENCE
from strategic.sword_of_rome.setup import ANEW, scenarios, start
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import HOUSE, SYSTEM
from strategic.sword_of_rome.view import HIDDEN, view
from tactical.kernel import engine
from tactical.kernel.options import infos
from tactical.kernel.protocol import declare
from tactical.kernel.questions import questions

SWORD_OF_ROME = engine.system(
    SEQUENCE,
    name=SYSTEM,
    title="The Sword of Rome",
    version="4",
    state=State,
    command=AnyCommand,
    options=infos("sword_of_rome/options.toml"),
    scenarios=scenarios,
    start=start,
    view=view,
    invariants=invariants,
    by_hand=BY_HAND,
    settable=settable,
    prompts=tuple(kind for kind, row in questions(SYSTEM).items() if row.asks == "side"),
    hidden=HIDDEN,
    events=declare("kernel", "naval", "approval", "sword_of_rome"),
    check=check,
    house=HOUSE,
    anew=ANEW,
    internal=("battle", "crossing", "fleeing", "move", "pending", "reaction", "tallies", "wishes"),
    effects=put_on_table,
    chances=chances,
)
