"""A leader's march before it is walked: what he reaches, the way hex by hex, its points, its attrition, the command.

All of it is asked of the engine; a system without such a march has no `walk` in its presentation.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Footstep:
    """One hex of the way: points spent when it is entered, and what it may cost."""

    hex: str
    name: str
    spent: int
    dangers: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Tint:
    """A hex within reach: its outline and the points that it costs."""

    hex: str
    shape: str
    points: int


@dataclass(frozen=True)
class Walker:
    """A leader who may be chosen."""

    id: str
    name: str
    force: str
    chosen: bool = False


@dataclass(frozen=True)
class Mark:
    """A hex of the way as it is drawn: where, and the points spent; `danger` when dice fall there."""

    x: float
    y: float
    spent: int
    danger: bool


@dataclass(frozen=True)
class Walk:
    """The march of one leader, and who else may be chosen. `command` walks the way; `barred` says why not."""

    walkers: tuple[Walker, ...]
    leader: str = ""
    name: str = ""
    force: str = ""
    left: int = 0
    tints: tuple[Tint, ...] = ()
    steps: tuple[Footstep, ...] = ()
    line: str = ""
    marks: tuple[Mark, ...] = ()
    arrives: tuple[str, ...] = ()
    command: str = ""
    barred: str = ""
