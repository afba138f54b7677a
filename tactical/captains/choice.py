"""What a captain answers: a command, why, and what else it weighed. Reasons are data; the pages put them in words."""

from __future__ import annotations

from typing import Any, Literal

from tactical.kernel.record import Record

Level = Literal["raw", "able", "seasoned", "still"]
Role = Literal["line", "screen", "reserve", "guard"]

LEVELS: tuple[Level, ...] = ("raw", "able", "seasoned")  # who plays a battle; "still" stands in lessons and puzzles
ROLES: tuple[Role, ...] = ("line", "screen", "reserve", "guard")


class Reason(Record, frozen=True):
    """One reason: its kind, the ships and numbers that it speaks of, the paragraph, and the chance it rests on."""

    kind: str
    data: dict[str, Any] = {}
    rule: str | None = None
    odds: float | None = None


class Considered(Record, frozen=True):
    """Another command that was weighed, and its value in points of hull (G10.2)."""

    command: dict[str, Any]
    value: float


class Choice(Record, frozen=True):
    """The command that a captain gives, its value, its reasons, and what else it considered, the best first."""

    command: dict[str, Any]
    reasons: tuple[Reason, ...] = ()
    considered: tuple[Considered, ...] = ()
    value: float = 0.0


class Orders(Record, frozen=True):
    """What a captain is told: its level, and the role of each squadron by name (others are of the line).

    From the turn `breaks_off` on it gives up a battle that is lost; 0: it never does.
    """

    level: Level = "able"
    roles: dict[str, Role] = {}
    breaks_off: int = 0


def reason(kind: str, /, rule: str | None = None, odds: float | None = None, **data: Any) -> Reason:
    """A reason with its data as keywords."""
    return Reason(kind, data, rule, None if odds is None else round(odds, 4))


def best_options(options: list[tuple[dict[str, Any], float]], most: int = 8) -> tuple[Considered, ...]:
    """The options by value, the best first, no more than `most`."""
    ranked = sorted(options, key=lambda option: -option[1])[:most]
    return tuple(Considered(command, round(value, 3)) for command, value in ranked)
