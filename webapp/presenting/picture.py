"""What a view shows upon a map, in words that every system shares: holders, stacks, sieges.

A system's presentation makes them from its view (plain dicts, as its JSON reads); pages and drawings know nothing of
the system behind.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from webapp.presenting.map.sheet import Sheet


@dataclass(frozen=True)
class Leader:
    """A general, king or admiral on the map; `rating` as players say it. Without a head of his own his side's sign is
    drawn."""

    id: str
    name: str
    rating: str = ""
    has_head: bool = True


@dataclass(frozen=True)
class Stack:
    """Forces of one side in one space. `strength` stands on the counter; `extras` are letters with numbers; `number` is
    that of the side, which whoever draws the map fills in."""

    space: str
    side: str
    strength: str = ""
    leaders: tuple[Leader, ...] = ()
    extras: tuple[tuple[str, int], ...] = ()
    inside: bool = False
    posture: str = ""
    number: int = 0


@dataclass(frozen=True)
class Siege:
    """A siege: who besieges, and how far it has come."""

    space: str
    side: str | None
    points: int


@dataclass(frozen=True)
class Course:
    """A way that is being gone: from space to space, by a fleet or an army; `text` stands beside a fleet."""

    side: str
    path: tuple[str, ...]
    fleet: bool = False
    text: str = ""


@dataclass(frozen=True)
class Picture:
    """Everything that changes on a map. `courses` is what is under way, `meeting` where two fleets have met, `battle`
    where armies fight; the first view shows `focus`, where it is not empty: else all that is held. `sides` are those of
    the game in their order, and `sheet` its own world: where one of them is not given, the system's printed ones."""

    holders: dict[str, str] = field(default_factory=dict)
    areas: dict[str, str] = field(default_factory=dict)
    stacks: tuple[Stack, ...] = ()
    sieges: dict[str, Siege] = field(default_factory=dict)
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)  # of areas, beside their names
    facts: tuple[tuple[str, str], ...] = ()
    courses: tuple[Course, ...] = ()
    meeting: str = ""
    battle: str = ""
    focus: frozenset[str] = frozenset()
    sides: tuple[str, ...] = ()
    sheet: Sheet | None = None

    def at(self, space: str) -> tuple[Stack, ...]:
        """The stacks of a space."""
        return tuple(stack for stack in self.stacks if stack.space == space)


View = dict[str, Any]


@dataclass(frozen=True)
class Card:
    """A card in hand, or pieces that are still to be placed. `number` is how commands name it; `picture` names the
    drawing that it bears."""

    number: int | str
    title: str
    value: str = ""
    text: str = ""
    side: str = ""
    picture: str = ""


@dataclass(frozen=True)
class Strip:
    """The turn, its phases as (id, words, is it now), and who is active."""

    turn: str
    phases: tuple[tuple[str, str, bool], ...] = ()
    active: str = ""
    note: str = ""


@dataclass(frozen=True)
class Asked:
    """A question in mid-rule. `text` says in words what it is about, where the fields of `about` would not.

    `count` is how many are still to be paid, where the question is about that; `hint` what to tap, for who answers.
    """

    kind: str
    seat: str
    rule: str
    about: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    count: int | None = None
    hint: str = ""


@dataclass(frozen=True)
class Fact:
    """A line of a panel: a label, what it says, and the paragraph that explains it."""

    label: str
    text: str
    rule: str = ""


@dataclass(frozen=True)
class Book:
    """A side's row of the ledger; what the seat may not know is empty."""

    side: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Ledger:
    """What is counted all the time, side by side: the heads of its columns, and a row for each side."""

    heads: tuple[str, ...]
    books: tuple[Book, ...]


@dataclass(frozen=True)
class Preview:
    """An answer to what players stop the game to count: a title, its paragraph, lines, and spaces to show."""

    title: str
    rule: str
    lines: tuple[str, ...]
    spaces: tuple[str, ...] = ()


@dataclass(frozen=True)
class BattleCard:
    """How many cards of one kind are in the seat's own hand."""

    kind: str
    title: str
    count: int
    text: str = ""


@dataclass(frozen=True)
class BattleSide:
    """One side of a battle by cards: its part, who commands, how many cards it holds, what lies open of them.

    `units` are those that still fight and those with which it began.
    """

    side: str
    name: str
    role: str
    commander: str
    cards: int
    rating: str = ""
    units: tuple[int, int] | None = None
    shown: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class BattlePanel:
    """A battle by cards as both sides may see it, and the seat's own hand. `played` waits to be matched.

    `tactics`: it is fought with tactics cards, at sea, not with battle cards.
    `won` says who has won it, `status` whose part is played; `open` are the cards that lie face up, `possible` what the
    seat may still do.
    """

    title: str
    rule: str
    round: int
    initiative: str
    played: str
    sides: tuple[BattleSide, ...]
    own: tuple[BattleCard, ...] = ()
    status: str = ""
    open: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    won: str = ""
    tactics: bool = False
    played_kind: str = ""
    played_by: str = ""
