"""A laboratory's results: one row for each battle in SQLite, never twice, and the same rows as Parquet."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from sqlite_utils import Database

from tactical.kernel.record import BadInput, Record, encode
from webapp.lab.plan import Cell


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
        try:
            pyarrow: Any = importlib.import_module("pyarrow")
            parquet: Any = importlib.import_module("pyarrow.parquet")
        except ModuleNotFoundError:
            raise BadInput("out", "Parquet needs the laboratory's libraries: run `make lab` once") from None
        path = self.folder / "results.parquet"
        columns: dict[str, list[Any]] = {name: [getattr(row, name) for row in rows] for name in Row.__struct_fields__}
        parquet.write_table(pyarrow.table(columns), path)
        return path
