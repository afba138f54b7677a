"""`navarch verify`: replay journals and compare with the stored positions."""

from __future__ import annotations

import argparse
import sqlite3
from typing import Any

from tactical.kernel.record import BadInput
from webapp.cli import database_option, existing
from webapp.storage.file.database import Damaged, trouble
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify

TROUBLES = (sqlite3.Error, Damaged, BadInput)


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "verify",
        help="replay journals and compare with the stored positions",
        description="Applies every journal entry again with its recorded dice. A difference gives exit code 1.",
        epilog="Example: navarch verify K7M2QX",
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help="one game (default: all)")
    database_option(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Verify one game or all; 1 when anything differs."""
    store = Store(existing(given.db))
    games = [store.game(given.game)] if given.game else store.games()
    faults = 0
    for game in games:
        try:
            found = verify(store, game.id)
        except TROUBLES as met:  # one damaged game is told, and the others are looked at all the same
            found = [str(trouble(met) or met)]
        faults += len(found)
        print(f"{game.id} {game.system} version {game.version}: {'differs' if found else 'well'}", flush=True)
        for fault in found:
            print(f"  {fault}")
    print(f"{len(games)} games, {faults} differences")
    return 1 if faults else 0
