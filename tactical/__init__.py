"""Single ships on hexes: the galley engine and the kernel that every engine shares."""

from __future__ import annotations

from tactical import courses
from tactical.battle import HOUSE, OPTIONS, Battle
from tactical.commands import AnyCommand
from tactical.kernel import engine
from tactical.kernel.protocol import declare
from tactical.offers import HIDDEN, view
from tactical.position import DRAWN, check, invariants
from tactical.sequence import SEQUENCE
from tactical.setup import scenarios, start

GALLEY = engine.system(
    SEQUENCE,
    name="galley",
    title="Galley tactics",
    version="4",
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
    at_once=courses.offers,
)
