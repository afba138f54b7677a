"""A port that is taken is refused before anything is written, and a server's processes share one port evenly."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from kit.command_line import COMMAND, SURROUNDINGS
from kit.server import Server
from navarch import main
from webapp.cli import serve


def listener(host: str = "127.0.0.1", shares: bool = False) -> socket.socket:
    """Another program at a port of its own; `shares` lets programs of the same account listen there, too."""
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    if shares:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    found.bind((host, 0))
    found.listen()
    return found


@pytest.mark.parametrize("processes", ["1", "2"])
@pytest.mark.parametrize("host, shares", [("127.0.0.1", False), ("127.0.0.1", True), ("0.0.0.0", True), ("::1", True)])
def test_a_port_that_another_program_holds_is_refused_and_no_file_is_made(
    host: str, shares: bool, processes: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(listener(host, shares)) as other:
        port = other.getsockname()[1]
        at = ["--host", host, "--port", str(port), "--processes", processes]
        assert main(["serve", "--tls", "--demo", *at, "--db", str(tmp_path / "games.db")]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1 and f"port {port} is taken" in said[0]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("port", ["0", "-1", "65536", "8000000", "http"])
def test_a_port_that_cannot_be_is_wrong_use(port: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["serve", "--port", port, "--db", str(tmp_path / "games.db")])
    assert refused.value.code == 2 and list(tmp_path.iterdir()) == []
    assert "argument --port: expected a whole number from 1 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options, named",
    [
        (("--host", "192.0.2.1"), "--host"),
        (("--host", "no host"), "--host"),
        (("--public-url", "galleys"), "--public-url"),
    ],
)
def test_a_start_that_fails_leaves_no_file(
    options: tuple[str, ...], named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--tls", *options, "--db", str(tmp_path / "games.db")]) == 2
    assert named in capsys.readouterr().err and list(tmp_path.iterdir()) == []


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "first").mkdir()
    running = Server(tmp_path / "first" / "games.db", "--processes", "2")
    running.start()
    yield running
    running.stop()


def test_a_second_server_at_the_port_ends_with_2_and_the_first_answers_everybody(
    server: Server, tmp_path: Path
) -> None:
    made = server.ask("POST", "/api/v1/games", {"system": "galley", "scenario": "first_oars"})[1]
    where = ["--port", str(server.port), "--db", str(tmp_path / "second.db"), "--processes", "2"]
    second = subprocess.run([*COMMAND, "serve", *where], env=SURROUNDINGS, capture_output=True, text=True, timeout=60)
    assert second.returncode == 2 and f"port {server.port} is taken" in second.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == ["first"]
    token = made["seats"][0]["token"]
    assert {server.ask("GET", f"/api/v1/games/{made['id']}", token=token)[0] for _ in range(20)} == {200}


def test_two_that_start_at_once_do_not_share_a_port() -> None:
    for _ in range(20):
        with closing(listener()) as free:
            port = free.getsockname()[1]
        first = serve.listen("127.0.0.1", port, 3)
        for count in (1, 3):
            with pytest.raises(serve.BadInput):
                serve.listen("127.0.0.1", port, count)
        for each in first:
            each.close()


@pytest.mark.parametrize("processes", [1, 2])
def test_a_connection_sends_without_waiting_for_what_it_has_sent(processes: int) -> None:
    """A body that goes out after its head would wait 40 ms for the head's acknowledgement."""
    made = serve.listen("127.0.0.1", 0, processes)
    try:
        for listens in made:
            listens.settimeout(0.05)
        with socket.create_connection(made[0].getsockname(), 10):
            for listens in made:
                with suppress(TimeoutError):
                    taken, _ = listens.accept()
                    with taken:
                        assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
                    return
        raise AssertionError("nobody took the connection")
    finally:
        for listens in made:
            listens.close()


def held_by(process: int, port: int) -> int:
    """The connections at that port that a process holds."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    there = {f"socket:[{row[9]}]" for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "01"}
    return sum(os.readlink(each) in there for each in Path(f"/proc/{process}/fd").iterdir())


def until(what: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


def test_connections_that_come_at_once_are_shared_among_the_processes(server: Server) -> None:
    links = [socket.create_connection(("127.0.0.1", server.port), 10, (f"127.0.0.{n + 2}", 0)) for n in range(60)]
    try:
        until(lambda: sum(held_by(each, server.port) for each in server.workers()) == 60)
        assert min(held_by(each, server.port) for each in server.workers()) >= 10
    finally:
        for link in links:
            link.close()


def test_a_process_that_is_taken_away_by_signal_takes_no_connection_with_it(server: Server) -> None:
    assert server.process is not None
    server.process.send_signal(signal.SIGTTOU)
    until(lambda: len(server.workers()) == 1)
    until(lambda: {server.ask("GET", "/healthz")[0] for _ in range(20)} == {200})


def test_a_process_whose_loop_is_blocked_is_replaced_and_long_work_is_not_cut(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.db", "--processes", "1")
    server.program = (sys.executable, "-m", "kit.stuck_server")
    try:
        server.start()
        (before,) = server.workers()
        assert server.browse("/slow") == (200, "done") and server.workers() == [before]
        (tmp_path / "block").touch()
        until(lambda: server.workers() not in ([before], []))
        assert server.ask("GET", "/healthz")[0] == 200
    finally:
        server.stop()
    assert serve.STUCK_SECONDS == 15
