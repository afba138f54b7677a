"""Lessons and puzzles (data/galley/lessons, data/galley/puzzles): small positions with a goal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Literal

import data
from tactical.battle import Battle
from tactical.hexes import from_column_row
from tactical.kernel.protocol import Event
from tactical.kernel.record import Input

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
