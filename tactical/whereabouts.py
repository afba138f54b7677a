"""G1.3 Who is where, and how far two hexes are apart, as a battle keeps it from command to command."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

import msgspec

from tactical.hexes import Hex, distance, within
from tactical.ship import Ship

LONGEST_SHOT = 10
WIDTH = 4096  # a hex as one number, so that the way between two of them is one number, too
RANGES: dict[int, int] = {q * WIDTH + r: max(1, distance((0, 0), (q, r))) for q, r in within((0, 0), LONGEST_SHOT)}


class Lying(msgspec.Struct, frozen=True):
    """What is worked out from where the ships lie: who is in a place, and, as it is asked for, who is near whom."""

    names_at: dict[Hex, tuple[str, ...]]
    near: dict[tuple[Any, ...], tuple[tuple[str, int], ...]]
    foes: dict[str, list[tuple[int, str]]]

    @staticmethod
    def of(ships: dict[str, Ship]) -> Lying:
        """Who is where."""
        found: dict[Any, tuple[str, ...]] = {}
        for name, ship in ships.items():
            at = ship.at
            if at is not None:
                found[at] = (*found[at], name) if at in found else (name,)
        return Lying(found, {}, {})

    def moved(self, old: Mapping[str, Ship], new: Mapping[str, Ship], moved: list[str]) -> Lying | None:
        """Who is where after these ships have moved; None where two come to share a hex: then their order counts."""
        found: dict[Any, tuple[str, ...]] = dict(self.names_at)
        for name in moved:
            was = old[name].at
            if was is not None:
                rest = tuple(other for other in found[was] if other != name)
                if rest:
                    found[was] = rest
                else:
                    del found[was]
        for name in moved:
            at = new[name].at
            if at is not None:
                if at in found:
                    return None
                found[at] = (name,)
        return Lying(found, {}, {})

    def foes_of(self, side: str, ships: dict[str, Ship]) -> list[tuple[int, str]]:
        """G1.3 The enemies of a side afloat, each with its hex as a number."""
        found = self.foes.get(side)
        if found is None:
            found = self.foes[side] = [
                (ship.at[0] * WIDTH + ship.at[1], name)
                for name, ship in ships.items()
                if ship.side != side and ship.at is not None and ship.status == "afloat"
            ]
        return found


def in_range(at: Any, foes: list[tuple[int, str]]) -> tuple[tuple[str, int], ...]:
    """G1.3 The enemies within the longest shot of a hex, with their range, nearest first, else in their own order."""
    here, get = at[0] * WIDTH + at[1], RANGES.get
    near = [(name, range_) for code, name in foes if (range_ := get(code - here)) is not None]
    near.sort(key=itemgetter(1))
    return tuple(near)
