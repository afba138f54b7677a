"""What a place, a heading and a wreck are: of hexes, or measured on the open sea. The board's geometry knows which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from tactical.hexes import Hex
from tactical.kernel.record import Record

Heading = Literal["N", "NE", "SE", "S", "SW", "NW"]
Point = tuple[float, float]


class Area(Record, frozen=True):
    """A polygon as GeoJSON writes it: its outer ring, then its holes; x to the east, y to the south."""

    coordinates: tuple[tuple[Point, ...], ...]
    type: Literal["Polygon"] = "Polygon"


if TYPE_CHECKING:
    Place = tuple[Any, Any]
    Facing = Any
    Wreck = Any
else:
    Place = tuple[int | float, int | float]
    Facing = Heading | float
    Wreck = Hex | Area
