"""What a ship is worth, and O6.2 the table of quick dice, fitted from battles of captains, with how far both err.

A fleet's value is the sum of its ships' by type, rowers, navy and corvus; the chance that it wins is logistic in the
logarithm of the ratio. Two dice with the shift of the ratio then give the same chances, and the losses of the table's
rows are those of the battles that stand at the same place, from the best victory to the worst defeat. Every pair of
fleets is judged by values that were fitted without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tactical.captains.worth import ALIKE, MEASURE, TEN, Error, Factors, Kind, Table, kind_of, unlikeness
from tactical.kernel.record import Record
from webapp.lab.plan import Cell, Row

CREWS = ("poor", "elite")  # beside the average
NAVIES = ("roman", "asiatic")  # beside the Hellenistic
TYPES = ("bireme", "trireme", "quadrireme", "quinquereme", "hepteres")
CORVUS = "corvus"
LEAN = 80.0  # how strongly what a type has of its own leans to what all types have in common
ROUNDS = 60
SHIFTS = 6  # the steps of the ratio
ROWS = (("routed", 13), ("beaten", 11), ("worsted", 9), ("undecided", 6))  # O6.2: the totals of the table
EVEN = 7
TWO_DICE = tuple(one + other for one, other in product(range(1, 7), repeat=2))
SINKS = 2  # ships that a ship sinks or takes at most: of a fleet no more are in danger than the enemy can sink
SPLIT = 5  # each fifth of the pairs is judged by what was fitted to the other four
CHANCES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.01)  # groups of battles of like chances, over which an error is told
RATIOS = (
    ("even", 1.2),
    ("2 to 3", 1.6),
    ("1 to 2", 2.5),
    ("1 to 5", 6.0),
    ("1 to 20", 1e9),
)  # numbers, larger to smaller
KINDS = (*(name for name, _ in RATIOS), "one navy", "two navies", "equal rowers", "unequal rowers", CORVUS)


class Loss(Record, frozen=True):
    """A row of the table: from this total, the share of ships in per cent that the beaten and the winner lose."""

    name: str
    total: int
    loser: int
    winner: int


class QuickError(Record, frozen=True):
    """How far quick dice err over battles of a kind, in points of a hundred: in the chance to win, over groups of like
    chances, and in the share of ships lost, of which it tells what was told and what was fought.
    """

    battles: int
    chance: float
    losses: float
    weaker_told: float
    weaker: float
    stronger_told: float
    stronger: float


class Quick(Record, frozen=True):
    """O6.2 The table of quick dice: steps of the ratio, rows, taken of a hundred lost, and how far it errs by kind of
    meeting. In `over` battles of all a fleet sank or took more than `SINKS` ships for each of its own.
    """

    battles: int
    shift: tuple[float, ...]
    rows: tuple[Loss, ...]
    taken: int
    over: int
    errors: dict[str, QuickError]


class Fight(Record, frozen=True):
    """A battle: ships of either side, whether a won (a half for neither), ships lost and taken; its pair and kind."""

    a: dict[str, int]
    b: dict[str, int]
    won: float
    lost_a: int
    lost_b: int
    pair: str
    is_quick: bool

    taken: int = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of meeting that this is one of, for telling errors."""
        numbers = [sum(each.values()) for each in (self.a, self.b)]
        ratio = max(numbers) / min(numbers)
        ships = [kind_of(name) for name in (*self.a, *self.b)]
        return (
            next(name for name, most in RATIOS if ratio <= most),
            "one navy" if len({ship.navy for ship in ships}) == 1 else "two navies",
            "equal rowers" if len({ship.crew for ship in ships}) == 1 else "unequal rowers",
            *((CORVUS,) if any(ship.corvus for ship in ships) else ()),
        )


def fleet_of(composition: Mapping[str, int]) -> list[Kind]:
    """A fleet's ships, each by herself."""
    return [kind_of(name) for name, number in composition.items() for _ in range(number)]


def fights(cells: Sequence[Cell], rows: Sequence[Row]) -> list[Fight]:
    """The battles of pairs of fleets, each battle once, as the fit reads them."""
    by_id = {cell.id: cell for cell in cells if cell.composition}
    found, seen = [], set()
    for row in rows:
        if row.cell not in by_id or row.end in seen:
            continue
        seen.add(row.end)
        cell = by_id[row.cell]
        sides = list(cell.composition.values())
        a, b = sides if row.number % 2 == 0 else sides[::-1]
        won = {"a": 1.0, "b": 0.0}.get(row.won, 0.5)
        taken = row.taken_a + row.taken_b
        found.append(Fight(a, b, won, row.lost_a, row.lost_b, row.cell, cell.breaks_off > 0, taken))
    return found


# -- The value of a ship.
#
# The logarithm of a ship's value is a sum of fitted numbers: her type's, what rowers, an Asiatic navy and the corvus do
# to all types and to hers, and the Roman marines of the types that Rome built. The logarithm of the odds is `steepness`
# times that of the ratio of the fleets' values times the smaller number of ships to the power of `size`: of many ships
# the luck evens out. A few battles in a hundred are decided by chance, whatever the fleets (`LAPSE`): captains lose
# ships over the edge.

LAPSE = 0.04
COMMON = (*CREWS, "asiatic", CORVUS)
NAMES = (
    *(f"type {kind}" for kind in TYPES if kind != MEASURE),
    *(f"all {what}" for what in COMMON),
    *(f"{what} {kind}" for what in COMMON for kind in TYPES),
    *(f"roman {kind}" for kind in ("quadrireme", "quinquereme")),
    "steepness",
    "size",
)
COLUMN = {name: number for number, name in enumerate(NAMES)}


def ship_row(name: str) -> NDArray[Any]:
    """Which of the fitted numbers make the logarithm of a ship's value."""
    navy, kind, crew, corvus = name.split(":")
    found = np.zeros(len(NAMES))
    for part in (
        f"type {kind}",
        *(each for what in (crew, navy, corvus) for each in (f"all {what}", f"{what} {kind}")),
    ):
        if part in COLUMN:
            found[COLUMN[part]] = 1
    return found


def lean() -> NDArray[Any]:
    """How strongly each of the fitted numbers leans to nothing."""
    own = {f"{what} {kind}" for what in COMMON for kind in TYPES}
    return np.array([0.0 if name in ("steepness", "size") else LEAN if name in own else 0.5 for name in NAMES])


class Model:
    """Battles as numbers: their ships, and who won."""

    def __init__(self, known: Sequence[Fight]) -> None:
        names = sorted({name for each in known for name in (*each.a, *each.b)})
        self.ships = np.array([ship_row(name) for name in names])
        at = {name: number for number, name in enumerate(names)}
        self.a, self.b = np.zeros((2, len(known), len(names)))
        for row, each in enumerate(known):
            for side, fleet in ((self.a, each.a), (self.b, each.b)):
                for name, number in fleet.items():
                    side[row, at[name]] += number
        self.fewer = np.log(np.minimum(self.a.sum(axis=1), self.b.sum(axis=1)))
        self.won = np.array([each.won for each in known])

    def ratio(self, at: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The logarithms of the ratios of values, and how they change with the fitted numbers."""
        worth = np.exp(self.ships @ at)
        sums = [side @ worth for side in (self.a, self.b)]
        a, b = (
            (side * worth) @ self.ships / total[:, None] for side, total in zip((self.a, self.b), sums, strict=True)
        )
        return np.log(sums[0]) - np.log(sums[1]), a - b

    def slope(self, at: NDArray[Any]) -> NDArray[Any]:
        """What the logarithm of a ratio adds to that of the odds."""
        found: NDArray[Any] = at[COLUMN["steepness"]] * np.exp(at[COLUMN["size"]] * self.fewer)
        return found

    def chance(self, at: NDArray[Any]) -> NDArray[Any]:
        """The chances that a wins."""
        return LAPSE / 2 + (1 - LAPSE) / (1 + np.exp(-self.slope(at) * self.ratio(at)[0]))

    def fit(self) -> NDArray[Any]:
        """The numbers under which the battles are likeliest, by Newton's steps."""
        at = np.zeros(len(NAMES))
        at[COLUMN["steepness"]], at[COLUMN["size"]] = 1.0, 0.8
        weights = lean()
        for _ in range(ROUNDS):
            ratio, change = self.ratio(at)
            slope = self.slope(at)
            change = slope[:, None] * change
            change[:, COLUMN["steepness"]] = slope * ratio / at[COLUMN["steepness"]]
            change[:, COLUMN["size"]] = slope * ratio * self.fewer
            bare = 1 / (1 + np.exp(-slope * ratio))
            chance = LAPSE / 2 + (1 - LAPSE) * bare
            change = ((1 - LAPSE) * bare * (1 - bare))[:, None] * change
            weight = 1 / (chance * (1 - chance))
            curve = (change * weight[:, None]).T @ change + np.diag(weights) + 1e-6 * np.eye(len(at))
            step = np.linalg.solve(curve, change.T @ (weight * (self.won - chance)) - weights * at)
            at = at + np.clip(step, -0.3, 0.3)
            if float(np.abs(step).max()) < 1e-7:
                break
        return at

    def steepness(self, at: NDArray[Any]) -> float:
        """How steep the curve is for these battles alone, whatever else has been fitted to more."""
        bare, at = self.slope(at) * self.ratio(at)[0] / at[COLUMN["steepness"]], at.copy()
        for _ in range(ROUNDS):
            sure = 1 / (1 + np.exp(-at[COLUMN["steepness"]] * bare))
            chance, change = LAPSE / 2 + (1 - LAPSE) * sure, (1 - LAPSE) * sure * (1 - sure) * bare
            weight = 1 / (chance * (1 - chance))
            step = float(np.sum(weight * change * (self.won - chance)) / np.sum(weight * change**2))
            at[COLUMN["steepness"]] += np.clip(step, -0.3, 0.3)
        return float(at[COLUMN["steepness"]])


def parts(known: Sequence[Fight]) -> Iterator[tuple[list[int], list[Fight]]]:
    """Each part of the battles by their numbers, and the battles of all other pairs."""
    pairs = list(dict.fromkeys(each.pair for each in known))
    for part in range(min(SPLIT, len(pairs))):
        kept = set(pairs[part::SPLIT])
        yield (
            [number for number, each in enumerate(known) if each.pair in kept],
            [each for each in known if each.pair not in kept],
        )


def judged(known: Sequence[Fight]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The chance of a in every battle by values fitted without its pair, and how steep the curve was there."""
    chances, slopes = np.zeros((2, len(known)))
    for here, others in parts(known):
        at, model = Model(others).fit(), Model([known[number] for number in here])
        chances[here], slopes[here] = model.chance(at), model.slope(at)
    return chances, slopes


def spread_of(known: Sequence[Fight], chances: NDArray[Any], slopes: NDArray[Any], is_alone: bool) -> float:
    """How far the logarithm of a ratio is off, as a standard deviation: by how two battles of a pair go astray
    together; of pairs whose smaller fleet is a ship alone, or of all others.
    """
    together: dict[str, list[int]] = {}
    for number, each in enumerate(known):
        together.setdefault(each.pair, []).append(number)
    astray = of = 0.0
    for numbers in together.values():
        pair = known[numbers[0]]
        if len(numbers) != 2 or (min(sum(pair.a.values()), sum(pair.b.values())) == 1) != is_alone:
            continue
        off = [known[number].won - chances[number] for number in numbers]
        unlike = max(ALIKE, unlikeness(fleet_of(pair.a), fleet_of(pair.b)))
        bends = [chances[number] * (1 - chances[number]) * slopes[number] * unlike**0.5 for number in numbers]
        astray -= off[0] * off[1]  # the second battle is told from the other fleet's side
        of += bends[0] * bends[1]
    return float(np.sqrt(max(0.0, astray / of))) if of else 0.0


def worth_table(known: Sequence[Fight], level: str) -> Table:
    """data/galley/worth.toml, fitted to these battles of captains of a level, with how far it errs."""
    chances, slopes = judged(known)
    spread, alone = (round(spread_of(known, chances, slopes, is_alone), 3) for is_alone in (False, True))
    bare = table_of(Model(known).fit(), level, len(known))
    errors = {kind: error(known, chances, kind) for kind in KINDS if any(kind in each.kinds for each in known)}
    return replace(bare, spread=spread, alone=alone, errors=errors)


def table_of(at: NDArray[Any], level: str, battles: int) -> Table:
    """The fitted numbers as the table of values; how far it errs is not in it."""
    ships = {}
    for kind in TYPES:
        plain, *others = (float(np.exp(at @ ship_row(name.format(kind)))) for name in SHIPS)
        ships[kind] = Factors(round(TEN * plain, 2), *(round(each / plain, 3) for each in others))
    steepness, size = (round(float(at[COLUMN[name]]), 3) for name in ("steepness", "size"))
    return Table(level, battles, steepness, size, LAPSE, 0.0, 0.0, ships, {})


SHIPS = (  # from a plain ship to one with each of the factors, in their order
    "hellenistic:{}:average:",
    "hellenistic:{}:poor:",
    "hellenistic:{}:elite:",
    "roman:{}:average:",
    "asiatic:{}:average:",
    "hellenistic:{}:average:corvus",
)


def error(known: Sequence[Fight], chances: NDArray[Any], kind: str) -> Error:
    """How far the chances err over battles of a kind, over groups of battles of like chances."""
    pairs = [
        (chance, each.won) if chance >= 0.5 else (1 - chance, 1 - each.won)
        for each, chance in zip(known, chances, strict=True)
        if kind in each.kinds
    ]
    told, won = (100 * sum(each[place] for each in pairs) / len(pairs) for place in (0, 1))
    return Error(len(pairs), round(told), round(won), off_by(pairs))


def off_by(pairs: Sequence[tuple[float, float]]) -> float:
    """By how many points of a hundred chances err, over groups of battles of like chances; pairs of told and fought."""
    off = 0.0
    for low, high in pairwise(CHANCES):
        off += abs(sum(told - won for told, won in pairs if low <= told < high))
    return round(float(100 * off / len(pairs)), 1)


# -- O6.2 The table of quick dice, from the battles that are fought as a campaign does.


class Side(Record, frozen=True):
    """A battle from the stronger's side: what is added to its dice, whether it won, the shares that it and the weaker
    lost of the ships that were in danger, and of all.
    """

    shift: int
    won: float
    mine: float
    theirs: float
    mine_of_all: float
    theirs_of_all: float
    scale: tuple[float, float]


def side_of(worth: Table, steps: Sequence[float], each: Fight) -> Side:
    """O6.2 A battle as the table reads it."""
    points = [sum(worth.points(kind_of(name)) * n for name, n in fleet.items()) for fleet in (each.a, each.b)]
    ships, lost = [sum(fleet.values()) for fleet in (each.a, each.b)], [each.lost_a, each.lost_b]
    won = each.won
    if points[0] < points[1]:
        points, ships, lost, won = points[::-1], ships[::-1], lost[::-1], 1 - won
    ratio = (points[0] / points[1]) ** (min(ships) ** worth.size)
    scale = (min(1.0, SINKS * ships[1] / ships[0]), min(1.0, SINKS * ships[0] / ships[1]))
    of_all = [number / of for number, of in zip(lost, ships, strict=True)]
    mine, theirs = (min(1.0, share / most) for share, most in zip(of_all, scale, strict=True))
    return Side(sum(ratio >= step for step in steps), won, mine, theirs, of_all[0], of_all[1], scale)


def quick_table(known: Sequence[Fight], level: str) -> Quick:
    """O6.2 The table of quick dice, and how it does with battles whose pairs it has not seen."""
    found = worth_and_rows(known, level)
    told: dict[int, tuple[Side, tuple[float, float, float]]] = {}
    for here, others in parts(known):
        worth, shift, rows = worth_and_rows(others, level)
        for number in here:
            if known[number].is_quick:
                side = side_of(worth, shift, known[number])
                told[number] = side, forecast_of(rows, side)
    numbers = sorted(told)
    told = {place: told[number] for place, number in enumerate(numbers)}
    known = [known[number] for number in numbers]
    errors = {}
    for kind in KINDS:
        if of_kind := [told[number] for number, each in enumerate(known) if kind in each.kinds]:
            errors[kind] = quick_error(of_kind)
    errors["all"] = quick_error(list(told.values()))
    lost = sum(each.lost_a + each.lost_b for each in known)
    over = sum(
        each.lost_a > SINKS * sum(each.b.values()) or each.lost_b > SINKS * sum(each.a.values()) for each in known
    )
    taken = round(100 * sum(each.taken for each in known) / max(1, lost))
    return Quick(len(known), found[1], found[2], taken, over, errors)


def quick_error(here: Sequence[tuple[Side, tuple[float, float, float]]]) -> QuickError:
    """How far the table errs over some battles, each with what it forecasts."""
    chance = off_by([(told[0], side.won) for side, told in here])
    weaker_told, stronger_told = (100 * float(np.mean([told[place] for _, told in here])) for place in (2, 1))
    weaker = 100 * float(np.mean([side.theirs_of_all for side, _ in here]))
    stronger = 100 * float(np.mean([side.mine_of_all for side, _ in here]))
    losses = (abs(weaker - weaker_told) + abs(stronger - stronger_told)) / 2
    shares = (round(float(each), 1) for each in (losses, weaker_told, weaker, stronger_told, stronger))
    return QuickError(len(here), chance, *shares)


def worth_and_rows(known: Sequence[Fight], level: str) -> tuple[Table, tuple[float, ...], tuple[Loss, ...]]:
    """The values of some battles; steps of the ratio and rows of the table from those fought as in a campaign."""
    at = Model(known).fit()
    worth = table_of(at, level, len(known))
    quick = [each for each in known if each.is_quick]
    shift = steps(Model(quick).steepness(at))
    return worth, shift, losses([side_of(worth, shift, each) for each in quick])


def share(shift: int) -> float:
    """The stronger's share of victories by two dice with this shift; a half for undecided."""
    totals = [total + shift for total in TWO_DICE]
    return sum(1.0 if total >= 9 else 0.0 if total <= 2 * EVEN - 9 else 0.5 for total in totals) / len(totals)


def steps(steepness: float) -> tuple[float, ...]:
    """The ratios from which on the dice are shifted by one more: where the curve passes between two shares."""
    middles = ((share(shift) + share(shift + 1)) / 2 for shift in range(SHIFTS))
    return tuple(round(float(np.exp(np.log(each / (1 - each)) / steepness)), 2) for each in middles)


def row_of(total: int) -> str:
    """The row of a total; one under 7 is read for the weaker."""
    mirrored = total if total >= EVEN else 2 * EVEN - total
    return next((name for name, least in ROWS if mirrored >= least), ROWS[-1][0])


def losses(sides: Sequence[Side]) -> tuple[Loss, ...]:
    """The rows' losses: battles of one shift in order from the stronger's worst to its best, against the totals."""
    sums = {name: [0.0, 0.0, 0.0] for name, _ in ROWS}
    by_shift: dict[int, list[Side]] = {}
    for side in sides:
        by_shift.setdefault(side.shift, []).append(side)
    for shift, battles in by_shift.items():
        battles.sort(key=lambda it: (it.won, it.theirs - it.mine))
        totals = sorted(total + shift for total in TWO_DICE)
        for place, it in enumerate(battles):
            total = totals[place * len(totals) // len(battles)]
            name = row_of(total)
            lost, won = (it.theirs, it.mine) if total >= EVEN else (it.mine, it.theirs)
            if name == "undecided":
                lost = won = (it.mine + it.theirs) / 2
            sums[name] = [sums[name][0] + lost, sums[name][1] + won, sums[name][2] + 1]
    return tuple(
        Loss(name, total, *(round(100 * sums[name][side] / max(1.0, sums[name][2])) for side in (0, 1)))
        for name, total in ROWS
    )


def forecast_of(rows: Sequence[Loss], side: Side) -> tuple[float, float, float]:
    """What the table says of a battle: the stronger's share of victories, the shares that it and the weaker lose."""
    by_name = {row.name: row for row in rows}
    mine = theirs = 0.0
    for total in TWO_DICE:
        row = by_name[row_of(total + side.shift)]
        won = total + side.shift >= EVEN
        mine += (row.winner if won else row.loser) / len(TWO_DICE) / 100
        theirs += (row.loser if won else row.winner) / len(TWO_DICE) / 100
    return share(side.shift), mine * side.scale[0], theirs * side.scale[1]
