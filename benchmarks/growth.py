"""A durable command after five thousand beside one after ten in the same file, and in a file of ten thousand games
beside one that is empty, by turns."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time

from benchmarks import clock
from benchmarks.fleets import fleets
from benchmarks.row import Row, cost
from webapp.storage.journal.store import Store

EACH = 20  # commands in one round
GAMES = 10_000  # games in the full file, each with ten commands
COPIED = ("games", "seats", "entries")


def measures(rounds: int) -> dict[str, Callable[[], Row]]:
    """The measures of growth by their ids."""
    return {"growth.5000": lambda: _growth(rounds), "growth.games": lambda: _games(rounds)}


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

        found = clock.by_turns(lambda: measure(store, old), lambda: measure(store, next(fresh)), rounds)
        row = cost("growth.5000", found, 1.1, "the same command after ten others")
        row.more["bytes_a_command"] = {"after 4,900": bytes_late, "after 10": size(store, young[0], 9)}
        store.file.close()
        return row


def _games(rounds: int) -> Row:
    """A command of a game among ten thousand, and of one among few; each in a game that nobody has opened before."""
    with tempfile.TemporaryDirectory() as folder:
        few = EACH * (rounds + 1)
        full, small = (filled(Path(folder) / f"{games}.db", games) for games in (GAMES, few))
        theirs, ours = ((store, iter(drawn(store, few))) for store in (small, full))
        once_each(*theirs), once_each(*ours)
        found = clock.by_turns(lambda: once_each(*ours), lambda: once_each(*theirs), rounds)
        row = cost("growth.games", found, 1.2, f"the same command in a file of {few} games")
        for store in (full, small):
            row.more[store.file.path.name] = {
                table: store.file.rows(f"select count(*) as n from {table}")[0]["n"] for table in COPIED
            }
            store.file.close()
        return row


def filled(path: Path, games: int) -> Store:
    """A file of so many games."""
    store = Store(path)
    copied(store, begun(store), games - 1)
    return store


def drawn(store: Store, count: int) -> list[str]:
    """So many of its games by chance."""
    return [row["id"] for row in store.file.rows("select id from games order by random() limit ?", count)]


def begun(store: Store) -> str:
    """A new battle of forty ships, ten commands on."""
    game = store.create("galley", None, fleets(20), {}, "one of many", "digital")[0].id
    for seen in range(10):
        plotted(store, game, seen)
    return game


def copied(store: Store, game: str, times: int) -> None:
    """So many more games with the rows of this one, each with an id and tokens of its own."""
    with store.file.write() as db:
        for table in COPIED:
            columns = [row["name"] for row in store.file.rows(f"select name from pragma_table_info('{table}')")]
            told = ", ".join(renamed(column) for column in columns)
            named = ", ".join(f'"{column}"' for column in columns)
            key = "id" if table == "games" else "game"
            db.conn.execute(
                "with recursive copies(n) as (select 1 union all select n + 1 from copies where n < ?)"
                f' insert into {table} ({named}) select {told} from {table}, copies where {table}."{key}" = ?',
                (times, game),
            )


def renamed(column: str) -> str:
    """What a copy holds in a column."""
    ours = "printf('%s%05d', substr({0}, 1, 3), n)"
    return ours.format(f'"{column}"') if column in ("id", "game", "token") else f'"{column}"'


def once_each(store: Store, games: Iterator[str]) -> clock.Sample:
    """One durable command in each of the next games."""
    chosen = list(islice(games, EACH))
    versions = [store.game(game).version for game in chosen]
    processor, wall = process_time(), perf_counter()
    for game, seen in zip(chosen, versions, strict=True):
        plotted(store, game, seen)
    return clock.Sample((process_time() - processor) / EACH, (perf_counter() - wall) / EACH)


def measure(store: Store, game: str) -> clock.Sample:
    """Commands one after the other in one game."""
    seen = store.game(game).version
    processor, wall = process_time(), perf_counter()
    for step in range(EACH):
        plotted(store, game, seen + step)
    return clock.Sample((process_time() - processor) / EACH, (perf_counter() - wall) / EACH)


def plotted(store: Store, game: str, seen: int) -> int:
    """One durable plot, to and fro, so that choices come again; the new version."""
    command = {"type": "plot", "ship": f"r{seen // 2 % 20}", "speed": seen % 2}
    return store.submit(game, seen, "rome", command, None, None).version


def size(store: Store, game: str, after: int) -> float:
    """Bytes on disk for an entry, over those after one."""
    found = store.file.rows(
        "select avg(length(command) + length(rolls) + length(draws) + length(events) + coalesce(length(state), 0)) as n"
        " from entries where game = ? and number > ? limit 100",
        game,
        after,
    )
    return round(float(found[0]["n"]))
