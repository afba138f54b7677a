"""G1 The board of a battle: hexes, land, wrecks, or the players' own table."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import msgspec

from tactical.hexes import Hex
from tactical.kernel.record import Record


class Board(Record, frozen=True):
    """G1 The board: hexes of offset columns and rows, or the players' own table (G1.5).

    `covered` are the hexes in which a ship sank beside another: they become wrecks when that one has left (G7.2).
    """

    kind: Literal["hexes", "table"] = "hexes"
    columns: int = 20
    rows: int = 14
    land: tuple[Hex, ...] = ()
    wrecks: tuple[Hex, ...] = ()
    covered: tuple[Hex, ...] = ()

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

    def with_wreck(self, at: Hex) -> Board:
        """G6.5 A hex that a wreck has closed for the rest of the battle; in order of place, whatever sank first."""
        covered = tuple(each for each in self.covered if each != at)
        wrecks = self.wrecks if at in self.wrecks else tuple(sorted((*self.wrecks, at)))
        return msgspec.structs.replace(self, wrecks=wrecks, covered=covered)

    def with_covered(self, at: Hex) -> Board:
        """G7.2 A hex that will be a wreck when the ship in it has left."""
        return self if at in self.covered else msgspec.structs.replace(self, covered=tuple(sorted((*self.covered, at))))
