"""Single ships on hexes: the galley engine and the kernel that every engine shares."""

from __future__ import annotations

from tactical import fleet_orders
from tactical.battle import Battle
from tactical.commands import AnyCommand
from tactical.house_rules import HOUSE
from tactical.invariants import invariants
from tactical.kernel import engine
from tactical.kernel.vocabulary import declare
from tactical.options import OPTIONS
from tactical.position import DRAWN, check
from tactical.sequence import SEQUENCE
from tactical.setup import scenarios, start
from tactical.view import HIDDEN, view

GALLEY = engine.system(
    SEQUENCE,
    name="galley",
    title="Galley tactics",
    version="3",
    state=Battle,
    command=AnyCommand,
    options=OPTIONS,
    scenarios=scenarios,
    start=start,
    view=view,
    invariants=invariants,
    hidden=HIDDEN,
    events=declare("kernel", "galley"),
    check=check,
    drawn=DRAWN,
    house=HOUSE,
    at_once=fleet_orders.offers,
)
