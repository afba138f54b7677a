"""What stands outside the rules: the umpire's hand, and giving up."""

from __future__ import annotations

import json
from typing import Any

from strategic.hannibal.commands import Adjust, Resign
from strategic.hannibal.faults import faults
from strategic.hannibal.rules.removal import end
from strategic.hannibal.state import State
from strategic.hannibal.tables import enemy
from tactical.kernel.play import Event, Illegal, event
from tactical.kernel.record import BadInput, encode, read


def resign(state: State, command: Resign) -> tuple[State, tuple[Event, ...]]:
    """victory.4 A side sues for peace."""
    return end(state, enemy(command.side), "victory.4", f"{command.side} sues for peace")


def adjust(state: State, command: Adjust) -> tuple[State, tuple[Event, ...]]:
    """reading.6 Fields set by their paths, as `spaces.rome.control`, with a reason; a contradiction is refused."""
    if not command.why.strip():
        raise Illegal("reading.6", "an adjustment needs a reason")
    raw = json.loads(encode(state))
    for path, value in command.changes.items():
        place(raw, path.split("."), value, path)
    changed: State = read(raw, State)
    for path, reason in faults(changed):
        raise BadInput(path, reason)
    return changed, (
        event("reading.6", "adjusted", changes=_open_part(command.changes), why=command.why, reveals=True),
    )


HIDDEN = ("hands", "deck", "battle", "agenda")


def _open_part(changes: dict[str, Any]) -> dict[str, Any]:
    """Hidden fields are named without their values."""
    return {path: "(hidden)" if path.split(".")[0] in HIDDEN else value for path, value in changes.items()}


def place(raw: Any, way: list[str], value: Any, path: str) -> None:
    """Set one field of plain lists and objects; BadInput for a path that leads nowhere."""
    here, *rest = way
    key: Any = here
    if isinstance(raw, list):
        if not here.isdigit() or int(here) >= len(raw):
            raise BadInput(path, "there is no such entry")
        key = int(here)
    elif not isinstance(raw, dict) or here not in raw:
        raise BadInput(path, "there is no such field")
    if rest:
        place(raw[key], rest, value, path)
    else:
        raw[key] = value
