"""The numbers that a season begins with."""

from __future__ import annotations

import data
from tactical.kernel.record import Record


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
    """O10.1 The battle that is opened here."""

    turn_limit: int


class SettingsTable(Record, frozen=True):
    """data/season/settings.toml."""

    cite: str
    standings: StandingsRow
    between: BetweenRow
    battle: BattleRow


SETTINGS: SettingsTable = data.read("season/settings.toml", SettingsTable)
