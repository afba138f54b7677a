"""Serving with a second machine: the writer replicates its file, the standby follows it, `promote` exchanges them."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tactical.kernel.record import BadInput
from webapp.storage.file import anchors
from webapp.storage.file.anchors import Lost
from webapp.storage.services.backups import LOOK, MARK, Replica

INSIDE = "NAVARCH_REPLICATING"  # set for the server that Litestream runs
FIRST_COPY = 120.0  # seconds that a standby waits for the first copy


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of a server with a second machine."""
    parser.add_argument(
        "--replica",
        metavar="URL",
        help="where Litestream keeps the copies: file:///path, sftp://user@host/path or s3://bucket/path",
    )
    parser.add_argument("--machine", metavar="NAME", help="name of this machine below --replica, for example alpha")
    parser.add_argument(
        "--standby", action="store_true", help="only show the games of the machine that writes, as they are replicated"
    )


def replica_of(given: argparse.Namespace) -> Replica | None:
    """The replica of a command line; None without one. Raises BadInput."""
    if given.replica is None:
        if given.standby or given.machine:
            raise BadInput("--replica", "say where the copies are kept")
        return None
    if not given.machine or not given.machine.isalnum() or given.machine == MARK:
        raise BadInput("--machine", "give this machine a name of letters and digits, for example alpha")
    return Replica(given.replica, given.machine)


def begin_writing(replica: Replica, database: Path, command: Sequence[str]) -> bool:
    """Go on as the server that Litestream runs; True when another machine writes, and this one only shows.

    Does not return where this machine writes: Litestream takes over this process and runs the same command again.
    Raises BadInput, ReplicaFailed.
    """
    writer = replica.writer()
    if writer is None:
        replica.name_writer(replica.machine)
    elif writer != replica.machine:
        print(
            f"{writer} writes now; this machine only shows what it had.", *missing(replica, database, writer), sep="\n"
        )
        return True
    os.environ[INSIDE] = replica.machine
    words = replica.replicating(database, shlex.join([sys.executable, "-m", "navarch", *command]))
    os.execv(words[0], words)


def missing(replica: Replica, database: Path, writer: str) -> list[Lost]:
    """What this machine acknowledged and the machine that writes now does not have. Raises ReplicaFailed."""
    with tempfile.TemporaryDirectory(prefix="navarch-writer-") as folder:
        copy = Path(folder) / "games.db"
        replica.restore(writer, copy)
        return anchors.compare(copy, database)


def is_replicated() -> bool:
    """Is this the server that Litestream runs?"""
    return INSIDE in os.environ


def follow(replica: Replica, database: Path) -> subprocess.Popen[bytes]:
    """Start following the machine that writes, and wait for its first copy. Raises BadInput when there is none."""
    writer = replica.writer()
    if writer is None or writer == replica.machine:
        raise BadInput("--standby", "no other machine writes to this replica")
    refuse_a_writers_file(database)
    database.unlink(missing_ok=True)
    process = subprocess.Popen(replica.following(database, writer))
    end = time.monotonic() + FIRST_COPY
    while not database.exists():
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            raise BadInput("--standby", "the first copy of %(writer)s could not be fetched", writer=writer)
        time.sleep(0.1)
    return process


def take_over(replica: Replica, database: Path) -> str:
    """Make this machine the writer of what another one has replicated; the other machine's name.

    The mark is written first, so that a writer that still lives stops; then its last seconds are waited for. Raises
    BadInput when nobody is known to have written, ReplicaFailed.
    """
    writer = replica.writer()
    if writer is None or writer == replica.machine:
        raise BadInput("--replica", "no other machine writes to this replica")
    refuse_a_writers_file(database)
    replica.name_writer(replica.machine)
    time.sleep(2 * LOOK)
    replica.restore(writer, database)
    follower_file(database).unlink(missing_ok=True)  # from now on it is a writer's
    return writer


def follower_file(database: Path) -> Path:
    """The file that Litestream keeps beside a copy which it follows."""
    return database.with_name(f"{database.name}-txid")


def refuse_a_writers_file(database: Path) -> None:
    """Raises BadInput when a file is there that this machine wrote itself: it may hold moves that nobody else has."""
    if database.exists() and not follower_file(database).exists():
        raise BadInput(
            "--db",
            "%(file)s is not a copy: it may hold moves that no other machine has; move it away",
            file=database.name,
        )
