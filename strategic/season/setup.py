"""O10.1 How a season begins: from what the organizer has typed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strategic.season.rules.checks import check
from strategic.season.state import Season
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Outcome
from tactical.kernel.record import BadInput, read

LONGEST_TITLE = 120


def start(
    scenario: str | None, position: Mapping[str, Any] | None, options: Mapping[str, Any], dice: Dice
) -> Outcome[Season]:
    """O10.1 A season of this position. Raises BadInput with the field."""
    given = {
        name: value for name, value in dict(position or {}).items() if name not in ("standings", "planned", "records")
    }
    season: Season = read(given, Season)
    if not season.title.strip() or len(season.title) > LONGEST_TITLE:
        raise BadInput("title", "a title must have 1 to %(most)s characters", most=LONGEST_TITLE)
    for name in (
        "win",
        "draw",
        "loss",
        "bye",
        "unplayed",
        "repair",
        "replace",
        "drill",
        "shaken",
        "turn_limit",
        "remind",
    ):
        if not 0 <= getattr(season.settings, name) <= 100:
            raise BadInput(f"settings.{name}", "this must be a number from 0 to %(most)s", most=100)
    if season.rounds is not None and not 1 <= season.rounds <= 64:
        raise BadInput("rounds", "this must be a number from %(least)s to %(most)s", least=1, most=64)
    if not 0 <= season.points <= 1000:
        raise BadInput("points", "this must be a number from 0 to %(most)s", most=1000)
    if len(season.zone) > LONGEST_TITLE:
        raise BadInput("zone", "name a time zone, such as Europe/Rome")
    check(season)
    return Outcome(season)
