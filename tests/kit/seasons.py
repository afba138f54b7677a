"""A season at hand: begun, a command given or refused, a round paired and played."""

from __future__ import annotations

import random
from typing import Any

import pytest

from strategic.season import SEASON
from strategic.season.state import Season
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, read

QUINQUEREMES = [{"type": "quinquereme", "name": name} for name in ("Aquila", "Lupa", "Fortuna", "Minerva")]
OWN = {"liburna": {"hull": 4, "maximum": 6, "cruise": 4, "turn_cycle": 1, "acceleration": 3, "ram": -1}}
OWN["liburna"]["crew"] = {"roman": {"medium": 1}}


def begun(players: int = 0, **fields: Any) -> Season:
    """A season with so many players, each with four quinqueremes."""
    season = SEASON.start(None, {"title": "Winter", **fields}, {}, Dice()).state
    for number in range(players):
        season = do(season, "enroll", name=f"Player {number + 1}", navy="roman", ships=QUINQUEREMES)
    return season


def do(season: Season, kind: str, seat: str = "umpire", **fields: Any) -> Season:
    """The season after a command; lots are drawn in the order in which the players came."""
    command = read({"type": kind, **fields}, SEASON.command)
    found = SEASON.apply(season, seat, command, Dice(secret=lambda sides: 1)).state
    assert SEASON.invariants(found) == ()
    return found


def refused(season: Season, kind: str, seat: str = "umpire", **fields: Any) -> str:
    """The sentence of a refusal."""
    with pytest.raises((Illegal, NotYours, BadInput)) as wrong:
        do(season, kind, seat, **fields)
    return str(wrong.value)


def paired(season: Season) -> Season:
    """The next round, published."""
    season = do(season, "pair")
    return do(season, "publish", round=len(season.played))


def played(season: Season, rng: random.Random | None = None) -> Season:
    """The open pairings of the round settled by the organizer: the first named wins, or by lot."""
    for name in season.now.open():
        players = season.now.pairings[name].players
        winner = rng.choice([*players, None]) if rng else players[0]
        season = do(season, "report", pairing=name, result={"winner": winner})
    return season
