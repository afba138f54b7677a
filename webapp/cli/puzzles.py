"""`navarch puzzles`: find positions with one clearly best line, solved exactly, as files for data/galley/puzzles."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import get_args

import msgspec

from tactical.exercises import Goal
from webapp.cli import number_from
from webapp.lab import puzzles


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser("puzzles", help="find positions with one clearly best line, solved exactly")
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--goal", choices=get_args(Goal), default="sink", help="what the player must reach")
    parser.add_argument("--turns", type=number_from(1, 20), default=1, help="in how many turns")
    parser.add_argument("--count", type=number_from(1, 1000), default=1, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="the same seed finds the same puzzles")
    parser.add_argument("--seconds", type=number_from(1, 7 * 24 * 3600), default=600, help="when to give up")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Find and write them; 1 when the time was over before."""
    given.folder.mkdir(parents=True, exist_ok=True)
    until, number = time.monotonic() + given.seconds, 0
    for puzzle in puzzles.found(given.seed, given.goal, given.turns):
        number += 1
        name = f"{given.goal}{given.turns if given.turns > 1 else ''}_{given.seed}_{number}"
        path = given.folder / f"{name}.toml"
        path.write_text(puzzles.puzzle_text(msgspec.structs.replace(puzzle, id=name)))
        print(f"{path}: {puzzle.chance:.0%}, next {puzzle.next:.0%}", file=sys.stdout, flush=True)
        if number >= given.count or time.monotonic() > until:
            break
    return 0 if number >= given.count else 1
