"""What engines and callers exchange, and the loop that runs a sequence of play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tactical.kernel.dice import Dice
from tactical.kernel.record import Record

S = TypeVar("S")
C = TypeVar("C")

UMPIRE = "umpire"
SPECTATOR = "spectator"


class Illegal(Exception):
    """A command against the rules: `rule` is the paragraph, `reason` a sentence a player can act on."""

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(f"{rule}: {reason}")
        self.rule = rule
        self.reason = reason


class NotYours(Exception):
    """A command that another seat must give."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Offer(Record, frozen=True):
    """A command that a seat may give now.

    Each field holds its only value, a list of choices, or {"from": low, "to": high}; every combination
    of the choices of one offer is legal.
    """

    type: str
    rule: str
    fields: dict[str, Any] = {}


class Event(Record, frozen=True):
    """What happened: the paragraph, a kind, and ids and numbers; never prose.

    `only` names the seats that may see it (empty: all; the umpire always may). `reveals` says that
    something hidden was shown, which bars a free undo.
    """

    rule: str
    type: str
    data: dict[str, Any] = {}
    only: tuple[str, ...] = ()
    reveals: bool = False

    def flat(self) -> dict[str, Any]:
        """The event as one flat object, as the API shows it."""
        return {"rule": self.rule, "type": self.type, **self.data}

    def seen_by(self, seat: str) -> bool:
        """May this seat see it?"""
        return not self.only or seat == UMPIRE or seat in self.only


def event(rule: str, kind: str, /, only: tuple[str, ...] = (), reveals: bool = False, **data: Any) -> Event:
    """An event with its data as keywords."""
    return Event(rule, kind, data, only, reveals)


class Prompt(Record, frozen=True):
    """A question in mid-rule: who must answer, by which paragraph, about what. It stands in the state as `pending`."""

    kind: str
    seat: str
    rule: str
    about: dict[str, Any] = {}


@dataclass(frozen=True)
class Outcome(Generic[S]):
    """The position after a command, and what happened."""

    state: S
    events: tuple[Event, ...] = ()


Handled = tuple[S, tuple[Event, ...]]
Handler = Callable[[S, Any, Dice], "tuple[S, tuple[Event, ...]]"]


@dataclass(frozen=True)
class Step(Generic[S]):
    """One box of the sequence of play.

    `handlers`: which commands it takes and who resolves each. `is_open`: does anyone still have something
    to do? `leave`: what happens by itself when nobody has; it returns the state in the next step.
    """

    name: str
    rule: str
    handlers: Mapping[type, Handler[S]]
    is_open: Callable[[S], bool]
    leave: Callable[[S, Dice], tuple[S, tuple[Event, ...]]]


def settle(sequence: Mapping[str, Step[S]], current: Callable[[S], str], state: S, dice: Dice) -> Handled[S]:
    """Run the steps in which nobody has anything to do, until somebody has."""
    events: tuple[Event, ...] = ()
    step = sequence[current(state)]
    while not step.is_open(state):
        state, more = step.leave(state, dice)
        events += more
        step = sequence[current(state)]
    return state, events


@dataclass(frozen=True)
class OptionInfo:
    """A rule option: its name, default, choices or bounds, one line on what it means, and its paragraph."""

    name: str
    default: Any
    meaning: str
    choices: tuple[Any, ...] = ()
    rule: str = ""


@dataclass(frozen=True)
class ScenarioInfo:
    """A starting position that a system offers: id, title, a sentence of history, and where that is from."""

    id: str
    title: str
    history: str = ""
    sources: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()


@dataclass(frozen=True)
class System:
    """A rule system as the rest of the house sees it: four functions and what they speak of.

    start(scenario | None, position | None, options, dice) -> Outcome; offers(state, seat); apply(state, seat,
    command, dice) -> Outcome; view(state, seat) -> a value that encodes to JSON and holds what the seat may see.
    `command` is the union of the system's commands, `state` its record. `waiting_for(state)` names the seats that
    must act; `sides(state)` the seats besides umpire and spectator; `is_over(state)`.
    """

    name: str
    title: str
    version: str
    state: Any
    command: Any
    options: tuple[OptionInfo, ...]
    scenarios: Callable[[], tuple[ScenarioInfo, ...]]
    start: Callable[[str | None, Mapping[str, Any] | None, Mapping[str, Any], Dice], Outcome[Any]]
    offers: Callable[[Any, str], tuple[Offer, ...]]
    apply: Callable[[Any, str, Any, Dice], Outcome[Any]]
    view: Callable[[Any, str], Any]
    waiting_for: Callable[[Any], tuple[str, ...]]
    sides: Callable[[Any], tuple[str, ...]]
    is_over: Callable[[Any], bool]
    invariants: Callable[[Any], tuple[str, ...]] = lambda state: ()
