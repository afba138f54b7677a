"""L2.4, L3.9 What ships did in a battle, read from its journal: each deed with the ship's campaign name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from strategic.naval.engagement import Engagement
from tactical.battle import Battle

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Deed:
    """One thing that a ship did or suffered. `other` is a ship or a side; `count` hull, breaches or nothing.

    `kind`: rammed, was_rammed, raked, was_raked, boarded, took, taken, sunk, shot, flooded, mended, left, fought,
    built, repaired, lost, prize, returned, broken_up, aground, damage.
    """

    side: str
    ship: str
    kind: str
    other: str = ""
    count: int = 0
    turn: int = 0


def names_of(battle: Battle, engagement: Engagement) -> dict[str, str]:
    """L2.4 The campaign's name of the ship for which each model stands; transports have none."""
    known = {unit.id: unit.name for fleet in engagement.fleets.values() for unit in fleet.units}
    units = battle.link.units if battle.link is not None else {}
    found = {}
    for model, ship in battle.ships.items():
        if battle.kind(ship).ram is not None:
            found[model] = known.get(units.get(model, "")) or ship.name or model
    return found


def of_battle(battle: Battle, names: Mapping[str, str], events: Iterable[Data]) -> Iterator[Deed]:
    """The deeds of a battle in their order. Transports do no deeds, but may be named as the other ship."""
    turn, boarders = 1, dict[str, list[str]]()
    for it in events:
        kind = it.get("type")
        if kind == "turn":
            turn = int(it["turn"])
        if kind == "board" and it.get("success", True):
            boarders.setdefault(str(it["target"]), []).append(str(it["ship"]))
        for model, done, other, count in _parts(it, boarders):
            if model in names:
                said = names.get(other) or (battle.ships[other].name if other in battle.ships else other)
                yield Deed(battle.ships[model].side, names[model], done, said, count, turn)


def _parts(it: Data, boarders: Mapping[str, list[str]]) -> Iterator[tuple[str, str, str, int]]:
    """An event as (model, deed, other, count) for each model that it is about."""
    ship, target = str(it.get("ship", "")), str(it.get("target", ""))
    match it.get("type"):
        case "ram":
            yield ship, "rammed", target, int(it.get("damage") or 0)
            yield target, "was_rammed", ship, int(it.get("damage") or 0)
        case "rake":
            yield ship, "raked", target, 0
            yield target, "was_raked", ship, 0
        case "board" if it.get("success", True):
            yield ship, "boarded", target, 0
        case "captured":
            yield ship, "taken", str(it.get("by", "")), 0
            for boarder in dict.fromkeys(boarders.get(ship, ())):
                yield boarder, "took", ship, 0
        case "sunk":
            yield ship, "sunk", "", 0
        case "fire" if it.get("hull"):
            yield target, "shot", ship, int(it["hull"])
        case "flood" if it.get("damage"):
            yield ship, "flooded", "", int(it["damage"])
        case "repair" if it.get("closed"):
            yield ship, "mended", "", int(it["closed"])
        case "withdrawn":
            yield ship, "left", "", 0
