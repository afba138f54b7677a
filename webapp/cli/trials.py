"""The program plays by itself on the command line: random play, matches, forecasts, plans of battles, puzzles."""

from __future__ import annotations

import argparse
import json
import random
import secrets
import sys
import time
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any, get_args

import msgspec

from tactical import GALLEY
from tactical.captains import MINDS
from tactical.captains.captain import play
from tactical.exercises import Goal
from tactical.kernel.protocol import SPECTATOR, UMPIRE, System
from tactical.kernel.random_play import LIMIT, Played, play_at_random
from tactical.kernel.record import BadInput, decode, encode, plain
from webapp.captains.forecasts import check_levels, fight_one, kept_as_game, result, rows, start_of, summarize
from webapp.captains.matches import PLAYERS, csv_of, dice_of, match, player, seated
from webapp.cli import add, database_option, existing, number_from
from webapp.lab import fitting, puzzles, report
from webapp.lab.plan import Results, cells, parquet_library, read_plan
from webapp.storage.journal import new_game
from webapp.storage.journal.records import Game
from webapp.storage.journal.store import Store, all_systems
from webapp.storage.journal.transfer import FORMAT, Saved, SavedSeat, saved_entries, saved_game

INTERRUPTING = 20  # one command in so many is of a seat that is not waited for


def register(subparsers: Any) -> None:
    """Add the subcommands."""
    playing = add(
        subparsers,
        "random-play",
        play_random_games,
        "Plays offered commands at random to the end and checks the invariants. A fault gives exit"
        " code 1 and a saved game that `navarch import` takes. The same seed gives the same games.",
        "random-play galley --games 20 --seed 7",
    )
    playing.add_argument("system", metavar="SYSTEM", help=", ".join(all_systems()))
    playing.add_argument("--scenario", help="one scenario (default: all of them by turns)")
    playing.add_argument("--games", type=number_from(1, 1_000_000), default=1, help="number of games (default: 1)")
    playing.add_argument("--seed", help="any text; the same seed gives the same games (default: a new one)")
    playing.add_argument(
        "--limit", type=number_from(1, 1_000_000), default=LIMIT, help=f"most commands in a game (default: {LIMIT})"
    )
    playing.add_argument(
        "--out",
        type=Path,
        default=Path(),
        help="folder for the games in which a fault was found (default: the current folder)",
    )
    playing.add_argument("--json", action="store_true", help="report as JSON")
    matching = add(
        subparsers,
        "match",
        play_match,
        "Plays battles between captains of two levels or tempers (or random play), each throw of the dice twice with"
        " the sides exchanged, and counts who won. The interval is Wilson's, of 95 per cent, of a's share.",
        "match --system galley --scenario side --a able --b raw --games 20 --seed 1",
    )
    matching.add_argument("--system", default="galley", help="the system (default: galley)")
    matching.add_argument("--scenario", required=True, help="the scenario")
    matching.add_argument("--a", required=True, choices=PLAYERS, help="the first player")
    matching.add_argument("--b", required=True, choices=PLAYERS, help="the second player")
    matching.add_argument("--games", type=number_from(1, 1_000_000), default=10, help="number of games (default: 10)")
    matching.add_argument("--seed", help="any text; the same seed gives the same games (default: a new one)")
    matching.add_argument("--json", action="store_true", help="report as JSON")
    guessing = add(
        subparsers,
        "forecast",
        forecast,
        "Lets captains play a battle many times and sums up: chances with 95 per cent Wilson intervals,"
        " losses by value and by ship, length. From a scenario, a position, or a battle of this games file."
        " The intervals are of the dice alone; captains of another level may fare quite differently.",
        "forecast --scenario mylae --battles 50 --level able --seed 1",
    )
    source = guessing.add_mutually_exclusive_group(required=True)
    source.add_argument("--game", help="a battle under way, or a campaign with an open engagement")
    source.add_argument("--scenario", help="a scenario")
    source.add_argument("--position", type=Path, metavar="FILE", help="a position as JSON")
    guessing.add_argument("--battles", type=number_from(1, 100_000), default=50, help="number of battles (default: 50)")
    guessing.add_argument(
        "--level", choices=MINDS, default="able", help="level and temper of the captains on all sides (default: able)"
    )
    guessing.add_argument("--seed", help="any text; the same seed gives the same battles (default: a new one)")
    guessing.add_argument("--json", action="store_true", help="report as JSON")
    guessing.add_argument("--csv", action="store_true", help="report as CSV, one row for each battle")
    planned = add(
        subparsers,
        "lab",
        run_plan,
        "Lets captains play every combination of a plan, on this machine or on the workers of a Dask"
        " scheduler, and writes results.sqlite, results.parquet and report.html. It can be stopped and resumed.",
        "lab data/lab/levels.toml --out lab/levels --resume",
    )
    planned.add_argument("plan", type=Path, metavar="PLAN.toml")
    planned.add_argument(
        "--out", type=Path, default=Path("lab"), metavar="DIR", help="folder for the results (default: lab)"
    )
    planned.add_argument("--resume", action="store_true", help="continue from the results already in that folder")
    planned.add_argument(
        "--scheduler", metavar="ADDRESS", help="address of a Dask scheduler, for example tcp://host:8786"
    )
    planned.add_argument(
        "--workers", type=number_from(1, 64), default=2, help="number of processes on this machine (default: 2)"
    )
    planned.add_argument("--replay", metavar="CELL:NUMBER", help="store one battle as a game in the games file")
    finding = add(
        subparsers,
        "puzzles",
        find_puzzles,
        "Finds positions with one clearly best line, solved exactly, as files for data/galley/puzzles.",
        "puzzles found --goal sink --count 3",
    )
    finding.add_argument("folder", type=Path, help="where the files go")
    finding.add_argument("--goal", choices=get_args(Goal), default="sink", help="what the player must reach")
    finding.add_argument("--turns", type=number_from(1, 20), default=1, help="in how many turns")
    finding.add_argument("--count", type=number_from(1, 1000), default=1, help="how many")
    finding.add_argument("--seed", type=int, default=1, help="the same seed finds the same puzzles")
    finding.add_argument("--seconds", type=number_from(1, 7 * 24 * 3600), default=600, help="when to give up")
    database_option(guessing)
    database_option(planned)


def play_random_games(given: argparse.Namespace) -> int:
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
            end = "over" if played.over else "not over"
            print(f"game {number} ({scenario}): {played.commands} commands, {end}", flush=True)
            for fault in played.faults:
                print(f"  {fault}")
            if saved is not None:
                print(f"  saved as {saved}")
    faulty = sum(bool(report["faults"]) for report in reports)
    if given.json:
        whole = {"system": system.name, "seed": seed, "games": reports, "faulty": faulty}
        print(encode(whole).decode())
    else:
        print(f"{system.title}, seed {seed}: {given.games} games, {faulty} with faults", flush=True)
    return 1 if faulty else 0


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


def play_match(given: argparse.Namespace) -> int:
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


def forecast(given: argparse.Namespace) -> int:
    """Fight and report."""
    position = read_position(given.position) if given.position else None
    store = Store(existing(given.db)) if given.game else None
    start = start_of(store, UMPIRE, given.game, given.scenario, position, {})
    levels = check_levels(start, dict.fromkeys(start.sides, given.level))
    seed = given.seed if given.seed is not None else secrets.token_hex(4)
    found = []
    for number in range(given.battles):
        found.append(result(number, start, fight_one(start, levels, seed, number).state))
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {given.battles}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    summary = summarize(start, found)
    if given.json:
        print(json.dumps({"done": True, "of": given.battles, "levels": levels, "seed": seed, **plain(summary)}))
    elif given.csv:
        sys.stdout.write(csv_of(rows(start, found)))
    else:
        print(f"{given.battles} battles by {given.level} captains, seed {seed}")
        for side, share in summary.wins.items():
            chance = f"{share.share:5.0%} ({share.low:.0%} to {share.high:.0%})"
            print(f"{side:<12} wins {chance}, loses {summary.losses[side].mean:.1f} on average")
        print(f"{'drawn':<12}      {summary.draw.share:5.0%}; {summary.turns.mean:.1f} turns on average")
        print("The intervals are what the dice alone leave open; captains of another level may fare quite differently.")
    return 0


def read_position(path: Path) -> dict[str, Any]:
    """A position from a file; BadInput when it is not JSON or no object."""
    try:
        raw = msgspec.json.decode(path.read_bytes().removeprefix(BOM_UTF8))
    except msgspec.DecodeError:
        raise BadInput("position", "this is not JSON") from None
    if not isinstance(raw, dict):
        raise BadInput("position", "a position must be an object")
    inner = raw.get("position")
    return inner if isinstance(inner, dict) else raw


def run_plan(given: argparse.Namespace) -> int:
    """Fight and report, or keep one battle as a game."""
    plan = read_plan(given.plan)
    found = cells(plan)
    if given.replay:
        return replay(given, {cell.id: cell for cell in found})
    parquet_library()  # rather than when all has been fought
    results = Results(given.out, given.resume)
    results.keep_cells(found)
    fitting.run(found, results, given.workers, given.scheduler, print_progress)
    rows = results.rows(cell.id for cell in found)
    parquet = results.as_parquet(rows)
    page = report.write(given.out, plan, found, rows)
    print(f"{len(rows)} battles: {given.out / 'results.sqlite'}, {parquet}, {page}")
    for each in report.summary(found, rows)["pairs"]:
        print(f"  {each.name}: {each.share.share:.1%} ({each.share.low:.1%} to {each.share.high:.1%}) of {each.games}")
    return 0


def print_progress(done: int, of: int) -> None:
    """Print the progress."""
    if sys.stderr.isatty():
        bar = "#" * (30 * done // max(1, of))
        print(f"\r[{bar:<30}] {done} of {of}", end="" if done < of else "\n", file=sys.stderr, flush=True)


def replay(given: argparse.Namespace, known: dict[str, Any]) -> int:
    """Play one battle of the plan again and store it as a game. Raises BadInput for an unknown one."""
    name, _, number = given.replay.partition(":")
    if name not in known or not number.isdecimal():
        raise BadInput("replay", "expected CELL:NUMBER of this plan, as the report names them")
    cell = known[name]
    start = fitting.start_of(cell, int(number))
    first, second = seated(start, cell.a, cell.b, int(number))
    players = {first: player(cell.a, "a", cell.breaks_off), second: player(cell.b, "b", cell.breaks_off)}
    dice = dice_of(cell.a, cell.b, f"{cell.seed}:{cell.id}", int(number))
    fought = play(GALLEY, start, players, dice, keep=True)
    game, _tokens = kept_as_game(Store(given.db), fought, f"{cell.scenario} {number}")
    print(f"game {game.id} in {given.db}")
    return 0


def find_puzzles(given: argparse.Namespace) -> int:
    """Find and write them; 1 when the time was over before."""
    given.folder.mkdir(parents=True, exist_ok=True)
    until, number = time.monotonic() + given.seconds, 0
    for puzzle in puzzles.found(given.seed, given.goal, given.turns):
        number += 1
        name = f"{given.goal}{given.turns if given.turns > 1 else ''}_{given.seed}_{number}"
        path = given.folder / f"{name}.toml"
        path.write_text(puzzles.puzzle_text(msgspec.structs.replace(puzzle, id=name)))
        print(f"{path}: {puzzle.chance:.0%}, next {puzzle.next:.0%}", file=sys.stdout, flush=True)
        if number >= given.count or time.monotonic() > until:
            break
    return 0 if number >= given.count else 1
