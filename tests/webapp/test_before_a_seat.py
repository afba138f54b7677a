"""What comes before a seat is known costs next to nothing: heads, trailers and bodies at a real server."""

from __future__ import annotations

import asyncio
import json
import re
import select
import socket
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack, suppress
from itertools import cycle
from typing import Any
from unittest import mock

import pytest
import uvicorn
from uvicorn.server import ServerState
from werkzeug.routing import Rule

from kit.serving import Server
from webapp import create_app
from webapp.http import forms
from webapp.http import server as http_server
from webapp.http.streams import Shares

HOST = b"Host: localhost\r\n"
LINE = b"X-%d: y\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("before"), "--processes", "1")
    yield running
    running.stop()


def answered(server: Server, *pieces: bytes) -> tuple[int, bytes]:
    """The status and the whole answer to what is sent piece by piece; 0 when there is none."""
    with server.opened(b"") as link:
        with suppress(BrokenPipeError, ConnectionResetError):  # it may be refused before all is sent
            for piece in pieces:
                link.sendall(piece)
        return heard(link)


def status(link: socket.socket) -> int:
    """The status of the answer, as soon as it begins; 0 when there is none."""
    link.settimeout(9)  # less than any deadline of the server
    line = link.recv(12)
    return int(line.split()[1]) if line else 0


def first_status(server: Server, data: bytes, source: str = "127.0.0.1") -> int:
    """The status of the answer to what has come so far."""
    with server.opened(b"", source) as link:
        with suppress(BrokenPipeError, ConnectionResetError):  # it may be refused before all is sent
            link.sendall(data)
        return status(link)


def heard(link: socket.socket) -> tuple[int, bytes]:
    """The status and the text of an answer that ends with its connection."""
    link.settimeout(20)
    said = b""
    try:
        while piece := link.recv(65536):
            said += piece
    except ConnectionResetError:
        pass
    return int(said.split()[1]) if said else 0, said


HEADS = {
    "one long header": b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"y" * (1 << 20),
    "a long address": b"GET /" + b"y" * (1 << 20),
    "many short headers": b"GET / HTTP/1.1\r\n" + b"".join(LINE % n for n in range(1 << 17)),
    "a long name": b"GET / HTTP/1.1\r\n" + b"y" * (1 << 20),
    "a whole head": b"GET / HTTP/1.1\r\nX: " + b"y" * (1 << 20) + b"\r\n\r\n",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_a_long_head_is_refused(server: Server, head: bytes) -> None:
    assert answered(server, head)[0] == 431


def test_a_head_may_have_so_many_lines_and_no_more(server: Server) -> None:
    def status(lines: int) -> int:
        more = b"".join(LINE % n for n in range(lines - 2))
        return answered(server, b"GET /api/v1/systems HTTP/1.1\r\n" + HOST + b"Connection: close\r\n" + more + b"\r\n")[
            0
        ]

    assert (status(http_server.MOST_LINES), status(http_server.MOST_LINES + 1)) == (200, 431)


def test_a_long_head_that_follows_another_request_is_refused(server: Server) -> None:
    ask = b"GET /api/v1/systems HTTP/1.1\r\n" + HOST + b"\r\n"
    with server.opened(ask) as link:
        assert link.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200"
        link.sendall(HEADS["one long header"])
        assert b"HTTP/1.1 431" in heard(link)[1]


TRAILERS = {
    "a long one": b"X: " + b"y" * (1 << 20),
    "many": b"".join(LINE % n for n in range(1 << 17)),
    "a chunk's own words": b"1;" + b"y" * (1 << 20),
}


@pytest.mark.parametrize("trailers", TRAILERS.values(), ids=TRAILERS)
def test_a_body_with_endless_trailers_is_refused(server: Server, trailers: bytes) -> None:
    head = b"POST /api/v1/games HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
    assert answered(server, head + (b"" if trailers.startswith(b"1;") else b"0\r\n") + trailers)[0] == 431


def test_a_field_after_the_body_is_not_a_header(server: Server) -> None:
    """Neither a seat nor an address comes by a trailer."""
    made = json.load(server.call("/games", body={"system": "galley", "scenario": "first_oars"}))
    token = next(seat["token"] for seat in made["seats"] if seat["id"] == "umpire").encode()
    head = (
        f"POST /api/v1/games/{made['id']}/seats/spectator/reissue HTTP/1.1\r\n".encode()
        + HOST
        + b"Connection: close\r\n"
    )
    chunked = b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    seat, body = b"Authorization: Bearer " + token + b"\r\n", b"2\r\n{}\r\n0\r\n"
    assert answered(server, head + chunked + seat + b"\r\n" + body + b"\r\n")[0] == 200
    assert answered(server, head + chunked + b"\r\n", body + seat + b"\r\n")[0] == 401


IMPORT = b"POST /api/v1/games/import HTTP/1.1\r\nContent-Type: application/json\r\n" + HOST
LENGTH = b"Content-Length: %d\r\n\r\n"


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        ("/api/v1/games/NOGAME22/commands", forms.COMMAND_LIMIT),
        ("/api/v1/games", forms.GAME_LIMIT),
        ("/api/v1/games/import", forms.EXPORT_LIMIT),
        ("/organizer/import", forms.EXPORT_LIMIT + 65_536),
        ("/look", forms.GAME_LIMIT),
    ],
)
def test_a_long_body_is_refused_at_its_head(server: Server, path: str, limit: int) -> None:
    head = f"POST {path} HTTP/1.1\r\n".encode() + HOST
    for length in (limit + 1, 34_000_000_000):
        assert first_status(server, head + LENGTH % length) == 413
    chunk = b"%x\r\n" % (limit + 1) + b" " * (limit + 1) + b"\r\n"
    assert first_status(server, head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk) == 413


@pytest.mark.parametrize(
    ("ask", "expected"), [("POST /nowhere", 404), ("PUT /look", 405), ("GET /api/v1/systems", 200)]
)
def test_a_body_that_nobody_wants_is_not_waited_for(server: Server, ask: str, expected: int) -> None:
    assert first_status(server, f"{ask} HTTP/1.1\r\n".encode() + HOST + LENGTH % 1000) == expected


def test_what_follows_a_long_body_is_answered(server: Server) -> None:
    """The rest of a body that was refused is dropped, to its end and no further."""
    head, length = b"POST /api/v1/games HTTP/1.1\r\n" + HOST, forms.GAME_LIMIT + 1
    ask = b"GET /api/v1/systems HTTP/1.1\r\nConnection: close\r\n" + HOST + b"\r\n"
    said = answered(server, head + LENGTH % length, b" " * length + ask)[1]
    assert re.findall(rb"HTTP/1.1 (\d+)", said) == [b"413", b"200"]


def test_bodies_under_way_of_an_address_are_bounded(server: Server) -> None:
    part, whole = b" " * (forms.EXPORT_LIMIT - 1), IMPORT + LENGTH % forms.EXPORT_LIMIT
    with ExitStack() as stack:
        held = [
            stack.enter_context(server.opened(whole, "127.0.0.31")) for _ in range(http_server.HELD // len(part) + 1)
        ]
        for link in held:
            link.sendall(part)
        (refused,), _, _ = select.select(held, (), (), 20)
        assert status(refused) == 429
        assert first_status(server, whole + part + b" ", "127.0.0.32") == 400
    assert any(first_status(server, whole + part + b" ", "127.0.0.31") == 400 for _ in range(20)), "it is let go"


class Loop:
    """A loop that only notes for how long somebody wants to wait."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def call_later(self, seconds: float, *_: Any) -> asyncio.TimerHandle:
        self.waits.append(seconds)
        return mock.Mock()

    def create_task(self, task: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task.close()
        return mock.Mock()


@pytest.mark.parametrize(("length", "seconds"), [(2, 10), (10 * http_server.PACE, 20), (34_000_000_000, 60)])
def test_the_time_for_a_body_grows_with_its_length_up_to_a_minute(length: int, seconds: int) -> None:
    loop = Loop()
    config = uvicorn.Config(mock.Mock(), interface="asgi3", lifespan="off", ws="none")
    link = http_server.Guarded(config, ServerState(), {}, loop)
    link.connection_made(mock.Mock(get_extra_info=lambda name: None, is_closing=lambda: False))
    link.data_received(IMPORT + LENGTH % length)
    assert int(loop.waits[-1]) == seconds


METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")
WRONG = [
    b"Content-Length: -1\r\n\r\n",
    b"Content-Length: 1e3\r\n\r\n",
    b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
    b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
    b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"Transfer-Encoding: chunked\r\n\r\n-1\r\n",
]


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> list[Rule]:
    """Every route of the application."""
    return list(create_app({"DATABASE": tmp_path_factory.mktemp("rules") / "games.db"}).url_map.iter_rules())


@pytest.mark.parametrize("method", METHODS)
def test_every_route_costs_next_to_nothing(server: Server, rules: list[Rule], method: str) -> None:
    """Heads of 1 MB, lengths that are wrong or too long, and bodies that never come, at every route of a method."""
    paths = [re.sub(r"<[\w:]+>", "1", rule.rule) for rule in rules if method in (rule.methods or ())]
    if method in ("HEAD", "OPTIONS"):  # the routes of the others once more
        paths = paths[::4]
    heads = [f"{method} {path} HTTP/1.1\r\n".encode() + HOST for path in paths]
    with ExitStack() as stack:
        for place, head in enumerate(heads):
            withheld = stack.enter_context(server.opened(head + LENGTH % 9, f"127.0.1.{1 + place // 50}"))
            if method in ("GET", "HEAD", "OPTIONS"):
                assert status(withheld) not in (0, 408, 500), head
        for head in heads:
            assert first_status(server, head + b"X: " + b"y" * (1 << 20) + b"\r\n\r\n") == 431, head
            assert first_status(server, head + LENGTH % 34_000_000_000) == 413, head
        for head, length in zip(heads, cycle(WRONG), strict=False):
            assert first_status(server, head + length) in (400, 404, 405), (head, length)
        assert first_status(server, b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n") == 200


def test_a_room_of_tablets_may_come_at_once(server: Server) -> None:
    """As many as one address may have streams, all connected before the first of them asks."""
    with ExitStack() as stack:
        links = [stack.enter_context(server.opened(b"", "127.0.0.33")) for _ in range(Shares().address)]
        for link in links:
            link.sendall(b"GET /api/v1/systems HTTP/1.1\r\n" + HOST + b"\r\n")
        assert {status(link) for link in links} == {200}


def test_every_method_of_the_application_is_tried(rules: list[Rule]) -> None:
    assert {method for rule in rules for method in rule.methods or ()} == set(METHODS)
