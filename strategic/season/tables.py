"""The numbers that a season begins with."""

from __future__ import annotations

from typing import Literal

import data
from tactical.kernel.record import Record
from tactical.waters import Coast


class StandingsRow(Record, frozen=True):
    """O10.1 What a result is worth in the standings."""

    win: int
    draw: int
    loss: int
    bye: int
    unplayed: int


class BetweenRow(Record, frozen=True):
    """O10.1 Repair and drill between two rounds."""

    repair: int
    replace: int
    drill: int
    shaken: int


class BattleRow(Record, frozen=True):
    """O10.1 The battle that is opened here, and how many hours before a round is due its players are reminded."""

    turn_limit: int
    remind: int


class Waters(Record, frozen=True):
    """O10.1 The sea of a round's battles: hexes, measured, or the players' own table; its coast."""

    kind: Literal["hexes", "open", "table"]
    coast: Coast = "open"


class SettingsTable(Record, frozen=True):
    """data/season/settings.toml."""

    cite: str
    standings: StandingsRow
    between: BetweenRow
    battle: BattleRow
    scenario: dict[str, Waters]


SETTINGS: SettingsTable = data.read("season/settings.toml", SettingsTable)
