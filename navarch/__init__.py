"""`navarch`: where the command line begins. It lists the subcommands, and imports what one needs when it is used.

`webapp.cli` does the work. Importing it brings Flask, the systems and their maps: none of that is needed to print
the list.

Installed, the program's folders `data`, `tactical`, `strategic` and `webapp` lie inside this package, so that they meet
nobody else's. Importing `navarch` puts them first where Python looks; a program that uses an engine imports it first.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

INSIDE = os.path.dirname(os.path.abspath(__file__))
if os.path.isdir(os.path.join(INSIDE, "webapp")):  # in a clone the folders lie beside this package
    sys.path.insert(0, INSIDE)


class Command(NamedTuple):
    """A subcommand: the module of `webapp.cli` that has it, and its line of help."""

    module: str
    help: str


COMMANDS = {
    "serve": Command("serve", "serve the pages and the API"),
    "promote": Command("serve", "make this machine the writer of what another one has replicated, and serve"),
    "random-play": Command("trials", "play offered commands at random and check the invariants"),
    "match": Command("trials", "let captains play each other and count the wins"),
    "forecast": Command("trials", "estimate how a battle will go: chances, losses, length"),
    "lab": Command("trials", "play every battle of a plan (scenarios, options, fleets, levels) and report"),
    "puzzles": Command("trials", "find positions with one clearly best line, solved exactly"),
    "verify": Command("games", "replay journals and compare with the stored positions"),
    "export": Command("games", "write a whole game to a JSON file"),
    "import": Command("games", "read a game from a JSON file"),
    "keep": Command("games", "pause, end, archive or publish a campaign"),
    "copy": Command("games", "make a new game from an old one as it stood after an entry of its journal"),
    "move": Command("games", "move a game to another machine"),
    "arrive": Command("games", "take in a game that was moved from another machine"),
    "secrets": Command("games", "give a new games file the secrets of another machine"),
    "backup": Command("games", "back up the games file, also while the server runs"),
    "restore": Command("games", "replace the games file with a backup"),
    "coverage": Command("rules", "count the rule paragraphs of each system by status: done, manual, later"),
    "odds": Command(
        "rules", "calculate exact chances: boarding, ram, head-on ram, missiles, repairs, and the campaigns' tables"
    ),
    "table": Command("table", "print tags for the models on a table, and read a photograph of it"),
}


def frame() -> argparse.ArgumentParser:
    """The command line without its subcommands."""
    top = argparse.ArgumentParser(
        prog="navarch",
        description="Galley battles for miniatures tables, and the campaigns they belong to.",
        epilog="Example: navarch serve --demo",
    )
    top.add_argument("--version", action="store_true", help="print the version and stop")
    return top


def parser() -> argparse.ArgumentParser:
    """What `navarch --help` prints; the subcommands have no options here."""
    top = frame()
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        subparsers.add_parser(name, help=command.help, add_help=False)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand; its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["--version"]:
        print(f"navarch {importlib.import_module('importlib.metadata').version('navarch')}")
        return 0
    if not given or given[0] not in COMMANDS:
        parser().parse_args(given)  # prints the help, or what is wrong, and exits
    gc.disable()  # what is imported stays: sweeps would find nothing, and take a fifth of a second
    program = importlib.import_module("webapp.cli")
    top = frame()
    program.register(top, COMMANDS[given[0]].module)
    gc.enable()
    return int(program.run(top, given))
