"""A group's own values beside those of the program, as tables in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from webapp.http.language import gettext as _
from webapp.http.signs import minus
from webapp.presenting.labels import translate
from webapp.presenting.naming import say_value
from webapp.presenting.words import words_of

MARKS = ("source", "cite")  # where a value is from: no value itself


@dataclass(frozen=True)
class Row:
    """A line of a table: what it is of, its values, and whether a group has replaced it."""

    name: str
    cells: tuple[str, ...]
    own: bool = False


@dataclass(frozen=True)
class Values:
    """One field of what a group may replace."""

    name: str
    rows: tuple[Row, ...]
    head: tuple[str, ...] = ()


def values_of(system: str, used: Mapping[str, Any], replaced: Mapping[str, Any]) -> tuple[Values, ...]:
    """The values in use, field by field; `replaced` are those of a group."""
    return tuple(
        Values(word(system, name), *rows_of(system, value, replaced.get(name)))
        for name, value in used.items()
        if name != "title"
    )


def rows_of(system: str, value: Any, own: Any) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """The lines of a field, and the heads of its columns where they have words."""
    if isinstance(value, Mapping):
        return named_rows(system, value, own if isinstance(own, Mapping) else {})
    several = isinstance(value, list) and bool(value) and isinstance(value[0], list)
    rows = value if several else [value if isinstance(value, list) else [value]]
    names = (str(number) for number in range(1, len(rows) + 1)) if several else ("",)
    return tuple(Row(name, cells(system, row), own is not None) for name, row in zip(names, rows, strict=True)), ()


def named_rows(
    system: str, value: Mapping[str, Any], own: Mapping[str, Any]
) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """A line for each name; where each has values by name, these are columns."""
    records = [each for each in value.values() if isinstance(each, Mapping)]
    known = dict.fromkeys(key for each in records for key in each if key not in MARKS)
    columns = tuple(known) if len(records) == len(value) else ()
    rows = []
    for name, each in value.items():
        shown = [each.get(column) for column in columns] if columns else each if isinstance(each, list) else [each]
        rows.append(Row(word(system, name), cells(system, shown), name in own))
    return tuple(rows), tuple(word(system, column) for column in columns)


def cells(system: str, values: Iterable[Any]) -> tuple[str, ...]:
    """Each value in words."""
    return tuple(cell(system, value) for value in values)


def cell(system: str, value: Any) -> str:
    """One value in words: numbers, names, yes and no, and what has parts."""
    if value is None or value == "":
        return "–"
    if isinstance(value, Mapping):
        apart = "; " if any(isinstance(each, Mapping) for each in value.values()) else ", "
        return apart.join(f"{word(system, name)} {cell(system, each)}" for name, each in value.items() if each) or "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return word(system, value) if isinstance(value, str) else minus(value)


def word(system: str, name: str) -> str:
    """A field that may be replaced by its word, anything else by its name."""
    own = words_of(system).house.get(name)
    return translate(own) if own else say_value(system, name)
