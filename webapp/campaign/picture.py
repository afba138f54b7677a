"""What a view shows upon a map, in words that every system shares: holders, stacks, sieges.

A reader in `readers/` makes a Picture from its system's view (plain dicts, as its JSON reads); the drawing
knows nothing of the system behind it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Leader:
    """A general, king or admiral on the map; `rating` as players say it."""

    id: str
    name: str
    rating: str = ""


@dataclass(frozen=True)
class Stack:
    """Forces of one side in one space. `strength` stands on the counter; `extras` are letters with numbers."""

    space: str
    side: str
    strength: str = ""
    leaders: tuple[Leader, ...] = ()
    extras: tuple[tuple[str, int], ...] = ()
    inside: bool = False
    posture: str = ""


@dataclass(frozen=True)
class Siege:
    """A siege: who besieges, and how far it has come."""

    space: str
    side: str | None
    points: int


@dataclass(frozen=True)
class Picture:
    """Everything that changes on a map. `tribes` are spaces whose people belong to nobody."""

    holders: dict[str, str] = field(default_factory=dict)
    areas: dict[str, str] = field(default_factory=dict)
    stacks: tuple[Stack, ...] = ()
    sieges: dict[str, Siege] = field(default_factory=dict)
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    facts: tuple[tuple[str, str], ...] = ()

    def at(self, space: str) -> tuple[Stack, ...]:
        """The stacks of a space."""
        return tuple(stack for stack in self.stacks if stack.space == space)


View = dict[str, Any]
