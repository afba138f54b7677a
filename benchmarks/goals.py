"""The goals of speed, each with the rows that show whether it is met."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

# An id that ends in a dot stands for all rows that begin so: one for each system.
GOALS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("a loop of random play at 40 ships as fast as python-chess", ("engine.loop.40",)),
    ("the same at 100 ships half as fast", ("engine.loop.100",)),
    ("the same at 8 ships eight tenths as fast", ("engine.loop.8",)),
    ("offers under a millisecond in every system", ("offers.",)),
    ("forty random games of each campaign in two minutes", ("play.",)),
    ("a battle's page of 40 ships for ten of the smallest GET", ("page.battle.40",)),
    ("a campaign's page for twelve", ("page.campaign.",)),
    ("a plot in six kilobytes", ("http.tap.bytes",)),
    ("a step in twelve kilobytes", ("http.step.bytes",)),
    ("a change put into a page of 40 ships for a quarter of a swap of the whole", ("browser.put.40",)),
    ("a captain's whole step at Mylae in 0.4 s", ("captains.step",)),
    ("a tap for ten ships in 0.2 s: lock, the whole turn ahead, all fire", ("tap.whole_turn",)),
    ("a command with twenty followers for five tables", ("followers.20",)),
    ("a command over the API for one and a half of the smallest durable POST", ("http.command",)),
    ("a question of odds that was asked before in 0.05 ms", ("odds.kept",)),
    ("a boarding fight of 30 against 40 for 0.3 of a convolution", ("odds.boarding.30v40",)),
    ("help under half of `import flask`", ("start.help",)),
    ("the first page within two seconds of the start", ("start.page",)),
    ("the demo's processes in 3.8 times the memory of Datasette", ("memory.demo",)),
    ("a demo of one process in 2.7 times", ("memory.one",)),
    ("one process with a game of each system, after 3,000 pages, in 4.9 times", ("memory.served",)),
    ("the start of the demo for six times Datasette's processor time", ("start.cpu",)),
    ("all tests in 450 s of processor time", ("tests",)),
    ("command 5,000 for what command 10 costs", ("growth.5000",)),
    ("a turn of 8 sides with 60 fleets and 600 ships in a second", ("great_war.turn",)),
    ("a campaign of 30 turns in 5 MB", ("great_war.file",)),
    ("the page of orders for twelve of the smallest GET", ("great_war.orders",)),
    ("a game among 10,000 for what it costs alone", ("growth.games",)),
    ("the whole sea cut out in a tenth of a second", ("cuts.sea",)),
    ("a photograph of 12 MP read for twelve of OpenCV's own passes", ("camera.read",)),
    ("the same in 350 MB", ("camera.memory",)),
    ("no command waits for a fifth of a second beside twenty cuts", ("cuts.beside",)),
)


def verdicts(rows: Mapping[str, Mapping[str, Any]], every: Iterable[str]) -> Iterator[str]:
    """Each goal as met, missed or not measured, by the newest results of its rows; how many are met.

    `every`: all ids there are.
    """
    met, all_ids = 0, tuple(every)
    for goal, named in GOALS:
        ids = [name for name in named if not name.endswith(".")]
        ids += [id for id in all_ids for name in named if name.endswith(".") and id.startswith(name)]
        ids = ids or list(named)
        known = [rows[id] for id in ids if id in rows]
        missed = [row["id"] for row in known if not row["met"]]
        lacking = [id for id in ids if id not in rows]
        met += not missed and not lacking
        told = f"MISSED ({', '.join(missed)})" if missed else "met"
        if lacking and not missed:
            told = f"not measured ({', '.join(lacking)})"
        yield f"{goal:<72} {told}"
    yield f"{met} of {len(GOALS)} goals met; a hundred tablets are measured by `make load`"
