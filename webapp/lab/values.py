"""O6.2 The table of quick dice, fitted from battles of captains: values, steps of the ratio, losses, the error.

A fleet's value is the sum of its ships' by type and rowers; the chance that it wins is logistic in the logarithm of the
ratio. Two dice with the shift of the ratio then give the same chances, and the losses of the table's rows are those of
the battles that stand at the same place, from the best victory to the worst defeat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactical.kernel.record import Record
from webapp.lab.plan import Cell, Row

CREWS = ("poor", "average", "elite")
MEASURE, WORTH = "quinquereme", 5.0  # what a ship of this type with average rowers counts
LEAN = 0.02  # how strongly values lean to one another where battles say little
ROUNDS, NUDGE = 60, 1e-5
SHIFTS = 4  # the steps of the ratio
ROWS = (("routed", 13), ("beaten", 11), ("worsted", 9), ("undecided", 6))  # O6.2: the totals of the table
EVEN = 7
TWO_DICE = tuple(one + other for one, other in product(range(1, 7), repeat=2))
SPLIT = 5  # every fifth cell is kept back, and says how far the table errs
BUCKETS = (1.0, 1.2, 1.5, 2.0, 3.0, 1e9)


class Loss(Record, frozen=True):
    """A row of the table: from this total, the share of ships in per cent that the beaten and the winner lose."""

    name: str
    total: int
    loser: int
    winner: int


class Checked(Record, frozen=True):
    """Battles that the fit has not seen, by the ratio of their fleets: what the table says and what happened."""

    low: float
    high: float
    battles: int
    wins_told: float
    wins: float
    weaker_told: float
    weaker: float
    stronger_told: float
    stronger: float


class Fitted(Record, frozen=True):
    """The table: values by type, factors of the rowers, steps of the ratio, rows; taken of a hundred lost. It errs
    by these: the mean difference of chances and of losses (in points of per cent) over the ratios.
    """

    battles: int
    values: dict[str, float]
    crews: dict[str, float]
    steepness: float
    shift: tuple[float, ...]
    rows: tuple[Loss, ...]
    taken: int
    error_chance: float
    error_loss: float
    checked: tuple[Checked, ...]


class Fight(Record, frozen=True):
    """A battle: ships by type and crew on either side, whether a won (a half for neither), the shares of ships lost."""

    a: dict[str, int]
    b: dict[str, int]
    won: float
    lost_a: float
    lost_b: float


def fights(cells: Sequence[Cell], rows: Sequence[Row]) -> list[Fight]:
    """The battles of random fleets, as the fit reads them."""
    by_id = {cell.id: cell for cell in cells if cell.composition}
    found = []
    for row in rows:
        if row.cell in by_id:
            sides = list(by_id[row.cell].composition.values())
            a, b = sides if row.number % 2 == 0 else sides[::-1]
            won = {"a": 1.0, "b": 0.0}.get(row.won, 0.5)
            found.append(Fight(a, b, won, row.lost_a / sum(a.values()), row.lost_b / sum(b.values())))
    return found


def fit(cells: Sequence[Cell], rows: Sequence[Row]) -> Fitted | None:
    """The table of the plan's battles, and how it does with every fifth meeting, which it has not seen; None without.

    Raises nothing: a plan without random fleets has no table.
    """
    all_ = fights(cells, rows)
    if not all_:
        return None
    known = [each for number, each in enumerate(all_) if number // 2 % SPLIT]
    kept = [each for number, each in enumerate(all_) if not number // 2 % SPLIT]
    found = table(known)
    checked = check(found, kept)
    whole = sum(each.battles for each in checked)
    chance = sum(each.battles * abs(each.wins - each.wins_told) for each in checked) / whole
    losses = sum(
        each.battles * (abs(each.weaker - each.weaker_told) + abs(each.stronger - each.stronger_told)) / 2
        for each in checked
    )
    taken = sum(row.taken_a + row.taken_b for row in rows) / max(1, sum(row.lost_a + row.lost_b for row in rows))
    return Fitted(
        len(all_),
        found.values,
        found.crews,
        found.steepness,
        found.shift,
        found.rows,
        round(100 * taken),
        round(100 * chance, 1),
        round(losses / whole, 1),
        checked,
    )


def table(known: Sequence[Fight]) -> Fitted:
    """The table of some battles."""
    values, crews, steepness = worth(known)
    shift = steps(steepness)
    bare = Fitted(len(known), values, crews, steepness, shift, (), 0, 0.0, 0.0, ())
    return Fitted(len(known), values, crews, steepness, shift, losses(bare, known), 0, 0.0, 0.0, ())


def worth(known: Sequence[Fight]) -> tuple[dict[str, float], dict[str, float], float]:
    """Values by type, factors by rowers, and the steepness of the curve, by scoring steps on the likelihood."""
    kinds = sorted({kind.partition(":")[0] for each in known for kind in (*each.a, *each.b)})
    free = [kind for kind in kinds if kind != MEASURE]
    y = np.array([each.won for each in known])
    a, b = (numbers(known, side, kinds) for side in ("a", "b"))

    def curve(at: NDArray[Any]) -> NDArray[Any]:
        types = np.exp(np.array([0.0 if kind == MEASURE else at[free.index(kind)] for kind in kinds]))
        crews = np.exp(np.array([at[len(free)], 0.0, at[len(free) + 1]]))
        odds: NDArray[Any] = at[-1] * (np.log(crews @ (a @ types).T) - np.log(crews @ (b @ types).T))
        return odds

    at = np.array([0.0] * len(free) + [-0.1, 0.1, 2.0])
    lean = LEAN * len(known) ** 0.5 * np.diag([1.0] * (len(at) - 1) + [0.0])
    for _ in range(ROUNDS):
        odds = curve(at)
        slope = np.array([(curve(at + each) - odds) / NUDGE for each in NUDGE * np.eye(len(at))]).T
        chance = 1 / (1 + np.exp(-odds))
        weight = (slope * (chance * (1 - chance))[:, None]).T @ slope + lean + 1e-6 * np.eye(len(at))
        step = np.linalg.solve(weight, slope.T @ (y - chance) - lean @ at)
        at = at + np.clip(step, -0.5, 0.5)
        if float(np.abs(step).max()) < 1e-6:
            break
    types = {kind: 1.0 if kind == MEASURE else float(np.exp(at[free.index(kind)])) for kind in kinds}
    crews = {"poor": float(np.exp(at[len(free)])), "average": 1.0, "elite": float(np.exp(at[len(free) + 1]))}
    return (
        {kind: round(WORTH * value, 2) for kind, value in types.items()},
        {crew: round(value, 2) for crew, value in crews.items()},
        round(float(at[-1]), 2),
    )


def numbers(known: Sequence[Fight], side: str, kinds: Sequence[str]) -> NDArray[Any]:
    """Ships of a side by battle, crew and type."""
    found = np.zeros((len(known), len(CREWS), len(kinds)))
    for row, each in enumerate(known):
        for name, count in getattr(each, side).items():
            kind, _, crew = name.partition(":")
            found[row, CREWS.index(crew or "average"), kinds.index(kind)] += count
    return found


def share(shift: int) -> float:
    """The stronger's share of victories by two dice with this shift; a half for undecided."""
    totals = [total + shift for total in TWO_DICE]
    return sum(1.0 if total >= 9 else 0.0 if total <= 2 * EVEN - 9 else 0.5 for total in totals) / len(totals)


def steps(steepness: float) -> tuple[float, ...]:
    """The ratios from which on the dice are shifted by one more: where the curve passes between two shares."""
    middles = [(share(shift) + share(shift + 1)) / 2 for shift in range(SHIFTS)]
    return tuple(round(float(np.exp(np.log(each / (1 - each)) / steepness)), 2) for each in middles)


def strength(found: Fitted, fleet: Mapping[str, int]) -> float:
    """O6.2 What a fleet counts."""
    total = 0.0
    for name, count in fleet.items():
        kind, _, crew = name.partition(":")
        total += count * found.values[kind] * found.crews[crew or "average"]
    return total


def by_strength(found: Fitted, each: Fight) -> tuple[float, float, float, float]:
    """A battle from the stronger's side: the ratio, whether it won, the shares that it and the weaker lost."""
    mine, theirs = strength(found, each.a), strength(found, each.b)
    if mine >= theirs:
        return mine / theirs, each.won, each.lost_a, each.lost_b
    return theirs / mine, 1 - each.won, each.lost_b, each.lost_a


def losses(found: Fitted, known: Sequence[Fight]) -> tuple[Loss, ...]:
    """The rows' losses: battles of one shift in order from the stronger's worst to its best, against the totals."""
    sums = {name: [0.0, 0.0, 0.0] for name, _ in ROWS}
    by_shift: dict[int, list[tuple[float, float, float]]] = {}
    for each in known:
        ratio, won, mine, theirs = by_strength(found, each)
        by_shift.setdefault(sum(ratio >= step for step in found.shift), []).append((won, mine, theirs))
    for shift, battles in by_shift.items():
        battles.sort(key=lambda it: (it[0], it[2] - it[1]))
        totals = sorted(total + shift for total in TWO_DICE)
        for place, (_, mine, theirs) in enumerate(battles):
            total = totals[place * len(totals) // len(battles)]
            name = row_of(total)
            lost, won = (theirs, mine) if total >= EVEN else (mine, theirs)
            if name == "undecided":
                lost = won = (mine + theirs) / 2
            sums[name] = [sums[name][0] + lost, sums[name][1] + won, sums[name][2] + 1]
    return tuple(
        Loss(name, total, *(round(100 * sums[name][side] / max(1.0, sums[name][2])) for side in (0, 1)))
        for name, total in ROWS
    )


def row_of(total: int) -> str:
    """The row of a total; one under 7 is read for the weaker."""
    mirrored = total if total >= EVEN else 2 * EVEN - total
    return next((name for name, least in ROWS if mirrored >= least), ROWS[-1][0])


def forecast_of(found: Fitted, ratio: float) -> tuple[float, float, float]:
    """What the table says of a ratio: the stronger's share of victories, what it and the weaker lose in per cent."""
    shift = sum(ratio >= step for step in found.shift)
    rows = {row.name: row for row in found.rows}
    mine = theirs = 0.0
    for total in TWO_DICE:
        row = rows[row_of(total + shift)]
        won = total + shift >= EVEN
        mine += (row.winner if won else row.loser) / len(TWO_DICE)
        theirs += (row.loser if won else row.winner) / len(TWO_DICE)
    return share(shift), mine, theirs


def check(found: Fitted, kept: Sequence[Fight]) -> tuple[Checked, ...]:
    """The battles that were kept back, by their ratio, against the table."""
    checked = []
    rows = [by_strength(found, each) for each in kept]
    for low, high in pairwise(BUCKETS):
        here = [each for each in rows if low <= each[0] < high]
        if not here:
            continue
        told = np.mean([forecast_of(found, each[0]) for each in here], axis=0)
        won, mine, theirs = (float(np.mean([each[place] for each in here])) for place in (1, 2, 3))
        numbers_ = (told[0], won, told[2], 100 * theirs, told[1], 100 * mine)
        checked.append(Checked(low, high, len(here), *(round(float(each), 3) for each in numbers_)))
    return tuple(checked)
