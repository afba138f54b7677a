"""What a fleet is worth in a fair fight: points of ship types, fitted from captains' battles, and how sure they are."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, sqrt

import data
from tactical.kernel.record import Input, Record


class Fitted(Input, frozen=True):
    """A type's points with their interval of 95 per cent; a quinquereme has ten."""

    points: float
    low: float
    high: float


class Table(Input, frozen=True):
    """data/galley/points.toml: the types, how many battles they are from, and what a point is worth in log-odds."""

    source: str
    battles: int
    odds: float
    points: dict[str, Fitted]


TABLE = data.read("galley/points.toml", Table)


class Worth(Record, frozen=True):
    """A fleet's points with their interval, and the types that have no value."""

    points: float
    low: float
    high: float
    unknown: tuple[str, ...] = ()


class Balance(Record, frozen=True):
    """The chance of the first fleet against the second, with its interval of 95 per cent."""

    chance: float
    low: float
    high: float

    @property
    def is_fair(self) -> bool:
        """May the fleets be even, as far as we know?"""
        return self.low <= 0.5 <= self.high


def worth(types: Iterable[str]) -> Worth:
    """What these ships are worth together.

    >>> worth(["quinquereme", "quinquereme"]).points
    20.0
    """
    ships = list(types)
    known = [kind for kind in ships if kind in TABLE.points]
    points, off = sum(TABLE.points[kind].points for kind in known), spread(known, [])
    unknown = tuple(sorted({kind for kind in ships if kind not in TABLE.points}))
    return Worth(round(points, 1), round(max(0.0, points - off), 1), round(points + off, 1), unknown)


def balance(one: Iterable[str], other: Iterable[str]) -> Balance:
    """How likely the first fleet beats the second, by the fitted points."""
    mine, theirs = ([kind for kind in fleet if kind in TABLE.points] for fleet in (one, other))
    lead = sum(TABLE.points[kind].points for kind in mine) - sum(TABLE.points[kind].points for kind in theirs)
    off = spread(mine, theirs)
    return Balance(*(round(1 / (1 + exp(-TABLE.odds * points)), 3) for points in (lead, lead - off, lead + off)))


def spread(one: list[str], other: list[str]) -> float:
    """Half the interval of the difference of two fleets: the ships that both have cancel out."""
    differ = {kind: one.count(kind) - other.count(kind) for kind in {*one, *other}}
    off = {kind: TABLE.points[kind].high - TABLE.points[kind].points for kind in differ}
    return sqrt(sum((count * off[kind]) ** 2 for kind, count in differ.items()))
