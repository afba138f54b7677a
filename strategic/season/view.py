"""Who sees what of a season: everybody all of it."""

from __future__ import annotations

from typing import Any

from strategic.season.rules.matching import count_rounds
from strategic.season.rules.records import records
from strategic.season.rules.standings import standings
from strategic.season.state import Season
from tactical.kernel.record import plain


def view(season: Season, seat: str) -> dict[str, Any]:
    """The season with its standings and the number of its rounds, the same for every seat."""
    told: dict[str, Any] = plain(season)
    told["standings"] = plain(standings(season))
    told["records"] = plain(records(season))
    told["planned"] = planned_rounds(season)
    return told


def planned_rounds(season: Season) -> int:
    """O10.1 How many rounds there are to be."""
    return season.rounds or count_rounds(season.pairing, len(season.players))
