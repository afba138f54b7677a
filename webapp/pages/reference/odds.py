"""The calculators' forms, and the chances most asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from flask_babel import format_decimal

from tactical.odds import (
    LARGEST_DENOMINATOR,
    WINNERS,
    Calculator,
    Field,
    bow_to_bow,
    fought_out,
    left_tables,
    missiles,
    ram,
    repair,
)
from tactical.rules.boarding import verdict
from tactical.rules.missiles import MISSILES, WEAPONS
from tactical.ship import CREWS, MARINES, TYPES
from webapp.http.language import percent

# -- A calculator's form: its values as a query carries them, and its result as tables and bars.

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


# -- The chances most asked for, reckoned once and shown on one page: it needs no server afterwards.

CREW_SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15)
HULLS = range(1, 11)
SHOTS = (1, 2, 3, 4, 5, 6)
BREACHES = (1, 2, 3, 4)
LATER = 3  # turns of water that the table of breaches looks ahead
NOBODY = dict.fromkeys(MISSILES.order, 0)


class Fights(NamedTuple):
    """A grid of boarding fights: attackers of one kind (rows) against defenders of one kind (columns)."""

    attacker: str
    defender: str
    sizes: tuple[int, ...]
    rows: tuple[tuple[int, tuple[tuple[float, float, float], ...]], ...]


@cache
def fights() -> tuple[Fights, ...]:
    """G8.4 The chances of attacker, defender and neither for all kinds of marines and the usual numbers."""
    return tuple(
        Fights(
            one,
            other,
            CREW_SIZES,
            tuple((a, tuple(ends({one: a}, {other: d}) for d in CREW_SIZES)) for a in CREW_SIZES),
        )
        for one in MARINES
        for other in MARINES
    )


def ends(attacker: dict[str, int], defender: dict[str, int]) -> tuple[float, float, float]:
    """G8.4 Attacker, defender, neither: the calculator's own chain, in decimals."""
    chances = fought_out(*left_tables(attacker, defender, exact=False))
    won = dict.fromkeys(WINNERS.values(), 0.0)
    for (x, y), chance in np.ndenumerate(chances):
        if chance:
            won[WINNERS[verdict(x, y)]] += float(chance)
    return won["attacker"], won["defender"], won["neither"]


@cache
def rams() -> tuple[tuple[str, bool, tuple[float, ...]], ...]:
    """G6.2, G9.3 By type and speed: sunk by the end of the turn, for each number of hull points left."""
    return tuple(
        (name, fast, tuple(float(ram(name, fast, left, 0, False)["sunk_this_turn"]) for left in HULLS))
        for name, kind in TYPES.items()
        if kind.ram is not None
        for fast in (False, True)
    )


@cache
def meetings() -> tuple[tuple[str, str, float, float, float], ...]:
    """G6.1 Bow to bow for all pairs of crews."""
    found = []
    for one in CREWS:
        for other in CREWS:
            odds = bow_to_bow(one, other)
            found.append((one, other, float(odds["rams"]), float(odds["rammed"]), float(odds["both"])))
    return tuple(found)


@cache
def volleys() -> tuple[tuple[str, int, int, tuple[tuple[float, float], ...]], ...]:
    """G5.2 By weapon and range band: the chance of any effect, and kills on average, for a number of shots."""
    found = []
    for weapon, row in WEAPONS.items():
        for band in row.band:
            told = []
            for shots in SHOTS:
                archers, catapults, stone_throwers = (shots if other == weapon else 0 for other in WEAPONS)
                odds = missiles(archers, catapults, stone_throwers, band.to, NOBODY, 0)
                nothing = odds["kills"].get("0", 0) if not odds["mean_damage"] else odds["damage"].get("0", 0)
                told.append((1 - float(nothing), float(odds["mean_kills"] + odds["mean_damage"])))
            found.append((row.field, band.from_, band.to, tuple(told)))
    return tuple(found)


@cache
def leaks() -> tuple[tuple[int, bool, float, tuple[float, ...]], ...]:
    """G9.2, G9.3 By breaches, in a fight or not: all closed this turn, and water on average after 1 … LATER turns."""
    found = []
    for breaches in BREACHES:
        for fighting in (False, True):
            odds = repair(breaches, fighting, 0, LATER)
            water = tuple(float(turn["mean_damage"]) for turn in odds["turns"])
            found.append((breaches, fighting, float(odds["open"].get("0", 0)), water))
    return tuple(found)
