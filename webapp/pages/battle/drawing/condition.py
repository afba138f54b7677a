"""How a ship fares, drawn: the hull left as pips, holes in the planks, who is aboard."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from tactical.ship import Ship
from webapp.presenting import hulls

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


@lru_cache(maxsize=128)
def holes(kind: str, damage: int, whole: int) -> Markup:
    """Holes along the planks of a ship heading north, more as more of the hull is lost."""
    if damage <= 0 or whole <= 0:
        return Markup("")
    half, wide = hulls.length(kind) / 2, hulls.beam(kind) / 2
    count = min(6, max(1, round(6 * damage / whole)))
    places = ((0.75, -0.1), (-0.75, 0.3), (0.75, 0.5), (-0.75, -0.3), (-0.7, 0.65), (0.6, -0.45))[:count]
    drawn = "".join(f"M{wide * x - 3:.1f} {half * y:.1f}l2.5 -3.5l2 1.5l2.5 -1l-1 4l-3.5 2.5z" for x, y in places)
    return Markup('<path class="holes" d="{}"/>').format(drawn)


@lru_cache(maxsize=64)
def waves_aboard(kind: str, breaches: int) -> Markup:
    """Waves over the deck of a ship heading north, one more for each open breach, from the stern on."""
    if breaches <= 0:
        return Markup("")
    half, wide = hulls.length(kind) / 2, hulls.beam(kind) / 2
    rows = (half * (0.62 - 0.2 * number) for number in range(min(4, breaches)))
    step = wide * 0.35
    waves = "".join(
        f"M{-2 * step:.1f} {y:.1f}q{step / 2:.1f} -3 {step:.1f} 0t{step:.1f} 0t{step:.1f} 0t{step:.1f} 0" for y in rows
    )
    return Markup('<path class="flood" d="{}"/>').format(waves)


def fares(ship: Ship, whole: int) -> str:
    """The class of a ship's state by her hull: whole, wounded, or near her end."""
    left = max(0, whole - ship.damage)
    return "" if not ship.damage else " crippled" if left * 3 <= whole else " wounded"


def aboard(ship: Ship) -> str:
    """Marines, and archers behind a plus, as few figures as can be."""
    return f"{ship.marines}+{ship.archers}" if ship.archers else str(ship.marines)
