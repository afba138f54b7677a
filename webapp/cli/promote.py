"""`navarch promote`: make this machine the writer of what another one has replicated, and serve."""

from __future__ import annotations

import argparse
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tactical.kernel.record import BadInput
from webapp.cli import replicating, serve
from webapp.storage.file import anchors
from webapp.storage.journal import store as journal_store
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "promote",
        help="make this machine the writer of what another one has replicated, and serve",
        description="Names this machine the writer, restores the newest replicated moment of the one that wrote"
        " before, verifies every game, and serves with these options. The other machine takes no more commands.",
        epilog="Example: navarch promote --replica sftp://backup.example/navarch --machine beta --db games.db",
    )
    parser.add_argument(
        "--acknowledged",
        type=Path,
        metavar="FILE",
        help="the other machine's games file, where its disk can still be read: what it acknowledged and did not"
        " replicate is told to the organizer",
    )
    serve.add_options(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Take over, verify, serve. Raises BadInput, ReplicaFailed."""
    replica = replicating.replica_of(given)
    if replica is None:
        raise BadInput("--replica", "say where the copies are kept")
    serve.check(given)  # before the other machine has to stop
    database = Path(given.db).resolve()
    writer = replicating.take_over(replica, database)
    games = verify_file(database)
    lost = anchors.compare(database, given.acknowledged) if given.acknowledged else []
    store = Store(database)
    journal_store.add(store, lost)
    store.file.close()
    print(*(f"{replica.machine} goes on from {writer}: {games} games, verified", *lost), sep="\n", flush=True)
    given.words = ["serve", *without(given.words[1:], "--acknowledged")]
    return serve.run(given)


def without(words: list[str], option: str) -> list[str]:
    """A command line without an option and its value."""
    left = [word for word in words if not word.startswith(f"{option}=")]
    at = left.index(option) if option in left else len(left)
    return left[:at] + left[at + 2 :]


def verify_file(database: Path) -> int:
    """The number of games of a restored file. Raises BadInput when SQLite or a journal finds a fault in it."""
    with closing(sqlite3.connect(database)) as db:
        found = str(db.execute("pragma quick_check").fetchone()[0])
    if found != "ok":
        raise BadInput("--replica", "the restored file is damaged: %(found)s", found=found)
    store = Store(database)
    games = [row["id"] for row in store.file.rows("select id from games")]
    faults = [f"{game}: {fault}" for game in games for fault in verify(store, game)]
    store.file.close()
    if faults:
        raise BadInput("--replica", "a restored journal has a fault: %(fault)s", fault=faults[0])
    return len(games)
