"""What a ship is worth in a battle: one value, by type, navy, rowers and corvus, fitted from captains' battles.

The fleet builder, a club's points, quick dice of campaigns and the graph of a battle all rest on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import exp, log, sqrt
from typing import NamedTuple

import data
from tactical.captains.captain import SURE, Share, wilson
from tactical.captains.reasons import LEVELS
from tactical.kernel.record import Input

ALIKE = 0.02  # the least unlikeness: equal fleets lie in places of their own
MEASURE, TEN = "quinquereme", 10.0  # a Hellenistic ship of this type with average rowers and no corvus has ten points


class Factors(Input, frozen=True):
    """The points of a ship of a type, and what poor or elite rowers, another navy and the corvus multiply them by."""

    points: float
    poor: float
    elite: float
    roman: float
    asiatic: float
    corvus: float


class Error(Input, frozen=True):
    """Battles of a kind, judged by values that were fitted without them.

    How often of a hundred the stronger should win and won, and by how many points of a hundred the chances err.
    """

    battles: int
    told: int
    won: int
    error: float


class Table(Input, frozen=True):
    """data/galley/worth.toml: fitted to so many battles of captains of this level.

    The logarithm of the odds is `steepness` times the logarithm of the ratio of two fleets' points, times the smaller
    number of ships to the power of `size`; of a hundred battles `lapse` hundredths are decided by luck alone. The
    logarithm of a ratio is off by `spread`, as a standard deviation, where the fleets have no ship in common; where the
    smaller one is a ship `alone`, by that.
    """

    level: str
    battles: int
    steepness: float
    size: float
    lapse: float
    spread: float
    alone: float
    ships: dict[str, Factors]
    errors: dict[str, Error]

    def points(self, ship: Kind) -> float:
        """The points of a ship; 0 for a type that has none."""
        return self.ships[ship.type].points * self.factor(ship) if ship.type in self.ships else 0.0

    def factor(self, ship: Kind) -> float:
        """What a ship counts against a Hellenistic one of her type with average rowers and no corvus."""
        known = self.ships.get(ship.type)
        if known is None:
            return 1.0
        found = {"poor": known.poor, "elite": known.elite}.get(ship.crew, 1.0)
        found *= {"roman": known.roman, "asiatic": known.asiatic}.get(ship.navy, 1.0)
        return found * (known.corvus if ship.corvus else 1.0)

    def weight(self, ships: int) -> float:
        """What the logarithm of a ratio adds to that of the odds, where the smaller fleet has so many ships."""
        return self.steepness * float(max(1, ships) ** self.size)

    def chance(self, one: Iterable[Kind], other: Iterable[Kind]) -> Share:
        """How likely the first fleet beats the second, with the interval of 95 per cent; a half for no ships."""
        fleets = [[ship for ship in fleet if ship.type in self.ships] for fleet in (one, other)]
        mine, theirs = (sum(map(self.points, fleet)) for fleet in fleets)
        lead = log(mine / theirs) if mine and theirs else 0.0
        fewer = min(map(len, fleets))
        weight = self.weight(fewer)
        off = SURE * (self.spread if fewer > 1 else self.alone) * sqrt(max(ALIKE, unlikeness(*fleets)))
        share, low, high = (
            self.lapse / 2 + (1 - self.lapse) / (1 + exp(-weight * ratio)) for ratio in (lead, lead - off, lead + off)
        )
        wide = self.lapse / 2  # how many battles luck decides is as uncertain
        return Share(round(share, 4), round(max(0.0, low - wide), 4), round(min(1.0, high + wide), 4))

    def fleet(self, ships: Iterable[Kind]) -> Points:
        """What ships are worth together, with the interval of 95 per cent, and the types that have no points."""
        all_ = list(ships)
        found = sum(map(self.points, all_))
        off = exp(SURE * self.spread / sqrt(2))  # of the two fleets that a ratio compares each has its part
        unknown = tuple(sorted({ship.type for ship in all_ if ship.type not in self.ships}))
        return Points(round(found, 1), round(found / off, 1), round(found * off, 1), unknown)


class Kind(NamedTuple):
    """What a ship's worth hangs on."""

    type: str
    navy: str = "hellenistic"
    crew: str = "average"
    corvus: bool = False


def unlikeness(one: Sequence[Kind], other: Sequence[Kind]) -> float:
    """The share of two fleets' ships that the other has not: what both have cannot be misjudged.

    >>> unlikeness([Kind("trireme")] * 3, [Kind("trireme")] * 2 + [Kind("bireme")])
    0.33333333333333337
    """
    both = (Counter(one) & Counter(other)).total()
    return 1 - both / max(1, len(one), len(other))


class Points(NamedTuple):
    """A fleet's points with their interval, and the types that have none."""

    points: float
    low: float
    high: float
    unknown: tuple[str, ...] = ()


WORTH: Table = data.read("galley/worth.toml", Table)

# -- Battles that were fought beforehand, and kept.


class Fought(Input, frozen=True):
    """Battles of captains of one level from one start: by side how many it won, and the ships that it lost on average.

    `fleets` are either side's ships by navy, type, rowers and corvus (`hellenistic:trireme:elite:`).
    """

    level: str
    battles: int
    won: dict[str, int]
    drawn: int
    lost: dict[str, float]
    turns: float
    fleets: dict[str, dict[str, int]]

    def share(self, side: str) -> Share:
        """The share of the battles that a side won, with what the dice alone leave open."""
        return wilson(self.won[side], self.battles)

    def ships(self, side: str) -> list[Kind]:
        """A side's ships, each by herself."""
        return [kind_of(name) for name, number in self.fleets[side].items() for _ in range(number)]


def kind_of(name: str) -> Kind:
    """A ship as laboratory and kept battles name her.

    >>> kind_of("roman:quinquereme:poor:corvus")
    Kind(type='quinquereme', navy='roman', crew='poor', corvus=True)
    """
    navy, kind, crew, corvus = name.split(":")
    return Kind(kind, navy, crew, bool(corvus))


def fought(name: str) -> Iterator[Fought]:
    """What is kept of a battle, of each level that has fought it."""
    return (each for level in LEVELS if (each := FOUGHT.get(name if level == WORTH.level else f"{name}, {level}")))


FOUGHT: dict[str, Fought] = data.read("galley/fought.toml", dict[str, Fought])
