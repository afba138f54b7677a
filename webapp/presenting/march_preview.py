"""A leader's march before it is walked: what he reaches, the way space by space, its points and dangers, the command.

All of it is asked of the engine; a system without such a march has no `walk` in its presentation.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Footstep:
    """One hex or space of the way: points spent when it is entered, and what it may cost."""

    hex: str
    name: str
    spent: int
    dangers: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Tint:
    """A hex or space within reach: its outline, the points that it costs, and where they are written on the map.

    `price` stands there in place of the points, where what it costs is no number of points.
    """

    hex: str
    shape: str
    points: int
    disc: tuple[float, float] | None = None
    price: str = ""


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
    """The march of one leader, and who else may be chosen. `command` walks the way; `barred` says why not.

    Where the rules move an army space by space, `orders` are those commands in turn, as JSON; `units` are the fewest
    and the most that may go, and `goal` names its end, `spent` the points that it takes. `outlook` says what waits
    there. `at_sea`: it is a voyage; `voyage` are
    the orders of one that leads there beside the way by land.
    """

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
    orders: str = ""
    units: tuple[int, int] | None = None
    goal: str = ""
    spent: int = 0
    outlook: tuple[str, ...] = ()
    at_sea: bool = False
    voyage: str = ""
    voyage_spent: int = 0
    voyage_dangers: tuple[str, ...] = ()
    points: int = 0


@dataclass(frozen=True)
class Amount:
    """A number of a command: its field, its label, the least and the most, and what it begins with."""

    field: str
    label: str
    low: int
    high: int
    begin: int | None


@dataclass(frozen=True)
class Choosing:
    """A field of a command that is chosen among a few: its name, its label, and each choice as JSON with its words."""

    field: str
    label: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Goals:
    """An answer that names a space, given by a tap on the map: the spaces, and what follows from the one tapped.

    `kinds` are the commands that it stands for. `walkers` are those of whom one is chosen first (`chosen`), where
    there are several. `command` is the answer as JSON, `button` its words; `amount` is a field of it that may still be
    changed, with the least and the most, `choosing` one that is chosen among a few. `beside`: a side may do it, but is
    asked something else.
    """

    kinds: tuple[str, ...]
    title: str
    tints: tuple[Tint, ...]
    walkers: tuple[Walker, ...] = ()
    chosen: str = ""
    goal: str = ""
    steps: tuple[Footstep, ...] = ()
    line: str = ""
    marks: tuple[Mark, ...] = ()
    follows: tuple[str, ...] = ()
    command: str = ""
    button: str = ""
    amount: Amount | None = None
    choosing: Choosing | None = None
    beside: bool = False

    @property
    def is_open(self) -> bool:
        """Are the goals shaded on the map? What is done beside is shaded once it is picked."""
        return not self.beside or bool(self.chosen or self.goal)
