"""A laboratory's plan, read strictly, and its results, one row for each battle."""

from __future__ import annotations

import hashlib
import importlib
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace
from sqlite_utils import Database

from tactical.board import from_column_row
from tactical.kernel.record import BadInput, Input, Record, bad_input, encode, plain, read
from tactical.ship import CREWS, TYPES, complement_of
from webapp.api.fleets import NATIONS, Crew, FleetsWanted, position
from webapp.captains.matches import opening, player

# -- A laboratory's plan (TOML), read strictly: what is wrong is refused by the field's name.

Count = Annotated[int, Meta(ge=1, le=100_000)]
T = TypeVar("T")


class Fleets(Input, frozen=True):
    """Two fleets drawn up facing each other: numbers by type, type:crew or type:crew:corvus.

    With `nations` they lie as the fleet builder draws them up, with their navies' marines; else they are Hellenistic.
    """

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    west: dict[str, Annotated[int, Meta(ge=1, le=50)]]
    east: dict[str, Annotated[int, Meta(ge=1, le=50)]]
    columns: Annotated[int, Meta(ge=8, le=60)] = 22
    rows: Annotated[int, Meta(ge=6, le=60)] = 14
    turns: Annotated[int, Meta(ge=1, le=60)] = 15
    land: list[tuple[int, int]] = []
    nations: tuple[str, str] | None = None


class Drawn(Input, frozen=True):
    """Random fleets of these nations against one another: from them the value of a ship and the quick dice are fitted.

    Of each pair the larger fleet has up to `most` ships, the numbers stand as one of `ratios`, and the rowers of a
    fleet are of one quality. Of every two pairs one is fought for `turns`, one as in a campaign: for `quick_turns`, and
    from the turn `breaks_off` on captains give up what is lost.
    """

    nations: tuple[str, ...]
    pairs: Count
    ratios: tuple[tuple[Annotated[int, Meta(ge=1, le=20)], Annotated[int, Meta(ge=1, le=20)]], ...]
    most: Annotated[int, Meta(ge=1, le=20)] = 10
    crews: tuple[Crew, ...] = ("poor", "average", "elite")
    turns: Annotated[int, Meta(ge=1, le=60)] = 15
    quick_turns: Annotated[int, Meta(ge=1, le=60)] = 8
    breaks_off: Annotated[int, Meta(ge=0, le=60)] = 5


class Plan(Input, frozen=True):
    """The whole plan."""

    title: Annotated[str, Meta(min_length=1, max_length=200)]
    games: Annotated[int, Meta(ge=2, le=100_000)] = 20
    seeds: tuple[str, ...] = ("1",)
    scenarios: list[str] = []
    fleets: list[Fleets] = []
    levels: tuple[tuple[str, str], ...] = (("able", "able"),)
    options: dict[str, list[Any]] = {}
    drawn: Drawn | None = None


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
    exchanged: dict[str, Any] | None = None  # the same fleets, each in the other's place
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
    if not plan.scenarios and not plan.fleets and plan.drawn is None:
        raise BadInput("scenarios", "a plan needs scenarios, fleets or drawn fleets")
    if plan.games % 2:
        raise BadInput("games", "the number is even: every other battle exchanges the sides or the places")
    for number, (a, b) in enumerate(plan.levels):
        player(a, f"levels[{number}][0]"), player(b, f"levels[{number}][1]")
    return plan


def cells(plan: Plan) -> list[Cell]:
    """Every combination of the plan, each tried once. Raises BadInput with the field."""
    starts = [
        (Cell(name, name, {}, "", "", "", plan.games), f"scenarios[{n}]") for n, name in enumerate(plan.scenarios)
    ]
    starts += [(start_cell(each, f"fleets[{n}]", plan.games), f"fleets[{n}]") for n, each in enumerate(plan.fleets)]
    found = []
    chosen = [dict(zip(plan.options, values, strict=True)) for values in itertools.product(*plan.options.values())]
    for (start, at), options in itertools.product(starts, chosen):
        try:
            opening(None if start.position else start.scenario, start.position, options)
        except BadInput as fault:
            raise BadInput(at if fault.path == "scenario" else fault.path, fault.why) from None
        for (a, b), seed in itertools.product(plan.levels, plan.seeds):
            found.append(named(replace(start, options=options, a=a, b=b, seed=seed)))
    return found + (drawn_cells(plan, plan.drawn) if plan.drawn else [])


def named(cell: Cell) -> Cell:
    """The cell with an id that hangs on all of it, so that a changed plan is another one."""
    whole = [cell.scenario, cell.position, cell.options, cell.a, cell.b, cell.seed]
    more = [cell.breaks_off] if cell.breaks_off else []
    return replace(cell, id=hashlib.sha256(encode([*whole, *more])).hexdigest()[:16])


def start_cell(fleets: Fleets, at: str, games: int) -> Cell:
    """Two fleets as a cell without players: where they begin, and with exchanged places. Raises BadInput."""
    sides = {"west": fleets.west, "east": fleets.east}
    if fleets.nations is None:
        return Cell("", fleets.name, {}, "", "", "", games, position_of(fleets, at), None)
    nations = dict(zip(sides, fleets.nations, strict=True))
    position, exchanged = (
        drawn_up(nations, sides, order, fleets.turns, at) for order in (("west", "east"), ("east", "west"))
    )
    return Cell("", fleets.name, {}, "", "", "", games, position, exchanged, composition_of(nations, sides))


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
                    "squadron": f"Line {line + 1}",
                }
    land = sorted(from_column_row(column, row) for column, row in fleets.land)
    return {
        "sides": {side: {"name": side.title(), "navy": "hellenistic"} for side in ("west", "east")},
        "ships": ships,
        "board": {"columns": fleets.columns, "rows": fleets.rows, "land": land},
        "turn_limit": fleets.turns,
    }


def drawn_up(
    nations: Mapping[str, str], sides: Mapping[str, Mapping[str, int]], order: Sequence[str], turns: int, at: str
) -> dict[str, Any]:
    """The fleets as the fleet builder draws them up, in this order of places. Raises BadInput with the field."""
    wanted = {}
    for side in order:
        ships = []
        for name, count in sides[side].items():
            kind, crew, corvus = parts_of(name)
            ships.append({"type": kind, "count": count, "crew": crew, "corvus": bool(corvus)})
        wanted[side] = {"nation": nations[side], "ships": ships}
    try:
        found: dict[str, Any] = plain(position(read({"sides": wanted, "speed": 1, "turn_limit": turns}, FleetsWanted)))
        return found
    except BadInput as fault:
        raise BadInput(f"{at}.{fault.path}", fault.why) from None


def parts_of(name: str) -> tuple[str, str, str]:
    """The type, the crew and the corvus (or nothing) of a plan's ships.

    >>> parts_of("quinquereme")
    ('quinquereme', 'average', '')
    """
    kind, crew, corvus, *_ = f"{name}::".split(":")
    return kind, crew or "average", corvus


def composition_of(nations: Mapping[str, str], sides: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """The ships of either side by navy, type, crew and corvus (navy:type:crew:corvus), as the fit reads them."""
    navies = {side: NATIONS[nation].navy for side, nation in nations.items()}
    return {
        side: {":".join((navies[side], *parts_of(name))): count for name, count in ships.items()}
        for side, ships in sides.items()
    }


def drawn_cells(plan: Plan, drawn: Drawn) -> list[Cell]:
    """Random fleets, each pair from both places; drawn from the plan's first seed."""
    for number, nation in enumerate(drawn.nations):
        if nation not in NATIONS:
            raise BadInput(f"drawn.nations[{number}]", "there is no nation called %(nation)s", nation=repr(nation))
    found = []
    for number in range(drawn.pairs):
        draw = Draw(f"{plan.seeds[0]}:{number}")
        ratio = drawn.ratios[number // 2 % len(drawn.ratios)]
        times = 1 + draw.below(max(1, drawn.most // max(ratio)))
        nations = {side: draw.of(drawn.nations) for side in ("west", "east")}
        counts = [times * each for each in (ratio if draw.below(2) else ratio[::-1])]
        sides = {side: draw.fleet(nations[side], count, drawn) for side, count in zip(nations, counts, strict=True)}
        is_quick = number % 2 == 1
        turns = drawn.quick_turns if is_quick else drawn.turns
        name = f"drawn {min(ratio)} to {max(ratio)}{', quick' if is_quick else ''}"
        fleets = Fleets(name, sides["west"], sides["east"], turns=turns, nations=(nations["west"], nations["east"]))
        (a, b), start = plan.levels[0], start_cell(fleets, "drawn", plan.games)
        found.append(
            named(replace(start, a=a, b=b, seed=plan.seeds[0], breaks_off=drawn.breaks_off if is_quick else 0))
        )
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

    def of(self, choices: Sequence[T]) -> T:
        """One of some choices."""
        return choices[self.below(len(choices))]

    def fleet(self, nation: str, ships: int, drawn: Drawn) -> dict[str, int]:
        """So many ships of a nation, of up to three types, by type, crew and corvus."""
        navy = NATIONS[nation].navy
        types = [kind for kind, each in TYPES.items() if each.ram is not None and complement_of(each, navy)]
        here = [self.of(types) for _ in range(1 + self.below(3))]
        crew = self.of(drawn.crews)
        corvus = ":corvus" if self.below(2 if navy == "roman" else 6) == 0 else ""
        return dict(Counter(f"{self.of(here)}:{crew}{corvus}" for _ in range(ships)))


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
    end: str = ""  # a mark of the last position and the dice


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
                "end": str,
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

    def twins(self) -> list[tuple[str, int]]:
        """Battles that are another one of the plan once more, by cell and number: they say nothing new."""
        first: dict[str, Row] = {}
        rows = self.rows()
        for row in rows:
            first.setdefault(row.end, row)
        return [(row.cell, row.number) for row in rows if first[row.end] is not row]

    def as_parquet(self, rows: list[Row]) -> Path:
        """The rows as a Parquet file. Raises BadInput when the laboratory's libraries are missing."""
        pyarrow, parquet = parquet_library()
        path = self.folder / "results.parquet"
        columns: dict[str, list[Any]] = {name: [getattr(row, name) for row in rows] for name in Row.__struct_fields__}
        parquet.write_table(pyarrow.table(columns), path)
        return path
