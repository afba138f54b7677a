"""Hannibal: Rome vs. Carthage, the Second Punic War for two with hidden hands."""

from __future__ import annotations

from strategic.hannibal.commands import Command
from strategic.hannibal.faults import faults
from strategic.hannibal.play import apply, offers, waiting_for
from strategic.hannibal.setup import OPTIONS, scenarios, start
from strategic.hannibal.state import State
from strategic.hannibal.tables import SIDES
from strategic.hannibal.view import view
from tactical.kernel.play import System

HANNIBAL = System(
    name="hannibal",
    title="Hannibal: Rome vs. Carthage",
    version="1",
    state=State,
    command=Command,
    options=OPTIONS,
    scenarios=scenarios,
    start=start,
    offers=offers,
    apply=apply,
    view=view,
    waiting_for=waiting_for,
    sides=lambda state: SIDES,
    is_over=lambda state: state.result is not None,
    invariants=lambda state: tuple(f"{path}: {reason}" for path, reason in faults(state)),
)
