"""The umpire's hand."""

from __future__ import annotations

from typing import Any

from strategic.sword_of_rome.commands import Adjust
from strategic.sword_of_rome.setup import check, read_state
from strategic.sword_of_rome.state import State
from tactical.kernel.dice import Dice
from tactical.kernel.play import Handled, event
from tactical.kernel.record import BadInput, plain


def adjust(state: State, command: Adjust, dice: Dice) -> Handled[State]:
    """By the umpire: any field by its path (`forces.roma.romans.units`), with a reason; it must still be a position."""
    if not command.changes:
        raise BadInput("changes", "name at least one field to change")
    raw = plain(state)
    before: dict[str, Any] = {}
    for path, value in command.changes.items():
        before[path] = put(raw, path, value)
    changed = read_state(raw, "changes")
    check(changed, "changes.")
    return changed, (
        event("7", "adjust", reveals=True, only=("umpire",), changes=dict(command.changes), before=before),
        event("7", "adjusted", by_hand=True, fields=sorted(command.changes), why=command.why),
    )


def put(raw: dict[str, Any], path: str, value: object) -> Any:
    """Set the field at a path of plain values; what it was before. BadInput for a path that leads nowhere."""
    *way, last = path.split(".")
    here: Any = raw
    for part in way:
        if not isinstance(here, dict):
            raise BadInput(f"changes.{path}", "there is no such field")
        here = here.setdefault(part, {})
    if not isinstance(here, dict):
        raise BadInput(f"changes.{path}", "there is no such field")
    old = here.get(last)
    if value is None and way:
        here.pop(last, None)
    else:
        here[last] = value
    return old
