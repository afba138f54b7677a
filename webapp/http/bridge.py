"""Between the server's loop and Flask: whole requests go to threads, streams stay in the loop.

A request is read to its end before a thread is taken for it, and its answer is sent after the thread has been given
back: whoever sends or reads slowly waits in the loop. What is sent to a game has threads of its own, so that no command
queues behind pages. What reckons for long has one: Python runs one at a time, and further ones would only make commands
wait longer for their turn.
"""

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
from typing import IO, Any, cast
from urllib.parse import quote

from flask import Flask

from webapp.http.bodies import READING, Route, find_route, room
from webapp.http.connections import said_length
from webapp.http.rate_limit import client_network, is_reckoned_apart
from webapp.http.streams import PLACE, Stream

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

READERS, WRITERS = 12, 6  # threads for pages, threads for commands
IN_MEMORY = 1 << 20  # bytes of a body; what is longer waits in a file
HELD = 64 << 20  # bytes of bodies under way of one address
PIECE = 1 << 16  # bytes of an answer that are handed to the socket at once
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
        self.app = app
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
        route = find_route(self.app, scope["method"], scope["path"])
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
        for start in range(0, len(answer.body) or 1, PIECE):
            has_more = start + PIECE < len(answer.body) or not body.is_whole
            piece = {"type": "http.response.body", "body": answer.body[start : start + PIECE], "more_body": has_more}
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
