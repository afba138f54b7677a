"""G2.5 The fleet builder: from nations and numbers to a position that a battle can start from."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta
from shapely.geometry import Point, Polygon

import data
from tactical.hexes import Hex, from_column_row
from tactical.kernel.record import BadInput, Input, Record, plain
from tactical.options import Options
from tactical.position import BOARD_LIMIT, SHIP_LIMIT
from tactical.setup import prefix
from tactical.ship import FIGURES, TYPES, complement_of
from tactical.sight import coast_polygon, land_hexes

Count = Annotated[int, Meta(ge=0, le=120)]
Name = Annotated[str, Meta(max_length=60)]
Crew = Literal["elite", "average", "poor"]
Coast = Literal["open", "west", "east", "both", "island"]
APART = 1.5  # base lengths from ship to ship of a line on the open sea
COASTS: tuple[Coast, ...] = ("open", "west", "east", "both", "island")


class Nation(Record, frozen=True):
    """G2.5 A nation's tendencies."""

    title: str
    side: str
    navy: str
    ships: str
    crews: tuple[Crew, ...]
    proposed: dict[str, int]
    flagship: Crew | None = None
    corvus: bool = False


class Nations(Record, frozen=True):
    """data/galley/nations.toml."""

    cite: str
    source: str
    nation: dict[str, Nation]


class Names(Record, frozen=True):
    """data/galley/names.toml."""

    source: str
    names: dict[str, tuple[str, ...]]


NATIONS = data.read("galley/nations.toml", Nations).nation
NAMES = data.read("galley/names.toml", Names).names


class ShipsWanted(Input, frozen=True):
    """So many ships of a type. Without `crew` the nation's; with any of the figures a complement of its own (G2.1)."""

    type: str
    count: Count
    crew: Crew | None = None
    corvus: bool | None = None
    names: tuple[Name, ...] = ()
    heavy: Count | None = None
    medium: Count | None = None
    light: Count | None = None
    archers: Count | None = None
    catapults: Count | None = None
    stone_throwers: Count | None = None

    @property
    def figures(self) -> dict[str, int]:
        """The figures that were given."""
        given = {figure: getattr(self, figure) for figure in FIGURES}
        return {figure: count for figure, count in given.items() if count is not None}


class FleetWanted(Input, frozen=True):
    """One side: its nation, its name, its ships; the first ship leads unless `flagship` is false."""

    nation: str
    ships: tuple[ShipsWanted, ...]
    name: Name = ""
    flagship: bool = True


class BoardWanted(Input, frozen=True):
    """The sea: hexes or an open sea in base lengths (G1.6), with or without a coast, or the players' own table."""

    kind: Literal["hexes", "table", "open"] = "hexes"
    columns: Annotated[int, Meta(ge=6, le=BOARD_LIMIT)] = 20
    rows: Annotated[int, Meta(ge=6, le=BOARD_LIMIT)] = 14
    coast: Coast = "open"


class FleetsWanted(Input, frozen=True):
    """Two fleets and a sea; `seed` draws the names, `speed` is what the ships make at the start."""

    sides: dict[Name, FleetWanted]
    board: BoardWanted = BoardWanted()
    seed: Annotated[int, Meta(ge=0, le=2**31)] = 0
    speed: Annotated[int, Meta(ge=0, le=3)] = 0
    turn_limit: Annotated[int, Meta(ge=1, le=999)] | None = None


class FleetsDrawn(Record, frozen=True):
    """What the builder answers: a position for a new game."""

    position: dict[str, Any]


def position(wanted: FleetsWanted) -> dict[str, Any]:
    """G2.5 The position. BadInput names the field that cannot be."""
    if len(wanted.sides) != 2:
        raise BadInput("sides", "a battle is built for two sides")
    total = sum(row.count for side in wanted.sides.values() for row in side.ships)
    if total > SHIP_LIMIT:
        raise BadInput("sides", "%(count)s ships are more than the limit of %(most)s", count=total, most=SHIP_LIMIT)
    land = coast(wanted.board)
    ships: dict[str, Any] = {}
    taken: set[str] = set()
    for place, (side_id, side) in enumerate(wanted.sides.items()):
        if not side_id:
            raise BadInput("sides", "a side needs an id")
        if side.nation not in NATIONS:
            raise BadInput(
                f"sides.{side_id}.nation",
                "there is no nation %(nation)s: %(nations)s",
                nation=repr(side.nation),
                nations=tuple(NATIONS),
            )
        fleet = list(one_by_one(side, f"sides.{side_id}", names_for(side.nation, wanted.seed, taken)))
        if not fleet:
            raise BadInput(f"sides.{side_id}.ships", "a side needs at least one ship")
        berths = stations(wanted.board, place, frozenset(land))
        for number, sheet in enumerate(fleet, 1):
            station = next(berths, None)
            if station is None:
                raise BadInput(
                    "board",
                    "the board is too small for the %(ships)s ships of %(side)s",
                    ships=len(fleet),
                    side=side_id,
                )
            kind = TYPES[sheet["type"]]
            short = f"{prefix(side_id, wanted.sides)}{number}"
            ships[f"{side_id}-{number}" if short in ships else short] = {
                "side": side_id,
                **sheet,
                **station,
                "speed": min(wanted.speed, kind.cruise),
                "flagship": number == 1 and side.flagship,
            }
    return {
        "board": board_of(wanted.board, land),
        "sides": {
            side_id: {"name": side.name or NATIONS[side.nation].side, "navy": NATIONS[side.nation].navy}
            for side_id, side in wanted.sides.items()
        },
        "ships": ships,
        "turn_limit": wanted.turn_limit,
        "options": plain(Options()),
    }


def board_of(board: BoardWanted, land: list[Hex]) -> dict[str, Any]:
    """The board as a position has it."""
    if board.kind == "open":
        return {"kind": "open", "width": board.columns, "height": board.rows, "coast": rings(board)}
    return {"kind": board.kind, "columns": board.columns, "rows": board.rows, "land": land}


def one_by_one(side: FleetWanted, path: str, names: Iterator[str]) -> Iterator[dict[str, Any]]:
    """G2.1, G2.5 The sheets of a side, the flagship first."""
    nation = NATIONS[side.nation]
    leads = side.flagship
    for number, row in enumerate(side.ships):
        at = f"{path}.ships[{number}]"
        kind = TYPES.get(row.type)
        if kind is None:
            raise BadInput(
                f"{at}.type", "there is no ship type %(type)s: %(types)s", type=repr(row.type), types=tuple(TYPES)
            )
        if row.count and not row.figures and complement_of(kind, nation.navy) is None:
            raise BadInput(
                f"{at}.type",
                "the source gives a %(navy)s navy no %(type)s (G2.1): give it figures of its own",
                navy=nation.navy,
                type=row.type,
            )
        for count in range(row.count):
            crew = row.crew or (nation.flagship if leads and nation.flagship else nation.crews[0])
            corvus = nation.corvus and kind.ram is not None if row.corvus is None else row.corvus
            name = row.names[count] if count < len(row.names) and row.names[count] else next(names)
            yield {"name": name, "type": row.type, "crew": crew, "corvus": corvus, **row.figures}
            leads = False


def names_for(nation: str, seed: int, taken: set[str]) -> Iterator[str]:
    """Names in an order that the seed draws; none twice in a battle, and after the last each again with a number."""
    known = list(NAMES[nation])
    random.Random(f"{nation}:{seed}").shuffle(known)
    for round_ in range(1, SHIP_LIMIT):
        for name in known:
            numbered = name if round_ == 1 else f"{name} {'I' * round_ if round_ < 4 else round_}"
            if numbered not in taken:
                taken.add(numbered)
                yield numbered


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
    for line in range(1, max(2, board.rows // 3)):
        y = float(line if place == 0 else board.rows - line)
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


def proposal(first: str = "romans", second: str = "carthaginians") -> FleetsWanted:
    """What the builder shows before anybody has chosen: two nations with their proposed fleets."""
    return FleetsWanted({name: propose(nation) for name, nation in (("first", first), ("second", second))})


def propose(nation: str) -> FleetWanted:
    """A nation's proposed fleet."""
    rows = tuple(ShipsWanted(kind, count) for kind, count in NATIONS[nation].proposed.items())
    return FleetWanted(nation, rows, NATIONS[nation].side)
