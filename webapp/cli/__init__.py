"""The command line `navarch`, whose subcommands stand in the table of `navarch` with the modules of this folder.

A module adds its subcommands with `register(subparsers)`, each with `run`, a function from the arguments
to an exit code: 0 for success, 1 when a check found a fault, 2 for wrong use.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput
from webapp.storage.errors import NoRoom, Unknown
from webapp.storage.file.database import Damaged, trouble
from webapp.storage.file.migrations import TooNew


def add(
    subparsers: Any, name: str, run: Callable[[argparse.Namespace], int], description: str, example: str
) -> argparse.ArgumentParser:
    """A subcommand; its line of help stands in the table of `navarch.py`."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name, description=description, epilog=f"Example: navarch {example}"
    )
    parser.set_defaults(run=run)
    return parser


def register(top: argparse.ArgumentParser, module: str) -> None:
    """Give this command line the subcommands of a module of this folder."""
    importlib.import_module(f"webapp.cli.{module}").register(
        top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    )


def run(top: argparse.ArgumentParser, words: Sequence[str]) -> int:
    """Run the subcommand that these words ask for; its exit code."""
    given = top.parse_args(words)
    given.words = list(words)
    try:
        return int(given.run(given))
    except BrokenPipeError:
        return 0
    except (Unknown, BadInput, Illegal, TooNew, NoRoom, Damaged, OSError, sqlite3.Error) as fault:
        print(f"navarch: {one_line(given, fault)}", file=sys.stderr)
        return 2


def one_line(given: argparse.Namespace, fault: Exception) -> str:
    """What went wrong and what to do about it; of the disk and the file of games with its name."""
    known = trouble(fault)
    if known is None:
        return str(fault)
    return f"{given.db}: {known}" if hasattr(given, "db") else str(known)


def number_from(least: float, most: float, kind: type[int] | type[float] = int) -> Callable[[str], float]:
    """The type of an option that is a number from `least` to `most`: whole, unless `kind` is float."""
    expected = f"expected a {'whole ' * (kind is int)}number from {least} to {most}"

    def read(text: str) -> float:
        try:
            found = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(expected) from None
        if not least <= found <= most:
            raise argparse.ArgumentTypeError(expected)
        return found

    return read


def existing(path: str) -> str:
    """The path of a games file that is there: a typo makes no new file. Raises FileNotFoundError."""
    if not Path(path).exists():
        raise FileNotFoundError(f"there is no games file {path} here; give --db")
    return path


def database_option(parser: argparse.ArgumentParser) -> None:
    """The `--db` that most subcommands take."""
    default = os.environ.get("NAVARCH_DB", "navarch.db")
    parser.add_argument("--db", default=default, metavar="FILE", help=f"the games file (default: {default})")
