"""What players call a hex without a settlement: "the hex north of Roma", "the sea 2 hexes south of Caralis".

No two hexes of a map have the same words. A hex is named by the nearest settlement of its own region; where a nearer
hex has these words, by the next one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import atan2, degrees, sqrt

from flask_babel import lazy_gettext as _l

from webapp.http.language import gettext as _
from webapp.http.language import tag
from webapp.presenting.map.layout import has_map, sheet
from webapp.presenting.map.sheet import Spot
from webapp.presenting.names import full_name
from webapp.presenting.place_names import place_name
from webapp.presenting.sentences import Values

ELSEWHERE = 100  # a settlement of another region is farther than each of its own
WINDS = (
    _l("north of %(town)s"),
    _l("north-east of %(town)s"),
    _l("east of %(town)s"),
    _l("south-east of %(town)s"),
    _l("south of %(town)s"),
    _l("south-west of %(town)s"),
    _l("west of %(town)s"),
    _l("north-west of %(town)s"),
)


@dataclass(frozen=True)
class Bearing:
    """Where a hex lies: so many hexes from a settlement, in the direction of this number of WINDS."""

    distance: int
    town: str
    wind: int


def hex_name(system: str, at: str) -> str:
    """A hex without a settlement as it is said within a sentence; empty for what is none."""
    if not at.isdigit() or not has_map(system) or not sheet(system).hexes or at not in bearings(system):
        return ""
    return _words(tag(), system, at)


@cache
def _words(language: str, system: str, at: str) -> str:
    """The same in one language, the reader's."""
    found, spots = bearings(system)[at], sheet(system).spots
    town = full_name(place_name(spots[found.town].name))
    direction = str(WINDS[found.wind]) % Values({"town": town}.__getitem__)
    far, is_sea = found.distance > 1, spots[at].kind == "sea"
    if is_sea:
        text = _("the sea %(count)s hexes %(direction)s") if far else _("the sea %(direction)s")
    else:
        text = _("the place %(count)s hexes %(direction)s") if far else _("the hex %(direction)s")
    return text % {"count": found.distance, "direction": direction}


@cache
def bearings(system: str) -> Mapping[str, Bearing]:
    """Where each hex without a settlement lies, the nearest first, no two alike."""
    spots = sheet(system).spots.values()
    towns = [spot for spot in spots if spot.name]
    choices = {hex_.id: _choices(hex_, towns) for hex_ in spots if not hex_.name} if towns else {}
    found: dict[str, Bearing] = {}
    taken: set[Bearing] = set()
    for at in sorted(choices, key=lambda at: (choices[at][0].distance, at)):
        found[at] = next((one for one in choices[at] if one not in taken), choices[at][0])
        taken.add(found[at])
    return found


def _choices(hex_: Spot, towns: list[Spot]) -> list[Bearing]:
    """The hex as seen from each settlement: those of its region first, the nearest first."""

    def order(town: Spot) -> tuple[int, str]:
        elsewhere = ELSEWHERE if hex_.province and town.province != hex_.province else 0
        return distance(town.id, hex_.id) + elsewhere, town.id

    return [Bearing(distance(town.id, hex_.id), town.id, wind(town.id, hex_.id)) for town in sorted(towns, key=order)]


def distance(one: str, other: str) -> int:
    """How many hexes it is from one to the other."""
    across, down = (a - b for a, b in zip(axial(one), axial(other), strict=True))
    return max(abs(across), abs(down), abs(across + down))


def axial(at: str) -> tuple[int, int]:
    """A hex of the numbering ccrr (flat tops, even columns half a hex lower) in axes that count steps."""
    column, row = int(at[:2]) - 1, int(at[2:])
    return column, row - (column - column % 2) // 2


def wind(start: str, at: str) -> int:
    """The direction from one hex to another: 0 north, 2 east, 4 south, 6 west."""
    (x, y), (u, v) = ((1.5 * across, sqrt(3) * (down + across / 2)) for across, down in (axial(start), axial(at)))
    return round(degrees(atan2(u - x, y - v)) / 45) % len(WINDS)
