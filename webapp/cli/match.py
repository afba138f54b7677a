"""`navarch match`: captains play each other; every game is repeated with the sides exchanged and the same dice."""

from __future__ import annotations

import argparse
import json
import secrets
from typing import Any

from tactical.kernel.record import BadInput, plain
from webapp.captains.matches import PLAYERS, match
from webapp.cli import number_from


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "match",
        help="let captains play each other and count the wins",
        description="Plays battles between captains of two levels (or random play), each throw of the dice twice with"
        " the sides exchanged, and counts who won. The interval is Wilson's, of 95 per cent, of a's share.",
        epilog="Example: navarch match --system galley --scenario side --a able --b raw --games 20 --seed 1",
    )
    parser.add_argument("--system", default="galley", help="the system (default: galley)")
    parser.add_argument("--scenario", required=True, help="the scenario")
    parser.add_argument("--a", required=True, choices=PLAYERS, help="the first player")
    parser.add_argument("--b", required=True, choices=PLAYERS, help="the second player")
    parser.add_argument("--games", type=number_from(1, 1_000_000), default=10, help="number of games (default: 10)")
    parser.add_argument("--seed", help="any text; the same seed gives the same games (default: a new one)")
    parser.add_argument("--json", action="store_true", help="report as JSON")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Play and report."""
    if given.system != "galley":
        raise BadInput("system", "captains play matches in galley battles, not in '%(system)s'", system=given.system)
    seed = given.seed if given.seed is not None else secrets.token_hex(4)
    found = match(given.scenario, given.a, given.b, given.games, seed)
    if given.json:
        print(json.dumps({**plain(found), "seed": seed}))
        return 0
    print(f"{found.scenario}: {given.a} {found.a}, {given.b} {found.b}, drawn {found.draws} of {found.games}")
    print(f"{given.a}'s share {found.share:.0%} (95 %: {found.low:.0%} to {found.high:.0%}), seed {seed}")
    print(f"{found.commands} commands in {found.seconds:.1f} s; won by {found.sides}")
    return 0
