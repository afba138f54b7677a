"""Plots as SVG, made on the server: chances with their intervals, and how often each value falls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from markupsafe import Markup

from tactical.battle import Battle
from tactical.captains.tally import Share
from webapp.captains.forecasting import Summary
from webapp.http.language import gettext as _
from webapp.http.signs import minus

WIDTH, HEIGHT, ROW = 320, 120, 34
MOST_BARS = 24
LEFT, WIDE = 110, WIDTH - 120


def chances(start: Battle, summary: Summary, name: Callable[[str], str]) -> Markup:
    """The chance of each side, and of a draw, as a bar with its interval."""
    rows = [(name(side), summary.wins[side]) for side in start.sides]
    drawn = [*rows, (_("Drawn"), summary.draw)]
    colours = [f"plot-side{number % 4}" for number in range(len(rows))] + ["plot-2"]
    parts = [_chance_row(number, *row, colour) for number, (row, colour) in enumerate(zip(drawn, colours, strict=True))]
    height = ROW * len(drawn) + 6
    return Markup(
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="%s">' % escape(_label(drawn))
        + "".join(parts)
        + "</svg>"
    )


def _label(rows: list[tuple[str, Share]]) -> str:
    return "; ".join(
        f"{name} {100 * share.share:.0f}% ({100 * share.low:.0f}-{100 * share.high:.0f})" for name, share in rows
    )


def _chance_row(number: int, name: str, share: Share, colour: str) -> str:
    y = 4 + number * ROW
    low, high, at = (LEFT + WIDE * value for value in (share.low, share.high, share.share))
    return (
        f'<text x="{LEFT - 8}" y="{y + 18}" text-anchor="end" class="plot-name">{escape(name[:14])}</text>'
        f'<rect x="{LEFT}" y="{y + 4}" width="{WIDE}" height="20" class="plot-ground"/>'
        f'<rect x="{LEFT}" y="{y + 4}" width="{at - LEFT:.1f}" height="20" class="plot-bar {escape(colour)}"/>'
        f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y + 14}" y2="{y + 14}" class="plot-span"/>'
        f'<line x1="{low:.1f}" x2="{low:.1f}" y1="{y + 9}" y2="{y + 19}" class="plot-span"/>'
        f'<line x1="{high:.1f}" x2="{high:.1f}" y1="{y + 9}" y2="{y + 19}" class="plot-span"/>'
    )


def bars(shares: Mapping[str, float]) -> Markup:
    """How often each whole number falls, as columns; many numbers are drawn together."""
    values = sorted((int(value), share) for value, share in shares.items())
    if not values:
        return Markup("")
    low, high = values[0][0], values[-1][0]
    step = max(1, -(-(high - low + 1) // MOST_BARS))
    count = (high - low) // step + 1
    heaps = [0.0] * count
    for value, share in values:
        heaps[(value - low) // step] += share
    most, wide = max(heaps), (WIDTH - 20) / count
    columns = []
    for number, share in enumerate(heaps):
        tall = (HEIGHT - 34) * share / most
        first = low + number * step
        label = minus(first) if step == 1 else _("%(low)s to %(high)s", low=minus(first), high=minus(first + step - 1))
        columns.append(
            f'<rect x="{10 + number * wide:.1f}" y="{HEIGHT - 20 - tall:.1f}" width="{max(1.0, wide - 2):.1f}"'
            f' height="{tall:.1f}" class="plot-bar plot-0"><title>{escape(label)}: {100 * share:.0f}%</title></rect>'
        )
        if count <= 10 or number in (0, count - 1):
            middle = 10 + (number + 0.5) * wide
            columns.append(
                f'<text x="{middle:.1f}" y="{HEIGHT - 4}" text-anchor="middle">{escape(minus(first))}</text>'
            )
    said = ", ".join(f"{minus(value)}: {100 * share:.0f}%" for value, share in values[:MOST_BARS])
    return Markup(
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(said)}">'
        + "".join(columns)
        + "</svg>"
    )
