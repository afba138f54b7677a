"""What the two plans of a sheet are drawn from, and what they share."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from webapp.presenting.ships.galley import Galley
from webapp.presenting.ships.measures import measures

RULES = {"hull": "G2.0", "breaches": "G9.2", "crew": "G2.4", "engines": "G5.1", "oars": "G3.1", "corvus": "G8.1"}
MIDDLE = 320.0  # both plans are 640 wide


class Plans(NamedTuple):
    """A ship as her sheet has her: `aboard` and `fallen` count figures by kind; `most` is her highest speed, `cruise`
    what she rows without a sprint, `limit` what she may row now; `name` tells her plans from others on a page."""

    galley: Galley
    hull: int
    damage: int = 0
    breaches: int = 0
    closed: int = 0
    aboard: tuple[tuple[str, int], ...] = ()
    fallen: tuple[tuple[str, int], ...] = ()
    most: int = 3
    cruise: int = 2
    limit: int = 3
    name: str = "plan"

    @property
    def lost(self) -> int:
        """The hull points that are gone, no more than there were."""
        return max(0, min(self.damage, self.hull))

    @property
    def share(self) -> float:
        """The share of the hull that is gone."""
        return self.lost / self.hull if self.hull else 0


def span(it: Plans) -> tuple[float, float]:
    """Where the stern and the bow of a ship lie across a plan."""
    wide = 430 + 110 * (measures(it.galley.kind).length - 61) / 35
    return MIDDLE - wide / 2 - 6, MIDDLE + wide / 2 - 6


def touch(part: str, said: str, left: float, top: float, right: float, low: float) -> Markup:
    """A field over a part of a plan that leads to its rule, in words for who cannot see it; fields never overlap."""
    return Markup(
        '<a href="/reference/galley/{}" data-panel="" class="part" aria-label="{}">'
        '<rect x="{:.0f}" y="{:.0f}" width="{:.0f}" height="{:.0f}"/></a>'
    ).format(RULES[part], said, left, top, right - left, low - top)
