"""Between the server's loop and Flask: connections, their limits, and requests handed to threads."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Any, ClassVar, cast
from urllib.parse import quote

from flask import Flask
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from webapp.http.forms import READING, Route, find_route, room
from webapp.http.rate_limit import client_network, is_reckoned_apart
from webapp.http.streams import PLACE, Stream

# -- What a connection may cost before its request is whole: so many for one address, only so long, and only so much.
#
# uvicorn's own protocol waits for ever for the rest of a request and has no limit for its head (only its slower parser,
# h11, has one). Waiting costs no thread, only a socket; the deadlines and the share of each address keep sockets from
# running out, the limits of the head keep memory.

UNFINISHED = 128  # connections of one address whose request has not come in whole
HEADERS = 10.0  # seconds for all headers of a request
LARGEST_HEAD = 64 * 1024  # bytes of a request that are not its body
MOST_LINES = 200  # headers of a request, and as many trailers
READ_PIECE = 8 * 1024  # bytes that are read until the limits are looked at again
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
        for start in range(0, len(data), READ_PIECE):
            if self._is_over or self.transport.is_closing():
                return
            piece = data[start : start + READ_PIECE]
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


# -- Between the server's loop and Flask: whole requests go to threads, streams stay in the loop.
#
# A request is read to its end before a thread is taken for it, and its answer is sent after the thread has been given
# back: whoever sends or reads slowly waits in the loop. What is sent to a game has threads of its own, so that no
# command
# queues behind pages. What reckons for long has one: Python runs one at a time, and further ones would only make
# commands
# wait longer for their turn.

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

READERS, WRITERS = 12, 6  # threads for pages, threads for commands
IN_MEMORY = 1 << 20  # bytes of a body; what is longer waits in a file
HELD = 64 << 20  # bytes of bodies under way of one address
SENT_PIECE = 1 << 16  # bytes of an answer that are handed to the socket at once
PATIENCE = 30.0  # seconds for the reader to take one piece
AT_ONCE = 128  # requests of one address that are under way


@dataclass(frozen=True)
class Answer:
    """What Flask said. `stream` is set when the body is a stream that the loop must follow."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    stream: Stream | None


class Gone(Exception):
    """The client has left."""


class Full(Exception):
    """The bodies under way of this address are too much together."""


class Bridge:
    """Flask as an application for a server with a loop (ASGI); behind a proxy, whose all requests are, no shares."""

    def __init__(self, app: Flask, has_shares: bool = True, at_once: int = AT_ONCE, held: int = HELD) -> None:
        self.app, self._routes = app, app.url_map.bind("localhost")
        self._has_shares, self._at_once, self._most_held = has_shares, at_once, held
        self._readers = ThreadPoolExecutor(READERS, "page")
        self._writers = ThreadPoolExecutor(WRITERS, "command")
        self._reckoner = ThreadPoolExecutor(1, "reckoning")
        self._under_way: Counter[str] = Counter()
        self._held: Counter[str] = Counter()  # bytes of bodies, by address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            raise RuntimeError(f"this server speaks HTTP, not {scope['type']}")
        peer = client_network((scope.get("client") or ("",))[0])
        if self._has_shares and self._under_way[peer] >= self._at_once:
            await _refuse(receive, send, 429, b"Too many requests from your network address at once: wait a moment.")
            return
        self._under_way[peer] += 1
        try:
            stream = await self._serve(scope, receive, send, peer)
        except Gone:
            return
        except Full:
            await _refuse(
                receive, send, 429, b"Too much is being sent from your network address at once: wait a moment."
            )
            return
        finally:
            self._under_way[peer] -= 1
            if not self._under_way[peer]:
                del self._under_way[peer]
        if stream is not None:
            await _follow(stream, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, peer: str) -> Stream | None:
        """Read, answer, send; a stream is given back, to be followed by itself. Raises Gone, Full."""
        route = find_route(self._routes, scope["method"], scope["path"])
        environ = environment(scope)  # before the body: what comes after it is not a header
        body = Body(self._held, peer, self._most_held if self._has_shares else None)
        try:
            environ["wsgi.input"] = await self._read(scope, receive, body, room(route, scope["method"], scope["path"]))
            if environ.pop("HTTP_TRANSFER_ENCODING", None) is not None:  # it came in chunks, which are put together
                environ["CONTENT_LENGTH"] = str(body.length)
            loop = asyncio.get_running_loop()
            answer = await loop.run_in_executor(self._threads_for(route, scope["method"]), call, self.app, environ)
        finally:
            body.close()
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        if answer.stream is not None:
            return answer.stream
        for start in range(0, len(answer.body) or 1, SENT_PIECE):
            has_more = start + SENT_PIECE < len(answer.body) or not body.is_whole
            piece = {
                "type": "http.response.body",
                "body": answer.body[start : start + SENT_PIECE],
                "more_body": has_more,
            }
            async with asyncio.timeout(PATIENCE):
                await send(piece)
        if not body.is_whole:
            await _end(receive, send)
        return None

    def _threads_for(self, route: Route, method: str) -> ThreadPoolExecutor:
        if route.endpoint is not None and is_reckoned_apart(self.app, route.endpoint):
            return self._reckoner
        return self._writers if route.has_game and method not in READING else self._readers

    async def _read(self, scope: Scope, receive: Receive, body: Body, most: int) -> IO[bytes]:
        """The whole body, or nothing of one that is too long for its route. Raises Gone, Full."""
        if not any(name in (b"content-length", b"transfer-encoding") for name, _ in scope["headers"]):
            return BytesIO()
        body.is_whole = False
        if not most or said_length(scope["headers"]) > most:
            return BytesIO()
        while not body.is_whole and body.length <= most:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            body.add(message.get("body", b""))
            body.is_whole = not message.get("more_body", False)
        body.file.seek(0)
        return body.file


class Body:
    """What has come of a body; what is long waits in a file. It counts for its address until it is closed."""

    def __init__(self, held: Counter[str], peer: str, most_held: int | None) -> None:
        self._held, self._peer, self._most_held = held, peer, most_held
        self.file: IO[bytes] = BytesIO()
        self.length = 0
        self.is_whole = True

    def add(self, piece: bytes) -> None:
        """A piece more. Raises Full when its address has sent too much."""
        self.length += len(piece)
        self._held[self._peer] += len(piece)
        if self._most_held is not None and self._held[self._peer] > self._most_held:
            raise Full
        if self.length > IN_MEMORY and isinstance(self.file, BytesIO):
            before = self.file.getvalue()
            self.file = cast(IO[bytes], tempfile.TemporaryFile())  # noqa: SIM115  # closed by `close`
            self.file.write(before)
        self.file.write(piece)

    def close(self) -> None:
        """Let go of it."""
        self.file.close()
        self._held[self._peer] -= self.length
        if not self._held[self._peer]:
            del self._held[self._peer]


def environment(scope: Scope) -> dict[str, Any]:
    """The request as WSGI says it, without its body."""
    server = scope.get("server") or ("", None)
    client = scope.get("client") or ("", None)
    found: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode("utf-8", "surrogateescape").decode("latin-1"),
        "REQUEST_URI": _target(scope),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": str(server[0]),
        "SERVER_PORT": str(server[1] or 80),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": str(client[0]),
        "REMOTE_PORT": str(client[1] or ""),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name:
            continue  # it would pass for the header with a hyphen, which a proxy may vouch for
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        said = value.decode("latin-1")
        found[key] = f"{found[key]}{';' if key == 'HTTP_COOKIE' else ','}{said}" if key in found else said
    return found


def _target(scope: Scope) -> str:
    raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    query: bytes = scope["query_string"]
    return (raw + (b"?" + query if query else b"")).decode("latin-1")


def call(app: Flask, environ: dict[str, Any]) -> Answer:
    """Flask's answer to the request, whole; run in a thread."""
    said: list[Any] = []

    def start(status: str, headers: list[tuple[str, str]], fault: Any = None) -> Callable[[bytes], object]:
        said[:] = [status, headers]
        return _no_writing

    found: Iterable[bytes] = app(environ, start)
    stream: Stream | None = environ.get(PLACE)
    is_whole = stream is None or not said or not said[0].startswith("200") or environ["REQUEST_METHOD"] == "HEAD"
    try:
        body = b"".join(found) if is_whole else b""
    finally:
        if is_whole and (close := getattr(found, "close", None)) is not None:
            close()
        environ["wsgi.input"].close()
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in said[1]]
    return Answer(int(said[0].partition(" ")[0]), headers, body, None if is_whole else stream)


def _no_writing(_: bytes) -> object:
    raise RuntimeError("the write() of WSGI's early days is not served here")


async def _follow(stream: Stream, receive: Receive, send: Send) -> None:
    """Send the stream's events until it ends or the client leaves; it holds no thread."""
    leaving = asyncio.ensure_future(_wait_for_end(receive))
    sending = asyncio.ensure_future(_tell(stream, send))
    try:
        await asyncio.wait({leaving, sending}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (leaving, sending):
            task.cancel()
        await asyncio.gather(leaving, sending, return_exceptions=True)
        stream.close()


async def _tell(stream: Stream, send: Send) -> None:
    async with aclosing(cast(Any, stream.follow())) as told:
        async for text in told:
            async with asyncio.timeout(PATIENCE):
                await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _wait_for_end(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _end(receive: Receive, send: Send) -> None:
    """Drop what is left of a body, then end the answer: a client that is cut off while it sends never reads it."""
    has_more = True
    while has_more:
        message = await receive()
        has_more = message["type"] != "http.disconnect" and message.get("more_body", False)
    await send({"type": "http.response.body", "body": b""})


async def _refuse(receive: Receive, send: Send, status: int, sentence: bytes) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(sentence)).encode()),
        (b"retry-after", b"5"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence, "more_body": True})
    await _end(receive, send)
