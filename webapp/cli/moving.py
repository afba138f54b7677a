"""`navarch move`, `navarch arrive` and `navarch secrets`: several machines with a games file each."""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tactical.kernel.record import BadInput
from webapp.cli import database_option, existing
from webapp.storage.journal.store import Store
from webapp.storage.services import backups

SHARED = ("session", "feeds", "push key")  # what makes a cookie, a feed's address and a device's messages good
REFUSED = 2  # the exit code of a program of ours that has changed nothing


def register(subparsers: Any) -> None:
    """Add the subcommands."""
    leaving = subparsers.add_parser(
        "move",
        help="move a game to another machine",
        description="Takes a game with its battles out of this games file and gives it to a command that reads it"
        " from its standard input on the other machine. Codes and links stay as they are; behind nginx this machine"
        " sends whoever asks for the game to the other one.",
        epilog="Example: navarch move K7M2QXAB --to beta --by 'ssh beta navarch arrive --db /var/lib/navarch/games.db'",
    )
    leaving.add_argument("game", metavar="GAME")
    leaving.add_argument("--to", required=True, metavar="MACHINE", help="the other machine's name in the nginx file")
    leaving.add_argument("--by", required=True, metavar="COMMAND", help="runs `navarch arrive` on the other machine")
    database_option(leaving)
    leaving.set_defaults(run=move)
    arriving = subparsers.add_parser(
        "arrive",
        help="take in a game that was moved from another machine",
        description="Adds a game that `navarch move` has taken out of another games file, and verifies its journal.",
        epilog="Example: navarch arrive --db games.db < games.db.moved/K7M2QXAB.db",
    )
    arriving.add_argument("file", type=Path, nargs="?", metavar="FILE", help="default: standard input")
    database_option(arriving)
    arriving.set_defaults(run=arrive)
    sharing = subparsers.add_parser(
        "secrets",
        help="give a new games file the secrets of another machine",
        description="Writes the secrets that make cookies, feeds and notifications good on every machine; with FILE,"
        " reads them. Do it before the first game of a new machine begins.",
        epilog="Example: navarch secrets | ssh beta navarch secrets --db /var/lib/navarch/games.db -",
    )
    sharing.add_argument("file", nargs="?", metavar="FILE", help="a file with secrets to read; - is standard input")
    database_option(sharing)
    sharing.set_defaults(run=share)


def move(given: argparse.Namespace) -> int:
    """Take the game out, hand it over, and write down where it is. Raises BadInput, Unknown."""
    if not given.to.isalnum():
        raise BadInput("--to", "give the machine's name, of letters and digits, for example beta")
    store, game = Store(existing(given.db)), given.game.upper()
    bundle = backups.leave(store, game)
    with bundle.open("rb") as held:
        code = _run(given.by, held)
    if code == REFUSED:
        backups.arrive(store, bundle)
        print(f"navarch: the other machine did not take {game}; it is here as before", file=sys.stderr)
        return REFUSED
    if code != 0:
        print(
            f"navarch: nobody knows whether {game} has arrived (exit code {code}). Run the same command again;"
            f" or, if it is certain that it has not, put it back: navarch arrive {bundle} --db {given.db}",
            file=sys.stderr,
        )
        return 1
    backups.settle(store, game, given.to)
    print(f"{game} is on {given.to} now. nginx finds it sooner with a line in its map of machines: {game} {given.to};")
    return 0


def _run(command: str, held: Any) -> int:
    try:
        return subprocess.run(shlex.split(command), stdin=held, check=False).returncode
    except (OSError, ValueError) as fault:  # it never ran
        print(f"navarch: --by: {fault}", file=sys.stderr)
        return REFUSED


def arrive(given: argparse.Namespace) -> int:
    """Take the game and say what came. Raises BadInput."""
    store = Store(given.db)
    with tempfile.TemporaryDirectory(prefix="navarch-arriving-") as folder:
        bundle = given.file
        if bundle is None:
            bundle = Path(folder) / "game.db"
            with bundle.open("wb") as written:
                shutil.copyfileobj(sys.stdin.buffer, written)
        found = backups.arrive(store, bundle)
    for code, version in found.items():
        print(f"{code} is here with {version} entries, verified")
    return 0


def share(given: argparse.Namespace) -> int:
    """Write the secrets of this games file, or read another one's. Raises BadInput."""
    store = Store(given.db)
    if given.file is None:
        print(json.dumps({name: store.secret(name) for name in SHARED}))
        return 0
    text = sys.stdin.read() if given.file == "-" else Path(given.file).read_text()
    try:
        found = json.loads(text)
        secrets = {name: str(found[name]) for name in SHARED}
    except (ValueError, KeyError, TypeError):
        raise BadInput("FILE", "this is not what `navarch secrets` writes") from None
    if any(store.note(name) not in (None, value) for name, value in secrets.items()) and store.file.rows(
        "select id from games limit 1"
    ):
        raise BadInput("--db", "this file has games already: their cookies would no longer be good")
    for name, value in secrets.items():
        store.keep_note(name, value)
    return 0
