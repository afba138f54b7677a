"""A side's number in its game, by which every page gives it the same colour (static/sides.css) and the same sign."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from webapp.presenting.labels import words_of

MOST = 8  # sides that are told apart
NOBODY = 8  # the number of whoever plays no side: the umpire, a power of the board

# For each number a shape about (0, 0), some 8 wide: where its line begins, and the line from there.
SIGNS: tuple[tuple[float, float, str], ...] = (
    (-3.6, -3.6, "h7.2v7.2h-7.2z"),  # a square
    (-4, 0, "a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"),  # a disc
    (0, -4.8, "l4.8 4.8-4.8 4.8-4.8-4.8z"),  # a lozenge
    (0, -4.7, "l4.6 8.4h-9.2z"),  # a triangle
    (-2.1, -4.1, "h4.2l2.3 4.1-2.3 4.1h-4.2l-2.3-4.1z"),  # a hexagon
    (0, -5.2, "l1.25 3.6 3.75.05-3 2.3 1.1 3.65-3.1-2.2-3.1 2.2 1.1-3.65-3-2.3 3.75-.05z"),  # a star
    (-4.2, -2.2, "l2-2 2.2 2.2 2.2-2.2 2 2-2.2 2.2 2.2 2.2-2 2-2.2-2.2-2.2 2.2-2-2 2.2-2.2z"),  # a saltire
    (-4.2, -4.6, "h8.4l-3.1 4.6 3.1 4.6h-8.4l3.1-4.6z"),  # an hourglass
    (-4.4, -1.6, "h2.8v-2.8h3.2v2.8h2.8v3.2h-2.8v2.8h-3.2v-2.8h-2.8z"),  # nobody: a cross
)


def side_number(system: str, sides: Iterable[str], side: str) -> int:
    """The number of a side: the printed one of its system, else its place among the sides of its game.

    NOBODY for whoever is not one of them.
    """
    printed = words_of(system).colours
    if printed:
        return printed.get(side, NOBODY)
    return next((number % MOST for number, each in enumerate(sides) if each == side), NOBODY)


def sign_at(number: int, x: float = 0, y: float = 0) -> str:
    """The shape of a side's sign about a point, as path data of SVG."""
    dx, dy, line = SIGNS[number]
    return f"M{round(x + dx, 1):g} {round(y + dy, 1):g}{line}"


def side_sign(number: int) -> Markup:
    """In a template: a side's sign in its colour, to stand before its name."""
    return Markup('<svg class="side-sign s{}" viewBox="-6 -6 12 12" aria-hidden="true"><path d="{}"/></svg>').format(
        number, sign_at(number)
    )
