"""Live updates: server-sent events that carry only a game's version number.

They are the same for all seats of a game; but of a letter to one seat only that seat's streams tell, and of an entry
that is secret from a seat none of its streams (docs/decisions/035).

A hub in this process rings the bell of each stream; one watcher thread looks whether another process has written,
and whether the seats that listen still stand. A stream costs no thread where the server follows it in its loop
(`Stream.follow`); a plain WSGI server reads the same events by iterating.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from weakref import WeakSet

from tactical.kernel.protocol import SPECTATOR
from webapp.http.rate_limit import TooMany, client_network, share
from webapp.storage.file.database import attempt
from webapp.storage.journal.store import Store
from webapp.storage.services.letters import newest_of_holders

PING = 2.0  # seconds; a WSGI server notices a client that has left when a ping cannot be written
IDLE_PING = 15.0  # seconds; the loop hears at once who has left: its pings only keep proxies from hanging up
LOOK = 0.03  # seconds between two looks for other processes' changes; a look costs some 10 microseconds
GONE = (-1, -1)
PLACE = "navarch.stream"  # where a request's environment keeps its stream, for a server that can follow it


@dataclass(frozen=True)
class Shares:
    """How many streams may be open at once: in all, for one address, of these without a seat, and for one seat."""

    total: int = 4000
    address: int = 128
    strangers: int = 48
    seat: int = 96

    def of_one(self, processes: int) -> Shares:
        """What each of so many processes allows."""
        parts = (share(most, processes) for most in (self.total, self.address, self.strangers, self.seat))
        return Shares(*parts)


@dataclass(frozen=True)
class Revision:
    """What a stream was told last: the game's version and its revision."""

    version: int
    revision: int


class Stream:
    """The events of one client: each version after `after` (default: from now on), pings in between."""

    def __init__(
        self, hub: Hub, game: str, after: int | None, address: str, token: str | None, seat: str = SPECTATOR
    ) -> None:
        self.game, self.address, self.token, self.seat = game, address, token, seat
        self.seen: int | None = None  # the revision that the client has seen, where it says so
        self.ring: Callable[[], None] = lambda: None
        self.ended = False
        self._hub, self._after = hub, after
        self._told = Revision(*GONE)
        self._letter = self._letter_told = 0  # the newest letter to this seat alone
        self._is_greeted = self._has_lost = False
        self._events: Iterator[str] | None = None

    def begin(self, version: int, revision: int, newest: int, letter: int = 0) -> None:
        """Tell from here on, or from `after` on, where that is earlier; `newest` is the umpire's version."""
        self._letter = self._letter_told = letter
        seen = revision if self.seen is None else min(self.seen, revision)
        self._told = Revision(version if self._after is None else min(self._after, version), seen)
        self._has_lost = self._after is not None and self._after > newest >= 0

    def has_letter(self, letter: int) -> None:
        """Tell of the newest letter that was written to this seat alone, which no other seat's stream tells."""
        if letter > self._letter:
            self._letter = letter
            self.ring()

    def news(self) -> str:
        """The next thing to tell, or nothing for now; `ended` is set when nothing will ever come."""
        version, revision = self._hub.newest_for(self.seat, self.game)
        if version < 0 or self._hub.closed:
            self.ended = True
        if self.ended:
            return ""
        if not self._is_greeted:
            self._is_greeted = True
            return "retry: 1000\n: the versions of this game\n\n"
        told = self._told
        if self._has_lost or told.version > version:  # the client has seen more than the server has: it must look again
            self._has_lost, self._told = False, Revision(version, revision)
            return f"event: lost\nid: {version}\ndata: {version}\n\n"
        if told.version < version:
            # A version is one revision; what else has changed meanwhile is told after it.
            after = told.version + 1
            self._told = Revision(after, min(told.revision + 1, revision))
            return event(after)
        self._told = Revision(version, revision)
        letter = self._letter
        is_new = revision != told.revision or letter != self._letter_told
        self._letter_told = letter
        return f"event: waiting\ndata: {version}\n\n" if is_new else ""

    def __iter__(self) -> Iterator[str]:
        if self._events is None:
            self._events = self._wait()
        return self._events

    def __next__(self) -> str:
        return next(iter(self))

    def _wait(self) -> Iterator[str]:
        """The events for a server that gives each stream a thread."""
        bell = threading.Event()
        self.ring = bell.set
        try:
            yield from iter(self.news, "")
            while not self.ended:
                rung = bell.wait(PING)
                bell.clear()
                yield from iter(self.news, "")
                if not rung and not self.ended:
                    yield ": ping\n\n"
        finally:
            self.close()

    async def follow(self) -> AsyncIterator[str]:
        """The events for a server with a loop: waiting costs no thread."""
        bell = asyncio.Event()
        loop = asyncio.get_running_loop()
        self.ring = lambda: _ring(loop, bell)
        try:
            while not self.ended:
                bell.clear()
                while text := self.news():
                    yield text
                if self.ended:
                    return
                try:
                    async with asyncio.timeout(IDLE_PING):  # `wait_for` would make a task for each wait
                        await bell.wait()
                except TimeoutError:
                    yield ": ping\n\n"
        finally:
            self.close()

    def end(self) -> None:
        """Tell no more, as to a seat that was withdrawn."""
        self.ended = True
        self.ring()

    def close(self) -> None:
        """Nobody listens any more."""
        self.ended = True
        self._hub.leave(self)


_rung: dict[asyncio.AbstractEventLoop, list[asyncio.Event]] = {}  # bells that a loop is about to ring
_ringing = threading.Lock()


def _ring(loop: asyncio.AbstractEventLoop, bell: asyncio.Event) -> None:
    """Ring in the stream's loop, which is woken once for all streams of a game."""
    with _ringing:
        bells = _rung.setdefault(loop, [])
        bells.append(bell)
        if len(bells) > 1:
            return
        if loop.is_closed():
            del _rung[loop]
            return
    loop.call_soon_threadsafe(_toll, loop)


def _toll(loop: asyncio.AbstractEventLoop) -> None:
    with _ringing:
        bells = _rung.pop(loop, [])
    for bell in bells:
        bell.set()


class Hub:
    """The newest version and revision of every game that is being watched, and the streams that watch."""

    def __init__(self, store: Store, shares: Shares | None = None) -> None:
        self.closed = False
        self._store = store
        self._shares = shares or Shares()
        self._guard = threading.RLock()
        self._streams: dict[str, WeakSet[Stream]] = {}  # weak: what a fault has dropped is not counted for ever
        self._known: dict[str, tuple[int, int]] = {}
        self._behind: dict[str, dict[str, int]] = {}  # `Game.behind` of these games
        self._watcher: threading.Thread | None = None
        store.listeners.append(self.publish)

    def stream(
        self, game: str, after: int | None, address: str = "", token: str | None = None, seat: str = SPECTATOR
    ) -> Stream:
        """The stream of one client; `token` is the hash of its seat's. Raises TooMany when its share is used up."""
        found = Stream(self, game, after, client_network(address), token, seat)
        self.open(found)
        return found

    def open(self, found: Stream) -> None:
        """Let a stream hear of its game. Raises TooMany when its share is used up."""
        game = found.game
        with self._guard:
            self._refuse_greed(found)
            self._streams.setdefault(game, WeakSet()).add(found)
        before = self.newest(game)
        now = self._store.revisions([game]).get(game, GONE)
        behind = self._read_behind(game)
        letter = self._letters([found]).get((game, found.token), 0)
        found.begin(behind.get(found.seat, now[0]), now[1], now[0], letter)
        with self._guard:
            self._behind[game] = behind
            self._known[game] = now if now < before else max(self._known.get(game, GONE), now)
            self._watch()

    def _refuse_greed(self, wanted: Stream) -> None:
        everyone = self._everyone()
        near = [one for one in everyone if one.address == wanted.address]
        strangers = sum(one.token is None for one in near)
        same = sum(one.token == wanted.token for one in everyone) if wanted.token else 0
        shares = self._shares
        if (
            len(everyone) >= shares.total
            or len(near) >= shares.address
            or same >= shares.seat
            or (wanted.token is None and strangers >= shares.strangers)
        ):
            raise TooMany("Too many pages are open live from here: close some.")

    def _everyone(self) -> list[Stream]:
        return [stream for streams in self._streams.values() for stream in streams]

    def newest(self, game: str) -> tuple[int, int]:
        """The newest version and revision of a game that is watched."""
        with self._guard:
            return self._known.get(game, GONE)

    def newest_for(self, seat: str, game: str) -> tuple[int, int]:
        """The newest version that a seat knows of, and the revision, of a game that is watched."""
        with self._guard:
            version, revision = self.newest(game)
            return min(version, self._behind.get(game, {}).get(seat, version)), revision

    def _read_behind(self, game: str) -> dict[str, int]:
        found = self._store.find(game)
        return {} if found is None else found.behind

    def follower_counts(self) -> Counter[str]:
        """How many streams follow each game."""
        with self._guard:
            return Counter(stream.game for stream in self._everyone())

    def publish(self, game: str, version: int, revision: int, has_gone_back: bool = False) -> None:
        """Ring the game's streams; a version of -1 says that the game is gone.

        `has_gone_back` says that the file holds less than it did, as after going back to a backup.
        """
        now = version, revision
        if not self._is_news(game, now, has_gone_back):
            return  # most of what a look at the file finds: nothing more is read
        behind = self._read_behind(game)
        with self._guard:
            if not self._is_news(game, now, has_gone_back):
                return
            self._known[game], self._behind[game] = now, behind
            ringing = list(self._streams.get(game, ()))
        for stream in ringing:
            stream.ring()

    def _is_news(self, game: str, now: tuple[int, int], has_gone_back: bool) -> bool:
        """Is anybody to be told? Two writers may publish in the other order; only a deletion and a backup go down."""
        with self._guard:
            known = self._known.get(game)
            is_late = now[0] >= 0 and known is not None and now < known and not has_gone_back
            return game in self._streams and now != known and not is_late

    def close(self) -> None:
        """End all streams, as when the server stops."""
        self.closed = True
        with self._guard:
            ringing = self._everyone()
        for stream in ringing:
            stream.ring()

    def leave(self, stream: Stream) -> None:
        """Forget a stream, and its game when it was the last."""
        with self._guard:
            others = self._streams.get(stream.game)
            if others is not None:
                others.discard(stream)
                if not others:
                    del self._streams[stream.game]
                    self._known.pop(stream.game, None)
                    self._behind.pop(stream.game, None)

    def _watch(self) -> None:
        if self._watcher is None or not self._watcher.is_alive():
            self._watcher = threading.Thread(target=self._look_around, name="navarch-watcher", daemon=True)
            self._watcher.start()

    def _look_around(self) -> None:
        """Look at the file as long as anybody watches; its stamp tells cheaply whether it changed."""
        seen = -1
        pause = threading.Event()
        try:
            while not self.closed:
                written = self._store.file.stamp()
                with self._guard:
                    streams = self._everyone()  # after the look, so that no late-comer misses it
                    if not streams:
                        self._watcher = None
                        return
                if written != seen:
                    seen = written
                    attempt("a look at what has changed", partial(self._tell, streams))
                    self._store.file.let_go()
                del streams  # what nobody else holds must not live from look to look
                pause.wait(LOOK)
        finally:
            self._store.file.close()

    def _tell(self, streams: list[Stream]) -> None:
        """Publish what stands in the file now; end the streams of seats that were withdrawn."""
        known = {stream.game: self.newest(stream.game) for stream in streams}
        found = self._store.revisions(known)  # after that: what was known was on the disk already
        for game, before in known.items():
            now = found.get(game, GONE)
            attempt("telling those who follow a game", partial(self.publish, game, *now, has_gone_back=now < before))
        standing = self._store.standing({stream.token for stream in streams if stream.token})
        letters = self._letters(streams)
        for stream in streams:
            if stream.token and stream.token not in standing:
                stream.end()
        for stream in streams:
            stream.has_letter(letters.get((stream.game, stream.token), 0))

    def _letters(self, streams: list[Stream]) -> dict[tuple[str, str | None], int]:
        """The newest letter to one seat alone, by game and token of the streams."""
        held = {stream.token for stream in streams if stream.token}
        return newest_of_holders(self._store, {stream.game for stream in streams}, held)


def event(version: int) -> str:
    """What tells of a version."""
    return f"id: {version}\nevent: version\ndata: {version}\n\n"
