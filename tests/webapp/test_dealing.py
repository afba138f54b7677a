"""Connections fall evenly to a server's processes, over TLS too, and to nobody who is not there."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from serving import Server

from webapp.http.dealing import AWAY, Deal, Handed, Listener

ASK = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


class House:
    """Two processes of a server, played by this one, and a door to each."""

    def __init__(self, stack: ExitStack) -> None:
        self.deal, self._stack = Deal(2), stack
        self.doors: list[socket.socket] = []
        self.listening: list[list[Listener]] = []
        for place in range(2):
            door = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            door.setblocking(False)
            self.doors.append(door)
            self.listening.append(self.deal.listeners(place, [door]))
        assert self.deal.numbers() == [AWAY, AWAY]
        for each in [*self.listening[0], *self.listening[1]]:
            each.listen(9)

    def knock(self, place: int) -> socket.socket:
        """Somebody comes to that one's door."""
        return self._stack.enter_context(socket.create_connection(self.doors[place].getsockname(), 10))

    def let_in(self, place: int) -> list[socket.socket]:
        """Whom it lets in now."""
        found = []
        for each in self.listening[place]:
            while True:
                try:
                    found.append(self._stack.enter_context(each.accept()[0]))
                except BlockingIOError:
                    break
        return found


@pytest.fixture
def house() -> Iterator[House]:
    with ExitStack() as stack:
        yield House(stack)


def test_whoever_has_the_fewest_gets_the_next(house: House) -> None:
    guests = [house.knock(0) for _ in range(5)]
    first, second = house.let_in(0), house.let_in(1)
    assert (len(first), len(second), house.deal.numbers()) == (3, 2, [3, 2])
    for connection in second:  # it is the guest's own connection, not another one
        connection.sendall(b"%d" % connection.getpeername()[1])
    told = [guest for guest in guests if guest.getsockname()[1] in {each.getpeername()[1] for each in second}]
    assert [int(guest.recv(9)) for guest in told] == [guest.getsockname()[1] for guest in told]


def test_a_connection_counts_until_it_is_closed_and_but_once(house: House) -> None:
    house.knock(0)
    house.knock(0)
    (first,), (second,) = house.let_in(0), house.let_in(1)
    first.close()
    first.close()
    assert house.deal.numbers() == [0, 1]
    second.close()
    assert house.deal.numbers() == [0, 0]


def test_nothing_is_dealt_to_a_process_that_is_away(house: House) -> None:
    house.deal.leave(1)
    for _ in range(4):
        house.knock(0)
    assert len(house.let_in(0)) == 4
    assert house.deal.numbers() == [4, AWAY]
    house.deal.join(1)
    house.knock(0)
    assert (house.let_in(0), len(house.let_in(1)), house.deal.numbers()) == ([], 1, [4, 1])


def test_the_last_of_a_process_that_is_away_are_not_counted(house: House) -> None:
    house.knock(0)
    (connection,) = house.let_in(0)
    house.deal.leave(0)
    connection.close()
    assert house.deal.numbers() == [AWAY, 0]


def test_whoever_went_before_being_let_in_is_not_counted(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.deal.took(0, 1)
    house.knock(0)
    assert house.let_in(0) == []
    monkeypatch.setattr(socket.socket, "getpeername", lambda _: (_ for _ in ()).throw(OSError("it is gone")))
    handed = house.listening[1][-1]
    assert isinstance(handed, Handed)
    with pytest.raises(ConnectionAbortedError):
        handed.accept()
    assert house.deal.numbers() == [1, 0]


def test_who_is_lost_because_no_file_was_free_is_not_counted(house: House) -> None:
    """The system drops what was handed on; whoever comes next is let in, and the numbers are right."""
    house.deal.took(0, 1)
    house.knock(0)
    assert house.let_in(0) == []
    assert house.deal.numbers() == [1, 1]
    with no_file_left(), pytest.raises(BlockingIOError):
        house.listening[1][-1].accept()
    assert house.deal.numbers() == [1, 0]
    house.knock(0)
    assert (house.let_in(0), len(house.let_in(1)), house.deal.numbers()) == ([], 1, [1, 1])


@contextmanager
def no_file_left() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_process_that_does_not_look_is_dealt_no_more_than_it_can_hold(house: House) -> None:
    """Its queue fills up, and who accepted the rest keeps it."""
    house.deal.took(0, 2000)
    connection = socket.socket()
    with connection:
        while house.deal.hand_on(0, connection):
            assert house.deal.numbers()[1] < 2000, "its queue has no end"
    house.knock(0)
    assert len(house.let_in(0)) == 1


@pytest.fixture(params=[(), ("--tls",)], ids=["http", "https"])
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    running = Server(tmp_path, "--processes", "2", *request.param)
    yield running
    running.stop()


def workers(server: Server) -> list[int]:
    parent = server.process.pid
    return [int(each) for each in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def is_answered(server: Server) -> bool:
    with socket.create_connection(("127.0.0.1", server.port), 20) as link:
        link.sendall(ASK)
        return link.recv(12) == b"HTTP/1.1 200"


def connections(server: Server, process: int) -> int:
    """How many of the server's connections that process has: sockets at its port that are neither listening nor gone."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    open_ones = {f"socket:[{row[9]}]" for row in rows if row[1].endswith(f":{server.port:04X}") and row[3] == "01"}
    found = 0
    for file in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):
            found += os.readlink(file) in open_ones
    return found


def test_a_servers_connections_are_dealt_evenly(server: Server) -> None:
    """Also after signals upon which other servers begin their processes anew, or more of them."""

    def asked(times: int, stack: ExitStack) -> list[int]:
        """How many connections each process has after so many that stay."""
        for _ in range(times):
            link = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 20))
            if server.is_safe:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
                link = stack.enter_context(context.wrap_socket(link))
            link.sendall(ASK)
            assert link.recv(12) == b"HTTP/1.1 200"
        return [connections(server, each) for each in workers(server)]

    both_there = False
    while not both_there:  # the second begins after the first
        with ExitStack() as stack:
            both_there = asked(2, stack) == [1, 1]
    with ExitStack() as stack:
        assert asked(20, stack) == [10, 10]
    there = workers(server)
    for each in (signal.SIGHUP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGUSR2):
        server.process.send_signal(each)
        with ExitStack() as stack:
            assert asked(20, stack) == [10, 10]
    assert workers(server) == there


def test_who_comes_while_a_process_begins_anew_is_answered(tmp_path: Path) -> None:
    server = Server(tmp_path, "--processes", "2")
    try:
        while len(workers(server)) < 2:
            json.load(server.call("/games"))
        victim = workers(server)[1]
        os.kill(victim, signal.SIGKILL)
        asked = 0
        while victim in workers(server) or len(workers(server)) < 2 or asked < 20:
            with suppress(ConnectionError):  # whoever had just been let in by the victim is lost with it
                asked += is_answered(server)
        for _ in range(10):
            assert is_answered(server)
    finally:
        server.stop()
