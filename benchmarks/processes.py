"""What a second process gives: tables a second by the clock from `--processes 2` beside `--processes 1`, by turns.

Twenty tablets play twenty battles of forty ships: a plot, then the table of each seat, which nobody has asked for yet.
Both servers and the tablets share the machine, and so does whatever else runs there: `serving.two` says something on a
quiet one only. `serving.work` is the same by the processor time of the busiest process: what one core has to do.
"""

from __future__ import annotations

import json
import re
import socket
import statistics
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from benchmarks.row import PER_SECOND, Row
from benchmarks.served import Server, navarch
from benchmarks.web import Battle

TABLETS = 20
CONNECTIONS = 6  # of each tablet, one after the other, so that they fall evenly to the processes
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
SEATS = ("rome", "carthage", "umpire", "spectator")
ROUND = 3.0  # seconds: nobody waits for whoever is last


def measures(rounds: int) -> dict[str, Callable[[], Row]]:
    """The measures by their ids, taken together."""
    return {"serving.two": lambda: _two(rounds)[0], "serving.work": lambda: _two(rounds)[1]}


class Wire:
    """A connection that costs its own side next to nothing: of an answer only the length is read."""

    def __init__(self, port: int) -> None:
        self._port = port

    @cached_property
    def _socket(self) -> socket.socket:  # opened when it is needed: the server hangs up on who says nothing
        return socket.create_connection(("127.0.0.1", self._port), 60)

    def ask(self, request: bytes) -> memoryview:
        """The body of the answer. Raises RuntimeError when it is not 200."""
        self._socket.sendall(request)
        head = b""
        while (end := head.find(b"\r\n\r\n")) < 0:
            if not (more := self._socket.recv(65536)):
                raise RuntimeError("the server hung up")
            head += more
        found = LENGTH.search(head, 0, end)
        if not head.startswith(b"HTTP/1.1 200") or found is None:
            raise RuntimeError(head[:end].decode())
        begun = head[end + 4 :]
        body = bytearray(int(found[1]))
        body[: len(begun)] = begun
        room, have = memoryview(body), len(begun)
        while have < len(body):
            if not (more_bytes := self._socket.recv_into(room[have:])):
                raise RuntimeError("the server hung up")
            have += more_bytes
        return room

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


class Tablet:
    """A battle that is played over several connections."""

    def __init__(self, server: Server) -> None:
        battle = Battle(server)
        self._seen, self._links = 0, [Wire(server.port) for _ in range(CONNECTIONS)]
        host = f"Host: 127.0.0.1:{server.port}\r\nAuthorization: Bearer"
        self._pages = [
            f"GET /g/{battle.id}/table HTTP/1.1\r\n{host} {battle.tokens[seat]}\r\n\r\n".encode() for seat in SEATS
        ]
        self._plot = f"POST /api/v1/games/{battle.id}/commands HTTP/1.1\r\n{host} {battle.tokens['rome']}\r\n"
        self._plot += "Content-Type: application/json\r\nContent-Length: "

    def play(self, end: float) -> int:
        """Plots, and the tables after each, until that time of the clock; how many tables."""
        tables = 0
        for number in count():
            self._links[number % CONNECTIONS].ask(self._command())
            self._seen += 1
            for place, page in enumerate(self._pages):
                if perf_counter() >= end:
                    return tables
                self._links[(number + place + 1) % CONNECTIONS].ask(page)
                tables += 1
        raise AssertionError  # numbers have no end

    def _command(self) -> bytes:
        command = {"type": "plot", "ship": f"r{self._seen % 20}", "speed": 1 + self._seen // 20 % 2}
        body = json.dumps({"seen": self._seen, "command": command})
        return f"{self._plot}{len(body)}\r\n\r\n{body}".encode()

    def leave(self) -> None:
        """Hang up."""
        for link in self._links:
            link.close()


class Pace(NamedTuple):
    """Tables a second, by the clock and by the processor time of the busiest process."""

    clock: float
    busiest: float


@cache
def _two(rounds: int) -> tuple[Row, Row]:
    with (
        tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two,
        navarch(Path(one)) as alone, navarch(Path(two), "--processes", "2") as both,
        ThreadPoolExecutor(TABLETS) as threads,
    ):  # fmt: skip
        halls = {server: [Tablet(server) for _ in range(TABLETS)] for server in (alone, both)}

        def pace(server: Server) -> Pace:
            spent, begun = server.shares(), perf_counter()
            tables = sum(threads.map(partial(Tablet.play, end=begun + ROUND), halls[server]))
            wall, now = perf_counter() - begun, server.shares()
            return Pace(tables / wall, tables / max(now[each] - spent.get(each, 0.0) for each in now))

        for server in halls:
            pace(server)
        paces = []
        for number in range(rounds):
            found = {server: pace(server) for server in ((alone, both) if number % 2 else (both, alone))}
            paces.append((found[both], found[alone]))
        for tablet in (*halls[alone], *halls[both]):
            tablet.leave()
    return (
        _row("serving.two", "tables/s", [(mine.clock, theirs.clock) for mine, theirs in paces]),
        _row("serving.work", PER_SECOND, [(mine.busiest, theirs.busiest) for mine, theirs in paces]),
    )


def _row(id: str, unit: str, paces: list[tuple[float, float]]) -> Row:
    ratios = [mine / theirs for mine, theirs in paces]
    mine, theirs = (statistics.median(column) for column in zip(*paces, strict=True))
    more = {"against": "one process", "rounds": len(paces), "ratios": ratios}
    return Row(id, mine, unit, theirs, statistics.median(ratios), 1.8, "higher", more)
