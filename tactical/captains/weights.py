"""data/galley/captains.toml: what a captain of each level holds dear."""

from __future__ import annotations

from functools import cache

import msgspec

import data
from tactical.captains.choice import Level
from tactical.kernel.record import Input


class Weights(Input, frozen=True):
    """One level's weights; their meaning stands in the file."""

    approach: float
    slow: float
    sprint: float
    shore: float
    edge: float
    crowd: float
    bearing: float
    exposure: float
    damage: float
    owing: float
    oars: float
    marine: float
    prize: float
    retaken: float
    risk: float
    forward: int
    likely: float
    reserve: int
    guard: int
    ahead: int
    last: int
    keep: float
    patience: int
    saves_fire: int
    spreads: float
    helpers: int
    yields: float
    prizes_win: int


class Table(Input, frozen=True):
    """The whole file: the meanings, and for each level what differs from the one it is like."""

    meaning: dict[str, str]
    raw: dict[str, int | float | str]
    able: dict[str, int | float | str]
    seasoned: dict[str, int | float | str]


@cache
def weights_of(level: Level) -> Weights:
    """A level's weights, with what it takes over from the level it is like."""
    table = data.read("galley/captains.toml", Table)
    return msgspec.convert(whole(table, level), Weights)


def whole(table: Table, level: str) -> dict[str, int | float | str]:
    """A level's own row over the row it is like."""
    row: dict[str, int | float | str] = dict(getattr(table, level))
    like = row.pop("like", None)
    return row if like is None else {**whole(table, str(like)), **row}
