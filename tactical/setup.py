"""How a battle begins: by a scenario, or by a position that somebody typed in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tactical.battle import Battle
from tactical.hexes import Hex, from_column_row
from tactical.kernel.dice import Dice
from tactical.kernel.engine import advance
from tactical.kernel.protocol import Outcome, ScenarioInfo, event
from tactical.kernel.record import Input
from tactical.kernel.scenarios import choose, describe, read_all
from tactical.places import Facing, Place
from tactical.position import read_position
from tactical.sequence import SEQUENCE
from tactical.sight import coast_polygon, land_hexes


class ScenarioBoard(Input, frozen=True):
    """The board of a scenario: columns, rows, and coasts as rings of [column, row].

    An open sea (G1.6) has a width and a height in base lengths, and its coasts are rings of [x, y].
    """

    columns: int = 20
    rows: int = 14
    coast: tuple[tuple[tuple[float, float], ...], ...] = ()
    land: tuple[tuple[int, int], ...] = ()
    kind: str = "hexes"
    width: float = 20
    height: float = 14


class ScenarioSide(Input, frozen=True):
    """A side of a scenario."""

    name: str
    navy: str


class Fleet(Input, frozen=True):
    """A row of like ships: where the first stands and in which direction the others follow.

    On hexes in columns and rows; on the open sea in base lengths, with a facing in degrees.
    """

    side: str
    type: str
    facing: Facing
    first: Place
    names: tuple[str, ...]
    along: Place = (1, 0)
    crew: str = "average"
    corvus: bool = False
    flagship: str | None = None
    speed: int = 0
    squadron: str | None = None
    figures: dict[str, int] = {}


class Scenario(Input, frozen=True):
    """data/galley/scenarios/*.toml."""

    id: str
    title: str
    history: str
    sources: tuple[str, ...]
    board: ScenarioBoard
    sides: dict[str, ScenarioSide]
    fleet: tuple[Fleet, ...]
    turn_limit: int | None = None
    order: int = 50
    teaching: bool = False
    options: dict[str, Any] = {}


def all_scenarios() -> dict[str, Scenario]:
    """The scenarios, easiest first."""
    return read_all("galley/scenarios", Scenario, lambda each: each.order)


def scenarios() -> tuple[ScenarioInfo, ...]:
    """What the systems page shows of each scenario."""
    return tuple(describe(each, each.sources, tuple(each.sides)) for each in all_scenarios().values())


def position_of(scenario: Scenario) -> dict[str, Any]:
    """The scenario as a position."""
    board = scenario.board
    land = {from_column_row(column, row) for column, row in board.land}
    for ring in board.coast if board.kind != "open" else ():
        land |= set(land_hexes(coast_polygon(ring), board.columns, board.rows))
    ships: dict[str, dict[str, Any]] = {}
    counts = dict.fromkeys(scenario.sides, 0)
    for fleet in scenario.fleet:
        for number, name in enumerate(fleet.names):
            counts[fleet.side] += 1
            column = fleet.first[0] + number * fleet.along[0]
            row = fleet.first[1] + number * fleet.along[1]
            ships[f"{prefix(fleet.side, scenario.sides)}{counts[fleet.side]}"] = {
                "side": fleet.side,
                "name": name,
                "type": fleet.type,
                "crew": fleet.crew,
                "corvus": fleet.corvus,
                "at": {"hexes": from_column_row, "open": point, "table": nowhere}[board.kind](column, row),
                "facing": fleet.facing if board.kind != "table" else None,
                "speed": fleet.speed,
                "flagship": name == fleet.flagship,
                "squadron": fleet.squadron,
                **fleet.figures,
            }
    return {
        "board": board_of(board, land),
        "sides": {name: {"name": side.name, "navy": side.navy} for name, side in scenario.sides.items()},
        "ships": ships,
        "turn_limit": scenario.turn_limit,
        "options": scenario.options,
        "scenario": scenario.id,
    }


def point(x: float, y: float) -> tuple[float, float]:
    """A place on the open sea."""
    return x, y


def nowhere(column: int, row: int) -> None:
    """The players' own table has no places that the program knows."""


def board_of(board: ScenarioBoard, land: Collection[Hex]) -> dict[str, Any]:
    """The scenario's board as a position has it."""
    if board.kind == "open":
        return {"kind": "open", "width": board.width, "height": board.height, "coast": board.coast}
    return {"kind": board.kind, "columns": board.columns, "rows": board.rows, "land": sorted(land)}


def prefix(side: str, sides: Mapping[str, Any]) -> str:
    """The shortest beginning of a side's id that no other side shares."""
    for length in range(1, len(side) + 1):
        if not any(other != side and other.startswith(side[:length]) for other in sides):
            return side[:length]
    return side


def start(
    scenario: str | None, position: Mapping[str, Any] | None, options: Mapping[str, Any], dice: Dice
) -> Outcome[Battle]:
    """G3.0 The battle before its first command; nothing is rolled for it, so `dice` is not used.

    Raises BadInput, which names the field that is wrong or contradicts another.
    """
    found = choose(all_scenarios(), scenario, position)
    battle = read_position(position if found is None else position_of(found), options)
    begun = event("G3.0", "start", scenario=battle.scenario, turn=battle.turn)
    battle, events = advance(SEQUENCE, battle, Dice(), SEQUENCE.before_dice)
    return Outcome(battle, (begun, *events))
