"""Galleys seen from above: length by type, shape of the stern by side, ram, oars, plank; drawn heading north."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import escape

LENGTHS = {"bireme": 40, "trireme": 46, "quadrireme": 50, "quinquereme": 54, "hepteres": 57, "transport": 44}
BEAMS = {"bireme": 13, "trireme": 14.5, "quadrireme": 17, "quinquereme": 19.5, "hepteres": 23, "transport": 24}
SHAPES = 4  # kinds of hull, one for each side


def length(kind: str) -> int:
    """The length of a type in the drawing; a type of the players' own is as long as a trireme."""
    return LENGTHS.get(kind, 44)


def beam(kind: str) -> float:
    """The breadth of a type's hull in the drawing."""
    return BEAMS.get(kind, 12)


@lru_cache(maxsize=128)
def hull_path(kind: str, shape: int) -> str:
    """The outline of a hull about (0, 0). The stern tells the side: leaf, square, fork or round."""
    half, wide = length(kind) / 2, beam(kind) / 2
    bow = (
        f"M0 {-half:.1f}C{wide * 0.9:.1f} {-half * 0.72:.1f} {wide:.1f} {-half * 0.45:.1f} {wide:.1f} {-half * 0.1:.1f}"
    )
    if shape == 1:  # square stern, broad to the end
        after = f"L{wide * 0.92:.1f} {half:.1f}H{-wide * 0.92:.1f}L{-wide:.1f} {-half * 0.1:.1f}"
    elif shape == 2:  # fork
        after = (
            f"L{wide * 0.95:.1f} {half:.1f}L0 {half * 0.68:.1f}"
            f"L{-wide * 0.95:.1f} {half:.1f}L{-wide:.1f} {-half * 0.1:.1f}"
        )
    elif shape == 3:  # round
        after = (
            f"L{wide:.1f} {half - wide:.1f}A{wide:.1f} {wide:.1f} 0 0 1 {-wide:.1f} {half - wide:.1f}"
            f"L{-wide:.1f} {-half * 0.1:.1f}"
        )
    else:  # leaf, drawn out to the stern post
        after = (
            f"C{wide:.1f} {half * 0.5:.1f} {wide * 0.5:.1f} {half * 0.85:.1f} 0 {half:.1f}"
            f"C{-wide * 0.5:.1f} {half * 0.85:.1f} {-wide:.1f} {half * 0.5:.1f} {-wide:.1f} {-half * 0.1:.1f}"
        )
    back = f"C{-wide:.1f} {-half * 0.45:.1f} {-wide * 0.9:.1f} {-half * 0.72:.1f} 0 {-half:.1f}Z"
    return bow + after + back


@lru_cache(maxsize=64)
def oars_path(kind: str, broken: bool = False) -> str:
    """The banks of oars on both sides, swept a little aft; of broken ones a few stumps are left."""
    half, wide = length(kind) / 2, beam(kind) / 2
    count = {"bireme": 6, "trireme": 7, "quadrireme": 8, "quinquereme": 9, "hepteres": 10, "transport": 4}.get(kind, 7)
    reach = 3.0 if broken else 9.5
    first, last = -half * 0.52, half * 0.62
    gap = (last - first) / (count - 1)
    found = []
    for number in range(0, count, 3 if broken else 1):
        y = first + number * gap
        found.append(
            f"M{wide - 1:.1f} {y:.1f}l{reach:.1f} {reach * 0.28:.1f}"
            f"M{-wide + 1:.1f} {y:.1f}l{-reach:.1f} {reach * 0.28:.1f}"
        )
    return "".join(found)


def beak(kind: str) -> str:
    """The ram at the bow; a transport has none (L2.3)."""
    if kind == "transport":
        return ""
    half = length(kind) / 2
    return f'<path class="beak" d="M-2.6 {-half + 4:.1f}L0 {-half - 6:.1f}L2.6 {-half + 4:.1f}Z"/>'


def deck(kind: str) -> str:
    """The fighting deck."""
    half, wide = length(kind) / 2, beam(kind) / 4
    top, bow, stern = -half * 0.62, -half * 0.2, half * 0.55
    return f'<path class="deck" d="M0 {top:.1f}L{wide:.1f} {bow:.1f}V{stern:.1f}H{-wide:.1f}V{bow:.1f}Z"/>'


def plank(kind: str) -> str:
    """The corvus, swung out over the bow."""
    half, wide = length(kind) / 2, beam(kind) / 2
    return f'<path class="plank" d="M0 {-half * 0.2:.1f}L{wide * 0.9:.1f} {-half * 0.86:.1f}"/>'


@lru_cache(maxsize=64)
def symbols(kinds: tuple[str, ...], shapes: tuple[int, ...]) -> str:
    """The hulls that a board needs, each drawn once, and the wreck."""
    found = []
    for kind in kinds:
        name = escape(kind)
        found.append(f'<g id="oars-{name}"><path class="oars" d="{oars_path(kind)}"/></g>')
        found.append(f'<g id="stumps-{name}"><path class="oars" d="{oars_path(kind, True)}"/></g>')
        for shape in shapes:
            hull = f'<path class="hull" d="{hull_path(kind, shape)}"/>'
            found.append(f'<g id="hull-{name}-{shape:d}">{beak(kind)}{hull}{deck(kind)}</g>')
        found.append(f'<g id="plank-{name}">{plank(kind)}</g>')
    found.append(
        '<g id="wreck"><path class="wreck" d="M-18 4L-6 -8L-2 0L4 -10L8 2L18 -4L12 10H-12Z"/>'
        '<path class="wreck-wave" d="M-22 13q5.500 -5 11 0t11 0t11 0t11 0"/></g>'
    )
    return f"<defs>{''.join(found)}</defs>"
