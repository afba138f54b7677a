"""Two galleys whose bases touch, as a picture: into the side, bow to bow, alongside."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from webapp.presenting.ships.galley import Galley, galley, length
from webapp.presenting.ships.strokes import number

BOX = (-100, -58, 200, 116)
SIZE = 48  # pixels of a quinquereme's length
SPARK = Markup(
    '<path class="spark" transform="translate({} {})" d="M0-15l3.7 8 8.6-2-4.9 7.3 7.1 5.4-8.8 1 .2 8.9L0 8l-5.9 5.6'
    '.2-8.9-8.8-1 7.1-5.4-4.9-7.3 8.6 2z"/>'
)


@lru_cache(maxsize=512)
def meeting(ship: Galley, foe: Galley, aspect: str) -> Markup:
    """A ship that heads right, and an enemy as she touches her: `aspect` is side, bow_to_bow or parallel."""
    mine, other = length(ship.kind) / 2, length(foe.kind) / 2
    if aspect == "side":
        drawn = put(foe, 7, 4, 0) + put(ship, -4 - mine, 0, 90) + spark(-2)
    elif aspect == "bow_to_bow":
        drawn = put(foe, 2 + other, 0, 270) + put(ship, -2 - mine, 0, 90) + spark(0)
    else:
        drawn = put(foe, 10, -22, 90) + put(ship, -10, 24, 90)
    box = " ".join(map(number, BOX))
    return Markup('<svg class="meeting-picture" viewBox="{}" aria-hidden="true">{}</svg>').format(box, drawn)


def put(it: Galley, x: float, y: float, angle: float) -> Markup:
    """A galley at a place of the picture."""
    return Markup('<g transform="translate({} {})">{}</g>').format(number(x), number(y), galley(it, angle, SIZE))


def spark(x: float) -> Markup:
    """Where a ram strikes."""
    return SPARK.format(number(x), "0")
