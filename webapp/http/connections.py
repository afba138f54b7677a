"""What a connection may cost before its request is whole: so many for one address, and only so long.

uvicorn's own protocol waits for ever for the rest of a request. Waiting costs no thread, only a socket; the deadlines
and the share of each address keep sockets from running out.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from webapp.http.rate_limit import neighbourhood

UNFINISHED = 64  # connections of one address whose request has not come in whole
HEADERS = 10.0  # seconds for all headers of a request
BODY = 10.0  # seconds for a body, and for each
PACE = 16 * 1024  # bytes of it a second more
DRAIN = 30.0  # seconds for the reader to take what is left of an answer
LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Guarded(HttpToolsProtocol):
    """One connection, with a deadline whenever a request is owed, and a share for its address."""

    has_shares: ClassVar[bool] = True
    unfinished: ClassVar[int] = UNFINISHED  # of them in this process
    _owing: ClassVar[Counter[str]] = Counter()

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._deadline: asyncio.TimerHandle | None = None
        self._peer = ""
        self._owes = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """A client has come; its first request is owed."""
        super().connection_made(transport)
        self._peer = neighbourhood(self.client[0]) if self.client else ""
        if self.has_shares and self._owing[self._peer] >= self.unfinished:
            transport.abort()
            return
        self._await_rest(HEADERS)

    def on_message_begin(self) -> None:
        """The first bytes of a request: of a later one on the same connection, too."""
        super().on_message_begin()
        if not self._owes:
            self._await_rest(HEADERS)

    def on_headers_complete(self) -> None:
        """The headers are whole; the body is owed."""
        length = next((value for name, value in self.headers if name == b"content-length"), b"0")
        self._await_rest(BODY + (int(length) / PACE if length.isdigit() and len(length) < 12 else 0))
        super().on_headers_complete()

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

    def _await_rest(self, seconds: float) -> None:
        if not self._owes:
            self._owes = True
            self._owing[self._peer] += 1
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, self._too_late)

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
            self.transport.write(LATE)
            self.transport.close()
            self.loop.call_later(DRAIN, self.transport.abort)


class Unshared(Guarded):
    """The same for the connections of a proxy, which carries everybody's requests."""

    has_shares: ClassVar[bool] = False
