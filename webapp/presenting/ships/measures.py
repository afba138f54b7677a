"""The numbers by which galleys are drawn (data/galley/drawing.toml): by type, and by the look of a navy."""

from __future__ import annotations

import data
from tactical.kernel.record import Record

Outline = tuple[tuple[float, ...], ...]  # a place, then lines (2 numbers) and curves (6 numbers)


class Measures(Record, frozen=True):
    """A type: lengths in units of which a quinquereme is 87 long, shares of the beam, towers by their place."""

    length: float
    beam: float
    oars: int
    rows: int
    reach: float
    blade: float
    deck: float
    towers: tuple[float, ...] = ()
    sail: bool = False


class Look(Record, frozen=True):
    """The look of a navy: the starboard half of its outline, and of its ram."""

    outline: Outline
    ram: Outline


class Bite(Record, frozen=True):
    """Where a hull breaks: the side, starboard 1 and port -1, and the place by its share of the length."""

    side: int
    at: float


class Drawing(Record, frozen=True):
    """data/galley/drawing.toml."""

    types: dict[str, Measures]
    looks: dict[str, Look]
    nations: dict[str, str]
    bites: tuple[Bite, ...]


DRAWING = data.read("galley/drawing.toml", Drawing)
LOOKS = tuple(DRAWING.looks)
STANDARD = "trireme"  # what a type of the players' own is drawn as
SIDES = 8  # sides that are told apart by colour and shape


def drawn_as(kind: str) -> str:
    """The type by whose measures a type is drawn: its own, for one of the players' own a trireme's."""
    return kind if kind in DRAWING.types else STANDARD


def measures(kind: str) -> Measures:
    """The measures of a type."""
    return DRAWING.types[drawn_as(kind)]
