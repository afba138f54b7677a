"""The engines: the loop of random play, `apply` by itself, offers of each system, whole battles."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from itertools import islice
from time import process_time

from benchmarks import anchors, clock
from benchmarks.fleets import battle, playing
from benchmarks.row import Row, cost, pace
from strategic import SYSTEMS
from tactical import GALLEY
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import System
from tactical.kernel.random_play import play_at_random

MOVES = 6000  # moves of chess in one round
QUIET_MOVE = 22.7e-6  # seconds of a python-chess random move on the quiet machine for which targets were named
MOVE = "python-chess, random moves"


def loops(rounds: int) -> dict[str, Callable[[], Row]]:
    """All measures of engines by their ids."""
    return {
        **{f"engine.loop.{ships}": _loop(ships, target, rounds) for ships, target in ((8, 0.8), (40, 1.0), (100, 0.5))},
        "engine.apply.40": lambda: _apply(rounds),
        **{f"offers.{system.name}": _offers(system, rounds) for system in (GALLEY, *SYSTEMS.values())},
        **{f"play.{name}": _games(name, 120 / 40, rounds) for name in SYSTEMS},
    }


def _loop(ships: int, target: float, rounds: int) -> Callable[[], Row]:
    def row() -> Row:
        state, seeds = battle(ships), iter(range(100))

        def play() -> int:
            return sum(1 for _ in islice(playing(GALLEY, state, random.Random(next(seeds))), 800))

        found = clock.by_turns(clock.of(play), clock.of(lambda: anchors.chess_moves(1, MOVES)), rounds)
        return pace(f"engine.loop.{ships}", found, target, MOVE)

    return row


def _apply(rounds: int) -> Row:
    played = list(islice(playing(GALLEY, battle(40), random.Random(1)), 2000))

    def again() -> int:
        source = random_source(random.Random(2).randrange)
        for state, seat, command, _ in played:
            GALLEY.apply(state, seat, command, Dice((), source, source))
        return len(played)

    found = clock.by_turns(clock.of(again), clock.of(lambda: anchors.chess_moves(1, MOVES)), rounds)
    return pace("engine.apply.40", found, 3.0, MOVE)


def _offers(system: System, rounds: int) -> Callable[[], Row]:
    """The median over positions of one random game, of the seat that is waited for: under 1 ms when quiet."""

    def row() -> Row:
        source = random_source(random.Random(3).randrange)
        scenario = None if system is GALLEY else system.scenarios()[0].id
        begun = battle(40) if system is GALLEY else system.start(scenario, None, {}, Dice((), source, source)).state
        asked = [(state, seat) for state, seat, *_ in islice(playing(system, begun, random.Random(3)), 400)]

        def measure() -> clock.Sample:
            taken = []
            for state, seat in asked:
                start = process_time()
                system.offers(state, seat)
                taken.append(process_time() - start)
            middle = statistics.median(taken)
            return clock.Sample(middle, middle)

        found = clock.by_turns(measure, clock.of(lambda: anchors.chess_moves(1, MOVES)), rounds)
        return cost(f"offers.{system.name}", found, 0.001 / QUIET_MOVE, f"{MOVE}; the target is 1 ms when quiet")

    return row


def _games(name: str, seconds: float, rounds: int) -> Callable[[], Row]:
    """Whole random games of a campaign, by the pace that the quiet machine had: so many seconds for each."""
    system, seeds = SYSTEMS[name], iter(range(1000))

    def game() -> int:
        play_at_random(system, system.scenarios()[0].id, random.Random(next(seeds)))
        return 1

    def row() -> Row:
        found = clock.by_turns(clock.of(game), clock.of(lambda: anchors.chess_moves(1, MOVES)), rounds)
        return cost(f"play.{name}", found, seconds / QUIET_MOVE, f"{MOVE}; the target is {seconds:g} s when quiet")

    return row
