"""A durable command after five thousand beside one after ten, in the same file, by turns."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

from benchmarks import clock
from benchmarks.fleets import fleets
from benchmarks.row import Row, cost
from webapp.storage.games import Store

EACH = 20  # commands in one round


def measures(rounds: int) -> dict[str, Callable[[], Row]]:
    """The measures of growth by their ids."""
    return {"growth.5000": lambda: _growth(rounds)}


def _growth(rounds: int) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "growth.db")
        old = store.create("galley", None, fleets(20), {}, "old", "digital")[0].id
        version = 0
        while version < 5000:
            version = plotted(store, old, version)
        bytes_late = size(store, old, version - 100)
        young = [store.create("galley", None, fleets(20), {}, "young", "digital")[0].id for _ in range(rounds)]
        for game in young:
            for seen in range(10):
                plotted(store, game, seen)
        fresh = iter(young)

        def measure(game: str) -> clock.Sample:
            seen = store.game(game).version
            processor, wall = process_time(), perf_counter()
            for step in range(EACH):
                plotted(store, game, seen + step)
            return clock.Sample((process_time() - processor) / EACH, (perf_counter() - wall) / EACH)

        found = clock.by_turns(lambda: measure(old), lambda: measure(next(fresh)), rounds)
        row = cost("growth.5000", found, 1.1, "the same command after ten others")
        row.more["bytes_a_command"] = {"after 4,900": bytes_late, "after 10": size(store, young[0], 9)}
        store.file.close()
        return row


def plotted(store: Store, game: str, seen: int) -> int:
    """One durable plot, to and fro, so that choices come again; the new version."""
    command = {"type": "plot", "ship": f"r{seen // 2 % 20}", "speed": seen % 2}
    return store.submit(game, seen, "rome", command, None, None).version


def size(store: Store, game: str, after: int) -> float:
    """Bytes on disk for an entry, over those after one."""
    found = store.file.rows(
        "select avg(length(command) + length(rolls) + length(draws) + length(events) + coalesce(length(state), 0)) as n"
        " from entries where game = ? and number > ? limit 100",
        game, after,
    )  # fmt: skip
    return round(float(found[0]["n"]))
