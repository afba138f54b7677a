"""What each side of a campaign has, and what comes to it by events: for books that must be in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tactical.kernel.protocol import Event
from webapp.presenting.acts import Lost

GAINS: Mapping[str, Mapping[str, Callable[[Mapping[str, Any]], int]]] = {  # what comes, by kind of event
    "reinforced": {"units": lambda it: it["units"]},
    "unit_raised": {"units": lambda it: 1},
    "hired": {"units": lambda it: 1, "elephants": lambda it: it["general"] == "xanthippus"},
    "africanus_arrived": {"units": lambda it: it["units"]},
    "troops_raised": {"units": lambda it: it["units"] + it["elephants"], "elephants": lambda it: it["elephants"]},
    "ships_built": {"ships": lambda it: len(it["ships"])},
    "recruited": {"points": lambda it: it["points"]},
    "set_up": {"points": lambda it: it["land"] + it["naval"]},
    "place": {"units": lambda it: it["units"]},
    "launched": {"ships": lambda it: 1},
}
TURNS_COAT = frozenset(("defected", "syracuse_allied"))  # a nation's points change sides, and nobody loses any
PRIZES = {"prizes": lambda it: {it["side"]: len(it["ships"]) if isinstance(it["ships"], list) else it["ships"]}}


def stock(system: str, state: Any) -> Counter[tuple[str, str]]:
    """What each side has: units (elephants among them), elephants, ships, points."""
    found: Counter[tuple[str, str]] = Counter()
    if system in ("hannibal", "hamilcar"):
        for place in state.spaces.values():
            for side in ("rome", "carthage"):
                found[side, "units"] += place.all_of(side).size
                found[side, "elephants"] += place.all_of(side).elephants
        for side, ships in (state.ships if system == "hamilcar" else {}).items():
            found[side, "ships"] = len(ships)
    elif system == "sword_of_rome":
        for forces in state.forces.values():
            for power, force in forces.items():
                found[power, "units"] += force.total
        if state.move is not None:
            found[state.move.power, "units"] += state.move.units
    elif system == "punic_wars":
        for side in ("rome", "carthage"):
            for at in state.hexes_of(side):
                found[side, "points"] += state.total(at, side)
    else:
        for fleet in state.fleets.values():
            for name in fleet.ships:
                found[fleet.side, "ships"] += state.ships[name].status == "afloat"
    return +found


def flat(lost: Lost) -> Counter[tuple[str, str]]:
    return Counter({(side, thing): count for side, counts in lost.items() for thing, count in counts.items()})


def gained(events: Iterable[Event]) -> Counter[tuple[str, str]]:
    """What has come by these events."""
    found: Counter[tuple[str, str]] = Counter()
    for it in events:
        side = it.data.get("side") or it.data.get("power") or ("carthage" if it.type == "hired" else "rome")
        for thing, count in GAINS.get(it.type, {}).items():
            found[side, thing] += count(it.data)
        if it.type in PRIZES:
            for captor, count in PRIZES[it.type](it.data).items():
                found[captor, "ships"] += count
    return found
