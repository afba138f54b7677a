"""Hamilcar: the First Punic War."""

from __future__ import annotations

from strategic.hamilcar.commands import Command
from strategic.hamilcar.rules.book import BOOK
from strategic.hamilcar.rules.checks import check, invariants
from strategic.hamilcar.rules.odds import CALCULATORS
from strategic.hamilcar.rules.sea import chances
from strategic.hamilcar.sequence import SEQUENCE
from strategic.hamilcar.setup import ANEW, OPTIONS, scenarios, start
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import HOUSE
from strategic.hamilcar.view import HIDDEN, view
from strategic.naval.engagement import put_on_table
from strategic.point_to_point.rulebook import play_by
from tactical.kernel import engine
from tactical.kernel.protocol import declare

play_by(State, BOOK)
HAMILCAR = engine.system(
    SEQUENCE,
    name="hamilcar",
    title="Hamilcar: the First Punic War",
    version="4",
    state=State,
    command=Command,
    options=OPTIONS,
    scenarios=scenarios,
    start=start,
    view=view,
    invariants=invariants,
    hidden=HIDDEN,
    events=declare("kernel", "naval", "point_to_point", "hamilcar"),
    check=check,
    house=HOUSE,
    anew=ANEW,
    internal=("agenda", "battle", "deck", "march", "naval", "play", "voyage"),
    calculators=CALCULATORS,
    effects=put_on_table,
    chances=chances,
)
