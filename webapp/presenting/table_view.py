"""A campaign's tables as its TOML files hold them: grids by die and column, rows, and single numbers."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import data
from webapp.http.signs import minus

FILES = ("tables.toml", "rules.toml", "ships.toml")
PLAIN = (str, int, float, bool)
MARKS = ("cite", "source", "note", "first_die", "columns")


class Grid(NamedTuple):
    """One table: its name in the file, its paragraph and source, its head and its rows."""

    id: str
    title: str
    cite: str
    source: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@cache
def grids(system: str) -> tuple[Grid, ...]:
    """All tables of a system, in the order of its files."""
    found: list[Grid] = []
    for name in FILES:
        path = data.ROOT / system / name
        if path.exists():
            for key, value in tomllib.loads(path.read_text()).items():
                found += of_entry(key, value)
    return tuple(found)


def of_entry(key: str, value: Any) -> Iterator[Grid]:
    """The tables of one entry of a file."""
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        if any(is_rows(part) for row in value for part in row.values()):
            for number, row in enumerate(value, 1):
                yield from of_entry(f"{key}.{row.get('id') or row.get('name') or number}", row)
        else:
            yield of_rows(key, {}, value)
    elif isinstance(value, dict):
        yield from of_table(key, value)


def of_table(key: str, value: dict[str, Any]) -> Iterator[Grid]:
    """A table of the file: each grid and each list of rows in it, then its single values together."""
    single: list[tuple[str, ...]] = []
    for name, part in value.items():
        if name in MARKS:
            continue
        if is_grid(part):
            yield of_grid(f"{key}.{name}", value, part)
        elif is_rows(part):
            yield of_rows(f"{key}.{name}" if name != "rows" else key, value, part)
        elif isinstance(part, dict) and not all(isinstance(each, PLAIN) for each in part.values()):
            inherited = {mark: value[mark] for mark in ("cite", "source") if mark in value}
            yield from of_entry(f"{key}.{name}", {**inherited, **part})
        else:
            single.append((words(name), cell(part)))
    if single:
        yield grid_of(key, value, ("", ""), tuple(single))


def is_grid(part: Any) -> bool:
    """A list of equally long lists of numbers."""
    return isinstance(part, list) and bool(part) and all(isinstance(row, list) for row in part)


def is_rows(part: Any) -> bool:
    """A list of records."""
    return isinstance(part, list) and bool(part) and all(isinstance(row, dict) for row in part)


def of_grid(key: str, value: dict[str, Any], part: list[list[Any]]) -> Grid:
    """A grid by modified die (rows) and column."""
    first = value.get("first_die", 1)
    widest = max(len(row) for row in part)
    columns = [cell(each) for each in value.get("columns", range(1, widest + 1))][:widest]
    rows = tuple((str(first + number), *map(cell, row)) for number, row in enumerate(part))
    return grid_of(key, value, ("", *columns), rows)


def of_rows(key: str, value: dict[str, Any], part: list[dict[str, Any]]) -> Grid:
    """A list of records as a table with a column for each of their fields."""
    names = list(dict.fromkeys(name for row in part for name in row))
    rows = tuple(tuple(cell(row.get(name, "")) for name in names) for row in part)
    return grid_of(key, value, tuple(map(words, names)), rows)


def grid_of(key: str, value: dict[str, Any], columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> Grid:
    """The table with what its entry says of itself."""
    cite, source, note = (str(value.get(mark, "")) for mark in ("cite", "source", "note"))
    return Grid(key, words(key), cite, source, note, columns, rows)


def words(name: str) -> str:
    """A field's name as words."""
    return name.replace("_", " ").replace(".", ": ")


def cell(value: Any) -> str:
    """A value as it stands in a cell."""
    if isinstance(value, bool):
        return "●" if value else ""
    if isinstance(value, list | tuple):
        return ", ".join(map(cell, value))
    if isinstance(value, dict):
        return ", ".join(f"{words(name)} {cell(each)}".strip() for name, each in value.items())
    return minus(value) if isinstance(value, int | float) else str(value)
