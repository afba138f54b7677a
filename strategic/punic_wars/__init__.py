"""SPI Punic Wars: three wars between Rome and Carthage on a hex map of the western Mediterranean."""

from __future__ import annotations

from strategic.punic_wars.commands import AnyCommand
from strategic.punic_wars.invariants import invariants
from strategic.punic_wars.offers import offers, waiting_for
from strategic.punic_wars.pieces import SIDES
from strategic.punic_wars.setup import OPTIONS, apply, scenarios, start
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.view import view
from tactical.kernel.play import System

PUNIC_WARS = System(
    name="punic_wars",
    title="Punic Wars",
    version="1",
    state=Campaign,
    command=AnyCommand,
    options=OPTIONS,
    scenarios=scenarios,
    start=start,
    offers=offers,
    apply=apply,
    view=view,
    waiting_for=waiting_for,
    sides=lambda state: SIDES,
    is_over=lambda state: state.result is not None,
    invariants=invariants,
)
