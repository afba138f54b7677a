"""A group's own values as fields of a form: each with its meaning, the published value and its bounds.

The bounds are asked of the rules' own check: a value far beyond them is refused with the least and the most.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from werkzeug.datastructures import MultiDict

from tactical.kernel.house_rules import HouseRules, as_file
from tactical.kernel.record import BadInput
from webapp.pages.house.values import MARKS, word
from webapp.storage.journal.systems import systems

NO_VALUES = (*MARKS, "note", "title")  # where a value is from, and the group's own title
BEYOND = 10**6
GIVEN_UP = 3  # so many numbers of a table without bounds in a row: the others have none either
LONGEST = 60  # letters of a value that is a word
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Cell:
    """One value: its path, a label within its line, what stands there, what is published, and its bounds."""

    path: str
    label: str
    value: str
    published: str
    kind: str
    low: int | None = None
    high: int | None = None

    @property
    def is_own(self) -> bool:
        """Has a group replaced it?"""
        return self.value != self.published


@dataclass(frozen=True)
class Line:
    """Values that belong together: a general's ratings, a row of a table."""

    name: str
    cells: tuple[Cell, ...]

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The bounds of all of them, where they are the same."""
        found = {(cell.low, cell.high) for cell in self.cells}
        low, high = next(iter(found))
        return (low, high) if len(found) == 1 and low is not None and high is not None else None


@dataclass(frozen=True)
class Table:
    """A field of the house rules, with what it means."""

    name: str
    title: str
    lines: tuple[Line, ...]

    @property
    def is_own(self) -> bool:
        """Has a group replaced anything of it?"""
        return any(cell.is_own for line in self.lines for cell in line.cells)


def tables(system: str, own: Any, form: Mapping[str, str]) -> tuple[Table, ...]:
    """Every value that may be replaced: as published, as a group has it (`own`), or as it was just typed."""
    rules = rules_of(system)
    published, used = as_file(rules.printed()), rules.in_use(own)
    limits = bounds(system)
    found = []
    for name, value in used.items():
        if name in NO_VALUES:
            continue
        lines = tuple(
            Line(
                " · ".join(word(system, str(part)) if isinstance(part, str) else str(part + 1) for part in at[1:]),
                tuple(cell(system, path, label, used, published, limits, form) for path, label in cells),
            )
            for at, cells in lines_of(system, (name,), value)
        )
        if lines:
            found.append(Table(name, word(system, name), lines))
    return tuple(found)


def lines_of(system: str, at: Path, value: Any) -> Iterator[tuple[Path, list[tuple[Path, str]]]]:
    """The lines of a value: scalars that stand side by side in one, whatever has parts in lines of its own."""
    if not isinstance(value, Mapping | list):
        yield at, [(at, "")]
        return
    children = list(value.items() if isinstance(value, Mapping) else enumerate(value))
    children = [(name, child) for name, child in children if name not in NO_VALUES]
    plain = [name for name, child in children if not isinstance(child, Mapping | list)]
    if plain and len(plain) == len(children) and isinstance(value, Mapping) and len(at) == 1:
        for name in plain:  # numbers by name, each a line
            yield (*at, name), [((*at, name), "")]
        return
    if plain:
        yield at, [((*at, name), word(system, name) if isinstance(name, str) else str(name + 1)) for name in plain]
    for name, child in children:
        if name not in plain:
            yield from lines_of(system, (*at, name), child)


def cell(system: str, path: Path, label: str, used: Any, published: Any, limits: Any, form: Mapping[str, str]) -> Cell:
    """One value as a field."""
    key = ".".join(map(str, path))
    first = found(published, path)
    kind = "choice" if isinstance(first, bool) else "number" if is_number(first) else "text"
    low, high = limits.get(key, (None, None))
    return Cell(key, label, form.get(f"f.{key}", text_of(found(used, path))), text_of(first), kind, low, high)


def is_number(value: Any) -> bool:
    """Is it a number, or one that is left open?"""
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def found(value: Any, path: Path) -> Any:
    """What stands at a path; None where nothing does."""
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def text_of(value: Any) -> str:
    """A value as it stands in a field."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


# Read ------------------------------------------------------------------------------------------------------


def replacements(system: str, form: MultiDict[str, str]) -> dict[str, Any]:
    """What the fields replace, as a group writes it: whole tables, and of what has names only those that differ.

    An empty field, and one with the published value, replaces nothing. Raises BadInput by the field's path.
    """
    rules = rules_of(system)
    published, nothing = as_file(rules.printed()), as_file(rules.kind())
    after = copy.deepcopy(published)
    for name, value in published.items():
        for _at, cells in lines_of(system, (name,), value) if name not in NO_VALUES else ():
            for path, _label in cells:
                put(after, path, form)
    put_in: dict[str, Any] = {}
    for name, value in after.items():
        if name in NO_VALUES or value == published[name]:
            continue
        by_name = nothing[name] == {} and isinstance(value, Mapping)
        put_in[name] = {key: one for key, one in value.items() if one != published[name].get(key)} if by_name else value
    title = form.get("title", "").strip()
    return {**without_marks(put_in), **({"title": title} if title else {})}


def put(after: Any, path: Path, form: Mapping[str, str]) -> None:
    """Put what was typed for one value. Raises BadInput."""
    key = ".".join(map(str, path))
    text, now = form.get(f"f.{key}", "").strip(), found(after, path)
    if text in ("", text_of(now)):
        return
    if len(text) > LONGEST:
        raise BadInput(key, "this is too long")
    held = after
    for part in path[:-1]:
        held = held[part]
    held[path[-1]] = read_value(text, now, key)


def read_value(text: str, now: Any, key: str) -> Any:
    """What was typed, as a value of the kind that is published. Raises BadInput."""
    if isinstance(now, bool):
        return text == "true"
    if not is_number(now):
        return text
    try:
        return float(text) if isinstance(now, float) else int(text)
    except ValueError:
        raise BadInput(key, "a whole number is needed") from None


def without_marks(value: Any) -> Any:
    """The value without where it is from: a group's own is from the group."""
    if isinstance(value, Mapping):
        return {name: without_marks(one) for name, one in value.items() if name not in NO_VALUES}
    return [without_marks(one) for one in value] if isinstance(value, list) else value


# Bounds ----------------------------------------------------------------------------------------------------


@lru_cache(16)
def bounds(system: str) -> dict[str, tuple[int, int]]:
    """The least and the most of each number, as the rules' own check says when it is far beyond."""
    published = as_file(rules_of(system).printed())
    known: dict[str, tuple[int, int]] = {}
    for name, value in published.items():
        lines = lines_of(system, (name,), value) if name not in NO_VALUES else ()
        missed = 0
        for path in (path for _at, cells in lines for path, _label in cells):
            limits = bounds_at(system, published, path) if missed < GIVEN_UP else None
            if limits is not None:
                known[".".join(map(str, path))] = limits
            missed = 0 if limits is not None else missed + 1
    return known


def bounds_at(system: str, published: Mapping[str, Any], path: Path) -> tuple[int, int] | None:
    """The bounds of one number; None where the check names none."""
    if not is_number(found(published, path)):
        return None
    form = MultiDict({f"f.{'.'.join(map(str, path))}": str(BEYOND)})
    try:
        rules_of(system).read(replacements(system, form))
    except BadInput as fault:
        values = fault.why.values
        low, high = values.get("least"), values.get("most")
        return (low, high) if isinstance(low, int) and isinstance(high, int) else None
    return None


def rules_of(system: str) -> HouseRules[Any]:
    """What a group may replace of a system that has such values."""
    rules = systems()[system].house
    assert rules is not None
    return rules
