"""O3.6 A date for a battle at a table: the campaign goes on, and only the fleets that take part wait for it."""

from __future__ import annotations

import re

from msgspec.structs import replace

from strategic.open_campaign import commands as c
from strategic.open_campaign.rules.changes import Handled
from strategic.open_campaign.rules.waiting import after_meetings, meetings
from strategic.open_campaign.state import Appointment, State
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, event

LONGEST = 200  # letters of a place, or of who plays
DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):[0-5]\d", re.ASCII)


def why_not_appoint(state: State, command: c.Appoint) -> Illegal | None:
    """O3.6 The side takes part in a meeting that waits; the date is one."""
    found = next((each for each in meetings(state) if each.id == command.engagement), None)
    if found is None or command.side not in found.fleets:
        return Illegal("O3.6", "There is no such meeting.")
    if max(len(command.where), len(command.who)) > LONGEST:
        return Illegal("O3.6", "A place or a name may have at most %(most)s %(most|letter|letters)s.", most=LONGEST)
    is_date = not command.when or DATE.fullmatch(command.when)
    return None if is_date else Illegal("O3.6", "Give the date in the form 2026-12-31 20:00.")


def appoint(state: State, command: c.Appoint, dice: Dice) -> Handled:
    """O3.6 The meeting has its date, or none any more; when all that wait have one, the campaign goes on without them.

    A date that is taken back while the campaign has gone on leaves it so: the meeting is settled at any time.
    """
    sides = sorted(next(each.fleets for each in meetings(state) if each.id == command.engagement))
    dates = {name: date for name, date in state.appointed.items() if name != command.engagement}
    when, where, who = command.when.replace("T", " "), command.where.strip(), command.who.strip()
    if when or state.step != "engagement":
        dates[command.engagement] = Appointment(when, where, who)
    date = ", ".join(filter(None, (when, where, who))) if when else ""
    told = event("O3.6", "appointed", tuple(sides), sides=sides, when=date)
    return after_meetings(replace(state, appointed=dates)), (told,)
