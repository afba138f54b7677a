"""`navarch keep` (pause, end, archive or publish a campaign) and `navarch copy` (a new game from an old one)."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from webapp.cli import database_option, existing, number_from
from webapp.post.api import ORGANIZER, perform
from webapp.storage.errors import Refused
from webapp.storage.journal.store import Store
from webapp.storage.services import archive


def register(subparsers: Any) -> None:
    """Add both subcommands."""
    acting = subparsers.add_parser(
        "keep",
        help="pause, end, archive or publish a campaign",
        description="Does and records what the organizer can do on a campaign's page. While a"
        " campaign is paused, ended or archived nobody commands in it, and its deadlines stand.",
        epilog="Example: navarch keep archive K7M2QXAB",
    )
    acting.add_argument("act", choices=archive.ACTS, metavar="ACT", help=f"one of {', '.join(archive.ACTS)}")
    acting.add_argument("game", metavar="GAME")
    database_option(acting)
    acting.set_defaults(run=act)
    copying = subparsers.add_parser(
        "copy",
        help="make a new game from an old one as it stood after an entry of its journal",
        description="Makes a new game with the journal of another one up to an entry, and prints its seats' tokens.",
        epilog="Example: navarch copy K7M2QXAB --entry 40 --title 'What if'",
    )
    copying.add_argument("game", metavar="GAME")
    copying.add_argument(
        "--entry",
        type=number_from(0, 1_000_000),
        metavar="N",
        help="the last journal entry to copy (default: the newest)",
    )
    copying.add_argument("--title", default="", help="the copy's title (default: the game's)")
    database_option(copying)
    copying.set_defaults(run=copy)


def act(given: argparse.Namespace) -> int:
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
    print(f"{made.id} {made.title}")
    for seat, token in tokens.items():
        print(f"  {seat:<12}/join/{token}")
    return 0
