"""Fighting a plan through: on this machine by processes, or on a scheduler's workers."""

from __future__ import annotations

import importlib
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from typing import Any

from tactical.battle import Battle
from tactical.kernel.record import BadInput, decode, encode
from webapp.captains.matches import game, opening
from webapp.lab.plan import Cell, Results, Row

CHUNK = 2  # battles that are handed out together; one that is lost is fought again
Progress = Callable[[int, int], None]


@lru_cache(maxsize=64)
def starts_of(cell: bytes) -> tuple[Battle, Battle]:
    """The opening of a cell, and the same with exchanged places where it knows of them."""
    found = decode(cell, Cell)
    start = opening(None if found.position else found.scenario, found.position, found.options)
    return start, opening(None, found.exchanged, found.options) if found.exchanged else start


def start_of(cell: Cell, number: int) -> Battle:
    """Where a battle of a cell begins: equal captains exchange the places of the fleets every other time."""
    return starts_of(encode(cell))[number % 2 if cell.a == cell.b else 0]


def fight(cell: bytes, numbers: Sequence[int]) -> list[bytes]:
    """Some battles of a cell, from and to JSON: what a worker does."""
    found = decode(cell, Cell)
    return [encode(row_of(found, number)) for number in numbers]


def row_of(cell: Cell, number: int) -> Row:
    """One battle of a cell as a row. Each hangs on its cell's seed and its number alone.

    Of equal captains a has the fleet in the first place: the cell's second one every other time, where it knows both.
    """
    start = start_of(cell, number)
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
        played.end,
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
