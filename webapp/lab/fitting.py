"""Points values of ship types, fitted from battles of random fleets, with how sure they are.

The chance that `a` wins is taken to be logistic in the difference of the fleets' values; the fit leans a little to 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactical.kernel.record import Record
from webapp.lab.plan import Cell
from webapp.lab.results import Row

LEAN = 0.05  # how strongly values lean to 0 where battles say little
ROUNDS = 60
ANCHOR = 10.0  # points of the type that the others are measured by
SURE = 1.959964


class Value(Record, frozen=True):
    """A type's points, with the interval of 95 per cent, in units in which the anchor has 10; `odds` is what a point is
    worth in the logarithm of the odds.
    """

    type: str
    points: float
    low: float
    high: float
    odds: float = 0.0


def fit(cells: Sequence[Cell], rows: Sequence[Row], by: str = "") -> list[Value]:
    """The values of the types that the random fleets hold; nothing where there are no such battles.

    `by`: the type that has ten points; the first one where it is not among them.
    """
    by_id = {cell.id: cell for cell in cells if cell.composition}
    fought = [row for row in rows if row.cell in by_id]
    types = list(dict.fromkeys(kind for cell in by_id.values() for side in cell.composition.values() for kind in side))
    if not fought or not types:
        return []
    x = np.array([difference(by_id[row.cell].composition, row, types) for row in fought])
    y = np.array([{"a": 1.0, "b": 0.0}.get(row.won, 0.5) for row in fought])
    weights, spread = logistic(x, y)
    first = weights[types.index(by) if by in types else 0]
    anchor = first if first > 1e-9 else 1.0
    errors = np.sqrt(np.diag(spread))
    found = []
    for number, kind in enumerate(types):
        at, off = ANCHOR * weights[number] / anchor, SURE * ANCHOR * errors[number] / anchor
        points, low, high = (round(float(each), 2) for each in (at, at - off, at + off))
        found.append(Value(kind, points, low, high, float(anchor / ANCHOR)))
    return sorted(found, key=lambda value: -value.points)


def difference(composition: Mapping[str, Mapping[str, int]], row: Row, types: Sequence[str]) -> list[int]:
    """How many more of each type a's fleet has than b's."""
    sides = list(composition)
    mine, theirs = (sides[0], sides[1]) if row.number % 2 == 0 else (sides[1], sides[0])
    return [composition[mine].get(kind, 0) - composition[theirs].get(kind, 0) for kind in types]


def logistic(x: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The weights of a logistic fit by Newton's steps, and their covariance."""
    weights = np.zeros(x.shape[1])
    curve = LEAN * np.eye(x.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-x @ weights))
        curve = (x * (chance * (1 - chance))[:, None]).T @ x + LEAN * np.eye(x.shape[1])
        step = np.linalg.solve(curve, x.T @ (y - chance) - LEAN * weights)
        weights = weights + step
        if float(np.abs(step).max()) < 1e-9:
            break
    return weights, np.linalg.inv(curve)
