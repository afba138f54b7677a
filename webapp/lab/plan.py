"""A laboratory's plan, read strictly, and its results, one row for each battle."""

from __future__ import annotations

import hashlib
import importlib
import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from sqlite_utils import Database

from tactical.board import from_column_row
from tactical.kernel.record import BadInput, Input, Record, bad_input, encode, plain
from tactical.ship import CREWS, TYPES
from webapp.captains.matches import opening, player

# -- A laboratory's plan (TOML), read strictly: what is wrong is refused by the field's name.

Count = Annotated[int, Meta(ge=1, le=100_000)]


class Fleets(Input, frozen=True):
    """Two fleets of the same kind of table, drawn up facing each other: numbers by type, or type:crew."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    west: dict[str, Annotated[int, Meta(ge=1, le=50)]]
    east: dict[str, Annotated[int, Meta(ge=1, le=50)]]
    columns: Annotated[int, Meta(ge=8, le=60)] = 22
    rows: Annotated[int, Meta(ge=6, le=60)] = 14
    turns: Annotated[int, Meta(ge=1, le=60)] = 15
    land: list[tuple[int, int]] = []
    corvus: bool = False


class Points(Input, frozen=True):
    """Random fleets of these types against one another: from them the points values are fitted.

    With `crews` each fleet has rowers of one quality, drawn from them; with `quick` the table of quick dice is fitted.
    From the turn `breaks_off` on captains give up what is lost (0: never).
    """

    types: list[str]
    fleets: Count
    ships: tuple[int, int] = (3, 6)
    crews: list[str] = []
    turns: Annotated[int, Meta(ge=1, le=60)] = 14
    quick: bool = False
    breaks_off: Annotated[int, Meta(ge=0, le=60)] = 0


class Plan(Input, frozen=True):
    """The whole plan."""

    title: Annotated[str, Meta(min_length=1, max_length=200)]
    games: Annotated[int, Meta(ge=2, le=100_000)] = 20
    seeds: tuple[str, ...] = ("1",)
    scenarios: list[str] = []
    fleets: list[Fleets] = []
    levels: tuple[tuple[str, str], ...] = (("able", "able"),)
    options: dict[str, list[Any]] = {}
    points: Points | None = None


class Cell(Record, frozen=True):
    """One combination of the plan: where it starts, who plays, by which options and seed."""

    id: str
    scenario: str
    options: dict[str, Any]
    a: str
    b: str
    seed: str
    games: int
    position: dict[str, Any] | None = None
    composition: dict[str, dict[str, int]] = {}
    breaks_off: int = 0


def read_plan(path: Path) -> Plan:
    """The plan of a file. Raises BadInput with the field, OSError when there is no file."""
    try:
        plan: Plan = msgspec.toml.decode(path.read_bytes(), type=Plan)
    except msgspec.ValidationError as fault:
        raise bad_input(fault) from None
    except msgspec.DecodeError as fault:
        raise BadInput("plan", "this is not TOML (%(fault)s)", fault=fault) from None
    if not plan.scenarios and not plan.fleets and plan.points is None:
        raise BadInput("scenarios", "a plan needs scenarios, fleets or points")
    if plan.games % 2:
        raise BadInput("games", "the number is even: each throw of the dice is played from both sides")
    for number, (a, b) in enumerate(plan.levels):
        player(a, f"levels[{number}][0]"), player(b, f"levels[{number}][1]")
    return plan


def cells(plan: Plan) -> list[Cell]:
    """Every combination of the plan, each tried once. Raises BadInput with the field."""
    starts: list[tuple[str, dict[str, Any] | None, str]] = []
    starts += [(name, None, f"scenarios[{number}]") for number, name in enumerate(plan.scenarios)]
    starts += [(each.name, position_of(each, f"fleets[{n}]"), f"fleets[{n}]") for n, each in enumerate(plan.fleets)]
    found = []
    for (name, position, at), options in itertools.product(starts, combinations(plan.options)):
        try:
            opening(None if position else name, position, options)
        except BadInput as fault:
            raise BadInput(at if fault.path == "scenario" else fault.path, fault.why) from None
        for (a, b), seed in itertools.product(plan.levels, plan.seeds):
            found.append(cell(name, position, options, a, b, seed, plan.games))
    return found + (random_cells(plan, plan.points) if plan.points else [])


def combinations(options: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Each combination of the options' values; one empty one without options."""
    return [dict(zip(options, values, strict=True)) for values in itertools.product(*options.values())]


def cell(
    name: str,
    position: dict[str, Any] | None,
    options: dict[str, Any],
    a: str,
    b: str,
    seed: str,
    games: int,
    composition: dict[str, dict[str, int]] | None = None,
    breaks_off: int = 0,
) -> Cell:
    """A cell with an id that hangs on all of it, so that a changed plan is another one."""
    whole = encode([name, position, options, a, b, seed, *([breaks_off] if breaks_off else [])])
    number = hashlib.sha256(whole).hexdigest()[:16]
    return Cell(number, name, options, a, b, seed, games, position, composition or {}, breaks_off)


def position_of(fleets: Fleets, at: str) -> dict[str, Any]:
    """The two fleets in lines that face each other. Raises BadInput with the field."""
    ships: dict[str, dict[str, Any]] = {}
    deep = (fleets.rows - 2) // 2
    for side, numbers in (("west", fleets.west), ("east", fleets.east)):
        row = 0
        for kind, count in numbers.items():
            name, _, crew = kind.partition(":")
            if name not in TYPES or (crew and crew not in CREWS):
                raise BadInput(f"{at}.{side}.{kind}", "expected a type (%(types)s), or type:crew", types=tuple(TYPES))
            for _number in range(count):
                line, place = divmod(row, deep)
                column = 3 - 2 * line if side == "west" else fleets.columns - 4 + 2 * line
                down = 2 + 2 * place if side == "west" else fleets.rows - 3 - 2 * place
                if not 0 <= column < fleets.columns:
                    raise BadInput(f"{at}.{side}", "there is no room for so many ships on this board")
                row += 1
                ships[f"{side[0]}{row}"] = {
                    "side": side,
                    "type": name,
                    "crew": crew or "average",
                    "at": from_column_row(column, down),
                    "facing": "SE" if side == "west" else "NW",
                    "speed": 1,
                    "corvus": fleets.corvus,
                    "squadron": f"Line {line + 1}",
                }
    land = sorted(from_column_row(column, row) for column, row in fleets.land)
    return {
        "sides": {side: {"name": side.title(), "navy": "hellenistic"} for side in ("west", "east")},
        "ships": ships,
        "board": {"columns": fleets.columns, "rows": fleets.rows, "land": land},
        "turn_limit": fleets.turns,
    }


def random_cells(plan: Plan, points: Points) -> list[Cell]:
    """Fleets of random numbers of the types, one battle from each side; drawn from the plan's first seed."""
    for number, kind in enumerate(points.types):
        if kind not in TYPES or "hellenistic" not in TYPES[kind].crew:
            raise BadInput(f"points.types[{number}]", "there is no type '%(kind)s' with a crew of its own", kind=kind)
    for number, crew in enumerate(points.crews):
        if crew not in CREWS:
            raise BadInput(f"points.crews[{number}]", "there are no rowers '%(crew)s'", crew=crew)
    low, high = points.ships
    if not 1 <= low <= high <= 12:
        raise BadInput("points.ships", "expected the least and the most ships of a fleet, from 1 to 12")
    found = []
    for number in range(points.fleets):
        draw = Draw(f"{plan.seeds[0]}:{number}")
        sides: dict[str, dict[str, int]] = {}
        for side in ("west", "east"):
            sides[side] = {}
            crew = f":{points.crews[draw.below(len(points.crews))]}" if points.crews else ""
            for _ in range(low + draw.below(high - low + 1)):
                kind = points.types[draw.below(len(points.types))] + crew
                sides[side][kind] = sides[side].get(kind, 0) + 1
        fleets = Fleets(f"random {number}", sides["west"], sides["east"], 20, 16, points.turns)
        a, b = plan.levels[0]
        made = cell(
            fleets.name, plain(position_of(fleets, "points")), {}, a, b, plan.seeds[0], 2, sides, points.breaks_off
        )
        found.append(made)
    return found


class Draw:
    """Numbers drawn from a text, the same on every machine."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._count = 0

    def below(self, stop: int) -> int:
        """A number from 0 to stop - 1."""
        self._count += 1
        digest = hashlib.sha256(f"{self._seed}:{self._count}".encode()).digest()
        return int.from_bytes(digest[:6], "big") % stop


# -- A laboratory's results: one row for each battle in SQLite, never twice, and the same rows as Parquet.


class Row(Record, frozen=True):
    """One battle: its cell and number are its key; `won` is "a", "b" or "" for a draw.

    `lost_a` and `lost_b` are the ships that either lost, sunk or taken, `taken_a` and `taken_b` those taken.
    """

    cell: str
    number: int
    scenario: str
    options: str
    a: str
    b: str
    seed: str
    won: str
    side: str
    first_side: str
    turns: int
    points_a: int
    points_b: int
    commands: int
    lost_a: int = 0
    lost_b: int = 0
    taken_a: int = 0
    taken_b: int = 0


def parquet_library() -> tuple[Any, Any]:
    """What writes Parquet files, pyarrow and its part for them. Raises BadInput when it is not installed."""
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise BadInput("out", "Parquet needs the laboratory's libraries: run `make lab` once") from None


class Results:
    """The results in a folder."""

    def __init__(self, folder: Path, resume: bool) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        path = folder / "results.sqlite"
        if path.exists() and not resume:
            raise BadInput(
                "out", "%(path)s has results already: go on with --resume, or choose another folder", path=path
            )
        self.db = Database(path)
        self.db.table("battles").create(
            {
                "cell": str,
                "number": int,
                "scenario": str,
                "options": str,
                "a": str,
                "b": str,
                "seed": str,
                "won": str,
                "side": str,
                "first_side": str,
                "turns": int,
                "points_a": int,
                "points_b": int,
                "commands": int,
                "lost_a": int,
                "lost_b": int,
                "taken_a": int,
                "taken_b": int,
            },
            pk=("cell", "number"),
            if_not_exists=True,
            transform=True,
        )
        self.db.table("cells").create({"id": str, "cell": str}, pk="id", if_not_exists=True)

    def keep_cells(self, found: Iterable[Cell]) -> None:
        """Write down what was planned, so that any battle can be fought again."""
        self.db.table("cells").insert_all(
            ({"id": each.id, "cell": encode(each).decode()} for each in found), replace=True
        )

    def keep(self, rows: Iterable[Row]) -> None:
        """Write battles down; one that is there already stays as it is."""
        self.db.table("battles").insert_all((msgspec.to_builtins(row) for row in rows), ignore=True)

    def done(self, cell: str) -> set[int]:
        """The numbers of a cell's battles that are written down."""
        return {row[0] for row in self.db.execute("select number from battles where cell = ?", (cell,))}

    def rows(self, cells: Iterable[str] | None = None) -> list[Row]:
        """The battles of these cells (or all), in order."""
        wanted = None if cells is None else set(cells)
        found = self.db.query("select * from battles order by cell, number")
        return [msgspec.convert(row, Row) for row in found if wanted is None or row["cell"] in wanted]

    def as_parquet(self, rows: list[Row]) -> Path:
        """The rows as a Parquet file. Raises BadInput when the laboratory's libraries are missing."""
        pyarrow, parquet = parquet_library()
        path = self.folder / "results.parquet"
        columns: dict[str, list[Any]] = {name: [getattr(row, name) for row in rows] for name in Row.__struct_fields__}
        parquet.write_table(pyarrow.table(columns), path)
        return path
