"""O10.1 What a fleet is worth, by the values fitted from captains' battles (data/galley/points.toml)."""

from __future__ import annotations

from collections.abc import Iterable

import data
from strategic.season.state import Season
from tactical.kernel.record import Record
from tactical.ship import CREWS


class Fitted(Record, frozen=True):
    """A type's points; a quinquereme has ten."""

    points: float


class Table(Record, frozen=True):
    """data/galley/points.toml."""

    points: dict[str, Fitted]


TABLE: Table = data.read("galley/points.toml", Table)


def worth(season: Season, types: Iterable[str]) -> int:
    """The points of ships of these types together, rounded; a type without a value counts as a quinquereme.

    The organizer's own prices come before the fitted values.
    """
    ten = TABLE.points["quinquereme"]
    return round(sum(season.prices.get(kind, TABLE.points.get(kind, ten).points) for kind in types))


def is_known(season: Season, navy: str, kind: str) -> bool:
    """Has the navy ships of this type?"""
    known = season.kinds.get(kind)
    return known is not None and (navy in known.crew or not known.crew)


def crews() -> tuple[str, ...]:
    """The names of crews, by quality."""
    return tuple(CREWS)
