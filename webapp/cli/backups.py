"""`navarch backup` and `navarch restore`: copies of the whole games file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webapp.cli import database_option, existing
from webapp.storage.services import backups


def register(subparsers: Any) -> None:
    """Add both subcommands."""
    backing = subparsers.add_parser(
        "backup",
        help="back up the games file, also while the server runs",
        description="Copies the games file. Without --out the copy joins the rolling backups beside the file.",
        epilog="Example: navarch backup --out friday.db",
    )
    backing.add_argument("--out", type=Path, metavar="COPY", help="the file to write")
    database_option(backing)
    backing.set_defaults(run=backup)
    restoring = subparsers.add_parser(
        "restore",
        help="replace the games file with a backup",
        description="Replaces the games file with a backup. The present file is backed up first.",
        epilog="Example: navarch restore friday.db",
    )
    restoring.add_argument("backup", type=Path, metavar="COPY")
    database_option(restoring)
    restoring.set_defaults(run=restore)


def backup(given: argparse.Namespace) -> int:
    """Copy the file."""
    if given.out is None:
        print(backups.back_up(Path(existing(given.db))))
    else:
        backups.copy(Path(existing(given.db)), given.out)
        print(given.out)
    return 0


def restore(given: argparse.Namespace) -> int:
    """Replace the games file with the backup."""
    kept = backups.restore(given.backup, Path(given.db))
    print(f"restored {given.backup}" + (f"; what was there is kept as {kept}" if kept else ""))
    return 0
