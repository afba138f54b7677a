"""`navarch backup` and `navarch restore`: copies of the whole file of games."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webapp.cli import database_option
from webapp.storage import backups


def register(subparsers: Any) -> None:
    """Add both subcommands."""
    backing = subparsers.add_parser(
        "backup",
        help="copy the file of games, also while it is served",
        description="Copies the file of games; without a name into the rolling backups beside it.",
        epilog="Example: navarch backup --out friday.db",
    )
    backing.add_argument("--out", type=Path, metavar="COPY", help="the file to write")
    database_option(backing)
    backing.set_defaults(run=backup)
    restoring = subparsers.add_parser(
        "restore",
        help="put a backup in the place of the file of games",
        description="Puts a backup in the place of the file of games, which is backed up first.",
        epilog="Example: navarch restore friday.db",
    )
    restoring.add_argument("backup", type=Path, metavar="COPY")
    database_option(restoring)
    restoring.set_defaults(run=restore)


def backup(given: argparse.Namespace) -> int:
    """Copy the file."""
    if given.out is None:
        print(backups.back_up(Path(given.db)))
    else:
        backups.copy(Path(given.db), given.out)
        print(given.out)
    return 0


def restore(given: argparse.Namespace) -> int:
    """Put the backup in its place."""
    kept = backups.restore(given.backup, Path(given.db))
    print(f"restored {given.backup}" + (f"; what was there is kept as {kept}" if kept else ""))
    return 0
