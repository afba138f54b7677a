"""G1 The board of a battle: hexes, land, wrecks; the players' own table; or the open sea."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType
from shapely import prepare, unary_union
from shapely.geometry.base import BaseGeometry

from tactical.hexes import Hex
from tactical.kernel.record import Record
from tactical.measured import DEPTH, shape_of
from tactical.places import Area, Point, Wreck


class Board(Record, frozen=True):
    """G1 The board: hexes of offset columns and rows, the players' own table (G1.5), or the open sea (G1.6).

    `covered` are the places in which a ship sank beside another: they become wrecks when that one has left (G7.2).
    The open sea has a width and a height in base lengths; its coasts and wrecks are polygons.
    """

    kind: Literal["hexes", "table", "open"] = "hexes"
    columns: int = 20
    rows: int = 14
    land: tuple[Hex, ...] = ()
    wrecks: tuple[Wreck, ...] = ()
    covered: tuple[Wreck, ...] = ()
    width: float | UnsetType = UNSET
    height: float | UnsetType = UNSET
    coast: tuple[Area, ...] | UnsetType = UNSET

    @cached_property
    def dry(self) -> frozenset[Hex]:
        """The land hexes."""
        return frozenset(self.land)

    @cached_property
    def blocked(self) -> frozenset[Hex]:
        """G1.2 Hexes that no ship may enter: land and wrecks."""
        return self.dry | frozenset(self.wrecks)

    def holds(self, at: Hex) -> bool:
        """Is the hex on the board?"""
        q, r = at
        return 0 <= q < self.columns and 0 <= r + q // 2 < self.rows

    @cached_property
    def has_land(self) -> bool:
        """Is there anything that may stand in a line of sight?"""
        return bool(self.land or self.coast)

    @cached_property
    def size(self) -> Point:
        """G1.6 The width and the height of the open sea."""
        return (
            20.0 if isinstance(self.width, UnsetType) else self.width,
            14.0 if isinstance(self.height, UnsetType) else self.height,
        )

    @property
    def coasts(self) -> tuple[Area, ...]:
        """G1.6 The land of the open sea."""
        return () if isinstance(self.coast, UnsetType) else self.coast

    @cached_property
    def shore(self) -> BaseGeometry:
        """G1.6 The land as one shape, a hair smaller than it is: what only touches it is not on it."""
        return join_polygons(self.coasts)

    @cached_property
    def closed(self) -> BaseGeometry:
        """G1.2, G1.6 What no hull may enter: land and wrecks."""
        return join_polygons((*self.coasts, *self.wrecks))

    def with_wreck(self, at: Any) -> Board:
        """G6.5 A place that a wreck has closed for the rest of the battle; in order of place, whatever sank first."""
        covered = tuple(each for each in self.covered if each != at)
        wrecks = self.wrecks if at in self.wrecks else tuple(sorted((*self.wrecks, at), key=order))
        return msgspec.structs.replace(self, wrecks=wrecks, covered=covered)

    def with_covered(self, at: Any) -> Board:
        """G7.2 A place that will be a wreck when the ship in it has left."""
        if at in self.covered:
            return self
        return msgspec.structs.replace(self, covered=tuple(sorted((*self.covered, at), key=order)))


def order(wreck: Any) -> Any:
    """A wreck's place, to sort by."""
    return wreck.coordinates if isinstance(wreck, Area) else wreck


def join_polygons(areas: tuple[Area, ...]) -> BaseGeometry:
    """Polygons as one shape, ready to be asked, a hair smaller than they are."""
    whole = unary_union([shape_of(area) for area in areas]).buffer(-DEPTH, join_style="mitre")
    prepare(whole)
    return whole
