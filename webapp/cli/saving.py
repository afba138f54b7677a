"""`navarch export` and `navarch import`: write a game to a JSON file, and read it back."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tactical.kernel.record import encode
from webapp.cli import database_option, existing
from webapp.http.forms import parse
from webapp.storage.journal import transfer
from webapp.storage.journal.store import Store


def register(subparsers: Any) -> None:
    """Add both subcommands."""
    exporting = subparsers.add_parser(
        "export",
        help="write a whole game to a JSON file",
        description="Writes a game with its journal, positions and secrets.",
        epilog="Example: navarch export K7M2QX --out mylae.json",
    )
    exporting.add_argument("game", metavar="GAME")
    exporting.add_argument("--out", type=Path, help="the file to write (default: standard output)")
    database_option(exporting)
    exporting.set_defaults(run=export)
    importing = subparsers.add_parser(
        "import",
        help="read a game from a JSON file",
        description="Adds a saved game under a new code and prints the tokens of its seats.",
        epilog="Example: navarch import mylae.json",
    )
    importing.add_argument("file", type=Path, metavar="FILE")
    database_option(importing)
    importing.set_defaults(run=import_)


def export(given: argparse.Namespace) -> int:
    """Write the game."""
    store = Store(existing(given.db))
    written = encode(transfer.export(store, given.game.upper()))
    if given.out is None:
        sys.stdout.write(written.decode() + "\n")
    else:
        given.out.write_bytes(written)
    return 0


def import_(given: argparse.Namespace) -> int:
    """Read the game and print where it is."""
    game, tokens = transfer.import_(Store(given.db), parse(given.file.read_bytes(), is_saved=True))
    print(f"{game.id} {game.title}")
    for seat, token in tokens.items():
        print(f"  {seat:<12}/join/{token}")
    return 0
