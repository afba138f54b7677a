"""The calculators' forms, and the chances most asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from flask_babel import format_decimal

from tactical.captains.worth import fought
from tactical.odds import (
    LARGEST_DENOMINATOR,
    WINNERS,
    Calculator,
    Field,
    Leaks,
    after_turn,
    bow_to_bow,
    fought_out,
    left_tables,
    map_outcomes,
    missiles,
    of_die,
    of_faces,
    ram,
    repair,
    volley,
)
from tactical.rules.boarding import TABLE as BOARDING
from tactical.rules.boarding import verdict
from tactical.rules.missiles import MISSILES, WEAPONS
from tactical.rules.ramming import RAM, ram_damage
from tactical.setup import all_scenarios
from tactical.ship import CREWS, MARINES, TYPES
from webapp.http.language import gettext as _
from webapp.http.language import percent
from webapp.presenting.labels import translate
from webapp.presenting.refusals import level_name

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


# -- What surprises players: chances that are seldom guessed, from the rules' own functions and from kept battles.

LONG = 40  # turns after which no breach is open any more
FULL = "trireme"  # the ship that rams a quinquereme here


class Surprise(NamedTuple):
    """What is seldom guessed about one thing: its lesson or subject, a heading, sentences, and the rule."""

    id: str
    title: str
    said: tuple[str, ...]
    rule: str


@cache
def captured(attackers: int, attacker: str, defenders: int, defender: str) -> float:
    """G8.4 The chance that so many marines of a kind capture a ship that so many of a kind defend."""
    return ends({attacker: attackers}, {defender: defenders})[0] if defenders else 1.0


@cache
def archers_of_a_corvus(marines: int = 10) -> int:
    """G5.2, G8.3 How many archers' dice at range 1, shot at her marines before, make one try without a corvus as good
    as the corvus: ten heavy marines on either side.
    """
    sure = captured(marines, "heavy", marines, "heavy")
    archers = 0
    while True:
        kills = map_outcomes(volley({"archer": archers}, 1), lambda each: min(each[0], marines))
        chance = sum(float(p) * captured(marines, "heavy", marines - dead, "heavy") for dead, p in kills.items())
        if float(of_faces(BOARDING.board.succeeds)) * chance >= sure:
            return archers
        archers += 1


@cache
def founders(rams: int, kind: str = "quinquereme", later: int = 0) -> float:
    """G6.2, G9.3 The chance that a fresh ship of a type is gone after so many rams at full speed, one a turn, and then
    so many turns in which nobody troubles her.
    """
    hull = TYPES[kind].hull
    leaks: Leaks = {(0, 0): Fraction(1)}
    for turn in range(rams + later):
        if turn < rams:
            leaks = rammed(leaks, hull)
        leaks = after_turn(leaks, False, hull)
    return float(sum(p for (_, damage), p in leaks.items() if damage >= hull))


def rammed(leaks: Leaks, hull: int) -> Leaks:
    """G6.2 After one more ram by a trireme at full speed."""
    found: Leaks = {}
    faces = of_die(lambda face: ram_damage(face, TYPES[FULL].ram or 0, True))
    for (breaches, damage), p in leaks.items():
        for more, q in faces.items():
            key = (breaches + RAM.breaches, min(hull, damage + more))
            found[key] = found.get(key, Fraction(0)) + p * q
    return found


@cache
def losses_of_the_winner(marines: int = 10) -> float:
    """G8.4 How many of so many heavy marines fall on average when they capture a ship with as many."""
    chances = fought_out(*left_tables({"heavy": marines}, {"heavy": marines}, exact=False))
    won = [(x, float(p)) for (x, y), p in np.ndenumerate(chances) if p and WINNERS[verdict(x, y)] == "attacker"]
    return marines - sum(x * p for x, p in won) / sum(p for _, p in won)


@cache
def marines_hit(archers: int = 8, reach: int = 3) -> tuple[float, float]:
    """G5.4 So many archers at a range against a fresh quinquereme: the chances that anybody falls, and a marine."""
    crew = TYPES["quinquereme"].crew["hellenistic"]
    target = {figure: getattr(crew, figure) for figure in MISSILES.order}
    found = missiles(archers, 0, 0, reach, target, 0)
    return 1 - float(found["kills"].get("0", 0)), 1 - float(found["casualties"]["medium"].get("0", 0))


def surprises() -> tuple[Surprise, ...]:
    """What is seldom guessed, in the reader's language."""

    def of(chance: float) -> str:
        return percent(f"{100 * chance:.0f}" if chance >= 0.02 else format_decimal(100 * chance, "0.0"))

    alone, two = captured(8, "medium", 10, "heavy"), captured(16, "medium", 10, "heavy")
    anybody, marine = marines_hit()
    return (
        Surprise(
            "board",
            _("Boarding is a landslide"),
            (
                _(
                    "Twelve heavy marines capture a ship with ten in %(twelve)s of the fights, ten capture one with "
                    "ten in %(ten)s; ten heavy marines capture a hepteres with fifteen medium ones in %(seven)s.",
                    twelve=of(captured(12, "heavy", 10, "heavy")),
                    ten=of(captured(10, "heavy", 10, "heavy")),
                    seven=of(captured(10, "heavy", 15, "medium")),
                ),
                _(
                    "Eight medium marines against ten heavy ones: %(alone)s. Two such ships together: %(two)s.",
                    alone=of(alone),
                    two=of(two),
                ),
                _(
                    "Who captures a ship at even odds has lost %(lost)s of ten marines on average.",
                    lost=format_decimal(losses_of_the_winner(), "0.0"),
                ),
            ),
            "G8.4",
        ),
        Surprise(
            "missiles",
            _("Missiles do not thin marines at first"),
            (
                _(
                    "Archers and engines fall before marines. Eight archers at range 3 kill somebody aboard a fresh "
                    "quinquereme in %(anybody)s of their volleys, a marine in %(marine)s.",
                    anybody=of(anybody),
                    marine=of(marine),
                ),
            ),
            "G5.4",
        ),
        Surprise(
            "corvus",
            _("What a corvus is worth"),
            (
                _(
                    "Between ships with ten heavy marines a corvus does as much as %(archers)s archers' dice at range "
                    "1, shot at her marines before one try to get aboard without it.",
                    archers=archers_of_a_corvus(),
                ),
            ),
            "G8.3",
        ),
        Surprise(
            "ram",
            _("One ram seldom sinks, two often do"),
            (
                _(
                    "A fresh quinquereme that a trireme has rammed once at full speed, and that nobody troubles "
                    "afterwards, founders in %(once)s in the end. Rammed by a trireme in each of two turns she is gone "
                    "by the end of the second in %(twice)s.",
                    once=of(founders(1, later=LONG)),
                    twice=of(founders(2)),
                ),
                _(
                    "A fresh trireme that a quinquereme rams at full speed is gone by the end of the turn in %(gone)s.",
                    gone=of(float(ram("quinquereme", True, TYPES["trireme"].hull, 0, False)["sunk_this_turn"])),
                ),
            ),
            "G6.2",
        ),
        Surprise("rowers", _("Rowers decide"), tuple(rowers_said()), "G2.2"),
    )


def rowers_said() -> list[str]:
    """What kept battles tell of rowers; nothing where none are kept."""
    return [
        _(
            "Elite against poor rowers, %(ships)s triremes a side: the elite won %(share)s of %(battles)s battles "
            "between %(level)s captains.",
            ships=len(each.ships("west")),
            share=percent(round(100 * each.share("west").share)),
            battles=each.battles,
            level=level_name(each.level),
        )
        for name in ("four elite triremes against four poor", "eight elite triremes against eight poor")
        for each in fought(name)
    ]


def battles_said(scenario: str) -> list[str]:
    """What kept battles tell of a scenario, a sentence for each level of captains; nothing where none are kept."""
    sides = all_scenarios()[scenario].sides
    found = []
    for each in fought(scenario):
        shares = [
            _(
                "%(side)s %(share)s (%(low)s to %(high)s)",
                side=translate(sides[side].name),
                share=percent(round(100 * each.share(side).share)),
                low=percent(round(100 * each.share(side).low)),
                high=percent(round(100 * each.share(side).high)),
            )
            for side in each.won
        ]
        found.append(
            _(
                "Won of %(battles)s battles between %(level)s captains: %(sides)s, drawn %(drawn)s.",
                battles=each.battles,
                level=level_name(each.level),
                sides=", ".join(shares),
                drawn=percent(round(100 * each.drawn / each.battles)),
            )
        )
    return found
