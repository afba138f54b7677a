"""The games file on the command line: games out and in, copies of the file, other machines, the journals' check."""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tactical.kernel.record import BadInput, encode
from webapp.cli import add, database_option, existing, number_from
from webapp.http.forms import parse
from webapp.post.api import ORGANIZER, perform
from webapp.storage.errors import Refused
from webapp.storage.file.database import Damaged, trouble
from webapp.storage.journal import transfer
from webapp.storage.journal.store import Store
from webapp.storage.services import archive, backups

TROUBLES = (sqlite3.Error, Damaged, BadInput)
SHARED = ("session", "feeds", "push key")  # what makes a cookie, a feed's address and a device's messages good
REFUSED = 2  # the exit code of a program of ours that has changed nothing


def register(subparsers: Any) -> None:
    """Add the subcommands."""
    verifying = add(
        subparsers,
        "verify",
        verify,
        "Applies every journal entry again with its recorded dice. A difference gives exit code 1.",
        "verify K7M2QX",
    )
    verifying.add_argument("game", nargs="?", metavar="GAME", help="one game (default: all)")
    exporting = add(
        subparsers,
        "export",
        export,
        "Writes a game with its journal, positions and secrets.",
        "export K7M2QX --out mylae.json",
    )
    exporting.add_argument("game", metavar="GAME")
    exporting.add_argument("--out", type=Path, help="the file to write (default: standard output)")
    importing = add(
        subparsers,
        "import",
        import_,
        "Adds a saved game under a new code and prints the tokens of its seats.",
        "import mylae.json",
    )
    importing.add_argument("file", type=Path, metavar="FILE")
    acting = add(
        subparsers,
        "keep",
        keep,
        "Does and records what the organizer can do on a campaign's page. While a"
        " campaign is paused, ended or archived nobody commands in it, and its deadlines stand.",
        "keep archive K7M2QXAB",
    )
    acting.add_argument("act", choices=archive.ACTS, metavar="ACT", help=f"one of {', '.join(archive.ACTS)}")
    acting.add_argument("game", metavar="GAME")
    copying = add(
        subparsers,
        "copy",
        copy,
        "Makes a new game with the journal of another one up to an entry, and prints its seats' tokens.",
        "copy K7M2QXAB --entry 40 --title 'What if'",
    )
    copying.add_argument("game", metavar="GAME")
    copying.add_argument(
        "--entry",
        type=number_from(0, 1_000_000),
        metavar="N",
        help="the last journal entry to copy (default: the newest)",
    )
    copying.add_argument("--title", default="", help="the copy's title (default: the game's)")
    leaving = add(
        subparsers,
        "move",
        move,
        "Takes a game with its battles out of this games file and gives it to a command that reads it"
        " from its standard input on the other machine. Codes and links stay as they are; behind nginx this machine"
        " sends whoever asks for the game to the other one.",
        "move K7M2QXAB --to beta --by 'ssh beta navarch arrive --db /var/lib/navarch/games.db'",
    )
    leaving.add_argument("game", metavar="GAME")
    leaving.add_argument("--to", required=True, metavar="MACHINE", help="the other machine's name in the nginx file")
    leaving.add_argument("--by", required=True, metavar="COMMAND", help="runs `navarch arrive` on the other machine")
    arriving = add(
        subparsers,
        "arrive",
        arrive,
        "Adds a game that `navarch move` has taken out of another games file, and verifies its journal.",
        "arrive --db games.db < games.db.moved/K7M2QXAB.db",
    )
    arriving.add_argument("file", type=Path, nargs="?", metavar="FILE", help="default: standard input")
    sharing = add(
        subparsers,
        "secrets",
        share,
        "Writes the secrets that make cookies, feeds and notifications good on every machine; with FILE,"
        " reads them. Do it before the first game of a new machine begins.",
        "secrets | ssh beta navarch secrets --db /var/lib/navarch/games.db -",
    )
    sharing.add_argument("file", nargs="?", metavar="FILE", help="a file with secrets to read; - is standard input")
    backing = add(
        subparsers,
        "backup",
        backup,
        "Copies the games file. Without --out the copy joins the rolling backups beside the file.",
        "backup --out friday.db",
    )
    backing.add_argument("--out", type=Path, metavar="COPY", help="the file to write")
    restoring = add(
        subparsers,
        "restore",
        restore,
        "Replaces the games file with a backup. The present file is backed up first.",
        "restore friday.db",
    )
    restoring.add_argument("backup", type=Path, metavar="COPY")
    for each in (verifying, exporting, importing, acting, copying, leaving, arriving, sharing, backing, restoring):
        database_option(each)


def verify(given: argparse.Namespace) -> int:
    """Verify one game or all; 1 when anything differs."""
    store = Store(existing(given.db))
    games = [store.game(given.game)] if given.game else store.games()
    faults = 0
    for game in games:
        try:
            found = transfer.verify(store, game.id)
        except TROUBLES as met:  # one damaged game is told, and the others are looked at all the same
            found = [str(trouble(met) or met)]
        faults += len(found)
        print(f"{game.id} {game.system} version {game.version}: {'differs' if found else 'well'}", flush=True)
        for fault in found:
            print(f"  {fault}")
    print(f"{len(games)} games, {faults} differences")
    return 1 if faults else 0


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
    print(f"{game.id} {game.title}", *(f"  {seat:<12}/join/{token}" for seat, token in tokens.items()), sep="\n")
    return 0


def keep(given: argparse.Namespace) -> int:
    """Do it and say how the game stands."""
    try:
        found = perform(Store(existing(given.db)), given.game.upper(), given.act, ORGANIZER)
    except Refused as fault:
        print(f"navarch: {fault}", file=sys.stderr)
        return 2
    stands = [found.halted or "goes on", *(["archived"] * found.archived), *(["public"] * found.is_public)]
    print(f"{found.id} {found.title}: {', '.join(stands)}")
    return 0


def copy(given: argparse.Namespace) -> int:
    """Copy it and print where the copy is."""
    made, tokens = archive.copy(Store(existing(given.db)), given.game.upper(), ORGANIZER, given.entry, given.title)
    print(f"{made.id} {made.title}", *(f"  {seat:<12}/join/{token}" for seat, token in tokens.items()), sep="\n")
    return 0


def move(given: argparse.Namespace) -> int:
    """Take the game out, hand it over, and write down where it is. Raises BadInput, Unknown."""
    if not given.to.isalnum():
        raise BadInput("--to", "give the machine's name, of letters and digits, for example beta")
    store, game = Store(existing(given.db)), given.game.upper()
    bundle = backups.leave(store, game)
    with bundle.open("rb") as held:
        try:
            code = subprocess.run(shlex.split(given.by), stdin=held, check=False).returncode
        except (OSError, ValueError) as fault:  # it never ran
            print(f"navarch: --by: {fault}", file=sys.stderr)
            code = REFUSED
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
