"""The pieces of Hamilcar besides those of the whole family: generals, ships."""

from __future__ import annotations

from typing import Literal

from strategic.point_to_point.tables import Side
from tactical.kernel.record import Record


class General(Record, frozen=True):
    """A general. status: board; pool (Romans to be drawn, Carthage's reserve); track; mercenary; out."""

    status: Literal["board", "pool", "track", "mercenary", "out"]
    space: str | None = None
    inside: bool = False
    rank: Literal["consul", "proconsul", "general"] = "general"


class Ship(Record, frozen=True):
    """2.2.7 A ship: its name (L2.4), ready or not, in port or at sea, and the hull damage that it carries."""

    name: str
    ready: bool = True
    at_sea: bool = False
    damage: int = 0
    built_by: Side | None = None
