"""Hannibal: Rome vs. Carthage, the Second Punic War for two with hidden hands."""

from __future__ import annotations

from strategic.hannibal.commands import Command
from strategic.hannibal.rules.book import BOOK
from strategic.hannibal.rules.checks import check, invariants
from strategic.hannibal.rules.preview import CALCULATORS
from strategic.hannibal.sequence import SEQUENCE
from strategic.hannibal.setup import ANEW, OPTIONS, scenarios, start
from strategic.hannibal.state import State
from strategic.hannibal.tables import HOUSE
from strategic.hannibal.view import HIDDEN, view
from strategic.naval.engagement import put_on_table
from strategic.point_to_point.meeting import chances
from strategic.point_to_point.rulebook import play_by
from tactical.kernel import engine
from tactical.kernel.protocol import declare

play_by(State, BOOK)
HANNIBAL = engine.system(
    SEQUENCE,
    name="hannibal",
    title="Hannibal: Rome vs. Carthage",
    version="5",
    state=State,
    command=Command,
    options=OPTIONS,
    scenarios=scenarios,
    start=start,
    view=view,
    invariants=invariants,
    hidden=HIDDEN,
    events=declare("kernel", "naval", "point_to_point", "hannibal"),
    check=check,
    house=HOUSE,
    anew=ANEW,
    internal=("agenda", "battle", "deck", "march", "play"),
    calculators=CALCULATORS,
    effects=put_on_table,
    chances=chances,
)
