"""What makes a board a chart: paper with a numbered margin, the sea's depth and wavelets, shallows before a coast."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

FRAME = 22  # the margin about the sea, in the drawing's units
WAVES = "M12 22q6 -6 12 0t12 0M84 60q6 -6 12 0t12 0M128 12q4 -4 8 0t8 0"  # of one tile
Box = tuple[int, int, int, int]  # left, top, width, height


def paper(box: Box) -> str:
    """The sheet that the chart is drawn on."""
    left, top, width, height = box
    return f'<rect class="sheet" x="{left:d}" y="{top:d}" width="{width:d}" height="{height:d}"/>'


def sea(outside: str, box: Box) -> str:
    """The water, deep in the north-west and light in the south-east, with two soft deeps and wavelets."""
    left, top, width, height = box
    deep = (
        f"M{left:d} {top:d}H{left + width * 0.62:.0f}C{left + width * 0.5:.0f} {top + height * 0.3:.0f}"
        f" {left + width * 0.22:.0f} {top + height * 0.2:.0f} {left:d} {top + height * 0.34:.0f}Z"
        f"M{left + width:d} {top + height * 0.4:.0f}C{left + width * 0.8:.0f} {top + height * 0.46:.0f}"
        f" {left + width * 0.84:.0f} {top + height * 0.74:.0f} {left + width:d} {top + height * 0.82:.0f}Z"
    )
    return (
        '<defs><linearGradient id="depth" x1="0" y1="0" x2="1" y2="1"><stop class="sea-deep" offset="0"/>'
        '<stop class="sea-mid" offset=".5"/><stop class="sea-light" offset="1"/></linearGradient>'
        f'<path id="outside" d="{escape(outside)}"/><clipPath id="at-sea"><use href="#outside"/></clipPath>'
        '<pattern id="wavelets" patternUnits="userSpaceOnUse" width="150" height="96">'
        f'<path class="wavelet" d="{escape(WAVES)}"/></pattern></defs>'
        '<use href="#outside" class="water" fill="url(#depth)"/>'
        f'<path class="deep" clip-path="url(#at-sea)" d="{escape(deep)}"/>'
        '<use href="#outside" fill="url(#wavelets)"/>'
    )


def shallows(shore: str, near: str, far: str) -> str:
    """Three tints before a coast, the farthest first, each with its line."""
    return (
        f'<defs><path id="shore" d="{escape(shore)}"/></defs><path class="shallow-1" d="{escape(far)}"/>'
        f'<path class="shallow-2" d="{escape(near)}"/><use href="#shore" class="shallow-3"/>'
    )


def grid() -> str:
    """The lines of the hexes, where the sea is."""
    return '<use href="#outside" fill="url(#hexes)"/>'


def land() -> str:
    """The land within its shore, a little darker along it; `shallows` has drawn the shore."""
    return (
        '<clipPath id="ashore"><use href="#shore"/></clipPath><use href="#shore" class="land"/>'
        '<use href="#shore" class="inland" clip-path="url(#ashore)"/>'
    )


def edge() -> str:
    """The line about the sea."""
    return '<use href="#outside" class="edge"/>'


def numbers(box: Box, columns: Iterable[tuple[float, str]], rows: Iterable[tuple[float, str]]) -> str:
    """The numbers of columns above and below, of rows left and right, where they lie in the drawing."""
    left, top, width, height = box
    middle = FRAME / 2
    above = "".join(f'<text x="{x:.0f}" y="{top + middle + 4:.0f}">{escape(said)}</text>' for x, said in columns)
    beside = "".join(f'<text x="{left + middle:.0f}" y="{y + 4:.0f}">{escape(said)}</text>' for y, said in rows)
    return (
        f'<g class="margin" aria-hidden="true"><g id="columns">{Markup(above)}</g><g id="rows">{Markup(beside)}</g>'
        f'<use href="#columns" y="{height - FRAME:d}"/><use href="#rows" x="{width - FRAME:d}"/></g>'
    )
