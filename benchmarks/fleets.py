"""Positions and play that the measures share."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tactical import GALLEY
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import System
from tactical.kernel.random_play import fill
from tactical.kernel.record import read

QUITS = frozenset(("resign", "agree", "finish", "forgo"))  # as rare in play as they are here


def fleets(each: int) -> dict[str, Any]:
    """A position of so many ships a side, in lines of fifteen that face each other."""
    ships: dict[str, Any] = {}
    kinds = ("quinquereme", "quadrireme")
    for number in range(each):
        line, place = divmod(number, 15)
        for letter, side, column, facing in (
            ("r", "rome", 6 - 2 * line, "SE"),
            ("c", "carthage", 16 + 2 * line, "NW"),
        ):
            at = [column, 2 * place + 1 - column // 2]
            ships[f"{letter}{number}"] = {"side": side, "type": kinds[number % 2], "at": at, "facing": facing}
    return {"ships": ships, "board": {"columns": 24, "rows": 32}, "turn_limit": 400}


def battle(ships: int) -> Any:
    """A new battle of so many ships."""
    return GALLEY.start(None, fleets(ships // 2), {}, Dice()).state


def playing(system: System, state: Any, generator: random.Random) -> Iterator[tuple[Any, str, Any, Any]]:
    """Play at random: the state, the seat, its command, and the state after it."""
    source = random_source(generator.randrange)
    while not system.is_over(state):
        seat = generator.choice(list(system.waiting_for(state)))
        offers = [offer for offer in system.offers(state, seat) if offer.type not in QUITS]
        command = read(fill(generator.choice(offers), generator), system.command)
        after = system.apply(state, seat, command, Dice((), source, source)).state
        yield state, seat, command, after
        state = after
