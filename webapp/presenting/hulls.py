"""Galleys in the units of the boards, where a hex is 62.4 high: size, ghosts, the symbols that a board needs."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from webapp.presenting.ships import galley, hull
from webapp.presenting.ships.measures import SIDES, drawn_as
from webapp.presenting.ships.strokes import drawn_path, group, path

SCALE = 62.4 / 87 * 0.93  # board's units for one of the drawing
SHAPES = SIDES  # sides that are told apart


def length(kind: str) -> float:
    """The length of a type on a board."""
    return galley.length(kind) * SCALE


def beam(kind: str) -> float:
    """The breadth of a type's hull on a board, without its oars."""
    return galley.beam(kind) * SCALE


@lru_cache(maxsize=128)
def ghost(kind: str, look: str) -> Markup:
    """The outline of a ship that is not there yet, heading north, with a stroke at the bow."""
    top = -galley.length(kind) / 2
    bow = path("M-12 ~L0 ~L12 ~", top + 13, top - 6, top + 13)
    drawn = drawn_path("ghost", hull.outline(kind, look)) + drawn_path("ghost-bow", bow)
    return group(drawn, "", f"scale({SCALE:.3f})")


@lru_cache(maxsize=64)
def symbols(wanted: tuple[tuple[str, str, int], ...]) -> Markup:
    """The ships that a board needs, by type, look and side, each drawn once; and the wreck."""
    known = tuple(sorted({(drawn_as(kind), look, side) for kind, look, side in wanted}))
    return galley.symbols(known) + Markup(
        '<defs><g id="wreck"><path class="wreck" d="M-18 4L-6 -8L-2 0L4 -10L8 2L18 -4L12 10H-12Z"/>'
        '<path class="wreck-wave" d="M-22 13q5.5 -5 11 0t11 0t11 0t11 0"/></g></defs>'
    )
