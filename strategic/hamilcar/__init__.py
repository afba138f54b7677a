"""Hamilcar: the First Punic War."""

from __future__ import annotations

from strategic.hamilcar.commands import Command
from strategic.hamilcar.invariants import invariants
from strategic.hamilcar.sequence import apply, offers, waiting_for
from strategic.hamilcar.setup import OPTIONS, scenarios, start
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import SIDES
from strategic.hamilcar.view import view
from tactical.kernel.play import System

HAMILCAR = System(
    name="hamilcar",
    title="Hamilcar: the First Punic War",
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
    is_over=lambda state: state.phase == "over",
    invariants=invariants,
)
