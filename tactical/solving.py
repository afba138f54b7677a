"""The exact answer of a puzzle: every order, every face of every die, against an enemy who always plays alike.

A value is the chance that the puzzle's goal is reached with the best orders from there. Orders that only end a step in
another way (`finish`, `forgo`) and those that end the battle are left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from tactical import GALLEY
from tactical.battle import Battle
from tactical.captains import Orders, choose
from tactical.exercises import PUZZLE, Puzzle, all_puzzles, is_at_end, is_reached, is_solved, position
from tactical.kernel.dice import Dice, RollNeeded
from tactical.kernel.protocol import Offer
from tactical.kernel.record import encode, read

LEFT_OUT = ("resign", "agree", "forgo", "finish", "together", "mark", "paper", "squadron", "level", "deploy")
MOST = 700  # positions that are looked at; a puzzle that needs more is none


class TooLarge(ValueError):
    """The puzzle needs more positions than may be looked at."""


class Solver:
    """What is known of one puzzle: the value of each position that has been looked at."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.values: dict[bytes, Fraction] = {}
        self.looked = 0

    @cached_property
    def start(self) -> Battle:
        """The position that the player meets first."""
        it = self.puzzle
        begun: Battle = GALLEY.start(None, position(it.start, PUZZLE + it.id), {}, Dice()).state
        return begun

    def value(self, state: Battle) -> Fraction:
        """The chance of the goal with the best orders. Raises TooLarge."""
        if is_reached(self.puzzle, state):
            return Fraction(1)
        if is_at_end(self.puzzle, state):
            return Fraction(is_solved(self.puzzle, state))
        key = encode(state)
        found = self.values.get(key)
        if found is None:
            self.looked += 1
            if self.looked > MOST:
                raise TooLarge(self.puzzle.id)
            enemy = self.enemy_to_act(state)
            if enemy is not None:
                found = self.expected(state, enemy, self.answer(state, enemy))
            else:
                found = max((self.worth(state, each) for each in self.orders(state)), default=Fraction(0))
            self.values[key] = found
        return found

    def enemy_to_act(self, state: Battle) -> str | None:
        """An enemy that is waited for: he acts before the player."""
        return next((seat for seat in GALLEY.waiting_for(state) if seat != self.puzzle.side), None)

    def answer(self, state: Battle, seat: str) -> dict[str, Any]:
        """What the enemy does."""
        return choose(GALLEY.view(state, seat), seat, GALLEY.offers(state, seat), Orders(self.puzzle.enemy)).command

    def orders(self, state: Battle) -> list[dict[str, Any]]:
        """All that the player may order; speeds ship by ship, since their order changes nothing."""
        offers = [each for each in GALLEY.offers(state, self.puzzle.side) if each.type not in LEFT_OUT]
        plots = [each for each in offers if each.type == "plot"]
        unset = [each for each in plots if state.ships[str(each.fields["ship"])].plot is None]
        chosen = unset[:1] or [each for each in offers if each.type != "plot"]
        return [command for offer in chosen for command in every(offer)]

    def worth(self, state: Battle, command: dict[str, Any]) -> Fraction:
        """The chance of the goal after an order of the player, before its dice."""
        return self.expected(state, self.puzzle.side, command)

    def expected(self, state: Battle, seat: str, command: dict[str, Any]) -> Fraction:
        """The mean of what a command leads to."""
        return sum((chance * self.value(after) for chance, after in outcomes(state, seat, command)), Fraction(0))

    def choices(self, state: Battle) -> list[tuple[Fraction, dict[str, Any]]]:
        """The player's orders with their chances, the best first."""
        found = [(self.worth(state, each), each) for each in self.orders(state)]
        return sorted(found, key=lambda each: -each[0])

    def line(self) -> list[dict[str, Any]]:
        """The best orders from the start, as far as no die decides what follows."""
        found: list[dict[str, Any]] = []
        state = self.start
        while not is_reached(self.puzzle, state) and not is_at_end(self.puzzle, state):
            enemy = self.enemy_to_act(state)
            command = self.answer(state, enemy) if enemy else self.choices(state)[0][1]
            if not enemy:
                found.append(command)
            after = list(outcomes(state, enemy or self.puzzle.side, command))
            if len(after) != 1:
                break
            state = after[0][1]
        return found


def every(offer: Offer) -> Iterator[dict[str, Any]]:
    """Every command that an offer stands for."""
    names = list(offer.fields)
    for combination in itertools.product(*(one_of(offer.fields[name]) for name in names)):
        yield {"type": offer.type, **dict(zip(names, combination, strict=True))}


def one_of(value: Any) -> list[Any]:
    """What a field of an offer may be."""
    if isinstance(value, dict) and value.keys() == {"from", "to"}:
        return list(range(value["from"], value["to"] + 1))
    return list(value) if isinstance(value, list | tuple) else [value]


def outcomes(state: Battle, seat: str, command: dict[str, Any]) -> Iterator[tuple[Fraction, Battle]]:
    """What a command may lead to, each with its chance: all faces of all its dice."""
    given = read(command, GALLEY.command)
    rest: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(1), ())]
    while rest:
        chance, faces = rest.pop()
        try:
            yield chance, GALLEY.apply(state, seat, given, Dice(faces)).state
        except RollNeeded as need:
            sides = need.asked.dice
            each = chance / Fraction(_product(sides))
            rest += [(each, faces + more) for more in itertools.product(*(range(1, side + 1) for side in sides))]


def _product(sides: tuple[int, ...]) -> int:
    """In how many ways dice may fall."""
    found = 1
    for side in sides:
        found *= side
    return found


@lru_cache(maxsize=32)
def solver_of(name: str) -> Solver:
    """The solver of a puzzle, with all that it has found out. Raises KeyError for an unknown puzzle."""
    return Solver(all_puzzles()[name])
