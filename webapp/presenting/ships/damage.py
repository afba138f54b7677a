"""Damage as one sees it: holes that bite into the outline, and water over the after deck."""

from __future__ import annotations

from math import ceil

from markupsafe import Markup

from webapp.presenting.ships.measures import DRAWING, measures
from webapp.presenting.ships.strokes import drawn_path, path

AWASH = 0.6  # of the hull lost: from here on the water stands on the deck
SMALL = 36  # pixels of a quinquereme below which holes are drawn larger
NOTCH = ((-0.5, 1.4), (-0.02, 1.3), (-0.5, 0.2), (0.16, 2.2), (-0.2, 1.6), (0.52, 0.3), (0.1, 1.7))


def bitten(lost: float) -> int:
    """How many holes a hull has of which this share is lost: one for each fifth."""
    return min(len(DRAWING.bites), ceil(lost * 5 - 1e-9)) if lost > 0 else 0


def dry(lost: float) -> float:
    """How far aft she is dry, as a share of half her length."""
    return 1 if lost < AWASH else 1 - (lost - 0.4) * 1.9


def bites(kind: str, lost: float, size: float = 96) -> Markup:
    """The holes in a hull of which this share is lost."""
    it = measures(kind)
    deep, long = max(5.5, it.beam * 0.46), it.length * 0.018 + 1.1
    if size < SMALL:
        deep, long = deep * 1.25, long * 1.5
    found = []
    for bite in DRAWING.bites[: bitten(lost)]:
        steps = (value for x, y in NOTCH for value in (bite.side * deep * x, long * y))
        start = (bite.side * (it.beam / 2 + 2.4), bite.at * it.length - 4.6 * long)
        found.append(path("M~ ~" + "l~ ~" * len(NOTCH) + "z", *start, *steps))
    return drawn_path("bite", "".join(found))


def awash(kind: str, lost: float) -> Markup:
    """Water over her from the stern on, with a line of foam."""
    if lost < AWASH:
        return Markup("")
    it = measures(kind)
    w, h = it.beam / 2 + 2.4, it.length / 2
    y = h * dry(lost)
    right = (w, h * 0.85, w * 0.6, h * 1.02, h + 9)
    left = (-w * 0.6, h * 1.02, -w, h * 0.85, -w, y)
    water = path("M~ ~q~-6 ~ 0t~ 0C~ ~ ~ ~ 0 ~C~ ~ ~ ~ ~ ~Z", -w, y, w / 2, w, w, *right, *left)
    return drawn_path("awash", water) + drawn_path("foam", path("M~ ~q~-6 ~ 0t~ 0", -w - 2, y, w / 2 + 1, w + 2, w + 2))
