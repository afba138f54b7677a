"""Battles between captains, or against random play, to their end: what matches, forecasts and the laboratory run.

The caller passes the generator (seeded), so the engine stays without `random`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tactical.battle import Battle
from tactical.captains.captain import choose_all
from tactical.captains.choice import Orders
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import Outcome, System
from tactical.kernel.random_play import QUITTING, Generator, fill
from tactical.kernel.record import read

MOST = 20_000  # commands; a battle that goes on longer is stopped and counts as drawn
SWEPT = 200_000  # objects more, before the garbage is swept: positions go by their counts, and a sweep finds nothing
Player = Orders | None  # None plays at random


@dataclass
class Fought:
    """A battle that was played: its last position, how many commands, and its journal when it was kept."""

    start: Battle
    state: Battle
    commands: int = 0
    entries: list[Entry] = field(default_factory=list)

    @property
    def winner(self) -> str | None:
        """G10.1 Who won; nobody in a draw, or when the battle was stopped."""
        return self.state.result.winner if self.state.result is not None else None


def play(
    system: System,
    state: Battle,
    players: Mapping[str, Player],
    random: Generator,
    keep: bool = False,
    stop: Callable[[], bool] | None = None,
) -> Fought:
    """Play a battle to its end. Any seat that is waited for may act next, drawn evenly: nobody has the last word.

    Raises Illegal or BadInput when a captain gave a command that the rules refuse: that is a fault.
    """
    with seldom_swept():
        return fought_out(system, state, players, random, keep, stop)


@contextmanager
def seldom_swept() -> Iterator[None]:
    """While a battle is fought Python looks for cycles of garbage less often: that took a fifth of its time."""
    usual = gc.get_threshold()
    gc.set_threshold(max(SWEPT, usual[0]) if usual[0] else 0, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def fought_out(
    system: System,
    state: Battle,
    players: Mapping[str, Player],
    random: Generator,
    keep: bool,
    stop: Callable[[], bool] | None,
) -> Fought:
    """The battle, command by command."""
    fought = Fought(state, state)
    source = random_source(random.randrange)
    while not system.is_over(fought.state) and fought.commands < MOST:
        if stop is not None and stop():
            break
        waiting = system.waiting_for(fought.state)
        if not waiting:
            break
        seat = waiting[random.randrange(len(waiting))] if len(waiting) > 1 else waiting[0]
        raw = answer(system, fought.state, seat, players.get(seat), random)
        dice = Dice(source=source, secret=source)
        outcome: Outcome[Battle] = system.apply(fought.state, seat, read(raw, system.command), dice)
        fought.commands += len(raw["commands"]) if raw["type"] == "together" else 1
        fought.state = outcome.state
        if keep:
            number = len(fought.entries) + 1
            rolls, draws = tuple(dice.rolls), tuple(dice.draws)
            fought.entries.append(Entry(number, number - 1, seat, "", raw, rolls, draws, outcome.events))
    return fought


def answer(system: System, state: Battle, seat: str, player: Player, random: Generator) -> dict[str, Any]:
    """One command of a seat: a captain's, or any that is on offer."""
    offers = system.offers(state, seat)
    if player is None:
        usual = [offer for offer in offers if offer.type not in QUITTING]
        return fill(random.choice(usual or offers), random)
    return choose_all(system.view(state, seat), seat, offers, player).command
