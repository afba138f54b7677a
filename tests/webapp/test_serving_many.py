"""H2 Nobody can starve the table: streams, half-sent requests and slow readers cost no thread, and have a share."""

from __future__ import annotations

import json
import os
import re
import socket
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from kit.serving import Server
from webapp.http import server as http_server
from webapp.http.streams import Shares

MANY = 450


ONE = pytest.param(1, id="one process", marks=pytest.mark.soak)  # two hold all that one does, and share it


@pytest.fixture(scope="module", params=[ONE, pytest.param(2, id="two processes")])
def server(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("served"), "--processes", str(request.param))
    running.processes = request.param
    yield running
    running.stop()


class Game:
    """A battle on that server, and its next command."""

    def __init__(self, server: Server) -> None:
        made = json.load(server.call("/games", body={"system": "galley", "scenario": "first_oars"}))
        self.server, self.id, self.seen = server, made["id"], 0
        self.tokens = {seat["id"]: seat["token"] for seat in made["seats"]}

    def plays(self) -> bool:
        """Does a command answer?"""
        token = self.tokens["umpire"]
        offer = json.load(self.server.call(f"/games/{self.id}", token))["offers"][0]
        command = {"type": offer["type"], **offer["fields"], "speed": self.seen % 2}
        body = {"seen": self.seen, "command": command}
        self.seen = json.load(self.server.call(f"/games/{self.id}/commands", token, body))["version"]
        return True

    def watching(self, source: str = "127.0.0.1") -> socket.socket:
        """A stream of somebody without a seat, as the television opens it."""
        return self.server.opened(f"GET /display/{self.id}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(), source)


@pytest.fixture
def game(server: Server) -> Game:
    return Game(server)


@pytest.fixture
def links() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def sources(number: int) -> list[str]:
    """Addresses of this machine, each for ten connections."""
    return [f"127.0.{1 + place // 2500}.{1 + place // 10 % 250}" for place in range(number)]


def status(link: socket.socket) -> int:
    """The status of the answer; 0 when the connection was closed without one."""
    link.settimeout(20)
    try:
        line = link.recv(12)
    except ConnectionResetError:
        return 0
    return int(line.split()[1]) if line else 0


def until(what: Callable[[], Any]) -> None:
    end = time.monotonic() + 30
    while not what():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


def test_a_command_answers_beside_many_streams_of_strangers(game: Game, links: ExitStack) -> None:
    streams = [links.enter_context(game.watching(source)) for source in sources(MANY)]
    assert {status(stream) for stream in streams} == {200}
    assert game.plays()
    for stream in streams:
        heard = b""
        while b"event: version" not in heard:
            heard += stream.recv(4096)


def test_one_address_has_its_share_of_streams_and_no_more(game: Game, links: ExitStack) -> None:
    answers = [status(links.enter_context(game.watching())) for _ in range(60)]
    assert Shares().strangers / 2 <= answers.count(200) <= Shares().strangers and set(answers) == {200, 429}
    assert status(links.enter_context(game.watching("127.0.0.9"))) == 200
    assert game.plays()


def test_a_command_answers_beside_many_half_sent_requests(server: Server, game: Game, links: ExitStack) -> None:
    head = b"GET /display/NOGAME HTTP/1.1\r\nHost: localhost\r\n"
    body = b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nab"
    for source in sources(MANY):
        links.enter_context(server.opened(head, source))
        links.enter_context(server.opened(body, source))
    assert game.plays()


def test_half_sent_requests_have_a_deadline_and_a_share(server: Server, game: Game, links: ExitStack) -> None:
    head = b"GET /display/NOGAME HTTP/1.1\r\nHost: localhost\r\n"
    body = b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nab"
    late = [links.enter_context(server.opened(data, "127.0.0.8")) for data in (b"", b"GET", head, body)]
    held = [links.enter_context(server.opened(head, "127.0.0.7")) for _ in range(http_server.UNFINISHED * 2)]
    assert game.plays()
    assert [status(link) for link in late] == [408] * 4
    answers = [status(link) for link in held]
    assert set(answers) == {0, 408} and answers.count(408) <= http_server.UNFINISHED
    if server.processes == 1:
        assert answers == [408] * http_server.UNFINISHED + [0] * http_server.UNFINISHED


def test_an_answer_that_nobody_reads_holds_no_thread(server: Server, game: Game, links: ExitStack) -> None:
    ask = f"GET /display/{game.id} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    for source in sources(60):
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.bind((source, 0))
        slow.connect(("127.0.0.1", server.port))
        slow.sendall(ask)
        links.enter_context(slow)
    assert game.plays()


def test_a_slow_body_that_arrives_in_time_is_read(server: Server, links: ExitStack) -> None:
    body = json.dumps({"system": "galley", "scenario": "first_oars"}).encode()
    head = f"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    link = links.enter_context(server.opened(head.encode() + b"\r\n\r\n"))
    for place in range(len(body)):
        link.sendall(body[place : place + 1])
        time.sleep(0.01)
    assert status(link) == 201


def test_the_stream_of_a_withdrawn_seat_ends_over_the_wire(server: Server, game: Game) -> None:
    stream = server.call(f"/games/{game.id}/stream", game.tokens["umpire"])
    side = next(seat for seat in game.tokens if seat not in ("umpire", "spectator"))
    other = server.call(f"/games/{game.id}/stream", game.tokens[side])
    assert server.call(f"/games/{game.id}/seats/{side}/reissue", game.tokens["umpire"], {}).status == 200
    assert b"retry" in other.read()  # to its end
    assert game.plays()
    assert any(b"event: version" in line for line in stream)


def test_a_request_may_be_kept_alive_and_pipelined(server: Server, links: ExitStack) -> None:
    ask = b"GET /api/v1/systems HTTP/1.1\r\nHost: localhost\r\n\r\n"
    link = links.enter_context(server.opened(ask + ask))
    heard = b""
    while heard.count(b"HTTP/1.1 200") < 2:
        heard += link.recv(65536)


@pytest.mark.soak  # test_when_the_elected_worker_is_killed_… looks for whoever stays behind, in `make test`
def test_no_worker_lives_on_when_its_parent_was_killed(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.call("/systems").read()  # its worker is there
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    assert children
    server.process.kill()
    server.process.wait(15)
    until(lambda: not any(_lives(int(child)) for child in children))


def test_streams_tell_of_what_the_other_processes_did(tmp_path: Path) -> None:
    server = Server(tmp_path, "--processes", "2")
    with ExitStack() as links:
        links.callback(server.stop)
        game = Game(server)
        streams = [links.enter_context(game.watching()) for _ in range(16)]
        assert {status(stream) for stream in streams} == {200}
        for _ in range(4):
            assert game.plays()
        for stream in streams:
            heard = b""
            while b"data: 4" not in heard:
                heard += stream.recv(4096)
        workers = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
        assert len(workers) == 2 and all(_sockets(int(worker)) > 1 for worker in workers)  # both have some of them


def _sockets(process: int) -> int:
    return sum(os.readlink(each).startswith("socket:") for each in Path(f"/proc/{process}/fd").iterdir())


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def refused(server: Server, path: str, source: str, body: Any = None, token: str = "") -> int:
    """The status of a call from that address, on a connection of its own."""
    data = b"" if body is None else json.dumps(body).encode()
    method = "GET" if body is None else "POST"
    head = f"{method} /api/v1{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    if token:
        head += f"Authorization: Bearer {token}\r\n"
    if data:
        head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
    with server.opened(head.encode() + b"\r\n" + data, source) as link:
        return status(link)


def test_limits_of_an_address_hold_over_all_processes(server: Server, game: Game) -> None:
    wanted = {"system": "galley", "scenario": "first_oars"}
    for number, (well, a_minute, ask) in enumerate(
        (
            (404, 20, lambda source, n: refused(server, f"/games/NOSUCH{n + 22}", source)),
            (401, 20, lambda source, n: refused(server, f"/games/{game.id}", source, token=f"guess{n}")),
            (201, 10, lambda source, n: refused(server, "/games", source, wanted)),
        )
    ):
        begun = time.monotonic()
        answers = [ask(f"127.0.0.{21 + number}", n) for n in range(a_minute * 2)]
        flown_in = (time.monotonic() - begun) * a_minute / 60 + 1
        assert a_minute <= answers.count(well) <= a_minute + flown_in, answers
        assert set(answers) <= {well, 429}


def test_counts_are_those_of_all_processes(server: Server) -> None:
    for _ in range(12):
        assert refused(server, "/openapi.json", "127.0.0.23") == 200
    told = []
    for _ in range(4):
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=20) as answer:
            told.append(answer.read().decode())
    counted = re.compile(r'navarch_requests_total\{[^}]*route="/api/v1/openapi.json"[^}]*\} (\S+)')
    assert {counted.findall(each)[0] for each in told} == {"12.0"}, told[0]
    assert all(each.count("# TYPE navarch_games gauge") == 1 for each in told)


@pytest.mark.soak
def test_there_is_a_process_for_each_core(tmp_path: Path) -> None:
    server = Server(tmp_path)
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    try:
        until(lambda: len(children.read_text().split()) == len(os.sched_getaffinity(0)))
    finally:
        server.stop()
