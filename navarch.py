"""`navarch`: the front door of the command line. Help stands ready; a subcommand's own modules come when it is used.

`webapp.cli` does the work. Importing it brings Flask, the systems and their maps: none of that is needed to list what
there is.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

COMMANDS = {
    "serve": "serve the pages and the API",
    "random-play": "play offered commands at random to the end and check the invariants",
    "verify": "replay journals against their stored positions",
    "coverage": "count the paragraphs that are done, manual and later, by system",
    "export": "write a whole game to a JSON file",
    "import": "read a game from a JSON file",
    "keep": "pause, end, archive or show a campaign",
    "copy": "a new game from a game as it stood after an entry",
    "backup": "copy the file of games, also while it is served",
    "restore": "put a backup in the place of the file of games",
    "odds": "exact chances: boarding, ram, bow to bow, missiles, repairs and those of the campaigns",
    "match": "let captains play one another, sides and dice mirrored",
    "forecast": "how a battle probably goes: chances, losses, length",
    "lab": "fight a plan of scenarios, options, fleets and levels, and report",
}


def parser() -> argparse.ArgumentParser:
    """What `navarch --help` prints; the subcommands have no options here."""
    top = argparse.ArgumentParser(
        prog="navarch",
        description="Galley battles for miniatures tables, and the campaigns they belong to.",
        epilog="Example: navarch serve --demo",
    )
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, meaning in COMMANDS.items():
        subparsers.add_parser(name, help=meaning, add_help=False)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand; its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or given[0] not in COMMANDS:
        parser().parse_args(given)  # prints the help, or what is wrong, and exits
    return int(importlib.import_module("webapp.cli").main(given))


if __name__ == "__main__":
    sys.exit(main())
