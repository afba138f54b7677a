"""Small wars for the tests: a straight sea with ports in a row, and as many sides as are wanted."""

from __future__ import annotations

import random
from typing import Any

from kit.straight_sea import row
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.commands import Command
from strategic.open_campaign.state import State
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import read


def war(sides: int = 2, ships: int = 12, ports: int = 6, **more: Any) -> dict[str, Any]:
    """Each side's one fleet of triremes in a port of its own, as a position."""
    names = [f"side{number}" for number in range(sides)]
    fleets = {
        f"f{number}": {
            "side": name,
            "name": f"Fleet {number}",
            "at": f"p{number % ports}",
            "ships": [f"s{number}-{ship}" for ship in range(ships)],
        }
        for number, name in enumerate(names)
    }
    sheets = {ship: {"side": each["side"], "type": "trireme"} for each in fleets.values() for ship in each["ships"]}
    return {
        "world": row(ports),
        "sides": {name: {"name": name} for name in names},
        "fleets": fleets,
        "ships": sheets,
        "turn_length": "day",
        "turns": 3,
        "options": {"weather": False, **more.pop("options", {})},
        **more,
    }


def begun(position: dict[str, Any]) -> State:
    """The position as the system starts from it."""
    state: State = OPEN_CAMPAIGN.start(None, position, {}, Dice()).state
    return state


def said(state: State, seat: str, seed: int = 1, **command: Any) -> State:
    """The position after a command, with dice of this seed."""
    source = random_source(random.Random(seed).randrange)
    after: State = OPEN_CAMPAIGN.apply(state, seat, read(command, Command), Dice(source=source, secret=source)).state
    return after


def all_ready(state: State, seed: int = 1) -> State:
    """The position after all have said that their orders stand."""
    for side in state.playing:
        state = said(state, side, seed, type="ready", side=side)
    return state
