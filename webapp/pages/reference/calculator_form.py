"""A calculator's form: its values as a query carries them, and its result as tables and bars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from flask_babel import format_decimal

from tactical.odds.calculator import Calculator, Field
from tactical.odds.chance import LARGEST_DENOMINATOR
from webapp.http.signs import percent

TAIL = 0.0005  # what is less likely than this at the end of a long list is told together


class Bar(NamedTuple):
    """One outcome: its label, its chance, the chance as a fraction where that is short."""

    label: str
    chance: float
    fraction: str


class Part(NamedTuple):
    """A part of the result: its name, and bars, or a table of rows, or a single number, or a text."""

    name: str
    bars: tuple[Bar, ...] = ()
    number: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    columns: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()


def parameters(calculator: Calculator, query: Mapping[str, str]) -> dict[str, str]:
    """The parameters of a query; a crew may stand whole (`heavy:10`) or in parts (`attacker.heavy=10`)."""
    found: dict[str, str] = {}
    for field in calculator.fields:
        text = query.get(field.name, "").strip()
        if not text and field.parts:
            counts = [(part, query.get(f"{field.name}.{part}", "").strip()) for part in field.parts]
            text = ",".join(f"{part}:{count}" for part, count in counts if count)
        if text:
            found[field.name] = text
    return found


def field_value(field: Field, values: Mapping[str, Any], query: Mapping[str, str]) -> Any:
    """What the form shows in a field: what was asked for, else the default, else the example."""
    if field.parts:
        known = values.get(field.name) or {}
        return {part: query.get(f"{field.name}.{part}", known.get(part, "") or "") for part in field.parts}
    return query.get(field.name, values.get(field.name, ""))


def is_asked(calculator: Calculator, query: Mapping[str, str]) -> bool:
    """Does the query ask for anything that this calculator knows?"""
    return bool(parameters(calculator, query))


def parts(result: Mapping[str, Any]) -> list[Part]:
    """The result in parts: the chances of single outcomes together first, then its distributions."""
    single = tuple(bar(name, value) for name, value in result.items() if is_chance(name, value))
    found = [Part("", single)] if single else []
    return found + [part(name, value) for name, value in result.items() if not is_chance(name, value)]


def is_chance(name: str, value: Any) -> bool:
    """A single chance, not an average."""
    return isinstance(value, Fraction | float) and not name.startswith("mean")


def part(name: str, value: Any) -> Part:
    """One named part of a result."""
    if isinstance(value, Fraction | float):
        return Part(name, number=format_decimal(float(value), "0.00"))
    if isinstance(value, dict):
        if name.startswith("mean"):
            return Part(name, parts=tuple(part(f"mean_{inner}", each) for inner, each in value.items()))
        if all(isinstance(each, Fraction | float) for each in value.values()):
            return Part(name, bars_with_a_tail(bar(label, each) for label, each in value.items()))
        return Part(name, parts=tuple(part(inner, each) for inner, each in value.items()))
    if isinstance(value, list) and value and isinstance(value[0], dict):
        columns = tuple(key for key, each in value[0].items() if not isinstance(each, dict))
        rows = tuple(tuple(table_cell(column, row[column]) for column in columns) for row in value)
        return Part(name, rows=rows, columns=columns)
    if isinstance(value, list) and value and isinstance(value[0], float):
        return Part(name, bars_with_a_tail(bar(str(number), each) for number, each in enumerate(value, 1)))
    return Part(name, number=", ".join(map(str, value)) if isinstance(value, list) else str(value))


def table_cell(column: str, value: Any) -> str:
    """A cell of a table of turns: averages as numbers, chances in per cent."""
    if isinstance(value, Fraction | float):
        return str(
            format_decimal(float(value), "0.00")
            if column.startswith("mean")
            else percent(format_decimal(100 * float(value), "0.0"))
        )
    return str(value)


def bar(label: str, value: Fraction | float) -> Bar:
    """One bar."""
    short = isinstance(value, Fraction) and value.denominator <= LARGEST_DENOMINATOR
    return Bar(label, float(value), str(value) if short else "")


def bars_with_a_tail(bars: Iterable[Bar]) -> tuple[Bar, ...]:
    """The bars, with a long faint end told as one (`7 +`)."""
    kept = list(bars)
    end: list[Bar] = []
    while len(kept) > 6 and sum(each.chance for each in end) + kept[-1].chance < TAIL:
        end.append(kept.pop())
    if len(end) > 1:
        kept.append(Bar(f"{end[-1].label} +", sum(each.chance for each in end), ""))
    else:
        kept += end
    return tuple(kept)
