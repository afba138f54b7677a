"""Who sees what of a season: everybody all of it, but a round that is not published yet, which is the organizer's."""

from __future__ import annotations

from typing import Any

import msgspec

from strategic.season.rules.matching import count_rounds
from strategic.season.rules.records import records
from strategic.season.rules.standings import standings
from strategic.season.state import Season
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain


def season_seen_by(season: Season, seat: str) -> Season:
    """O10.1 The season as a seat may see it: the organizer alone sees a round before it is published."""
    if seat == UMPIRE or not season.played or season.played[-1].published:
        return season
    return msgspec.structs.replace(season, played=season.played[:-1])


def view(season: Season, seat: str) -> dict[str, Any]:
    """The season as a seat may see it, with its standings and the number of its rounds."""
    season = season_seen_by(season, seat)
    told: dict[str, Any] = plain(season)
    told["standings"] = plain(standings(season))
    told["records"] = plain(records(season))
    told["planned"] = planned_rounds(season)
    return told


def planned_rounds(season: Season) -> int:
    """O10.1 How many rounds there are to be."""
    return season.rounds or count_rounds(season.pairing, len(season.players))
