"""How a battle begins: by a scenario, by a position, on ready-made waters."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta
from shapely.geometry import Point, Polygon

from tactical.battle import Battle
from tactical.board import BOARD_LIMIT, Facing, Hex, Place, coast_polygon, from_column_row, land_hexes
from tactical.kernel.dice import Dice
from tactical.kernel.engine import advance
from tactical.kernel.options import choose_scenario, describe, read_all
from tactical.kernel.protocol import Outcome, ScenarioInfo, event
from tactical.kernel.record import Input
from tactical.position import read_position
from tactical.sequence import SEQUENCE

# -- How a battle begins: by a scenario, or by a position that somebody typed in.


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
        "board": scenario_board(board, land),
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


def scenario_board(board: ScenarioBoard, land: Collection[Hex]) -> dict[str, Any]:
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
    found = choose_scenario(all_scenarios(), scenario, position)
    battle = read_position(position if found is None else position_of(found), options)
    begun = event("G3.0", "start", scenario=battle.scenario, turn=battle.turn)
    battle, events = advance(SEQUENCE, battle, Dice(), SEQUENCE.before_dice)
    return Outcome(battle, (begun, *events))


# -- G1.2, G1.5, G1.6 Ready-made waters: an open sea or a coast, on hexes, measured, or on the players' own table.

Coast = Literal["open", "west", "east", "both", "island"]
COASTS: tuple[Coast, ...] = ("open", "west", "east", "both", "island")
APART = 1.5  # base lengths from ship to ship of a line on the open sea
BEHIND = 1.8  # and from one line to the next, so that no oars foul


class BoardWanted(Input, frozen=True):
    """The sea: hexes or an open sea in base lengths (G1.6), with or without a coast, or the players' own table."""

    kind: Literal["hexes", "table", "open"] = "hexes"
    columns: Annotated[int, Meta(ge=6, le=BOARD_LIMIT)] = 20
    rows: Annotated[int, Meta(ge=6, le=BOARD_LIMIT)] = 14
    coast: Coast = "open"


def plain_board(board: BoardWanted, land: list[Hex]) -> dict[str, Any]:
    """The board as a position has it."""
    if board.kind == "open":
        return {"kind": "open", "width": board.columns, "height": board.rows, "coast": rings(board)}
    return {"kind": board.kind, "columns": board.columns, "rows": board.rows, "land": land}


def stations(board: BoardWanted, place: int, land: frozenset[Hex]) -> Iterator[dict[str, Any]]:
    """Where a side's ships begin: lines abreast that face each other, from the middle outwards, off the land."""
    if board.kind == "table":
        while True:
            yield {}
    if board.kind == "open":
        yield from stations_at_sea(board, place)
        return
    middle = (board.columns - 1) / 2
    columns = sorted(range(board.columns), key=lambda column: (abs(column - middle), column))
    depth = range(1, max(2, board.rows // 3))
    for line in depth:
        row = line if place == 0 else board.rows - 1 - line
        for column in columns:
            at = from_column_row(column, row)
            if at not in land:
                yield {"at": at, "facing": "S" if place == 0 else "N"}


def stations_at_sea(board: BoardWanted, place: int) -> Iterator[dict[str, Any]]:
    """G1.6 The same on the open sea, in base lengths, off the coast."""
    land = [Polygon(ring) for ring in rings(board)]
    across = sorted(
        (board.columns / 2 + each * APART for each in range(-60, 61)), key=lambda x: abs(x - board.columns / 2)
    )
    lines = range(1 + max(0, int((board.rows / 2 - 2.5) / BEHIND)))  # the two fleets stay three base lengths apart
    for line in lines:
        y = round(1 + line * BEHIND if place == 0 else board.rows - 1 - line * BEHIND, 1)
        for x in across:
            if 1 <= x <= board.columns - 1 and all(area.distance(Point(x, y)) > 1 for area in land):
                yield {"at": (x, y), "facing": 180 if place == 0 else 0}


def coast(board: BoardWanted) -> list[Hex]:
    """G1.2 The land hexes of a coast."""
    if board.kind != "hexes":
        return []
    wide, high = board.columns, board.rows
    return sorted({at for ring in rings(board) for at in land_hexes(coast_polygon(ring), wide, high)})


def rings(board: BoardWanted) -> list[tuple[tuple[float, float], ...]]:
    """The coast's outlines: a ragged line along the edges, or an island amid the board."""
    wide, high = board.columns, board.rows
    found: list[tuple[tuple[float, float], ...]] = []
    if board.coast in ("west", "both"):
        found.append(shore(wide, high))
    if board.coast in ("east", "both"):
        found.append(tuple((wide - 1 - column, high - row) for column, row in shore(wide, high)))
    if board.coast == "island":
        across = max(1.5, wide / 8)
        ring = ((0, -1.3), (0.9, -0.7), (1.1, 0.3), (0.2, 1.1), (-0.8, 0.8), (-1.2, -0.2))
        found.append(tuple((wide / 2 + x * across, high / 2 + y * min(across, high / 7)) for x, y in ring))
    return found


def shore(wide: int, high: int) -> tuple[tuple[float, float], ...]:
    """A ragged shore along the west edge, in columns and rows."""
    reach = (0.10, 0.16, 0.09, 0.05, 0.13, 0.18, 0.11, 0.07)
    line = tuple((share * wide, -1 + number * (high + 2) / (len(reach) - 1)) for number, share in enumerate(reach))
    return ((-2.0, -2.0), *line, (-2.0, high + 2.0))
