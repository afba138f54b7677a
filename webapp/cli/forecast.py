"""`navarch forecast`: the chances of a battle, from many battles that captains play."""

from __future__ import annotations

import argparse
import csv
import json
import secrets
import sys
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any

import msgspec

from tactical.captains import LEVELS
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput, plain
from webapp.captains.forecasts import check_levels, fight_one, result, rows, start_of, summarize
from webapp.cli import database_option, existing, number_from
from webapp.storage.journal.store import Store


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "forecast",
        help="estimate how a battle will go: chances, losses, length",
        description="Lets captains play a battle many times and sums up: chances with 95 per cent Wilson intervals,"
        " losses by value and by ship, length. From a scenario, a position, or a battle of this games file."
        " The intervals are of the dice alone; captains of another level may fare quite differently.",
        epilog="Example: navarch forecast --scenario mylae --battles 50 --level able --seed 1",
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--game", help="a battle under way, or a campaign with an open engagement")
    source.add_argument("--scenario", help="a scenario")
    source.add_argument("--position", type=Path, metavar="FILE", help="a position as JSON")
    parser.add_argument("--battles", type=number_from(1, 100_000), default=50, help="number of battles (default: 50)")
    parser.add_argument(
        "--level", choices=LEVELS, default="able", help="level of the captains on all sides (default: able)"
    )
    parser.add_argument("--seed", help="any text; the same seed gives the same battles (default: a new one)")
    parser.add_argument("--json", action="store_true", help="report as JSON")
    parser.add_argument("--csv", action="store_true", help="report as CSV, one row for each battle")
    database_option(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Fight and report."""
    position = read_position(given.position) if given.position else None
    store = Store(existing(given.db)) if given.game else None
    start = start_of(store, UMPIRE, given.game, given.scenario, position, {})
    levels = check_levels(start, dict.fromkeys(start.sides, given.level))
    seed = given.seed if given.seed is not None else secrets.token_hex(4)
    found = []
    for number in range(given.battles):
        found.append(result(number, start, fight_one(start, levels, seed, number).state))
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {given.battles}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    summary = summarize(start, found)
    if given.json:
        print(json.dumps({"done": True, "of": given.battles, "levels": levels, "seed": seed, **plain(summary)}))
    elif given.csv:
        table = rows(start, found)
        writer = csv.DictWriter(sys.stdout, table[0])
        writer.writeheader()
        writer.writerows(table)
    else:
        print(f"{given.battles} battles by {given.level} captains, seed {seed}")
        for side, share in summary.wins.items():
            chance = f"{share.share:5.0%} ({share.low:.0%} to {share.high:.0%})"
            print(f"{side:<12} wins {chance}, loses {summary.losses[side].mean:.1f} on average")
        print(f"{'drawn':<12}      {summary.draw.share:5.0%}; {summary.turns.mean:.1f} turns on average")
        print("The intervals are what the dice alone leave open; captains of another level may fare quite differently.")
    return 0


def read_position(path: Path) -> dict[str, Any]:
    """A position from a file; BadInput when it is not JSON or no object."""
    try:
        raw = msgspec.json.decode(path.read_bytes().removeprefix(BOM_UTF8))
    except msgspec.DecodeError:
        raise BadInput("position", "this is not JSON") from None
    if not isinstance(raw, dict):
        raise BadInput("position", "a position must be an object")
    inner = raw.get("position")
    return inner if isinstance(inner, dict) else raw
