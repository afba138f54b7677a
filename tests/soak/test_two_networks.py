"""A second machine in a network of its own: nginx asks the writer; it is cut off, shown by the other, promoted, comes back."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.behind_nginx import MISSING, nginx, placed, proxied
from benchmarks.served import free_port
from kit.server import PATIENCE, Client, Server
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify

CONF = Path(__file__).parents[2] / "docs" / "nginx_standby.conf"
NETWORKS = {"alpha": "10.77.1", "beta": "10.77.2"}
TABLETS, COMMANDS, BEFORE = 10, 100, 200  # BEFORE: acknowledged commands when the writer is cut off


def run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True, timeout=30)


def can_have_networks() -> bool:
    """May this user make networks?"""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    made = subprocess.run(["ip", "netns", "add", "navarch-trial"], capture_output=True)
    subprocess.run(["ip", "netns", "del", "navarch-trial"], capture_output=True)
    return made.returncode == 0


class Front(Server):
    """nginx; an answer that its servers did not give is no answer."""

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        try:
            status, answer = super().ask(method, path, body, token)
        except ValueError:  # a page of nginx's own
            raise ConnectionError("no answer") from None
        if status == 503:
            raise ConnectionError(answer["error"])
        return status, answer


class Machines:
    """Two machines in networks of their own, and nginx in front of them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.servers = folder, {}
        self.front = Front(folder / "none.db")
        self.front.port = free_port()
        for name, net in NETWORKS.items():
            where = f"navarch-{name}"
            run("ip", "netns", "add", where)
            run("ip", "link", "add", f"nv-{name}", "type", "veth", "peer", "name", "eth0", "netns", where)
            run("ip", "addr", "add", f"{net}.1/30", "dev", f"nv-{name}")
            run("ip", "link", "set", f"nv-{name}", "up")
            run("ip", "-n", where, "addr", "add", f"{net}.2/30", "dev", "eth0")
            run("ip", "-n", where, "link", "set", "eth0", "up")
            run("ip", "-n", where, "link", "set", "lo", "up")
            options = (
                "--replica",
                f"file://{folder}/copies",
                "--machine",
                name,
                "--host",
                f"{net}.2",
                "--behind-proxy",
            )
            server = Server(folder / name / "games.db", *options)
            server.host, server.port, server.before = f"{net}.2", 8000, ("ip", "netns", "exec", where)
            server.database.parent.mkdir()
            self.servers[name] = server

    def conf(self, writer: str) -> str:
        """The file of the docs, with the machine that writes first."""
        other = "beta" if writer == "alpha" else "alpha"
        text = CONF.read_text()
        for of_docs, name in (("10.0.0.1:8000", writer), ("10.0.0.2:8000", other)):
            text = text.replace(of_docs, f"{NETWORKS[name]}.2:8000")
        return placed(self.folder, self.front.port, text)

    def point_at(self, writer: str) -> None:
        """What a person does: the other address, and a reload."""
        (self.folder / "nginx.conf").write_text(self.conf(writer))
        program = nginx()
        assert program is not None
        run(program, "-c", str(self.folder / "nginx.conf"), "-e", str(self.folder / "error.log"), "-s", "reload")

    def cut(self, name: str) -> None:
        """Pull the cable of a machine that goes on running."""
        run("ip", "link", "set", f"nv-{name}", "down")

    def mend(self, name: str) -> None:
        run("ip", "link", "set", f"nv-{name}", "up")

    def stop(self) -> None:
        for server in self.servers.values():
            server.stop()
        for name in NETWORKS:
            subprocess.run(["ip", "netns", "del", f"navarch-{name}"], capture_output=True)
            subprocess.run(["ip", "link", "del", f"nv-{name}"], capture_output=True)


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    made = Machines(tmp_path)
    yield made
    made.stop()


def shows(machines: Machines, token: str, text: str) -> bool:
    """Does the page behind nginx say it?"""
    try:
        return text in machines.front.browse("/reference", token)[1]
    except OSError:
        return False


@pytest.mark.soak
@pytest.mark.skipif(nginx() is None, reason=MISSING)
@pytest.mark.skipif(not can_have_networks(), reason="this user may not make networks")
def test_a_writer_that_is_cut_off_is_shown_by_the_other_and_takes_nothing_when_it_comes_back(
    machines: Machines, record_property: Any
) -> None:
    alpha, beta, front = machines.servers["alpha"], machines.servers["beta"], machines.front
    alpha.start()
    games = [alpha.ask("POST", "/api/v1/games", {"system": "galley", "scenario": "mylae"})[1] for _ in range(5)]
    seats = [(game["id"], next(s["token"] for s in game["seats"] if s["id"] == "umpire")) for game in games]
    beta.options += ("--standby",)
    beta.start()
    with proxied(machines.folder, machines.conf("alpha"), front.port):
        tablets = [Client(front, f"{each}", *seats[each % 5], COMMANDS) for each in range(TABLETS)]
        for tablet in tablets:
            tablet.start()
        while sum(len(each.acknowledged) for each in tablets) < BEFORE:
            assert any(each.is_alive() for each in tablets)
            time.sleep(0.01)
        machines.cut("alpha")
        cut = time.monotonic()
        while not shows(machines, seats[0][1], "This machine only shows the games"):
            assert time.monotonic() < cut + PATIENCE
            time.sleep(0.1)
        record_property("milliseconds until the other machine showed the games", round(1000 * (time.monotonic() - cut)))
        for tablet in tablets:
            tablet.join(PATIENCE)
        beta.stop()
        beta.options = tuple(each for each in beta.options if each != "--standby")
        promoted = time.monotonic()
        beta.start("promote")
        machines.point_at("beta")
        taken = Client(front, "after", *seats[0], 1)
        while True:
            try:
                assert taken.insist("after", {"type": "adjust", "ship": "r1", "changes": {"name": "X"}, "why": "x"})
                break
            except OSError:
                assert time.monotonic() < promoted + PATIENCE
                time.sleep(0.1)
        record_property("milliseconds until a command was taken", round(1000 * (time.monotonic() - promoted)))
        machines.mend("alpha")
        game, token = seats[1]
        seen = alpha.ask("GET", f"/api/v1/games/{game}", token=token)[1]["version"]
        body = {"command": {"type": "adjust", "ship": "r1", "changes": {"name": "Y"}, "why": "y"}, "seen": seen}
        status, answer = alpha.ask("POST", f"/api/v1/games/{game}/commands", body, token)
        assert status == 503 and "only shows" in answer["error"]
        stands = {game: front.ask("GET", f"/api/v1/games/{game}", token=token)[1]["version"] for game, token in seats}
    lost = sum(version > stands[each.game] for each in tablets for version in each.acknowledged.values())
    record_property("commands acknowledged", sum(len(each.acknowledged) for each in tablets))
    record_property("commands acknowledged and not replicated", lost)
    machines.stop()
    store = Store(beta.database)
    assert all(verify(store, game) == [] for game, _token in seats)
    print(f"{lost} lost; load {os.getloadavg()[0]:.1f}", flush=True)
