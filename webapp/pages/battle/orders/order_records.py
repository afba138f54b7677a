"""What a button of the battle says and sends: orders that may be given, those that may not, small forms of choices."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

as_json = json.JSONEncoder(separators=(",", ":")).encode  # made once: `dumps` makes one for each command


@dataclass(frozen=True)
class Action:
    """A command that may be given now. `hint` says what it may bring; `weight` is main, plain or danger.

    `ask` is what a player is asked first, where the command gives something away. Where `address` is given,
    `command` is no command but courses of ships (see `plans`), and is sent there.
    """

    label: str
    command: str
    rule: str
    hint: str = ""
    weight: str = "plain"
    pressed: bool = False
    mark: str = ""
    ask: str = ""
    address: str = ""
    what: str = "action"

    @property
    def key(self) -> str:
        """A name for the page's ids: the command without its marks."""
        return re.sub(r"[^A-Za-z0-9]+", "-", self.command).strip("-")


@dataclass(frozen=True)
class Cannot:
    """A command that a rule forbids now: a grey button that says why; at the level "advise" one may insist.

    `chosen` marks the one that was given before, as a speed whose plot is locked.
    """

    label: str
    reason: str
    rule: str
    command: str = ""
    chosen: bool = False
    what: str = "cannot"


@dataclass(frozen=True)
class Target:
    """An enemy in a weapon's reach: its range, and what one weapon does to it."""

    id: str
    name: str
    hint: str


@dataclass(frozen=True)
class Volley:
    """One weapon of a ship: how many may fire, and at whom. `far` is the reach to type on the players' own table."""

    ship: str
    weapon: str
    label: str
    ready: int
    targets: tuple[Target, ...]
    far: int = 0
    ranges: tuple[tuple[int, str], ...] = ()
    what: str = "volley"


@dataclass(frozen=True)
class Blank:
    """An offer that this page has no picture for: its fields as a small form of choices."""

    label: str
    rule: str
    fixed: str
    fields: tuple[tuple[str, tuple[str, ...]], ...]
    what: str = "blank"


@dataclass(frozen=True)
class Bearing:
    """G1.6 Any angle or heading of a step on the measured sea, by a slider."""

    ship: str
    key: str
    low: int
    high: int
    now: int
    what: str = "bearing"


Order = Action | Cannot | Volley | Blank | Bearing
WORDED = frozenset(("plot", "step", "fire", "ram", "rake", "hold", "board", "contact", "leave", "finish"))


def command_json(kind: str, **fields: Any) -> str:
    """A command as JSON, for a button."""
    return as_json({"type": kind, **fields})


def together(commands: Sequence[dict[str, Any]]) -> str:
    """Several commands as one, and as one step of undo."""
    return as_json({"type": "together", "commands": list(commands)})
