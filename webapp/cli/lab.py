"""`navarch lab`: plays every battle of a plan (scenarios, options, fleets, levels) and writes a report."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tactical import GALLEY
from tactical.captains.captain import play
from tactical.kernel.record import BadInput
from webapp.captains.forecasts import kept_as_game
from webapp.captains.matches import dice_of, player, seated
from webapp.cli import database_option, number_from
from webapp.lab import report
from webapp.lab.fitting import run as fight_through
from webapp.lab.fitting import start_of
from webapp.lab.plan import Results, cells, parquet_library, read_plan
from webapp.storage.journal.store import Store


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "lab",
        help="play every battle of a plan (scenarios, options, fleets, levels) and report",
        description="Lets captains play every combination of a plan, on this machine or on the workers of a Dask"
        " scheduler, and writes results.sqlite, results.parquet and report.html. It can be stopped and resumed.",
        epilog="Example: navarch lab data/lab/levels.toml --out lab/levels --resume",
    )
    parser.add_argument("plan", type=Path, metavar="PLAN.toml")
    parser.add_argument(
        "--out", type=Path, default=Path("lab"), metavar="DIR", help="folder for the results (default: lab)"
    )
    parser.add_argument("--resume", action="store_true", help="continue from the results already in that folder")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="address of a Dask scheduler, for example tcp://host:8786"
    )
    parser.add_argument(
        "--workers", type=number_from(1, 64), default=2, help="number of processes on this machine (default: 2)"
    )
    parser.add_argument("--replay", metavar="CELL:NUMBER", help="store one battle as a game in the games file")
    database_option(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Fight and report, or keep one battle as a game."""
    plan = read_plan(given.plan)
    found = cells(plan)
    if given.replay:
        return replay(given, {cell.id: cell for cell in found})
    parquet_library()  # rather than when all has been fought
    results = Results(given.out, given.resume)
    results.keep_cells(found)
    fight_through(found, results, given.workers, given.scheduler, print_progress)
    rows = results.rows(cell.id for cell in found)
    parquet = results.as_parquet(rows)
    page = report.write(given.out, plan, found, rows)
    print(f"{len(rows)} battles: {given.out / 'results.sqlite'}, {parquet}, {page}")
    for each in report.summary(found, rows)["pairs"]:
        print(f"  {each.name}: {each.share.share:.1%} ({each.share.low:.1%} to {each.share.high:.1%}) of {each.games}")
    return 0


def print_progress(done: int, of: int) -> None:
    """Print the progress."""
    if sys.stderr.isatty():
        bar = "#" * (30 * done // max(1, of))
        print(f"\r[{bar:<30}] {done} of {of}", end="" if done < of else "\n", file=sys.stderr, flush=True)


def replay(given: argparse.Namespace, known: dict[str, Any]) -> int:
    """Play one battle of the plan again and store it as a game. Raises BadInput for an unknown one."""
    name, _, number = given.replay.partition(":")
    if name not in known or not number.isdecimal():
        raise BadInput("replay", "expected CELL:NUMBER of this plan, as the report names them")
    cell = known[name]
    start = start_of(cell, int(number))
    first, second = seated(start, cell.a, cell.b, int(number))
    players = {first: player(cell.a, "a", cell.breaks_off), second: player(cell.b, "b", cell.breaks_off)}
    dice = dice_of(cell.a, cell.b, f"{cell.seed}:{cell.id}", int(number))
    fought = play(GALLEY, start, players, dice, keep=True)
    game, _tokens = kept_as_game(Store(given.db), fought, f"{cell.scenario} {number}")
    print(f"game {game.id} in {given.db}")
    return 0
