"""Every ship, CU and train that comes or goes must stand in an event: the books of a campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from strategic.hamilcar.state import State
from strategic.point_to_point.state import SIDES
from tactical.kernel.protocol import Event

OTHER = {"rome": "carthage", "carthage": "rome"}


def stock(state: State) -> Counter[str]:
    """What there is: CUs, trains and ships of each side."""
    found: Counter[str] = Counter()
    for place in state.spaces.values():
        for side in SIDES:
            troops = place.all_of(side)
            found[f"{side} units"] += troops.size
            found[f"{side} trains"] += troops.trains
    for side in SIDES:
        found[f"{side} ships"] = len(state.ships[side])
    return found


def booked(events: Iterable[Event]) -> Counter[str]:
    """What the events say has come and gone."""
    total: Counter[str] = Counter()
    for event in events:
        for account, count in entries(event.type, event.data):
            total[account] += count
    return total


def entries(kind: str, data: dict[str, Any]) -> list[tuple[str, int]]:
    """One event's entries: account and change."""
    side = data.get("side", "")
    other = OTHER.get(side, "")
    match kind:
        case "reinforced":
            return [(f"{side} units", data["units"])]
        case "unit_raised":
            return [(f"{side} units", 1)]
        case "hired":
            return [("carthage units", 1)]
        case "train_placed":
            return [(f"{side} trains", 1)]
        case "train_spent" | "train_burnt":
            return [(f"{side} trains", -1)]
        case "trains_spent" | "trains_destroyed":
            return [(f"{side} trains", -data["trains"])]
        case "trains_captured":
            return [(f"{side} trains", data["trains"]), (f"{other} trains", -data["trains"])]
        case "city_taken":
            return [
                (f"{other} units", -data["destroyed"]),
                (f"{side} trains", data["trains"]),
                (f"{other} trains", -data["trains"]),
            ]
        case "attrition" | "siege_roll" | "retreat_losses" | "retreated" if "lost" in data:
            return [(f"{side} units", -data["lost"] - data.get("eliminated", 0))]
        case "casualties":
            return [(f"{each} units", -data["lost"][each]) for each in SIDES]
        case "eliminated":
            return [(f"{side} units", -data["units"])]
        case "army_lost" | "transports_lost":
            return [(f"{side} units", -data["units"]), (f"{side} trains", -data.get("trains", 0))]
        case "overrun":
            return [(f"{side} units", -1)]
        case "held_out":
            return [(f"{side} units", -1), (f"{side} trains", -1)]
        case "ships_built":
            return [(f"{side} ships", len(data["ships"]))]
        case "ships_lost":
            return [(f"{side} ships", -len(data["ships"]))]
        case "prizes":
            return [
                (f"{side} ships", len(data["ships"])),
                (f"{other} ships", -len(data["ships"]) - len(data["broken_up"])),
            ]
    return []


def unbooked(before: State, after: State, events: Iterable[Event]) -> list[str]:
    """What has come or gone without an event."""
    found, said = stock(after), booked(events)
    found.subtract(stock(before))
    found.subtract(said)
    return [f"{account}: {count:+}" for account, count in found.items() if count]
