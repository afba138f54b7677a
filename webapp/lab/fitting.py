"""Fighting a plan through, and points of ship types fitted from its battles."""

from __future__ import annotations

import importlib
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactical.battle import Battle
from tactical.kernel.record import BadInput, Record, decode, encode
from webapp.captains.matches import game, opening
from webapp.lab.plan import Cell, Results, Row

# -- Fighting a plan through: on this machine by processes, or on a scheduler's workers. A battle lost is fought again.

CHUNK = 2  # battles that are handed out together: one throw of the dice from both sides
Progress = Callable[[int, int], None]


@lru_cache(maxsize=64)
def start_of(cell: bytes) -> Battle:
    """The opening of a cell."""
    found = decode(cell, Cell)
    return opening(None if found.position else found.scenario, found.position, found.options)


def fight(cell: bytes, numbers: Sequence[int]) -> list[bytes]:
    """Some battles of a cell, from and to JSON: what a worker does."""
    found, start = decode(cell, Cell), start_of(cell)
    return [encode(row_of(found, start, number)) for number in numbers]


def row_of(cell: Cell, start: Battle, number: int) -> Row:
    """One battle of a cell as a row. Each hangs on its cell's seed and its number alone."""
    played = game(start, cell.a, cell.b, f"{cell.seed}:{cell.id}", number, cell.breaks_off)
    return Row(
        cell.id,
        number,
        cell.scenario,
        encode(cell.options).decode(),
        cell.a,
        cell.b,
        cell.seed,
        played.won or "",
        played.side or "",
        next(iter(start.sides)),
        played.turns,
        *played.points,
        played.commands,
        *played.lost,
        *played.taken,
    )


def missing(cells: Sequence[Cell], results: Results) -> list[tuple[bytes, list[int]]]:
    """The battles that are not written down, in pieces."""
    pieces = []
    for cell in cells:
        done = results.done(cell.id)
        left = [number for number in range(cell.games) if number not in done]
        pieces += [(encode(cell), left[at : at + CHUNK]) for at in range(0, len(left), CHUNK)]
    return pieces


def run(cells: Sequence[Cell], results: Results, workers: int, scheduler: str | None, progress: Progress) -> None:
    """Fight what is missing, and write each piece down as it comes."""
    pieces = missing(cells, results)
    whole = sum(cell.games for cell in cells)
    done = whole - sum(len(numbers) for _, numbers in pieces)
    progress(done, whole)
    for raw in fought_apart(pieces, scheduler) if scheduler else fought_here(pieces, workers):
        rows = [decode(each, Row) for each in raw]
        results.keep(rows)
        done += len(rows)
        progress(done, whole)


def fought_here(pieces: Sequence[tuple[bytes, list[int]]], workers: int) -> Iterator[list[bytes]]:
    """By processes of this machine; with one worker in this process."""
    if workers < 2:
        for cell, numbers in pieces:
            yield fight(cell, numbers)
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        for future in as_completed([pool.submit(fight, *piece) for piece in pieces]):
            yield future.result()


def fought_apart(pieces: Sequence[tuple[bytes, list[int]]], scheduler: str) -> Iterator[list[bytes]]:
    """By the workers of a Dask scheduler; what a worker takes with it when it goes is handed out again.

    Raises BadInput when the scheduler or its library is missing.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ModuleNotFoundError:
        raise BadInput("scheduler", "this needs the laboratory's libraries: run `make lab` once") from None
    try:
        client = distributed.Client(scheduler, timeout=5, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as fault:
        raise BadInput(
            "scheduler", "no scheduler answers at %(scheduler)s (%(fault)s)", scheduler=scheduler, fault=fault
        ) from None
    with client:
        futures = [client.submit(fight, *piece, pure=False, retries=3) for piece in pieces]
        for future in distributed.as_completed(futures, loop=client.loop):
            yield future.result()
            future.release()


# -- Points values of ship types, fitted from battles of random fleets, with how sure they are.
#
# The chance that `a` wins is taken to be logistic in the difference of the fleets' values; the fit leans a little to 0.

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
