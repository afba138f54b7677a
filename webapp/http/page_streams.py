"""Streams that bring a page what is new by themselves, for pages that hold their table in parts.

A page says what it holds when it opens its stream, and names the stream with each request for its table (`X-Live`); the
answer says by what name the stream remembers what the page holds then. After each change the stream asks the
application for the table by the very request that the page would make, and tells the parts that are lacking: once for
all pages that ask alike and hold the same. While an answer to the page is under way its stream waits, for that answer
brings what is new. A page of which the stream knows nothing hears of the version and fetches its table; if that went to
another process, it opens its stream anew. Why: docs/decisions/023.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import secrets
import sqlite3
import threading
import zlib
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from io import BytesIO
from typing import Any
from weakref import WeakValueDictionary

from flask import Flask, Response, current_app, g, request, session

from webapp.http.bridge import call
from webapp.http.compression import takes_gzip
from webapp.http.seats import listen, seat_or_none
from webapp.http.streams import PLACE, Hub, Revision, Stream
from webapp.storage import tokens

HEADER = "X-Live"
LONGEST = 40  # letters of a page's name for its stream
SHOWN, OF_PAGE = "navarch.shown", "navarch.page_stream"  # of one request
NOT_ASKED = frozenset(("HTTP_X_LIVE", "HTTP_ACCEPT_ENCODING", "HTTP_LAST_EVENT_ID", "CONTENT_LENGTH", "CONTENT_TYPE"))
ASKERS = 2  # threads that ask
MOST = 32  # pages of one seat that are brought tables; further ones fetch theirs
DRAWN = 64  # answers that are kept for pages which ask alike
PADDING = 64  # bytes, so that no length betrays what was compressed (docs/decisions/003)
GZIP = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"

LOG = logging.getLogger("navarch.streams")


@dataclass(frozen=True)
class Shown:
    """What an answer shows: the version and revision, the digests of its parts, the address that asks for it again."""

    version: int
    revision: int
    holds: str
    address: str
    alike: Hashable  # what it depends on of the browser that asked; pages that have it in common are shown the same
    name: str  # by which page and stream know it


@dataclass(frozen=True)
class Held:
    """What a page holds, and the request that the page makes."""

    shown: Shown
    environ: Mapping[str, Any]


@dataclass(frozen=True)
class Owed:
    """What a page holds, and what there is now."""

    held: Held
    now: Revision


@dataclass(frozen=True)
class Told:
    """An answer to pages that ask alike: the event, what they hold then, whose tokens stand (by their hashes)."""

    event: str
    shown: Shown
    standing: frozenset[str]


class PageStream(Stream):
    """The events of one page: `parts` where it is known what the page holds, else those of every stream."""

    def __init__(
        self, hub: Hub, game: str, after: int | None, address: str, token: str | None, streams: PageStreams
    ) -> None:
        super().__init__(hub, game, after, address, token)
        self.is_packed = False
        self._streams = streams
        self._guard = threading.Lock()
        self._held: Held | None = None
        self._answers = 0  # to this page, under way
        self._has_begun = False

    def answering(self) -> None:
        """An answer to the page has begun: it brings what is new until then."""
        with self._guard:
            self._answers += 1

    def answered(self) -> None:
        """It has ended."""
        with self._guard:
            self._answers -= 1
        self.ring()

    def holds(self, held: Held | None) -> None:
        """What the page holds by the answer that it gets now; None where nobody can know that."""
        with self._guard:
            self._held = held

    async def tell(self) -> str:
        """The parts that the page lacks, or what every stream tells."""
        while isinstance(owed := self._owed(), Owed):
            if (text := self._taken(owed, await self._streams.drawn(self, owed))) is not None:
                return text
        return owed

    def tell_now(self) -> str:
        """The same without a loop."""
        while isinstance(owed := self._owed(), Owed):
            if (text := self._taken(owed, self._streams.ask(self.game, owed))) is not None:
                return text
        return owed

    def _owed(self) -> Owed | str:
        """The parts that are to be told by what the page holds, or what every stream tells."""
        held, told, now = self._held, self._told, Revision(*self._hub.known(self.game))
        is_quiet = self.ended or self._hub.closed or self._has_lost or now == told
        if held is None or is_quiet or not 0 <= told.version <= now.version:
            return self.news()
        if self._answers:
            return ""
        if now.version <= held.shown.version and now.revision <= held.shown.revision:
            self._told = now
            return ""
        return Owed(held, now)

    def _taken(self, owed: Owed, found: Told | None) -> str | None:
        """The event that tells what was found; None where it is to be seen anew what is owed."""
        with self._guard:
            if self._held is not owed.held or self._answers:
                return None  # the page was answered meanwhile
            if found is None or self.token not in found.standing:
                self._held = None
                return None
            self._held = Held(found.shown, owed.held.environ)
            self._told = owed.now
            return found.event

    def sent(self, text: str) -> bytes:
        """The event as its bytes, compressed if the page takes that."""
        if not self.is_packed:
            return text.encode()
        begin = b"" if self._has_begun else GZIP
        self._has_begun = True
        return begin + packed(text)

    def _wait(self) -> Iterator[Any]:
        return map(self.sent, super()._wait())


def parts_event(before: Shown, now: Shown, text: str) -> str:
    """What tells of parts: which table they go on from, which one they make, how a page asks for that, the parts."""
    said = json.dumps({"on": before.name, "to": now.name, "at": now.address, "text": text}, ensure_ascii=False)
    padding = secrets.token_hex(PADDING)[: secrets.randbelow(PADDING)]
    return f":{padding}\nid: {now.version}\nevent: parts\ndata: {said}\n\n"


@lru_cache(maxsize=256)
def packed(text: str) -> bytes:
    """An event as blocks of deflate that go on from nothing before, so that they fit into every stream."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(text.encode()) + packer.flush(zlib.Z_FULL_FLUSH)


class PageStreams:
    """The streams of pages in this process, by game, name and token, and what they were told of late."""

    def __init__(self, app: Flask, hub: Hub) -> None:
        self.hub = hub
        self._app = app
        self._of: WeakValueDictionary[tuple[str, str, str], PageStream] = WeakValueDictionary()
        self._asking: OrderedDict[Hashable, asyncio.Future[Told | None]] = OrderedDict()
        self._stood: dict[str, tuple[Revision, frozenset[str]]] = {}
        self._askers = ThreadPoolExecutor(ASKERS, "follower")

    def open(self, game: str, after: int | None, name: str, shown: Shown | None = None) -> Response:
        """The stream by this name of the page that asks, which says what it holds. Raises NoSeat, Barred, TooMany."""
        answer = listen(game, after, kind=partial(PageStream, streams=self))
        stream: PageStream = request.environ[PLACE]
        if 0 < len(name) <= LONGEST and stream.token and self._count(game, stream.token) < MOST:
            self._of[game, name, stream.token] = stream
            stream.holds(None if shown is None else Held(shown, _kept()))
        if takes_gzip(request.headers.get("Accept-Encoding", "")):
            stream.is_packed = True
            answer.headers["Content-Encoding"] = "gzip"
        return answer

    def asking(self) -> PageStream | None:
        """The stream of the page that makes this request, if it is this seat's and of this process."""
        name, game = request.headers.get(HEADER, ""), (request.view_args or {}).get("game")
        if not name or game is None or seat_or_none(game) is None:
            return None
        return self.named(game, name, g.token)

    def named(self, game: str, name: str, token: str) -> PageStream | None:
        """The stream to which the page of a seat gave this name."""
        return self._of.get((game, name, tokens.hashed(token)))

    def _count(self, game: str, token: str) -> int:
        return sum(known[0] == game and known[2] == token for known in list(self._of))

    async def drawn(self, stream: PageStream, owed: Owed) -> Told | None:
        """What a page that holds this is told now, asked once for all who ask alike; None: it must ask itself.

        Alike are pages of one token that would send the same request. The page itself chooses the name of its table
        (`Shown.name`), which alone is therefore not a key.
        """
        loop, shown = asyncio.get_running_loop(), owed.held.shown
        key = (loop, stream.game, stream.token, shown.address, shown.holds, shown.alike, shown.name, owed.now)
        found = self._asking.get(key)
        if found is None:
            found = self._asking[key] = loop.run_in_executor(self._askers, self.ask, stream.game, owed)
            if len(self._asking) > DRAWN:
                self._asking.popitem(last=False)
        return found.result() if found.done() else await asyncio.shield(found)

    def ask(self, game: str, owed: Owed) -> Told | None:
        """The application's answer to the request that a page with this makes."""
        held = owed.held
        path, _, query = held.shown.address.removeprefix(held.environ["SCRIPT_NAME"]).partition("?")
        environ = {
            **held.environ,
            "REQUEST_METHOD": "GET",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_URI": held.shown.address,
            "HTTP_HX_REQUEST": "true",
            "HTTP_X_HELD": held.shown.holds,
            "wsgi.input": BytesIO(),
        }
        try:
            answer = call(self._app, environ)
            standing = self._standing(game, owed.now)
        except (sqlite3.Error, OSError):
            LOG.exception("a table could not be drawn for a stream")
            return None
        shown: Shown | None = environ.get(SHOWN)
        if answer.status != 200 or shown is None or shown.alike != held.shown.alike:
            return None
        return Told(parts_event(held.shown, shown, answer.body.decode()), shown, standing)

    def _standing(self, game: str, now: Revision) -> frozenset[str]:
        """The tokens of the game's streams that still stand; asked once after each change."""
        found = self._stood.get(game)
        if found is None or found[0] != now:
            found = self._stood[game] = (now, self.hub.standing(game))
            if len(self._stood) > DRAWN:
                self._stood.pop(next(iter(self._stood)), None)
        return found[1]


def note(version: int, revision: int, holds: str, address: str, alike: Hashable) -> None:
    """Say of the answer to this request that it shows a table in these parts."""
    name = hashlib.blake2b(f"{address} {holds}".encode(), digest_size=9).hexdigest()
    request.environ[SHOWN] = Shown(version, revision, holds, address, alike, name)


def install(app: Flask, hub: Hub) -> None:
    """Let pages of the application name their streams."""
    app.extensions["navarch-page-streams"] = PageStreams(app, hub)
    app.before_request(_begin)
    app.after_request(_end)
    app.teardown_request(_leave)


def page_streams() -> PageStreams:
    """Those of this application."""
    found: PageStreams = current_app.extensions["navarch-page-streams"]
    return found


def _begin() -> None:
    if HEADER in request.headers and (found := page_streams().asking()) is not None:
        request.environ[OF_PAGE] = found
        found.answering()


def _end(answer: Response) -> Response:
    found: PageStream | None = request.environ.get(OF_PAGE)
    if found is not None:
        shown: Shown | None = request.environ.get(SHOWN)
        if shown is not None and not session.modified:
            found.holds(Held(shown, _kept()))
            answer.headers[HEADER] = shown.name
        elif shown is not None:  # the page's next request brings another cookie than this one
            found.holds(None)
    return answer


def _leave(_: BaseException | None) -> None:
    found: PageStream | None = request.environ.get(OF_PAGE)
    if found is not None:
        found.answered()


def _kept() -> dict[str, Any]:
    """What of this request a later one of the same page has in common with it."""
    return {
        name: value
        for name, value in request.environ.items()
        if (isinstance(value, str | bool | tuple) and name not in NOT_ASKED) or name == "wsgi.errors"
    }
