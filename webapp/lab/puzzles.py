"""Finds puzzles: small positions at random, solved exactly, of which those with one clearly best first order stay."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from tactical import GALLEY
from tactical.board import HEADINGS, distance, from_column_row
from tactical.exercises import Goal, Puzzle, Solver, Start, TooLarge, is_at_end, is_reached
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput, read

LEAST, CLEAR = 0.3, 0.12  # a puzzle's chance at least, and how far its best first order leads
NAMES = (("Paralos", "Salaminia"), ("Peirene",))
TYPES = ("trireme", "trireme", "quadrireme", "quinquereme")
TOLD = ("contact", "ram", "rake", "bow_to_bow", "board", "fight", "flood", "step")
COLUMNS, ROWS = 9, 7


def found(seed: int, goal: Goal, turns: int = 1) -> Iterator[Puzzle]:
    """Puzzles of a goal, one after another, without end; the same for the same seed and number of turns."""
    throw = random.Random(f"{goal}:{seed}" if turns == 1 else f"{goal}:{seed}:{turns}")
    while True:
        drawn = draw(throw, goal, turns)
        try:
            solver = Solver(drawn)
            choices = solver.choices(solver.start)
        except (BadInput, Illegal, TooLarge, ValueError):
            continue
        if (kept := keep(solver, choices)) is not None:
            yield kept


def draw(throw: random.Random, goal: Goal, turns: int = 1) -> Puzzle:
    """A position at random, in the middle of a turn; towards its end where there are more, with a ship of one's own."""
    own = 2 if turns == 1 and goal in ("safe", "sink") and throw.random() < 0.6 else 1
    cells = [(column, row) for column in range(1, COLUMNS - 1) for row in range(1, ROWS - 1)]
    target = throw.choice(cells)
    near = [each for each in cells if 1 <= distance(from_column_row(*each), from_column_row(*target)) <= 3]
    places = [*throw.sample(near, own), target]
    ships: dict[str, dict[str, Any]] = {}
    for number, place in enumerate(places):
        mine = number < own
        name = f"a{number + 1}" if mine else "c1"
        kind = throw.choice(TYPES)
        ships[name] = {
            "side": "athens" if mine else "corinth",
            "name": NAMES[0][number] if mine else NAMES[1][0],
            "type": kind,
            "crew": throw.choice(("elite", "elite", "average")) if mine else throw.choice(("average", "poor")),
            "at": place,
            "facing": throw.choice(HEADINGS),
            "speed": throw.choice(((0, 0, 2), (2, 3) if kind == "quinquereme" else (2, 3, 3, 4))[mine]),
            "medium": (1 + mine) if goal == "take" else 0,
        }
    ships["c1"]["damage"] = throw.choice((1, 2, 3, 4)) if goal == "sink" else 0
    start = Start(ships, SIDES, COLUMNS, ROWS, step="move", phase=throw.choice((2, 3, 4) if turns == 1 else (5, 6)))
    enemy: Literal["still", "raw"] = "raw" if goal == "safe" else "still"
    if goal == "safe":
        ships["c1"]["speed"], ships["c1"]["crew"] = throw.choice((2, 3)), "elite"
        ships["a1"]["damage"] = throw.choice((3, 4))
    empty: dict[str, Any] = {"chance": 0.0, "next": 0.0, "line": (), "rules": ()}
    return Puzzle("", goal, "athens", start, target="c1", enemy=enemy, turns=turns, **empty)


SIDES: dict[str, dict[str, Any]] = {
    "athens": {"name": "Athens", "navy": "hellenistic"},
    "corinth": {"name": "Corinth", "navy": "hellenistic"},
}


def keep(solver: Solver, choices: list[tuple[Any, dict[str, Any]]]) -> Puzzle | None:
    """The puzzle with its answer; None when it is hopeless, or when several first orders are about as good."""
    if len(choices) < 2:
        return None
    (best, _command), (second, _other) = choices[:2]
    if best < LEAST or best - second < CLEAR:
        return None
    line = tuple(solver.line())
    if len(line) < 2 or (solver.puzzle.turns > 1 and all(each["type"] != "plot" for each in line)):
        return None
    return msgspec.structs.replace(
        solver.puzzle, chance=round(float(best), 4), next=round(float(second), 4), line=line, rules=rules_of(solver)
    )


def rules_of(solver: Solver) -> tuple[str, ...]:
    """The paragraphs of what happens on the best line, all dice at their middle."""
    state, told = solver.start, dict[str, None]()
    while not is_reached(solver.puzzle, state) and not is_at_end(solver.puzzle, state):
        enemy = solver.enemy_to_act(state)
        command = solver.answer(state, enemy) if enemy else solver.choices(state)[0][1]
        outcome = GALLEY.apply(
            state, enemy or solver.puzzle.side, read(command, GALLEY.command), Dice(source=lambda sides: sides - 1)
        )
        told |= dict.fromkeys(it.rule for it in outcome.events if it.type in TOLD and not enemy)
        state = outcome.state
    return tuple(told)


def puzzle_text(puzzle: Puzzle) -> str:
    """The puzzle as a file of data/galley/puzzles."""
    raw = {name: value for name, value in msgspec.to_builtins(puzzle).items() if value not in ("", None, [], {})}
    if raw["turns"] == 1:
        del raw["turns"]
    start = {name: value for name, value in raw.pop("start").items() if value not in (None, [], {})}
    ships, sides = start.pop("ships"), start.pop("sides")
    lines = [f"{name} = {of_toml(value)}" for name, value in raw.items()]
    lines += ["", "[start]", *(f"{name} = {of_toml(value)}" for name, value in start.items())]
    for part, tables in (("ships", ships), ("sides", sides)):
        for name, table in tables.items():
            lines += ["", f"[start.{part}.{name}]", *(f"{key} = {of_toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def of_toml(value: Any) -> str:
    """A value as TOML writes it on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {of_toml(each)}" for name, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(of_toml, value)) + "]"
    return json.dumps(value)
