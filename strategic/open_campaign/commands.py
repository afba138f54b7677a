"""What the sides of an open campaign and their umpire may say."""

from __future__ import annotations

from typing import Literal

from strategic.naval.settling import Assent, ChooseWay, OpenBattle, Report, Settle
from tactical.kernel.adjusting import Adjust
from tactical.kernel.record import Input

Do = Literal["go", "patrol", "blockade", "escort", "land", "stay"]
Stance = Literal["seek", "accept", "avoid"]
Pace = Literal["easy", "cruise", "hard"]


class Order(Input, frozen=True, tag="order"):
    """O3.3 The order of a fleet for this turn; it replaces the one that it had. `to` is a space, of an escort a fleet.

    `way` are the spaces on the way, where it is not the shortest; `more_than` sail seen, and it avoids instead.
    """

    side: str
    fleet: str
    do: Do
    to: str = ""
    way: tuple[str, ...] = ()
    stance: Stance = "accept"
    pace: Pace = "cruise"
    more_than: int = 0
    note: str = ""


class CancelOrder(Input, frozen=True, tag="cancel_order"):
    """O3.2 The fleet has no order for this turn."""

    side: str
    fleet: str


class Write(Input, frozen=True, tag="write"):
    """O3.4 A free order to the umpire."""

    side: str
    text: str


class Ready(Input, frozen=True, tag="ready"):
    """O3.2 The side's orders stand; the turn runs when all have said so."""

    side: str
    ready: bool = True


class Run(Input, frozen=True, tag="run"):
    """O3.7 The umpire lets the turn run, whoever is ready."""


class Send(Input, frozen=True, tag="send"):
    """O3.7 The umpire sends what a held turn brought."""


class Answer(Input, frozen=True, tag="answer"):
    """O3.4 The umpire answers a free order, by the side and its number from 0."""

    side: str
    letter: int
    text: str


class Resign(Input, frozen=True, tag="resign"):
    """O9.1 Give up: the side's fleets go home and fight no more."""

    side: str


Command = (
    Order | CancelOrder | Write | Ready | Run | Send | Answer | Resign | Adjust
    | ChooseWay | OpenBattle | Settle | Report | Assent
)  # fmt: skip
