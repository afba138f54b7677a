"""What a connection may cost before its request is whole: so many for one address, only so long, and only so much.

uvicorn's own protocol waits for ever for the rest of a request and has no limit for its head (only its slower parser,
h11, has one). Waiting costs no thread, only a socket; the deadlines and the share of each address keep sockets from
running out, the limits of the head keep memory.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from webapp.http.rate_limit import client_network

UNFINISHED = 128  # connections of one address whose request has not come in whole
HEADERS = 10.0  # seconds for all headers of a request
LARGEST_HEAD = 64 * 1024  # bytes of a request that are not its body
MOST_LINES = 200  # headers of a request, and as many trailers
PIECE = 8 * 1024  # bytes that are read until the limits are looked at again
BODY = 10.0  # seconds for a body, and for each
PACE = 16 * 1024  # bytes of it a second more, but
LONGEST_BODY = 60.0  # at most
DRAIN = 30.0  # seconds for the reader to take what is left of an answer
LINGER = 2.0  # seconds in which a client that was refused may read why
LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class TooLong(Exception):
    """The head of a request has too many lines."""


def said_length(headers: Iterable[tuple[bytes, bytes]]) -> int:
    """How long the body is, by what the head says; 0 where it does not say so."""
    length = next((value for name, value in headers if name == b"content-length"), b"")
    return int(length) if length.isdigit() else 0  # the parser refuses what 64 bits cannot count


class Guarded(HttpToolsProtocol):
    """One connection, with limits and a deadline whenever a request is owed, and a share for its address."""

    has_shares: ClassVar[bool] = True
    unfinished: ClassVar[int] = UNFINISHED  # of them in this process
    _owing: ClassVar[Counter[str]] = Counter()

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._deadline: asyncio.TimerHandle | None = None
        self._peer = ""
        self._owes = self._is_over = False
        self._has_head = False  # of the request that is being read
        self._lines = self._beside = self._body = 0  # headers or trailers; bytes that are not the body; bytes that are

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """A client has come; its first request is owed."""
        super().connection_made(transport)
        self._peer = client_network(self.client[0]) if self.client else ""
        if self.has_shares and self._owing[self._peer] >= self.unfinished:
            transport.abort()
            return
        self._await_rest(HEADERS, self._too_late)

    def data_received(self, data: bytes) -> None:
        """Read on, as long as the request keeps within the limits: 431 for one that does not."""
        for start in range(0, len(data), PIECE):
            if self._is_over or self.transport.is_closing():
                return
            piece = data[start : start + PIECE]
            self._beside += len(piece)
            super().data_received(piece)
            if self._beside > LARGEST_HEAD + self._body:  # as much as the body for how it is cut into chunks
                self._refuse(LONG)

    def send_400_response(self, msg: str) -> None:
        """What uvicorn answers to what it cannot read; 431 where we have stopped reading it."""
        if self._lines > MOST_LINES:
            self._refuse(LONG)
        else:
            super().send_400_response(msg)

    def on_message_begin(self) -> None:
        """The first bytes of a request: of a later one on the same connection, too."""
        super().on_message_begin()
        self._has_head = False
        self._lines = self._beside = self._body = 0
        if not self._owes:
            self._await_rest(HEADERS, self._too_late)

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header more. What comes after the body is not one: it is dropped. Raises TooLong."""
        self._lines += 1
        if self._lines > MOST_LINES:
            raise TooLong
        if not self._has_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The headers are whole; the body is owed."""
        self._has_head, self._lines = True, 0
        self._await_rest(min(LONGEST_BODY, BODY + said_length(self.headers) / PACE), self._too_late)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        self._beside -= len(body)
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is whole."""
        self._has_rest()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        self._has_rest()
        super().connection_lost(exc)

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more was asked: close, at the latest when the reader has had time for what was answered."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(DRAIN, self.transport.abort)

    def _await_rest(self, seconds: float, end: Callable[[], None]) -> None:
        if not self._owes:
            self._owes = True
            self._owing[self._peer] += 1
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, end)

    def _has_rest(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if self._owes:
            self._owes = False
            self._owing[self._peer] -= 1
            if self._owing[self._peer] <= 0:
                del self._owing[self._peer]

    def _too_late(self) -> None:
        if not self.transport.is_closing():
            self._refuse(LATE)

    def _refuse(self, answer: bytes) -> None:
        """Answer and close; what still comes is read and dropped, for a client that is cut off never reads why."""
        self._is_over = True
        self._await_rest(LINGER, self.transport.abort)
        if self._is_answering():
            self.transport.abort()
            return
        self.transport.write(answer)
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def _is_answering(self) -> bool:
        """Has this request an answer already, or an earlier one none yet? A refusal would be taken for that one's."""
        if self.cycle is None:
            return False
        return self.cycle.response_started if self._has_head else not self.cycle.response_complete


class Unshared(Guarded):
    """The same for the connections of a proxy, which carries everybody's requests."""

    has_shares: ClassVar[bool] = False
