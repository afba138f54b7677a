"""data/<system>/stand_in.toml: what a stand-in of a system prefers, and what it means by it."""

from __future__ import annotations

from functools import cache

import data
from tactical.kernel.record import Input


class Preferences(Input, frozen=True):
    """Commands from the first choice to the last resort; those that win provinces; each one's aim; generals march;
    admirals sail; what each tactics card of a battle at sea is worth, in ships.
    """

    first: tuple[str, ...]
    last: tuple[str, ...]
    political: tuple[str, ...] = ()
    aims: dict[str, str] = {}
    marches: bool = False
    sails: bool = False
    tactics: dict[str, float] = {}

    def rank(self, kind: str) -> int:
        """The place of a command: lower is preferred."""
        if kind in self.first:
            return self.first.index(kind)
        if kind in self.last:
            return 1000 + self.last.index(kind)
        return 500


@cache
def preferences_of(system: str) -> Preferences:
    """The preferences of a system; of one without any file, none."""
    try:
        found: Preferences = data.read(f"{system}/stand_in.toml", Preferences)
    except FileNotFoundError:
        return Preferences((), ())
    return found
