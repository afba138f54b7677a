"""O10.1 What a fleet is worth, by the values fitted from captains' battles (data/galley/points.toml)."""

from __future__ import annotations

from collections.abc import Iterable

import data
from tactical.kernel.record import Record
from tactical.ship import CREWS, TYPES


class Fitted(Record, frozen=True):
    """A type's points; a quinquereme has ten."""

    points: float


class Table(Record, frozen=True):
    """data/galley/points.toml."""

    points: dict[str, Fitted]


TABLE: Table = data.read("galley/points.toml", Table)


def worth(types: Iterable[str]) -> int:
    """The points of ships of these types together, rounded; a type without a fitted value counts as a quinquereme."""
    ten = TABLE.points["quinquereme"]
    return round(sum(TABLE.points.get(kind, ten).points for kind in types))


def is_known(navy: str, kind: str) -> bool:
    """Has the navy ships of this type?"""
    return kind in TYPES and (navy in TYPES[kind].crew or not TYPES[kind].crew)


def crews() -> tuple[str, ...]:
    """The names of crews, by quality."""
    return tuple(CREWS)
