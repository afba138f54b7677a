"""Parts of the great map cut out for strangers: what one costs, and how long a game waits beside twenty of them."""

from __future__ import annotations

import http.client
import json
import statistics
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from benchmarks.row import MILLISECONDS, Row
from benchmarks.served import Server, navarch
from benchmarks.web import Battle
from strategic import coast
from tactical.kernel import cache
from webapp.systems.open_campaign.cutting import cut_with_remarks

SEA = ((-9.0, 30.5), (36.0, 46.0))  # corners about the whole of it
DEAREST = 100.0  # milliseconds of processor time
LONGEST = 200.0  # milliseconds by the clock that a command waits
AT_ONCE = 20
PAUSE = 0.01  # seconds between two commands


def measures(rounds: int) -> dict[str, Callable[[], Row]]:
    """The measures of cuts by their ids."""
    return {"cuts.sea": lambda: _sea(rounds), "cuts.beside": lambda: _beside(rounds)}


def _sea(rounds: int) -> Row:
    """The whole sea by a server that has its grids and has laid no lane yet; and as it is asked for again."""
    for step in (coast.FINE, coast.COARSE):
        coast.sea(step)
    fresh, again = [], []
    for _ in range(rounds + 1):
        for known in (coast.lane, coast.shore, coast.is_hidden):
            known.cache_clear()
        cache.clear()
        fresh.append(cut())
        again.append(cut())
    middle = statistics.median(fresh[1:])  # the first one reads the files
    known = {
        "against": "a tenth of a second",
        "least": min(fresh),
        "first": fresh[0],
        "again": statistics.median(again),
    }
    return Row("cuts.sea", middle, MILLISECONDS, DEAREST, middle / DEAREST, 1.0, "lower", known)


def cut() -> float:
    """Milliseconds of processor time of one cut."""
    begun = process_time()
    cut_with_remarks(SEA)
    return 1000 * (process_time() - begun)


def _beside(rounds: int) -> Row:
    """How long a command of another game waits while twenty addresses have the sea cut, each in another way."""
    alone: list[float] = []
    beside: list[float] = []
    took: list[float] = []
    with tempfile.TemporaryDirectory() as name, navarch(Path(name)) as ours:
        battle = Battle(ours)
        for _ in range(20):
            battle.plot()
        for _ in range(20 * rounds):
            alone.append(waited(battle))
        for number in range(rounds):
            asking = [
                threading.Thread(target=have_cut, args=(ours, number, each, took), daemon=True)
                for each in range(AT_ONCE)
            ]
            for each in asking:
                each.start()
            while any(each.is_alive() for each in asking):
                beside.append(waited(battle))
                threading.Event().wait(PAUSE)
    known = {
        "against": "a fifth of a second",
        "commands": len(beside),
        "median": statistics.median(beside),
        "of_hundred_99": statistics.quantiles(beside, n=100)[-1],
        "alone": {"median": statistics.median(alone), "most": max(alone)},
        "cuts": {"number": len(took), "median": statistics.median(took), "most": max(took)},
    }
    most = max(beside)
    return Row("cuts.beside", most, "ms", LONGEST, most / LONGEST, 1.0, "lower", known)


def waited(battle: Battle) -> float:
    """Milliseconds by the clock of a command."""
    begun = perf_counter()
    battle.plot()
    return 1000 * (perf_counter() - begun)


def have_cut(server: Server, round: int, number: int, took: list[float]) -> None:
    """A cut of the whole sea as nobody has asked for it, with the gazetteer, from an address of its own."""
    link = http.client.HTTPConnection(
        "127.0.0.1", server.port, timeout=120, source_address=(f"127.0.9.{1 + number}", 0)
    )
    wanted: dict[str, Any] = {"corners": [[-9 - 0.01 * number, 30.5 - 0.1 * round], SEA[1]], "spaces": 281 + number}
    begun = perf_counter()
    link.request("POST", "/api/v1/worlds/cut", json.dumps(wanted).encode(), {"Content-Type": "application/json"})
    answer = link.getresponse()
    if answer.status != 200:
        raise RuntimeError(f"a cut: {answer.status} {answer.read()[:200]!r}")
    answer.read()
    took.append(1000 * (perf_counter() - begun))
