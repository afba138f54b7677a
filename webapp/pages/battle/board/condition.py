"""How a ship fares, drawn: the hull left as pips, holes in the planks, who is aboard."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from tactical.ship import Ship

PIP, GAP = 3.6, 0.8  # of one hull point on the board, in the drawing's units
WIDEST = 40.0  # all pips of a ship together


@lru_cache(maxsize=512)
def pips(left: int, whole: int, y: float = 21) -> Markup:
    """The hull as a row of small boxes about x = 0: those that are left filled, those lost hollow."""
    step = min(PIP + GAP, WIDEST / max(1, whole))
    wide, start = step * 0.82, -step * whole / 2

    def boxes(first: int, end: int) -> str:
        starts = (start + step * number for number in range(first, end))
        return "".join(f"M{x:.1f} {y:g}h{wide:.1f}v4.5h{-wide:.1f}z" for x in starts)

    return Markup('<path class="pip-lost" d="{}"/><path class="pip-left" d="{}"/>').format(
        boxes(left, whole), boxes(0, left)
    )


@lru_cache(maxsize=512)
def pip_row(left: int, whole: int) -> Markup:
    """The same for a chip: as wide as it is given."""
    frame = '<svg class="pips" viewBox="-20.5 20 41 6.5" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    return Markup(frame).format(pips(left, whole))


def fares(ship: Ship, whole: int) -> str:
    """The class of a ship's state by her hull: whole, wounded, or near her end."""
    left = max(0, whole - ship.damage)
    return "" if not ship.damage else " crippled" if left * 3 <= whole else " wounded"


def aboard(ship: Ship) -> str:
    """Marines, and archers behind a plus, as few figures as can be."""
    return f"{ship.marines}+{ship.archers}" if ship.archers else str(ship.marines)
