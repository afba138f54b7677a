"""A laboratory's report: win rates with intervals, the sides' bias, what each option changes, points, outliers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from tactical.captains.captain import Share, wilson
from tactical.kernel.record import Record, decode
from webapp.lab import quick_dice
from webapp.lab.fitting import Value, fit
from webapp.lab.plan import Cell, Plan, Row

OUTLIERS = 8
MEASURE = "quinquereme"  # the type that has ten points
WIDTH = 420
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;margin:1rem 0}"
    "td,th{padding:.2rem .6rem;border-bottom:1px solid #bbb;text-align:right}"
    "td:first-child,th:first-child{text-align:left}svg{display:block;max-width:100%}"
)


class Group(Record, frozen=True):
    """Some battles taken together: a's share (a draw counts half), draws, the first side's share, and their length."""

    name: str
    games: int
    share: Share
    draws: int
    first_side: Share
    margin: float
    turns: float


def group_by(rows: Sequence[Row], key: Callable[[Row], str]) -> list[Group]:
    """The battles by a key, in the order of the keys."""
    heaps: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        heaps[key(row)].append(row)
    return [group(name, heaps[name]) for name in sorted(heaps)]


def group(name: str, rows: Sequence[Row]) -> Group:
    """The sums of some battles."""
    draws = sum(not row.won for row in rows)
    won = sum(row.won == "a" for row in rows) + draws / 2
    first = sum(row.side == row.first_side for row in rows) + draws / 2
    return Group(
        name,
        len(rows),
        wilson(won, len(rows)),
        draws,
        wilson(first, len(rows)),
        round(sum(row.points_a - row.points_b for row in rows) / len(rows), 2),
        round(sum(row.turns for row in rows) / len(rows), 1),
    )


def summary(cells: Sequence[Cell], rows: Sequence[Row], quick: bool = False) -> dict[str, Any]:
    """All that the report shows, as values."""
    planned = [row for row in rows if not row.scenario.startswith("random ")]
    return {
        "pairs": group_by(planned, lambda row: f"{row.a} against {row.b}"),
        "combinations": group_by(planned, lambda row: f"{row.scenario}: {row.a} against {row.b}"),
        "sides": group_by(planned, lambda row: row.scenario),
        "options": [
            each
            for name in option_names(planned)
            for each in group_by(planned, lambda row, name=name: f"{name} = {option(row, name)}")  # type: ignore[misc]
        ],
        "points": fit(cells, rows, MEASURE),
        "quick": quick_dice.fit(cells, rows) if quick else None,
        "outliers": outliers(planned),
    }


def option_names(rows: Sequence[Row]) -> list[str]:
    """The options that differ among the battles."""
    return sorted({name for row in rows for name in decode(row.options, dict[str, Any])})


def option(row: Row, name: str) -> str:
    """An option of a battle as text."""
    return str(decode(row.options, dict[str, Any]).get(name, ""))


def outliers(rows: Sequence[Row]) -> list[Row]:
    """The battles that ended with the widest margins: to be read as replays."""
    return sorted(rows, key=lambda row: -abs(row.points_a - row.points_b))[:OUTLIERS]


def write(folder: Path, plan: Plan, cells: Sequence[Cell], rows: Sequence[Row]) -> Path:
    """The report as one page of HTML with its plots."""
    path = folder / "report.html"
    quick = plan.points is not None and plan.points.quick
    path.write_text(page(plan, summary(cells, rows, quick), len(rows)), encoding="utf-8")
    return path


def page(plan: Plan, found: dict[str, Any], battles: int) -> str:
    """The whole page."""
    parts = [
        f"<h1>{escape(plan.title)}</h1><p>{battles:d} battles; intervals are Wilson's, of 95 per cent; a draw counts"
        " half. Sides and dice are mirrored.</p>",
        section("Win rates", found["pairs"]),
        section("By scenario", found["combinations"]),
        section("The first side's share", found["sides"], first=True),
        section("What the options change", found["options"]),
        points(found["points"]),
        quick_table(found["quick"]),
        outlying(found["outliers"]),
    ]
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(plan.title)}</title>'
    return head + "<style>" + STYLE + "</style><body>" + "".join(parts) + "</body></html>\n"


def section(title: str, groups: Sequence[Group], first: bool = False) -> str:
    """A plot and a table of groups; nothing without groups."""
    if not groups:
        return ""
    rows = "".join(table_row(each, each.first_side if first else each.share) for each in groups)
    shares = [(each.name, each.first_side if first else each.share) for each in groups]
    words = ("what", "games", "share", "from", "to", "draws", "margin", "turns")
    head = "<tr>" + "".join(f"<th>{escape(word)}</th>" for word in words) + "</tr>"
    return "<h2>" + escape(title) + "</h2>" + plot(shares) + "<table>" + head + rows + "</table>"


def table_row(each: Group, share: Share) -> str:
    """A row of a table."""
    return (
        f"<tr><td>{escape(each.name)}</td><td>{each.games:d}</td><td>{100 * share.share:.1f}%</td>"
        f"<td>{100 * share.low:.1f}%</td><td>{100 * share.high:.1f}%</td><td>{each.draws:d}</td>"
        f"<td>{each.margin:.1f}</td><td>{each.turns:.1f}</td></tr>"
    )


def plot(shares: Sequence[tuple[str, Share]]) -> str:
    """Shares with their intervals, one below the other; the line in the middle is an even chance."""
    parts = [mark(number, name, share) for number, (name, share) in enumerate(shares)]
    high = 26 * len(shares) + 10
    middle = 200 + WIDTH / 2
    line = f'<line x1="{middle:.1f}" x2="{middle:.1f}" y1="0" y2="{high:d}" stroke="#999" stroke-dasharray="3 3"/>'
    return f'<svg viewBox="0 0 {WIDTH + 210:d} {high:d}" role="img">' + line + "".join(parts) + "</svg>"


def mark(number: int, name: str, share: Share) -> str:
    """One share of a plot."""
    y = 18 + 26 * number
    low, at, high = (200 + WIDTH * value for value in (share.low, share.share, share.high))
    return (
        f'<text x="190" y="{y + 5:d}" text-anchor="end" font-size="13">{escape(name[:30])}</text>'
        f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y:d}" y2="{y:d}" stroke="#245" stroke-width="3"/>'
        f'<circle cx="{at:.1f}" cy="{y:d}" r="5" fill="#a30"/>'
    )


def points(values: Sequence[Value]) -> str:
    """The points values of the ship types."""
    if not values:
        return ""
    rows = "".join(
        f"<tr><td>{escape(each.type)}</td><td>{each.points:.1f}</td><td>{each.low:.1f}</td><td>{each.high:.1f}</td></tr>"
        for each in values
    )
    head = "<tr><th>type</th><th>points</th><th>from</th><th>to</th></tr>"
    return "<h2>Points values of ship types, fitted</h2><table>" + head + rows + "</table>"


def quick_table(found: quick_dice.Fitted | None) -> str:
    """O6.2 The table of quick dice, and how it does with battles that the fit has not seen."""
    if found is None:
        return ""
    ships = [*found.values.items(), *((f"{crew} rowers, times", factor) for crew, factor in found.crews.items())]
    worth = "".join(f"<tr><td>{escape(name)}</td><td>{value:.2f}</td></tr>" for name, value in ships)
    rows = "".join(
        f"<tr><td>{escape(each.name)}</td><td>{each.total:d}</td><td>{each.loser:d}%</td><td>{each.winner:d}%</td></tr>"
        for each in found.rows
    )
    checked = "".join(
        f"<tr><td>{each.low:.1f} to {min(each.high, 99):.1f}</td><td>{each.battles:d}</td>"
        f"<td>{100 * each.wins_told:.0f}%</td><td>{100 * each.wins:.0f}%</td><td>{each.weaker_told:.0f}%</td>"
        f"<td>{each.weaker:.0f}%</td><td>{each.stronger_told:.0f}%</td><td>{each.stronger:.0f}%</td></tr>"
        for each in found.checked
    )
    steps = ", ".join(f"{step:.2f}" for step in found.shift)
    heads = ("result", "from", "loser", "winner")
    told = ("ratio", "battles", "wins, told", "fought", "weaker loses", "fought", "stronger loses", "fought")
    head, long = ("<tr>" + "".join(f"<th>{escape(word)}</th>" for word in row) + "</tr>" for row in (heads, told))
    return (
        f"<h2>Quick dice, fitted from {found.battles:d} battles</h2>"
        "<table>" + worth + "</table>"
        f"<p>Steps of the ratio: {escape(steps)}. Of a hundred ships lost {found.taken:d} are taken.</p>"
        "<table>" + head + rows + "</table>"
        f"<p>Every fifth meeting was kept back. The table errs by {found.error_chance:.1f}"
        f" points in the chance to win, by {found.error_loss:.1f} in the share of ships lost.</p>"
        "<table>" + long + checked + "</table>"
    )


def outlying(rows: Sequence[Row]) -> str:
    """The battles with the widest margins, and how to read them."""
    if not rows:
        return ""
    listed = "".join(
        f"<tr><td>{escape(row.scenario)}</td><td>{escape(row.a)}</td><td>{escape(row.b)}</td>"
        f"<td>{row.points_a:d} : {row.points_b:d}</td><td><code>{escape(row.cell)}:{row.number:d}</code></td></tr>"
        for row in rows
    )
    told = "<p>Keep one as a game: <code>navarch lab PLAN --replay CELL:NUMBER --db FILE</code>.</p>"
    head = "<tr><th>scenario</th><th>a</th><th>b</th><th>points</th><th>battle</th></tr>"
    return "<h2>Outliers</h2>" + told + "<table>" + head + listed + "</table>"
