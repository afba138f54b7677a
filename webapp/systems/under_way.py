"""What is under way on a map: the march with its way, the fleet at sea, and where two fleets have met."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webapp.presenting.picture import Course


def march(view: Mapping[str, Any]) -> tuple[Course, ...]:
    """The army on the march of a land war, from where it set out to where it stands."""
    moving = view.get("march")
    path = tuple(moving.get("path") or ()) if moving else ()
    return (Course(str(moving["side"]), path),) if moving and path else ()


def voyage(side: str, start: str, to: str, ships: int | None = None) -> Course:
    """A fleet between two ports, with so many warships where that is known."""
    return Course(side, (start, to), True, "" if ships is None else str(ships))


def meeting(view: Mapping[str, Any]) -> str:
    """Where two fleets have met; empty when none have."""
    found = view.get("engagement")
    return str(found.get("place") or "") if isinstance(found, Mapping) else ""


def course_of_other(view: Mapping[str, Any]) -> tuple[Course, ...]:
    """The way of the fleet that was met, where nothing else tells of it."""
    found = view.get("engagement")
    if not isinstance(found, Mapping) or not found.get("start") or not found.get("place"):
        return ()
    return (voyage(str(found.get("mover") or ""), str(found["start"]), str(found["place"])),)


def battle(view: Mapping[str, Any]) -> str:
    """Where armies fight; empty while none do."""
    found = view.get("battle")
    return str(found.get("space") or found.get("at") or found.get("hex") or "") if isinstance(found, dict) else ""
