"""`navarch random-play`: play offered commands at random and check the engine's invariants."""

from __future__ import annotations

import argparse
import random
import secrets
import sys
from pathlib import Path
from typing import Any

from tactical.kernel.protocol import SPECTATOR, UMPIRE, System
from tactical.kernel.random_play import LIMIT, Played, play_at_random
from tactical.kernel.record import decode, encode
from webapp.cli import number_from
from webapp.storage.journal import new_game
from webapp.storage.journal.records import Game
from webapp.storage.journal.store import Store, all_systems
from webapp.storage.journal.transfer import FORMAT, Saved, SavedSeat, saved_entries, saved_game

INTERRUPTING = 20  # one command in so many is of a seat that is not waited for


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "random-play",
        help="play offered commands at random and check the invariants",
        description="Plays offered commands at random to the end and checks the invariants. A fault gives exit"
        " code 1 and a saved game that `navarch import` takes. The same seed gives the same games.",
        epilog="Example: navarch random-play galley --games 20 --seed 7",
    )
    parser.add_argument("system", metavar="SYSTEM", help=", ".join(all_systems()))
    parser.add_argument("--scenario", help="one scenario (default: all of them by turns)")
    parser.add_argument("--games", type=number_from(1, 1_000_000), default=1, help="number of games (default: 1)")
    parser.add_argument("--seed", help="any text; the same seed gives the same games (default: a new one)")
    parser.add_argument(
        "--limit", type=number_from(1, 1_000_000), default=LIMIT, help=f"most commands in a game (default: {LIMIT})"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(),
        help="folder for the games in which a fault was found (default: the current folder)",
    )
    parser.add_argument("--json", action="store_true", help="report as JSON")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Play the games and report; 1 when any has a fault."""
    system = new_game.find_system(all_systems(), given.system)
    seed = given.seed if given.seed is not None else secrets.token_hex(4)
    known = [scenario.id for scenario in system.scenarios()]
    if given.scenario is not None and given.scenario not in known:
        print(f"navarch: {system.title} has no scenario '{given.scenario}': {', '.join(known)}", file=sys.stderr)
        return 2
    reports = []
    for number in range(given.games):
        scenario = given.scenario or known[number % len(known)]
        generator = random.Random(f"{seed}:{number}")
        played = play_at_random(system, scenario, generator, limit=given.limit, interrupting=INTERRUPTING)
        saved = None
        if played.faults:
            saved = given.out / f"fault-{system.name}-{seed}-{number}.json"
            saved.write_bytes(encode(saved_play(played, f"{seed}:{number}")))
        report = {
            "game": number,
            "scenario": scenario,
            "commands": played.commands,
            "over": played.over,
            "faults": played.faults,
            "saved": None if saved is None else str(saved),
        }
        reports.append(report)
        if not given.json:
            _tell(report)
    faulty = sum(bool(report["faults"]) for report in reports)
    if given.json:
        whole = {"system": system.name, "seed": seed, "games": reports, "faulty": faulty}
        print(encode(whole).decode())
    else:
        print(f"{system.title}, seed {seed}: {given.games} games, {faulty} with faults", flush=True)
    return 1 if faulty else 0


def _tell(report: dict[str, Any]) -> None:
    end = "over" if report["over"] else "not over"
    print(f"game {report['game']} ({report['scenario']}): {report['commands']} commands, {end}", flush=True)
    for fault in report["faults"]:
        print(f"  {fault}")
    if report["saved"]:
        print(f"  saved as {report['saved']}")


def saved_play(played: Played, seed: str) -> Saved:
    """The game as a file that can be imported."""
    system: System = played.system
    time = Store.now()
    last = played.commands
    game = Game(
        id="RANDOM",
        system=system.name,
        engine=system.version,
        title=f"Random play {seed}",
        scenario=played.scenario,
        options=dict(played.options),
        dice="digital",
        hash=new_game.fingerprint(system, played.options),
        created=time,
        version=last,
        head=last,
    )
    sides = system.sides(decode(played.states[-1], system.state))
    seats = tuple(SavedSeat(seat) for seat in (*sides, UMPIRE, SPECTATOR))
    rows = saved_entries(played.entries, lambda number: played.states[number])
    return Saved(FORMAT, saved_game(game), seats, tuple(rows))
