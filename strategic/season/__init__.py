"""O10 A club's season: battles of the same captains and ships, paired round by round, with a table of standings.

A season is journalled like a game, so that the organizer can undo, export and verify it; but it is not a game that
people play on a map, and `strategic.SYSTEMS` does not list it.
"""

from __future__ import annotations

from strategic.season.commands import Command
from strategic.season.sequence import SEQUENCE
from strategic.season.setup import HIDDEN, check, invariants, start, view
from strategic.season.state import Season
from tactical.kernel import engine
from tactical.kernel.protocol import declare

SEASON = engine.system(
    SEQUENCE,
    name="season",
    title="A club's season",
    version="5",
    state=Season,
    command=Command,
    options=(),
    scenarios=lambda: (),
    start=start,
    view=view,
    hidden=HIDDEN,
    invariants=invariants,
    events=declare("kernel", "season"),
    check=check,
)
