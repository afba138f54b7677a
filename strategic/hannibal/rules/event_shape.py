"""What an event is made of: why it cannot be played, what it does, what it asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from strategic.hannibal.state import Handled, State
from strategic.hannibal.tables import Card
from strategic.point_to_point.tables import Side
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Prompt
from tactical.kernel.reason import Reason


@dataclass(frozen=True)
class Kind:
    """An event: `why_not` is the sentence that forbids it now, None when it may be played."""

    why_not: Callable[[State, Side, Card], Reason | None]
    play: Callable[[State, Side, Card, Dice], Handled]


@dataclass(frozen=True)
class Choice:
    """A question of an event: its options now, and what an answer does."""

    options: Callable[[State, Side, Card], tuple[str, ...]]
    act: Callable[[State, Side, Card, str, Dice], Handled]


def asking(name: str, count: int = 1, optional: bool = False) -> Callable[[State, Side, Card, Dice], Handled]:
    """strategy.3 The play that asks for so many choices."""

    def play(state: State, side: Side, card: Card, dice: Dice) -> Handled:
        about = {"for": name, "card": card.number, "left": count or card.units, "optional": optional}
        return state.then(Prompt("choose", side, "strategy.3", about)), ()

    return play


def if_options(options: Callable[[State, Side, Card], tuple[str, ...]]) -> Callable[[State, Side, Card], Reason | None]:
    """strategy.3 An event that has nothing to choose cannot be played."""
    return lambda state, side, card: (
        None if options(state, side, card) else Reason("there is nothing that this event could do")
    )
