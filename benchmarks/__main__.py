"""`make bench`: measure everything beside its anchor, or only what is named.

Example: python -m benchmarks --json --only engine.loop.40
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import browser, camera, cuts, engines, great_war, growth, memory, odds, start, tests, web
from benchmarks.goals import verdicts
from benchmarks.row import Row, rounded

KEPT = Path(".bench/results.json")  # the last results of each row, which the next run compares with


def measures(rounds: int) -> dict[str, Callable[[], Row | None]]:
    """Every measure by its id; None where there is nothing to measure yet."""
    return {
        **engines.loops(rounds),
        **web.measures(rounds),
        **browser.measures(rounds),
        **odds.measures(rounds),
        **start.measures(rounds),
        **growth.measures(rounds),
        **great_war.measures(rounds),
        **cuts.measures(rounds),
        **camera.measures(rounds),
        **memory.measures(),
        "tests": tests.row,
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, keep; 2 when an id is unknown."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--only", action="append", metavar="ID", help="only this row (may be given again)")
    parser.add_argument("--rounds", type=int, default=5, help="how many times each is measured, by turns (default: 5)")
    parser.add_argument("--against", type=Path, default=KEPT, help=f"results to compare with (default: {KEPT})")
    parser.add_argument("--keep", type=Path, default=KEPT, help=f"where to keep the results (default: {KEPT})")
    given = parser.parse_args(arguments)
    known = measures(max(1, given.rounds))
    wrong = [id for id in given.only or () if id not in known]
    if wrong:
        print(f"There is no row called {wrong[0]}; there are {', '.join(known)}.", file=sys.stderr)
        return 2
    before = kept(given.against)
    rows, loads = [], [load()]
    for id in given.only or known:
        row = known[id]()
        if row is None:
            continue
        loads.append(load())
        rows.append(row)
        if not given.json:
            print(line(row, before.get(id)), flush=True)
    if given.json:
        print(json.dumps({"load": max(loads), "rows": [row.shown() for row in rows]}, indent=1))
    else:
        print(f"load of the machine: {min(loads)} to {max(loads)} on {os.cpu_count()} cores")
    keep(given.keep, rows, loads)
    if not given.json:
        print(*verdicts(kept(given.keep), known), sep="\n")
    return 0


def load() -> float:
    """How many programs wanted a core in the last minute."""
    return round(os.getloadavg()[0], 2)


def line(row: Row, before: dict[str, Any] | None) -> str:
    """A row for people: the ratio beside its target, and what it was the last time."""
    sign = "≥" if row.better == "higher" else "≤"
    told = f"{row.id:<28} {row.figure:>10.4g} {row.unit:<10} anchor {row.anchor:>10.4g}"
    told += f"  ratio {row.ratio:>7.3g} ({sign} {row.target:.3g}) {'met' if row.met else 'MISSED'}"
    if before:
        told += f"  before: {before['ratio']:.3g}"
    return f"{told}  [{row.more['against']}]"


def kept(file: Path) -> dict[str, dict[str, Any]]:
    """The rows of an earlier run by their ids; none when there was none."""
    if not file.exists():
        return {}
    return {row["id"]: row for row in json.loads(file.read_text())["rows"]}


def keep(file: Path, rows: list[Row], loads: list[float]) -> None:
    """Keep the results with their spread; rows that were not measured now stay as they were."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    known = kept(file)
    for row in rows:
        known[row.id] = {**row.shown(), "more": deep(row.more), "at": now, "load": [min(loads), max(loads)]}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"rows": list(known.values())}, indent=1) + "\n")


def deep(value: Any) -> Any:
    """Numbers rounded, however deep."""
    if isinstance(value, dict):
        return {name: deep(each) for name, each in value.items()}
    return [deep(each) for each in value] if isinstance(value, list) else rounded(value)


if __name__ == "__main__":
    sys.exit(main())
