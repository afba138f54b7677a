"""Lessons and puzzles: small positions with a goal, and the exact answer of a puzzle."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import Any, Literal

import data
from tactical import GALLEY
from tactical.battle import Battle
from tactical.board import from_column_row
from tactical.captains import Orders, choose
from tactical.kernel.dice import Dice, RollNeeded
from tactical.kernel.protocol import Event, Offer
from tactical.kernel.record import Input, encode, read

# -- Lessons and puzzles (data/galley/lessons, data/galley/puzzles): small positions with a goal.

LESSON, PUZZLE = "lesson.", "puzzle."  # what the `scenario` of their battles begins with
Goal = Literal["sink", "take", "oars", "safe"]


class Start(Input, frozen=True):
    """A position in columns and rows; `ships` are sheets by id, as in a typed position but for `at`."""

    ships: dict[str, dict[str, Any]]
    sides: dict[str, dict[str, Any]]
    columns: int = 9
    rows: int = 7
    land: tuple[tuple[int, int], ...] = ()
    step: str = "plot"
    phase: int | None = None
    turn_limit: int | None = None


class Lesson(Input, frozen=True):
    """One rule, played: `event` of one of `side`'s ships, with these fields, says that it is done.

    `text` is the rule in a sentence or two, also where a first battle meets it (`moment`, a step of the turn).
    """

    id: str
    order: int
    title: str
    text: str
    goal: str
    learnt: str
    rule: str
    side: str
    event: str
    start: Start
    fields: dict[str, Any] = {}
    moment: str = ""


class Puzzle(Input, frozen=True):
    """A goal that `side` must reach before turn `turns` is over; the enemy plays as `enemy` says.

    `chance` is that of the best line, `next` that of the best other first order; `line` is that line as far as no
    die decides what follows; `rules` are those that it uses (`navarch puzzles` finds them).
    """

    id: str
    what: Goal
    side: str
    start: Start
    chance: float
    next: float
    line: tuple[dict[str, Any], ...]
    rules: tuple[str, ...]
    target: str = ""
    enemy: Literal["still", "raw"] = "still"
    turns: int = 1


@cache
def all_lessons() -> dict[str, Lesson]:
    """The ladder, from the first lesson."""
    found = [data.read(path, Lesson) for path in data.files("galley/lessons")]
    return {each.id: each for each in sorted(found, key=lambda each: each.order)}


@cache
def all_puzzles() -> dict[str, Puzzle]:
    """The puzzles, by the names of their files."""
    return {each.id: each for each in (data.read(path, Puzzle) for path in data.files("galley/puzzles"))}


def position(start: Start, scenario: str) -> dict[str, Any]:
    """The start as a typed position of a battle."""
    ships = {
        name: {**sheet, "at": from_column_row(*sheet["at"])} if sheet.get("at") else sheet
        for name, sheet in start.ships.items()
    }
    found: dict[str, Any] = {
        "board": {
            "kind": "hexes",
            "columns": start.columns,
            "rows": start.rows,
            "land": sorted(from_column_row(*at) for at in start.land),
        },
        "sides": start.sides,
        "ships": ships,
        "step": start.step,
        "turn_limit": start.turn_limit,
        "scenario": scenario,
    }
    return found if start.phase is None else {**found, "phase": start.phase}


def lesson_of(battle: Battle) -> Lesson | None:
    """The lesson that a battle is; None for any other."""
    name = battle.scenario or ""
    return all_lessons().get(name.removeprefix(LESSON)) if name.startswith(LESSON) else None


def puzzle_of(battle: Battle) -> Puzzle | None:
    """The puzzle that a battle is; None for any other."""
    name = battle.scenario or ""
    return all_puzzles().get(name.removeprefix(PUZZLE)) if name.startswith(PUZZLE) else None


def is_exercise(scenario: str | None) -> bool:
    """Is it a lesson's or a puzzle's battle?"""
    return (scenario or "").startswith((LESSON, PUZZLE))


def is_learnt(lesson: Lesson, battle: Battle, events: Iterable[Event]) -> bool:
    """Has the side of the lesson done what it is about?"""
    return any(each.type == lesson.event and is_about(lesson, battle, each.data) for each in events)


def is_about(lesson: Lesson, battle: Battle, told: Mapping[str, Any]) -> bool:
    """Is an event about a ship of the lesson's side, with the lesson's fields?"""
    ships = [told.get("ship"), *told.get("boarders", ())]
    ours = told.get("side") == lesson.side or any(
        name in battle.ships and battle.ships[name].side == lesson.side for name in ships
    )
    return ours and all(told.get(name) in _choices(value) for name, value in lesson.fields.items())


def _choices(value: Any) -> tuple[Any, ...]:
    """What a field may be: one value or one of several."""
    return tuple(value) if isinstance(value, list) else (value,)


def is_reached(puzzle: Puzzle, battle: Battle) -> bool:
    """Has the puzzle's goal been reached, whatever may still follow?"""
    if puzzle.what == "safe":
        return False  # told at the end alone
    target = battle.ships[puzzle.target]
    if puzzle.what == "sink":
        return target.status == "sunk"
    if puzzle.what == "take":
        return target.status == "captured"
    return target.oars_broken


def is_at_end(puzzle: Puzzle, battle: Battle) -> bool:
    """Is the time over that a puzzle gives?"""
    return battle.is_over or battle.turn > puzzle.turns


def is_solved(puzzle: Puzzle, battle: Battle) -> bool:
    """At the end: was the goal reached? "safe": all ships of the side are afloat, and nobody fights aboard them."""
    if puzzle.what != "safe":
        return is_reached(puzzle, battle)
    mine = [ship for ship in battle.ships.values() if ship.side == puzzle.side]
    return all(ship.status in ("afloat", "withdrawn") and ship.boarding is None for ship in mine)


# -- The exact answer of a puzzle: every order, every face of every die, against an enemy who always plays alike.
#
# A value is the chance that the puzzle's goal is reached with the best orders from there. Orders that only end a step
# in
# another way (`finish`, `forgo`) and those that end the battle are left out.

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

    def best(self, state: Battle) -> list[dict[str, Any]]:
        """All of the player's orders that have the best chance: each of them solves the puzzle as well."""
        found = self.choices(state)
        return [each for chance, each in found if chance == found[0][0]]

    def line(self) -> list[dict[str, Any]]:
        """The best orders from the start, as far as no die decides what follows."""
        found: list[dict[str, Any]] = []
        state = self.start
        while not is_reached(self.puzzle, state) and not is_at_end(self.puzzle, state):
            enemy = self.enemy_to_act(state)
            command = self.answer(state, enemy) if enemy else self.best(state)[0]
            if not enemy:
                found.append(command)
            after = list(outcomes(state, enemy or self.puzzle.side, command))
            if len(after) != 1:
                break
            state = after[0][1]
        return found

    def states(self) -> Iterator[tuple[Battle, dict[str, Any]]]:
        """The orders of the puzzle's line, each with the position in which it is given."""
        state = self.start
        for command in self.puzzle.line:
            while (enemy := self.enemy_to_act(state)) is not None:
                ((_chance, state),) = outcomes(state, enemy, self.answer(state, enemy))
            yield state, command
            _chance, state = next(outcomes(state, self.puzzle.side, command))


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
