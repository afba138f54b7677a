"""reading.6 The umpire sets any field of a position, in the open."""

from __future__ import annotations

from typing import Any

from strategic.hamilcar.commands import Adjust
from strategic.hamilcar.state import State
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, event
from tactical.kernel.record import BadInput, plain, read

Handled = tuple[State, tuple[Event, ...]]


def adjust(state: State, command: Adjust, dice: Dice) -> Handled:
    """reading.6 Each change is a path (`spaces.roma.rome.units`) and its new value; contradictions are refused."""
    from strategic.hamilcar.setup import check

    if not command.why.strip():
        raise BadInput("why", "an adjustment needs a reason")
    raw = plain(state)
    for path, value in command.changes.items():
        _put(raw, path.split("."), value, path)
    changed: State = read(raw, State, "changes")
    check(changed, "changes.")
    return changed, (event("reading.6", "adjusted", changes=command.changes, why=command.why),)


def _put(raw: Any, path: list[str], value: Any, whole: str) -> None:
    """Set one value deep inside plain dicts and lists."""
    for step in path[:-1]:
        raw = _child(raw, step, whole)
    last = path[-1]
    if isinstance(raw, list):
        _child(raw, last, whole)
        raw[int(last)] = value
    elif isinstance(raw, dict) and last in raw:
        raw[last] = value
    else:
        raise BadInput(f"changes.{whole}", "there is no such field")


def _child(raw: Any, step: str, whole: str) -> Any:
    if isinstance(raw, dict) and step in raw:
        return raw[step]
    if isinstance(raw, list) and step.isdigit() and int(step) < len(raw):
        return raw[int(step)]
    raise BadInput(f"changes.{whole}", "there is no such field")
