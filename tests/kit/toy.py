"""A toy system for the store and the API: two sides, secret plots, open dice, a hidden shuffle.

T1 each side plots a number in secret; T2 when both have plotted, both numbers are shown. T3 a shot is two
dice, then one more die for each six. T4 a draw takes the top card of a hidden deck. T5 ten points end it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tactical.kernel.dice import Dice
from tactical.kernel.protocol import (
    Event,
    Illegal,
    NotYours,
    Offer,
    OptionInfo,
    Outcome,
    ScenarioInfo,
    System,
    event,
)
from tactical.kernel.record import BadInput, Input, Record, read

SIDES = ("red", "blue")


class Plot(Input, frozen=True, tag="plot"):
    side: str
    number: int


class Shoot(Input, frozen=True, tag="shoot"):
    side: str
    note: str = ""


class Draw(Input, frozen=True, tag="draw"):
    side: str


class Adjust(Input, frozen=True, tag="adjust"):
    points: dict[str, int]
    why: str


class Ship(Record, frozen=True):
    side: str


class Toy(Record, frozen=True):
    points: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    plots: dict[str, int] = {}
    deck: tuple[int, ...] = ()
    hands: dict[str, tuple[int, ...]] = {}
    ships: dict[str, Ship] = {}

    def scoring(self, side: str, more: int) -> Toy:
        return msgspec.structs.replace(self, points={**self.points, side: self.points[side] + more})


class View(Record, frozen=True):
    points: dict[str, int]
    plots: dict[str, int | None]
    deck: Any
    hands: Any


def start(
    scenario: str | None, position: Mapping[str, Any] | None, options: Mapping[str, Any], dice: Dice
) -> Outcome[Toy]:
    if position is not None:
        given = dict(position)
        if isinstance(given.get("plots"), dict):
            given["plots"] = {side: number for side, number in given["plots"].items() if number is not None}
        state: Toy = read(given, Toy)
        if sorted(state.points) != ["blue", "red"]:
            raise BadInput("points", "both sides need their points")
        if max(state.points.values()) > 100:
            raise Illegal("T5", "more than a hundred points cannot be had")
        return Outcome(state)
    deck = dice.shuffled(tuple(range(options.get("cards", 8))))
    return Outcome(Toy(deck=deck), (event("T4", "shuffled"),))


def offers(state: Toy, seat: str) -> tuple[Offer, ...]:
    if is_over(state) or seat not in SIDES:
        return ()
    found = [Offer("shoot", "T3", {"side": seat})]
    if seat not in state.plots:
        found.append(Offer("plot", "T1", {"side": seat, "number": {"from": 1, "to": 5}}))
    if state.deck:
        found.append(Offer("draw", "T4", {"side": seat}))
    return tuple(found)


def apply(state: Toy, seat: str, command: Any, dice: Dice) -> Outcome[Toy]:
    if isinstance(command, Adjust):
        if seat != "umpire":
            raise NotYours("Only the umpire adjusts.")
        return Outcome(msgspec.structs.replace(state, points={**state.points, **command.points}))
    if seat not in (command.side, "umpire"):
        raise NotYours(f"That is for {command.side} to do.")
    if command.side not in SIDES:
        raise Illegal("T0", f"there is no side {command.side}")
    if is_over(state):
        raise Illegal("T5", "the game is over")
    if isinstance(command, Plot):
        return plot(state, command)
    if isinstance(command, Draw):
        return draw(state, command)
    return shoot(state, command, dice)


def plot(state: Toy, command: Plot) -> Outcome[Toy]:
    if command.side in state.plots:
        raise Illegal("T1", f"{command.side} has plotted already")
    if not 1 <= command.number <= 5:
        raise Illegal("T1", "a plot is 1 to 5")
    plots = {**state.plots, command.side: command.number}
    events: tuple[Event, ...] = (
        event("T1", "plotted", only=(command.side,), side=command.side, number=command.number),
    )
    if len(plots) == 2:
        events += (event("T2", "shown", reveals=True, plots=plots),)
        state = msgspec.structs.replace(state, plots={})
        return Outcome(state.scoring(max(plots, key=lambda side: plots[side]), 1), events)
    return Outcome(msgspec.structs.replace(state, plots=plots), events)


def shoot(state: Toy, command: Shoot, dice: Dice) -> Outcome[Toy]:
    faces = dice.roll(2, 6, "T3", side=command.side)
    again = dice.roll(faces.count(6), 6, "T3.1", side=command.side)
    hits = sum(face >= 5 for face in (*faces, *again))
    return Outcome(
        state.scoring(command.side, hits),
        (event("T3", "shot", side=command.side, dice=(*faces, *again), hits=hits),),
    )


def draw(state: Toy, command: Draw) -> Outcome[Toy]:
    if not state.deck:
        raise Illegal("T4", "the deck is empty")
    hands = {**state.hands, command.side: (*state.hands.get(command.side, ()), state.deck[0])}
    drawn = event("T4", "drew", only=(command.side,), reveals=True, side=command.side, card=state.deck[0])
    return Outcome(msgspec.structs.replace(state, deck=state.deck[1:], hands=hands), (drawn,))


def view(state: Toy, seat: str) -> View | Toy:
    if seat == "umpire":
        return state
    return View(
        state.points,
        {side: number if side == seat else None for side, number in state.plots.items()},
        len(state.deck),
        {side: cards if side == seat else len(cards) for side, cards in state.hands.items()},
    )


def is_over(state: Toy) -> bool:
    return max(state.points.values()) >= 10


TOY = System(
    name="toy",
    title="Toy",
    version="1",
    state=Toy,
    command=Plot | Shoot | Draw | Adjust,
    options=(OptionInfo("cards", 8, "how many cards the deck has", (4, 8)),),
    scenarios=lambda: (ScenarioInfo("duel", "A duel", "Long ago.", ("ours",), SIDES),),
    start=start,
    offers=offers,
    apply=apply,
    view=view,
    waiting_for=lambda state: () if is_over(state) else SIDES,
    sides=lambda state: SIDES,
    is_over=is_over,
)
SYSTEMS = {"toy": TOY}
