"""Is a command among the offers? And which commands does an offer stand for?"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from tactical.kernel.protocol import Offer, System
from tactical.kernel.record import encode, read


def stands_for(value: Any, given: Any) -> bool:
    """Is the value of a command's field the offer's only value, one of its choices, or in its range?"""
    if isinstance(value, dict) and value.keys() == {"from", "to"}:
        return isinstance(given, int) and not isinstance(given, bool) and value["from"] <= given <= value["to"]
    if isinstance(value, list):
        return given in value
    return bool(given == value)


def written(system: System, command: dict[str, Any]) -> dict[str, Any]:
    """The command with every field, as its JSON is read back."""
    found: dict[str, Any] = json.loads(encode(read(command, system.command)))
    return found


def covered(system: System, offers: Iterable[Offer], command: dict[str, Any]) -> bool:
    """Does one of the offers stand for this command? A field that an offer leaves out has its default."""
    whole = written(system, command)
    for offer in offers:
        if offer.type != whole["type"]:
            continue
        least = written(system, {"type": offer.type, **{name: whole[name] for name in offer.fields}})
        if least == whole and all(stands_for(value, whole[name]) for name, value in offer.fields.items()):
            return True
    return False
