"""A small war of one's own for tests: three fleets in the waters of Crete, and how its sides play a turn."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from kit.wars import War
from tactical.kernel.record import plain
from webapp.pages.open_campaign.orders import Wanted, screen
from webapp.storage.journal.records import Table

GUARD, ESCORT, PIRATES = "guard", "escort", "lasthenes"


def position(**changes: Any) -> dict[str, Any]:
    """Rhodes with two fleets, the Cretans with one far off whom nobody sees; further fields as given."""

    def ships(fleet: str, side: str, kind: str, number: int) -> dict[str, Any]:
        return {f"{fleet}-{n}": {"side": side, "type": kind, "name": f"{fleet} {n}"} for n in range(1, number + 1)}

    sheets = ships("guard", "rhodes", "trireme", 4) | ships("escort", "rhodes", "quadrireme", 3)
    sheets |= ships("lasthenes", "cretans", "bireme", 6)

    def fleet(id: str, side: str, name: str, at: str) -> dict[str, Any]:
        own = [ship for ship in sheets if ship.startswith(f"{id}-")]
        return {"side": side, "name": name, "admiral": name, "at": at, "ships": own}

    whole = {
        "world": "crete",
        "sides": {"rhodes": {"name": "Rhodes"}, "cretans": {"name": "The Cretans"}},
        "fleets": {
            "guard": fleet("guard", "rhodes", "Guard", "rhodos"),
            "escort": fleet("escort", "rhodes", "Escort", "rhodos"),
            "lasthenes": fleet("lasthenes", "cretans", "Lasthenes", "kydonia"),
        },
        "ships": sheets,
        "ports": {"rhodos": "rhodes", "kydonia": "cretans", "hierapytna": "cretans"},
        "date": "-204-06-01",
        "turn_length": "day",
        "turns": 6,
    }
    return copy.deepcopy({**whole, **changes})


def play(war: War, *commands: Mapping[str, Any]) -> None:
    """Give these commands, each by the side that it names, else by the umpire."""
    for command in commands:
        war.store.submit(war.id, war.version, command.get("side", "umpire"), dict(command))


def run_turn(war: War, *orders: Mapping[str, Any]) -> None:
    """Give orders, then let all sides be ready."""
    play(war, *orders, *({"type": "ready", "side": side} for side in plain(war.state)["sides"]))


def go(side: str, fleet: str, to: str, **more: Any) -> dict[str, Any]:
    """An order to sail."""
    return {"type": "order", "side": side, "fleet": fleet, "do": "go", "to": to, **more}


def spot_on(table: Table, side: str, kind: str, place: str, near: int = 0) -> tuple[float, float]:
    """Where a place lies on the chart of a side's orders page, in the chart's pixels."""
    drawn = screen(table, side, Wanted(near=near))["charts"][kind]
    return next((spot.x, spot.y) for spot in drawn.spots if spot.id == place)
