"""Two ships on a board of five by five, every position and every command: what the test of seconds and the soak share.

The water is a hexagon of nineteen hexes, five across, in a ring of land: turned by sixty degrees it is the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from kit.odd_positions import commands
from tactical import GALLEY
from tactical.battle import Battle
from tactical.board import HEADINGS, NUMBER, Hex, distance, from_column_row, rotate
from tactical.kernel.dice import Dice
from tactical.kernel.record import BadInput, encode, plain, read

CENTRE = from_column_row(3, 3)
BOARD = [from_column_row(column, row) for column in range(7) for row in range(7)]
WATER = [at for at in BOARD if distance(at, CENTRE) <= 2]
LAND = [at for at in BOARD if distance(at, CENTRE) == 3]
WEST_AND_NORTH = [from_column_row(column, row) for column in range(6) for row in range(6) if column * row == 0]
QUITS = ("resign", "agree", "forgo")  # what a side goes without only repeats each position with fewer commands
ENEMY = {"red": "blue", "blue": "red", "r1": "b1", "b1": "r1"}


class Fated(Dice):
    """Dice whose faces hang on what they are thrown for; `names` are called by those of another battle."""

    def __init__(self, fate: str, names: dict[str, str] | None = None) -> None:
        super().__init__()
        self.fate, self.names = fate, names or {}

    def roll(self, count: int, sides: int, rule: str, **about: str) -> tuple[int, ...]:
        known = sorted((key, self.names.get(value, value)) for key, value in about.items())
        fate = random.Random(f"{self.fate} {rule} {known}")
        return tuple(fate.randint(1, sides) for _ in range(count))


def begun(red: dict[str, Any], blue: dict[str, Any], step: str, phase: int | None, **fields: Any) -> Battle | None:
    """Two ships on the small board; None for a position that contradicts itself."""
    sheets = {"r1": {"side": "red", **red}, "b1": {"side": "blue", **blue}}
    raw = {
        "board": {"columns": 7, "rows": 7, "land": LAND},
        "ships": sheets,
        "step": step,
        "phase": phase,
        "sides": {"red": {"navy": "hellenistic"}, "blue": {"navy": "hellenistic"}},
        "turn_limit": 3,
        **fields,
    }
    raw["options"] = {"edge": "wall", **fields.get("options", {})}
    if raw["options"]["edge"] == "withdraw":  # the coast is open to the south and the east
        raw["board"] = {"columns": 6, "rows": 6, "land": WEST_AND_NORTH}
    if raw["options"].get("order") == "initiative" and step == "move":
        raw["first"] = "red"
    try:
        return GALLEY.start(None, raw, {}, Dice()).state
    except BadInput:
        return None


def positions(
    places: list[Hex],
    headings: tuple[str, ...],
    sheets: list[tuple[dict[str, Any], dict[str, Any]]],
    phases: tuple[int | None, ...],
    **options: Any,
) -> Iterator[Battle]:
    """r1 at each of the places with heading north, b1 everywhere with these headings, both about to step.

    Without a phase both are about to plot.
    """
    for at, other, heading, (red, blue), phase in product(places, WATER, headings, sheets, phases):
        if at == other:
            continue
        one, two = {"at": at, "facing": "N", **red}, {"at": other, "facing": heading, **blue}
        if phase is None:
            one["plot"] = two["plot"] = None
        battle = begun(one, two, "move" if phase else "plot", phase, options=options)
        if battle is not None:
            yield battle


def explore(
    battle: Battle, fate: str, check: Callable[[Battle], Any], seen: set[bytes], depth: int = 40, until: str = "plot"
) -> None:
    """Every state that any commands lead to before the step `until` (the next turn's plot), each looked at once."""
    written = encode(battle)
    if written in seen or depth == 0:
        return
    seen.add(written)
    check(battle)
    if battle.is_over or battle.step == until:
        return
    for command in commands(GALLEY.offers(battle, "umpire")):
        if command["type"] not in QUITS:
            explore(said(battle, command, fate), fate, check, seen, depth - 1, until)


def said(battle: Battle, command: dict[str, Any], fate: str, names: dict[str, str] | None = None) -> Battle:
    """The command carried out with its own dice."""
    return GALLEY.apply(battle, "umpire", read(command, GALLEY.command), Fated(fate, names)).state


def is_symmetric(battle: Battle, fate: str) -> None:
    """Turned by sixty degrees, or with the sides exchanged, the same commands lead to the same battle."""
    if battle.is_over:
        return
    turned, exchanged = turn(plain(battle)), exchange(plain(battle))
    for image, move, names in ((turned, turn_command, {}), (exchanged, exchange_command, ENEMY)):
        other = GALLEY.start(None, image, {}, Dice()).state
        here = list(commands(GALLEY.offers(battle, "umpire")))
        assert sorted(map(str, map(ordered, map(move, here)))) == sorted(
            map(str, map(ordered, commands(GALLEY.offers(other, "umpire"))))
        )
        for command in here:
            if command["type"] not in QUITS:
                after, there = said(battle, command, fate), said(other, move(command), fate, names)
                expected = sorted_sheets(turn(plain(after))) if names == {} else exchange(plain(after))
                assert encode(GALLEY.start(None, expected, {}, Dice()).state) == encode(
                    GALLEY.start(None, sorted_sheets(plain(there)), {}, Dice()).state
                ), (command, move(command))


def ordered(command: dict[str, Any]) -> list[tuple[str, Any]]:
    return sorted(command.items())


def turned_hex(at: Any) -> Any:
    q, r = rotate((at[0] - CENTRE[0], at[1] - CENTRE[1]), 1)
    return [q + CENTRE[0], r + CENTRE[1]]


def turned_heading(heading: str) -> str:
    return HEADINGS[(NUMBER[heading] + 1) % 6]


def turn(raw: dict[str, Any]) -> dict[str, Any]:
    """The battle turned by sixty degrees clockwise."""
    board = raw["board"]
    for name in ("land", "wrecks", "covered"):
        board[name] = sorted(turned_hex(at) for at in board[name])
    for sheet in raw["ships"].values():
        sheet["at"] = sheet["at"] and turned_hex(sheet["at"])
        sheet["stood"] = sheet["stood"] and turned_hex(sheet["stood"])
        sheet["facing"] = sheet["facing"] and turned_heading(sheet["facing"])
    return raw


def turn_command(command: dict[str, Any]) -> dict[str, Any]:
    return {**command, "facing": turned_heading(command["facing"])} if "facing" in command else command


def exchange(raw: Any) -> Any:
    """The battle with the two sides exchanged."""
    return sorted_sheets(renamed(raw))


def renamed(raw: Any) -> Any:
    if isinstance(raw, dict):
        return {ENEMY.get(name, name): renamed(value) for name, value in raw.items()}
    if isinstance(raw, list):
        return [renamed(value) for value in raw]
    return ENEMY.get(raw, raw) if isinstance(raw, str) else raw


def sorted_sheets(raw: dict[str, Any]) -> dict[str, Any]:
    """Ships and sides in one order, names of sides left out: only what counts is compared."""
    for name in ("ships", "sides"):
        raw[name] = dict(sorted(raw[name].items()))
    for name, side in raw["sides"].items():
        side["name"] = name
    for sheet in raw["ships"].values():
        sheet["name"] = ""
    return raw


def exchange_command(command: dict[str, Any]) -> dict[str, Any]:
    return {name: ENEMY.get(value, value) if isinstance(value, str) else value for name, value in command.items()}
