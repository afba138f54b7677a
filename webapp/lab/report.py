"""A laboratory's report: win rates with intervals, the sides' bias, what each option changes, values, outliers."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from tactical.battle import Battle
from tactical.captains.captain import Share, wilson
from tactical.captains.worth import WORTH, Fought, Table
from tactical.kernel.record import Record, decode
from webapp.lab.fitting import start_of
from webapp.lab.plan import Cell, Plan, Row
from webapp.lab.values import Quick, fights, quick_table, worth_table

OUTLIERS = 8
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


def summary(cells: Sequence[Cell], rows: Sequence[Row], drawn: bool = False) -> dict[str, Any]:
    """All that the report shows, as values; what is fitted only where the plan has drawn fleets."""
    planned = [row for row in rows if not row.scenario.startswith("drawn ")]
    known = fights(cells, rows) if drawn else []
    level = cells[0].a if cells else ""
    return {
        "pairs": group_by(planned, lambda row: f"{row.a} against {row.b}"),
        "combinations": group_by(planned, lambda row: f"{row.scenario}: {row.a} against {row.b}"),
        "sides": group_by(planned, lambda row: row.scenario),
        "options": [
            each
            for name in sorted({name for row in planned for name in decode(row.options, dict[str, Any])})
            for each in group_by(planned, lambda row, name=name: f"{name} = {option(row, name)}")  # type: ignore[misc]
        ],
        "worth": worth_table(known, level) if known else None,
        "quick": quick_table(known, level) if known else None,
        "fought": fought(cells, rows),
        "outliers": sorted(planned, key=lambda row: -abs(row.points_a - row.points_b))[:OUTLIERS],
    }


def option(row: Row, name: str) -> str:
    """An option of a battle as text."""
    return str(decode(row.options, dict[str, Any]).get(name, ""))


def fought(cells: Sequence[Cell], rows: Sequence[Row]) -> dict[str, Fought]:
    """What came of each start of equal captains, each battle once: data/galley/fought.toml."""
    found = {}
    for cell in cells:
        here = list({row.end: row for row in rows if row.cell == cell.id}.values())
        if not here or cell.a != cell.b or cell.breaks_off:
            continue
        sides = list(start_of(cell, 0).sides)
        lost = dict.fromkeys(sides, 0)
        for row in here:
            for side, number in zip(
                sides if row.first_side == sides[0] else sides[::-1], (row.lost_a, row.lost_b), strict=True
            ):
                lost[side] += number
        won = {side: sum(row.side == side for row in here) for side in sides}
        told = cell.scenario if cell.a == WORTH.level else f"{cell.scenario}, {cell.a}"
        found[told] = Fought(
            cell.a,
            len(here),
            won,
            len(here) - sum(won.values()),
            {side: round(number / len(here), 1) for side, number in lost.items()},
            round(sum(row.turns for row in here) / len(here), 1),
            cell.composition or composition_at(start_of(cell, 0)),
        )
    return found


def composition_at(start: Battle) -> dict[str, dict[str, int]]:
    """The ships of each side of a battle by navy, type, rowers and corvus."""
    return {
        side: dict(
            Counter(
                f"{about.navy}:{ship.type}:{ship.crew}:{'corvus' if ship.corvus else ''}"
                for ship in start.ships.values()
                if ship.side == side
            )
        )
        for side, about in start.sides.items()
    }


def write(folder: Path, plan: Plan, cells: Sequence[Cell], rows: Sequence[Row]) -> Path:
    """The report as one page of HTML with its plots; beside it, as TOML, what is kept in `data`."""
    found = summary(cells, rows, plan.drawn is not None)
    for name in ("worth", "quick", "fought"):
        if found[name]:
            (folder / f"{name}.toml").write_text(toml_of(msgspec.to_builtins(found[name])), encoding="utf-8")
    path = folder / "report.html"
    path.write_text(page(plan, found, len(rows)), encoding="utf-8")
    return path


def toml_of(values: Mapping[str, Any]) -> str:
    """Values as TOML: what is no table first, then each table with a line for each of its rows."""
    plain = [f"{key(name)} = {inline(each)}" for name, each in values.items() if not isinstance(each, dict)]
    for name, each in values.items():
        if isinstance(each, dict):
            plain += ["", f"[{key(name)}]", *(f"{key(part)} = {inline(row)}" for part, row in each.items())]
    return "\n".join(plain).lstrip() + "\n"


def key(name: str) -> str:
    """A name as TOML takes it for a key."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def inline(value: Any) -> str:
    """A value in one line of TOML."""
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{key(name)} = {inline(each)}" for name, each in value.items()) + " }" if value else "{}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def page(plan: Plan, found: dict[str, Any], battles: int) -> str:
    """The whole page."""
    parts = [
        f"<h1>{escape(plan.title)}</h1><p>{battles:d} battles; intervals are Wilson's, of 95 per cent; a draw counts"
        " half. Different captains fight each throw of the dice from both sides; of equal ones the first of a pair has"
        " the first side, and every battle has dice of its own.</p>",
        section("Win rates", found["pairs"]),
        section("By scenario", found["combinations"]),
        section("The first side's share", found["sides"], first=True),
        section("What the options change", found["options"]),
        values(found["worth"]),
        quick(found["quick"]),
        outlying(found["outliers"]),
    ]
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(plan.title)}</title>'
    return head + "<style>" + STYLE + "</style><body>" + "".join(parts) + "</body></html>\n"


def section(title: str, groups: Sequence[Group], first: bool = False) -> str:
    """A plot and a table of groups; nothing without groups."""
    if not groups:
        return ""
    shares = [(each.name, each.first_side if first else each.share) for each in groups]
    rows = (
        (
            each.name,
            each.games,
            *(f"{100 * value:.1f}%" for value in (share.share, share.low, share.high)),
            each.draws,
            f"{each.margin:.1f}",
            f"{each.turns:.1f}",
        )
        for each, (_name, share) in zip(groups, shares, strict=True)
    )
    heads = ("what", "games", "share", "from", "to", "draws", "margin", "turns")
    return "<h2>" + escape(title) + "</h2>" + plot(shares) + table(heads, rows)


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


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table: what stands in a cell is a word or a number."""
    head = "<tr>" + "".join(f"<th>{escape(word)}</th>" for word in heads) + "</tr>"
    body = ("<tr>" + "".join(f"<td>{escape(f'{cell}')}</td>" for cell in row) + "</tr>" for row in rows)
    return "<table>" + head + "".join(body) + "</table>"


def values(found: Table | None) -> str:
    """What a ship is worth, and how far that errs."""
    if found is None:
        return ""
    factors = ("poor", "elite", "roman", "asiatic", "corvus")
    ships = ((kind, each.points, *(getattr(each, name) for name in factors)) for kind, each in found.ships.items())
    errors = ((kind, each.battles, each.told, each.won, each.error) for kind, each in found.errors.items())
    return (
        f"<h2>What a ship is worth, fitted from {found.battles:d} battles</h2>"
        + table(("type", "points", *factors), ships)
        + f"<p>Steepness {found.steepness:.3f}, size {found.size:.3f}, spread {found.spread:.3f}, of a ship"
        f" alone {found.alone:.3f}.</p>"
        + table(("kind of meeting", "battles", "stronger wins, told", "fought", "error"), errors)
    )


def quick(found: Quick | None) -> str:
    """O6.2 The table of quick dice, and how it does with battles that the fit has not seen."""
    if found is None:
        return ""
    steps = ", ".join(f"{step:.2f}" for step in found.shift)
    told = ("weaker loses, told", "fought", "stronger loses, told", "fought")
    return (
        f"<h2>Quick dice, fitted from {found.battles:d} battles</h2>"
        f"<p>Steps of the ratio: {escape(steps)}. Of a hundred ships lost {found.taken:d} are taken. In {found.over:d}"
        " battles more were lost than the table allows.</p>"
        + table(
            ("result", "from", "loser", "winner"), ((row.name, row.total, row.loser, row.winner) for row in found.rows)
        )
        + table(
            ("kind of meeting", "battles", "chance errs by", "losses err by", *told),
            ((kind, *msgspec.structs.astuple(each)) for kind, each in found.errors.items()),
        )
    )


def outlying(rows: Sequence[Row]) -> str:
    """The battles with the widest margins, and how to read them."""
    if not rows:
        return ""
    told = "<p>Keep one as a game: <code>navarch lab PLAN --replay CELL:NUMBER --db FILE</code>.</p>"
    listed = (
        (row.scenario, row.a, row.b, f"{row.points_a:d} : {row.points_b:d}", f"{row.cell}:{row.number:d}")
        for row in rows
    )
    return "<h2>Outliers</h2>" + told + table(("scenario", "a", "b", "points", "battle"), listed)
