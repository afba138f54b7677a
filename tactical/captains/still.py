"""The captain of lessons and puzzles: her ships row straight on as slowly as they may, and do nothing else."""

from __future__ import annotations

from typing import Any

from tactical.battle import Battle
from tactical.captains.choice import Choice
from tactical.kernel.protocol import Offer

ANSWERS = ("hold", "keep", "done", "finish")  # what is answered before anything else, in this order


def stand(view: Battle, side: str, kinds: dict[str, list[Offer]]) -> Choice | None:
    """What such a captain does; None where only something else is on offer."""
    unset = [offer for offer in kinds.get("plot", ()) if view.ships[str(first(offer)["ship"])].plot is None]
    if unset:
        return Choice(slowest(unset[0]))
    if "lock" in kinds:
        return Choice({"type": "lock", "side": side})
    for kind in ANSWERS:
        if kind in kinds:
            return Choice({"type": kind, **first(kinds[kind][0])})
    if "step" in kinds:
        return Choice(straight(kinds["step"][0]))
    return None


def slowest(offer: Offer) -> dict[str, Any]:
    """The least speed that a ship may be given."""
    speeds = offer.fields["speed"]
    choices = range(speeds["from"], speeds["to"] + 1) if isinstance(speeds, dict) else speeds
    found = [choices] if isinstance(choices, int) else list(choices)
    return {"type": "plot", "ship": first(offer)["ship"], "speed": min(found, key=lambda speed: (abs(speed), speed))}


def straight(offer: Offer) -> dict[str, Any]:
    """A step straight on, where that is on offer."""
    command = {"type": "step", **first(offer)}
    turns = offer.fields.get("turn")
    if isinstance(turns, list | tuple) and "none" in turns:
        command["turn"] = "none"
    return command


def first(offer: Offer) -> dict[str, Any]:
    """The first of each choice of an offer."""
    return {name: one(value) for name, value in offer.fields.items()}


def one(value: Any) -> Any:
    """The first of a field's choices."""
    if isinstance(value, dict) and "from" in value:
        return value["from"]
    return value[0] if isinstance(value, list | tuple) else value
