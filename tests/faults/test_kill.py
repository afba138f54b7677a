"""kill -9 in the middle of commands: nothing acknowledged is lost, nothing is done twice, nobody stays behind."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks.served import family
from kit.lengths import KILLS, scaled
from kit.server import Client, Server
from webapp.storage.journal import store as journal_store
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify

CLIENTS = 4


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path / "games.db", "--processes", "2")
    yield made
    made.stop()


def rounds(server: Server, count: int, commands: int, seed: int) -> int:
    """Kill the whole group `count` times while four clients give commands in two games; how many were acknowledged."""
    chance = random.Random(seed)
    server.start()
    games = [server.ask("POST", "/api/v1/games", {"system": "galley", "scenario": "mylae"})[1] for _ in range(2)]
    seats = [(game["id"], next(s["token"] for s in game["seats"] if s["id"] == "umpire")) for game in games]
    acknowledged: dict[str, tuple[str, int]] = {}
    for number in range(count):
        clients = [Client(server, f"{number}-{each}", *seats[each % 2], commands) for each in range(CLIENTS)]
        for client in clients:
            client.start()
        wanted = chance.randrange(CLIENTS, CLIENTS * commands)
        while sum(len(client.acknowledged) for client in clients) < wanted and any(c.is_alive() for c in clients):
            time.sleep(0.01)
        server.kill()
        for client in clients:
            client.join(60)
        given = sum(len(client.acknowledged) for client in clients)
        print(f"kill {number + 1}: {given} acknowledged, load {os.getloadavg()[0]:.1f}", flush=True)
        server.start()
        for client in clients:
            for key, command in client.unsure.items():  # the same key again gives the first answer, or does it now
                client.insist(key, command)
            for key, version in client.acknowledged.items():
                acknowledged[key] = (client.game, version)
    server.kill()
    store = Store(server.database)
    assert journal_store.look(store) == []
    for game, _ in seats:
        journal = [(entry.command.get("why"), entry.number) for entry in store.entries(game)[1:]]
        told = {key: version for key, (where, version) in acknowledged.items() if where == game}
        assert dict(journal) == told, "each acknowledged command stands once, under its version"
        assert max(Counter(why for why, _ in journal).values(), default=0) <= 1
        assert verify(store, game) == []
    return len(acknowledged)


def test_nothing_acknowledged_is_lost_or_doubled(server: Server) -> None:
    assert rounds(server, 2, 12, seed=1) >= 2 * CLIENTS


@pytest.mark.soak
def test_nothing_acknowledged_is_lost_or_doubled_in_many_rounds(server: Server) -> None:
    total = rounds(server, scaled(KILLS), 250, seed=2)
    print(f"{scaled(KILLS)} kills, {total} commands acknowledged")


def test_when_the_elected_worker_is_killed_another_plays_on_and_nobody_outlives_the_parent(server: Server) -> None:
    server.start()
    _, made = server.ask("POST", "/api/v1/games", {"system": "galley", "scenario": "first_oars"})
    game, tokens = f"/api/v1/games/{made['id']}", {seat["id"]: seat["token"] for seat in made["seats"]}
    for side in set(tokens) - {"umpire", "spectator"}:
        given = {"seat": side, "level": "able"}
        assert server.ask("POST", f"{game}/captains", given, tokens["umpire"])[0] == 200

    def version() -> int:
        while True:
            with suppress(ConnectionError):  # what the killed one had not answered
                return int(server.ask("GET", game, token=tokens["umpire"])[1]["version"])

    until(lambda: version() >= 2, "the captains did not play")
    assert server.process is not None
    elected, before = holder(server), set(family(server.process.pid))
    assert elected in server.workers() and len(server.workers()) == 2
    assert len(before) > 3, "the elected worker thinks in a process of its own"
    thoughts = set(family(elected))
    os.kill(elected, signal.SIGKILL)
    stood = version()
    until(lambda: version() >= stood + 2, "nobody played on")
    assert holder(server) not in (elected, None)
    until(lambda: not any(map(is_running, thoughts)), "a process that thought stayed behind")
    others = set(family(server.process.pid)) | before
    server.kill(everything=False)
    until(lambda: not any(map(is_running, others)), "somebody stayed behind")


def holder(server: Server) -> int | None:
    """The process that holds the lock beside the file."""
    node = str(server.database.with_name("games.db.lock").stat().st_ino)
    held = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return next((int(words[4]) for words in held if words[1] == "FLOCK" and words[5].endswith(f":{node}")), None)


def until(what: Callable[[], bool], sentence: str) -> None:
    end = time.monotonic() + 120
    while not what():
        assert time.monotonic() < end, sentence
        time.sleep(0.1)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
