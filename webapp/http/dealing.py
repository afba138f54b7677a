"""Connections of one server fall evenly to its processes.

The system deals them out by chance: of forty-eight connections one of two processes has thirty often enough, and its
tablets wait while the other one rests. So the process that accepted a connection hands it on, before a byte was read,
to the one that has the fewest, over a socket that they have had in common since before they were.
"""

from __future__ import annotations

import mmap
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_UN, lockf
from struct import Struct
from typing import Any

AWAY = 2**31 - 1  # the connections of a process that is not there: nobody has more
NUMBER = Struct("<i")


class Deal:
    """How many connections each of so many processes has, and the way to each; made before they are."""

    def __init__(self, processes: int) -> None:
        self._places = range(processes)
        self._memory = mmap.mmap(-1, processes * NUMBER.size)
        self._file, self._guard = tempfile.TemporaryFile(), threading.Lock()  # noqa: SIM115  # as long as we
        self._ways = [socket.socketpair() for _ in self._places]
        for ends in self._ways:
            for end in ends:
                end.setblocking(False)
        for place in self._places:
            self.leave(place)

    def numbers(self) -> list[int]:
        """How many connections each has."""
        with self._held():
            return [self._number(place) for place in self._places]

    def leave(self, place: int) -> None:
        """Whoever had that place is gone: it is dealt nothing until somebody is there again."""
        with self._held():
            self._set(place, AWAY)

    def join(self, place: int) -> None:
        """Somebody is there and has no connection yet."""
        with self._held():
            self._set(place, 0)

    def listeners(self, place: int, own: list[Any]) -> list[Listener]:
        """What to listen to at that place in the stead of these sockets; it is dealt connections from then on."""
        return [Listener(each, self, place) for each in own] + [Handed(self._ways[place][0], self, place)]

    def took(self, place: int, more: int) -> None:
        """So many more connections there."""
        with self._held():
            if (number := self._number(place)) != AWAY:
                self._set(place, max(0, number + more))

    def hand_on(self, place: int, connection: socket.socket) -> bool:
        """Give what was accepted there to whoever has the fewest; False when that is the place itself."""
        with self._held():
            best = min(self._places, key=lambda each: (self._number(each), each != place))
            if best == place:
                return False
            try:
                socket.send_fds(self._ways[best][1], [b"."], [connection.fileno()])
            except OSError:  # its queue is full: it has not looked for long
                return False
            self._set(best, self._number(best) + 1)
        return True

    def _number(self, place: int) -> int:
        found: int = NUMBER.unpack_from(self._memory, place * NUMBER.size)[0]
        return found

    def _set(self, place: int, number: int) -> None:
        NUMBER.pack_into(self._memory, place * NUMBER.size, number)

    @contextmanager
    def _held(self) -> Iterator[None]:
        with self._guard:
            lockf(self._file, LOCK_EX)
            try:
                yield
            finally:
                lockf(self._file, LOCK_UN)


class Dealt(socket.socket):
    """A connection that its process has until it is closed, in whichever way."""

    deal: Deal | None = None
    place = 0

    def close(self) -> None:
        """Close it, and say that it is gone."""
        deal, self.deal = self.deal, None
        super().close()
        if deal is not None:
            deal.took(self.place, -1)


class Listener:
    """A listening socket of which a process accepts what falls to it, and hands on the rest."""

    def __init__(self, listener: Any, deal: Deal, place: int) -> None:
        self._listener, self._deal, self._place = listener, deal, place

    def __getattr__(self, name: str) -> Any:
        return getattr(self._listener, name)

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection that is ours. Raises BlockingIOError when none waits."""
        while True:
            connection, address = self._listener.accept()
            if not self._deal.hand_on(self._place, connection):
                self._deal.took(self._place, 1)
                return self._ours(connection.detach()), address
            connection.close()

    def _ours(self, file: int) -> socket.socket:
        found = Dealt(fileno=file)
        found.deal, found.place = self._deal, self._place
        return found


class Handed(Listener):
    """What others handed on, as if it had been accepted here."""

    def listen(self, backlog: int) -> None:
        """It is there."""
        self._deal.join(self._place)

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection. Raises BlockingIOError when none waits, ConnectionAbortedError when it is gone."""
        said, files, _, _ = socket.recv_fds(self._listener, 1, 1)
        if not files:
            if said:  # it was counted, and lost: this process may open no more files
                self._deal.took(self._place, -1)
            raise BlockingIOError
        connection = self._ours(files[0])
        try:
            return connection, connection.getpeername()
        except OSError as gone:
            with suppress(OSError):
                connection.close()
            raise ConnectionAbortedError from gone
