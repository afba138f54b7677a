"""How a battle begins: a scenario, a position that somebody typed in, and what contradicts itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

import data
from tactical.battle import Battle, Board, Options, Side
from tactical.hexes import Hex, from_column_row
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Outcome, ScenarioInfo, event
from tactical.kernel.record import BadInput, Input, Record, read
from tactical.rules.ending import scored
from tactical.sequence import settled
from tactical.ship import FIGURES, TYPES, Ship, ShipType, complement_of, maximum, plot_range, turn_cycle
from tactical.sight import coast_polygon, land_hexes

SHIP_LIMIT = 240
BOARD_LIMIT = 120


class ScenarioBoard(Input, frozen=True):
    """The board of a scenario: columns, rows, and coasts as rings of [column, row]."""

    columns: int
    rows: int
    coast: tuple[tuple[tuple[float, float], ...], ...] = ()
    land: tuple[tuple[int, int], ...] = ()
    kind: str = "hexes"


class ScenarioSide(Input, frozen=True):
    """A side of a scenario."""

    name: str
    navy: str


class Fleet(Input, frozen=True):
    """A row of like ships: where the first stands and in which direction (column, row) the others follow."""

    side: str
    type: str
    facing: str
    first: tuple[int, int]
    names: tuple[str, ...]
    along: tuple[int, int] = (1, 0)
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
    found = [data.read(path, Scenario) for path in data.files("galley/scenarios")]
    return {scenario.id: scenario for scenario in sorted(found, key=lambda each: each.order)}


def scenarios() -> tuple[ScenarioInfo, ...]:
    """What the systems page shows of each scenario."""
    return tuple(
        ScenarioInfo(each.id, each.title, each.history, each.sources, tuple(each.sides))
        for each in all_scenarios().values()
    )


def position_of(scenario: Scenario) -> dict[str, Any]:
    """The scenario as a position."""
    board = scenario.board
    land = {from_column_row(column, row) for column, row in board.land}
    for ring in board.coast:
        land |= set(land_hexes(coast_polygon(ring), board.columns, board.rows))
    ships: dict[str, dict[str, Any]] = {}
    counts = dict.fromkeys(scenario.sides, 0)
    for fleet in scenario.fleet:
        for number, name in enumerate(fleet.names):
            counts[fleet.side] += 1
            column = fleet.first[0] + number * fleet.along[0]
            row = fleet.first[1] + number * fleet.along[1]
            ships[f"{prefix(fleet.side, scenario.sides)}{counts[fleet.side]}"] = {
                "side": fleet.side, "name": name, "type": fleet.type, "crew": fleet.crew, "corvus": fleet.corvus,
                "at": from_column_row(column, row) if board.kind == "hexes" else None,
                "facing": fleet.facing if board.kind == "hexes" else None,
                "speed": fleet.speed, "flagship": name == fleet.flagship, "squadron": fleet.squadron,
                **fleet.figures,
            }  # fmt: skip
    return {
        "board": {"kind": board.kind, "columns": board.columns, "rows": board.rows, "land": sorted(land)},
        "sides": {name: {"name": side.name, "navy": side.navy} for name, side in scenario.sides.items()},
        "ships": ships,
        "turn_limit": scenario.turn_limit,
        "options": scenario.options,
        "scenario": scenario.id,
    }


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
    if (scenario is None) == (position is None):
        raise BadInput("scenario", "give a scenario or a position, not both and not neither")
    if position is None:
        found = all_scenarios().get(scenario or "")
        if found is None:
            raise BadInput("scenario", f"there is no galley scenario {scenario!r}")
        position = position_of(found)
    battle = read_position(position, options)
    outcome = settled(battle)
    begun: tuple[Event, ...] = (event("G3.0", "start", scenario=battle.scenario, turn=battle.turn),)
    return Outcome(outcome.state, begun + outcome.events)


def read_position(raw: Mapping[str, Any], options: Mapping[str, Any]) -> Battle:
    """A typed position: defaults filled in, contradictions refused with the path to the field."""
    if not isinstance(raw, Mapping):
        raise BadInput("position", "a position is an object")
    known(raw, Battle, "position")
    if not isinstance(raw.get("options") or {}, Mapping):
        raise BadInput("position.options", "options are an object")
    own: dict[str, ShipType] = read(raw.get("types") or {}, dict[str, ShipType], "position.types")
    options_read = read({**(raw.get("options") or {}), **options}, Options, "options")
    known({**(raw.get("options") or {}), **options}, Options, "options")
    raw_ships = raw.get("ships")
    if not isinstance(raw_ships, Mapping) or not raw_ships:
        raise BadInput("position.ships", "a battle needs ships")
    if len(raw_ships) > SHIP_LIMIT:
        raise BadInput("position.ships", f"{len(raw_ships)} ships are more than the limit of {SHIP_LIMIT}")
    sides = read_sides(raw.get("sides"), raw_ships)
    step = raw.get("step", "plot")
    ships = {str(name): read_ship(ship, sides, own, step, f"position.ships.{name}") for name, ship in raw_ships.items()}
    board = read_board(raw.get("board"))
    rest = {key: value for key, value in raw.items() if key not in ("ships", "sides", "types", "options", "board")}
    battle = read({**rest}, Battle, "position")
    battle = msgspec.structs.replace(battle, ships=ships, sides=sides, types=own, options=options_read, board=board)
    check(battle, "position.")
    return scored(with_passers(battle))


def known(raw: Mapping[str, Any], kind: type[Record], at: str) -> None:
    """Refuse fields that the record does not have."""
    for name in raw:
        if name not in kind.__struct_fields__:
            raise BadInput(f"{at}.{name}", "there is no such field")


def read_board(raw: Any) -> Board:
    """G1.2 The board of a position."""
    board: Board = read(raw or {}, Board, "position.board")
    known(raw or {}, Board, "position.board")
    for name, size in (("columns", board.columns), ("rows", board.rows)):
        if not 1 <= size <= BOARD_LIMIT:
            raise BadInput(f"position.board.{name}", f"a board has 1 to {BOARD_LIMIT} {name}, not {size}")
    return board


def read_sides(raw: Any, ships: Mapping[str, Any]) -> dict[str, Side]:
    """G2.6 The sides; when they are left out, those that the ships name (rome is a Roman navy)."""
    if raw is None:
        named = [ship["side"] for ship in ships.values() if isinstance(ship, Mapping) and "side" in ship]
        raw = {str(side): {} for side in dict.fromkeys(map(str, named))}
    sides: dict[str, Side] = read(raw, dict[str, Side], "position.sides")
    for name in raw:
        known(raw[name], Side, f"position.sides.{name}")
        if name in ("umpire", "spectator") or not name.strip():
            raise BadInput(f"position.sides.{name}", "this is no name for a side")
        navy = "roman" if name.startswith("rom") else "hellenistic"
        sides[name] = read(
            {"name": name.replace("_", " ").title(), "navy": navy, **raw[name]}, Side, f"position.sides.{name}"
        )
    if len(sides) < 2:
        raise BadInput("position.sides", "a battle needs two sides")
    return sides


def read_ship(raw: Any, sides: Mapping[str, Side], own: Mapping[str, ShipType], step: str, at: str) -> Ship:
    """G2.1, G2.3 One sheet. Its type's complement is filled in unless one of the six figures is given, be it 0."""
    if not isinstance(raw, Mapping):
        raise BadInput(at, "a ship is an object")
    known(raw, Ship, at)
    ship: Ship = read(raw, Ship, at)
    if ship.side not in sides:
        raise BadInput(f"{at}.side", f"there is no side {ship.side!r}")
    kind = own.get(ship.type) or TYPES.get(ship.type)
    if kind is None:
        raise BadInput(f"{at}.type", f"there is no ship type {ship.type!r}; types are {', '.join({**TYPES, **own})}")
    if not any(figure in raw for figure in FIGURES):
        crew = complement_of(kind, sides[ship.side].navy)
        if crew is None:
            raise BadInput(
                f"{at}.type",
                f"the source gives a {sides[ship.side].navy} navy no {ship.type} (G2.1); give it figures of its own",
            )
        ship = msgspec.structs.replace(ship, **{figure: getattr(crew, figure) for figure in FIGURES})
    if "straight" not in raw:
        ship = msgspec.structs.replace(ship, straight=turn_cycle(kind, ship))
    if step not in ("plot", "over") and "plot" not in raw and ship.is_afloat and ship.boarding is None:
        ship = msgspec.structs.replace(ship, plot=ship.speed)
    return ship


def with_passers(battle: Battle) -> Battle:
    """G7.2 Two in a hex: the raker is the one who rows through."""
    passing = {}
    for there in battle.by_hex.values():
        for ship in there:
            names = [name for name, other in battle.ships.items() if other.at == ship.at and other is not ship]
            for name in names:
                other = battle.ships[name]
                mine = next(key for key, each in battle.ships.items() if each is ship)
                if other.raked_by == mine and ship.passing is None and ship.is_afloat:
                    passing[mine] = msgspec.structs.replace(ship, passing=name)
    return battle.with_ships(passing)


def check(battle: Battle, at: str = "") -> None:
    """Refuse a battle that contradicts itself; the path leads to the field."""
    if battle.step in ("plot", "end", "over"):
        if battle.phase is not None:
            raise BadInput(f"{at}phase", f"the {battle.step} step has no phase")
    elif battle.phase not in range(1, 7):
        raise BadInput(f"{at}phase", f"the {battle.step} step is in one of the phases 1 to 6")
    if battle.turn < 1:
        raise BadInput(f"{at}turn", "turns are counted from 1")
    if battle.turn_limit is not None and battle.turn_limit < battle.turn:
        raise BadInput(f"{at}turn_limit", f"turn {battle.turn} is past the limit of {battle.turn_limit}")
    if battle.first is not None and battle.first not in battle.sides:
        raise BadInput(f"{at}first", f"there is no side {battle.first!r}")
    for name in (*battle.board.land, *battle.board.wrecks, *battle.board.covered):
        if battle.has_hexes and not battle.board.holds(name):
            raise BadInput(f"{at}board", f"hex {list(name)} is not on the board")
    for name_, ship in battle.ships.items():
        check_ship(battle, name_, ship, f"{at}ships.{name_}")
    check_hexes(battle, at)


def check_ship(battle: Battle, name: str, ship: Ship, at: str) -> None:
    """G2.3 A sheet that agrees with itself, its board and the other ships."""
    numbers = (*FIGURES, "damage", "breaches", "repaired", "sprints", "straight", "steps_made", "waited")
    for field in numbers:
        if not 0 <= getattr(ship, field) <= 999:
            raise BadInput(f"{at}.{field}", f"{field} is a count of 0 to 999")
    if ship.side not in battle.sides:
        raise BadInput(f"{at}.side", f"there is no side {ship.side!r}")
    if ship.type not in battle.types and ship.type not in TYPES:
        raise BadInput(f"{at}.type", f"there is no ship type {ship.type!r}")
    kind = battle.kind(ship)
    if not -1 <= ship.speed <= maximum(kind, ship):
        raise BadInput(f"{at}.speed", f"speed is -1 to {maximum(kind, ship)} for this ship, not {ship.speed}")
    if ship.status == "afloat" and ship.damage >= kind.hull and battle.step not in ("fire", "end"):
        raise BadInput(f"{at}.damage", f"{ship.damage} damage on a hull of {kind.hull}: she is sunk, not afloat")
    if (ship.captured_by is not None) and ship.captured_by not in battle.sides:
        raise BadInput(f"{at}.captured_by", f"there is no side {ship.captured_by!r}")
    if ship.is_prize and ship.captured_by is None:
        raise BadInput(f"{at}.captured_by", "a captured ship has a captor")
    if battle.step == "plot" and ship.plot is not None and ship.is_afloat:
        low, high = plot_range(kind, ship, battle.options.sprint)
        if not low <= ship.plot <= high and battle.level == "adjudicate":
            raise BadInput(f"{at}.plot", f"this ship may plot {low} to {high} (G3.1)")
    if ship.plot is not None and not -1 <= ship.plot <= maximum(kind, ship) + 1:
        raise BadInput(f"{at}.plot", f"no ship of this type is plotted at {ship.plot}")
    for field in ("contact", "raked_by", "boarding", "passing"):
        other = getattr(ship, field)
        if other is not None and other not in battle.ships:
            raise BadInput(f"{at}.{field}", f"there is no ship {other!r}")
    for field in ("may_board", "touching"):
        for other in getattr(ship, field):
            if other not in battle.ships:
                raise BadInput(f"{at}.{field}", f"there is no ship {other!r}")
    if ship.contact is not None and battle.ships[ship.contact].side == ship.side:
        raise BadInput(f"{at}.contact", f"{ship.contact} is on the same side")
    if ship.boarding is not None and ship.boarding != name:
        boarded = battle.ships[ship.boarding]
        if boarded.side == ship.side:
            raise BadInput(f"{at}.boarding", f"{ship.boarding} is on the same side")
        if boarded.boarding != ship.boarding:
            raise BadInput(f"{at}.boarding", f"{ship.boarding} is not in that fight")
    if ship.boarding == name and not battle.boarders_of(name):
        raise BadInput(f"{at}.boarding", "nobody boards this ship")
    if ship.boarding is not None and not ship.is_afloat:
        raise BadInput(f"{at}.boarding", f"a ship that is {ship.status} is in no fight")


def check_hexes(battle: Battle, at: str) -> None:
    """G1.1, G1.2, G7.2 One ship to a hex, except a raker and its target; afloat on water; gone when sunk."""
    if not battle.has_hexes:
        for name, ship in battle.ships.items():
            if ship.at is not None:
                raise BadInput(f"{at}ships.{name}.at", "on the players' own table ships have no hex")
        return
    taken: dict[Hex, str] = {}
    for name, ship in battle.ships.items():
        path = f"{at}ships.{name}.at"
        if ship.status in ("sunk", "withdrawn"):
            if ship.at is not None:
                raise BadInput(path, f"a ship that is {ship.status} is on no hex")
            continue
        if ship.at is None:
            raise BadInput(path, "a ship on hexes has a place")
        if ship.facing is None:
            raise BadInput(f"{at}ships.{name}.facing", "a ship on hexes has a heading")
        if not battle.board.holds(ship.at):
            raise BadInput(path, f"hex {list(ship.at)} is not on the board")
        if ship.at in battle.board.dry:
            raise BadInput(path, f"hex {list(ship.at)} is land")
        if ship.at in battle.board.wrecks and ship.passing is None and not ship.is_prize:
            raise BadInput(path, f"hex {list(ship.at)} is closed by a wreck")
        if ship.at in taken:
            other = taken[ship.at]
            first, second = battle.ships[other], ship
            if first.raked_by != name and second.raked_by != other:
                raise BadInput(path, f"{name} and {other} are in the same hex")
        taken[ship.at] = name
    for at_hex in battle.board.covered:
        if at_hex not in taken:
            raise BadInput(f"{at}board.covered", f"no ship lies over a wreck in hex {list(at_hex)}")
