"""Several machines behind nginx by the file in the docs: each game at one of them, moved while it is played."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from benchmarks.behind_nginx import MISSING, nginx, placed, proxied
from benchmarks.served import free_port
from kit.server import PATIENCE, Client, Server
from webapp import create_app
from webapp.storage.journal import store as journal_store
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify
from webapp.storage.services import backups

DOCS = Path(__file__).parents[2] / "docs"
LETTERS = {"alpha": "23456789AB", "beta": "CDEFGHJKMN", "gamma": "PQRSTUVWXYZ"}
COMMANDS = 40  # of each tablet


@pytest.mark.parametrize("name", ["nginx.conf", "nginx_machines.conf"])
def test_nginx_finds_the_code_in_every_address_that_names_a_game(name: str, tmp_path: Path) -> None:
    app = create_app({"DATABASE": tmp_path / "games.db"})
    found = re.search(r'"~(\^/\(\?:\S+)" \$\w+;', (DOCS / name).read_text())
    assert found is not None
    pattern = re.compile(found[1].replace("(?<", "(?P<"))
    addresses = [str(rule).replace("<game>", "K7M2QXAB") for rule in app.url_map.iter_rules() if "<game>" in str(rule)]
    assert len(addresses) > 100 and [each for each in addresses if not pattern.match(each)] == []


class Front(Server):
    """nginx; whoever is told that a game is on its way asks again. `odd` is what nobody should be told."""

    odd: list[Any] = []

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        end = time.monotonic() + PATIENCE
        while True:
            status, answer = super().ask(method, path, body, token)
            if status not in (200, 409, 503):
                self.odd.append((method, path, status, answer))
            if status != 503 or time.monotonic() > end:
                return status, answer
            time.sleep(0.05)


class Machines:
    """Three servers with a file of games each; `front` asks them through nginx."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.front = Front(folder / "none.db")
        self.servers = {
            name: Server(folder / name / "games.db", "--codes", letters, "--behind-proxy", "--processes", "1")
            for name, letters in LETTERS.items()
        }

    def conf(self) -> str:
        """The file of the docs with the ports of this run."""
        text = (DOCS / "nginx_machines.conf").read_text()
        for number, server in enumerate(self.servers.values(), 1):
            text = text.replace(f"127.0.0.1:800{number}", f"127.0.0.1:{server.port}")
        return placed(self.folder, self.front.port, text)

    def command(self, *words: object) -> subprocess.CompletedProcess[str]:
        """A command of the program."""
        line = [sys.executable, "-m", "navarch", *map(str, words)]
        return subprocess.run(line, capture_output=True, text=True, timeout=120)

    def move(self, game: str, machine: str, to: str) -> None:
        """Move a game by the one command that the docs name."""
        by = shlex.join([sys.executable, "-m", "navarch", "arrive", "--db", str(self.servers[to].database)])
        done = self.command("move", game, "--to", to, "--by", by, "--db", self.servers[machine].database)
        assert done.returncode == 0, done.stderr


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    """The three, running behind nginx with the same secrets."""
    made = Machines(tmp_path)
    made.front.port = free_port()
    secrets = tmp_path / "secrets.json"
    for name, server in made.servers.items():
        server.database.parent.mkdir()
        words = ["secrets", *([str(secrets)] if secrets.exists() else []), "--db", server.database]
        done = made.command(*words)
        assert done.returncode == 0, done.stderr
        if name == "alpha":
            secrets.write_text(done.stdout)
        server.start()
    with proxied(tmp_path, made.conf(), made.front.port):
        yield made
    for server in made.servers.values():
        server.stop()


@pytest.mark.skipif(nginx() is None, reason=MISSING)
@pytest.mark.soak
def test_games_move_from_machine_to_machine_while_they_are_played(machines: Machines, record_property: object) -> None:
    """Each game moves twice under the hands of two tablets; each acknowledged command is in its journal at the end."""
    ask = machines.front.ask
    homes: dict[str, str] = {}
    seats: list[tuple[str, str]] = []
    for name, server in machines.servers.items():  # two games begin on each machine
        for _ in range(2):
            game = server.ask("POST", "/api/v1/games", {"system": "galley", "scenario": "mylae"})[1]
            assert game["id"][0] in LETTERS[name]
            homes[game["id"]] = name
            seats.append((game["id"], next(seat["token"] for seat in game["seats"] if seat["id"] == "umpire")))
    for game, token in seats:
        assert ask("GET", f"/api/v1/games/{game}", token=token)[1]["version"] == 0
        assert "Mylae" in machines.front.browse(f"/g/{game}", token)[1], "its link leads there, which names no game"
    tablets = [Client(machines.front, f"{each}", *seats[each % 6], COMMANDS) for each in range(12)]
    for tablet in tablets:
        tablet.start()
    for _ in range(2):
        for game, home in homes.items():
            to = {"alpha": "beta", "beta": "gamma", "gamma": "alpha"}[home]
            machines.move(game, home, to)
            homes[game] = to
    for tablet in tablets:
        tablet.join(240)
    assert machines.front.odd == []
    assert all(len(tablet.acknowledged) == COMMANDS for tablet in tablets)
    for game, token in seats:
        status, answer = ask("GET", f"/api/v1/games/{game}", token=token)
        assert (status, answer["version"]) == (200, 2 * COMMANDS)
        assert "Mylae" in machines.front.browse(f"/g/{game}", token)[1], "the link that it had"
    for name, server in machines.servers.items():
        server.stop()
        store = Store(server.database)
        here = {game for game, home in homes.items() if home == name}
        assert {game.id for game in store.games()} == here
        assert [fault for game in here for fault in verify(store, game)] == []
        assert journal_store.look(store) == []
        assert backups.ON_THE_WAY not in {backups.whereabouts(store, game) for game in homes}


@pytest.mark.skipif(nginx() is None, reason=MISSING)
@pytest.mark.soak
def test_a_stream_ends_with_the_move_and_goes_on_at_the_other_machine(machines: Machines) -> None:
    game = machines.servers["alpha"].ask("POST", "/api/v1/games", {"system": "galley", "scenario": "mylae"})[1]
    token = next(seat["token"] for seat in game["seats"] if seat["id"] == "umpire")
    with stream(machines.front, game["id"], token) as open_one:
        assert open_one.readline()
        machines.move(game["id"], "alpha", "beta")
        while open_one.readline():  # what it still says; it ends by itself
            pass
    with stream(machines.front, game["id"], token) as open_one:
        body = {"command": {"type": "adjust", "ship": "r1", "changes": {"name": "x"}, "why": "x"}, "seen": 0}
        assert machines.front.ask("POST", f"/api/v1/games/{game['id']}/commands", body, token)[0] == 200
        while open_one.readline() != b"data: 1\n":
            pass


@contextmanager
def stream(front: Server, game: str, token: str) -> Iterator[HTTPResponse]:
    """A stream of the API, which gives up after a minute without a line."""
    link = HTTPConnection("127.0.0.1", front.port, timeout=60)
    link.request("GET", f"/api/v1/games/{game}/stream", headers={"Authorization": f"Bearer {token}"})
    answer = link.getresponse()
    assert answer.status == 200
    yield answer
    link.close()
