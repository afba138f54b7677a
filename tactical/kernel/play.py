"""The names of before: `protocol` has them now. `Step` and `settle` are for systems that have not moved to `engine`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from tactical.kernel.dice import Dice
from tactical.kernel.protocol import (
    ADJUSTED,
    SPECTATOR,
    UMPIRE,
    Event,
    Handled,
    Handler,
    Illegal,
    NotYours,
    Offer,
    OptionInfo,
    Outcome,
    Prompt,
    ScenarioInfo,
    System,
    event,
)

S = TypeVar("S")


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


__all__ = [
    "ADJUSTED", "SPECTATOR", "UMPIRE", "Event", "Handled", "Handler", "Illegal", "NotYours", "Offer", "OptionInfo",
    "Outcome", "Prompt", "ScenarioInfo", "Step", "System", "event", "settle",
]  # fmt: skip
