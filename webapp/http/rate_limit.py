"""How much one address may ask, counted in memory that the processes of one server have in common."""

from __future__ import annotations

import fcntl
import ipaddress
import json
import mmap
import secrets
import struct
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, wraps
from hashlib import blake2b
from time import monotonic
from typing import IO, Any, ParamSpec, TypeVar

from flask import Flask, current_app, request

from webapp.storage.services.archive import LIMITS, MINUTE, flowing

# -- Memory that the processes of one server have in common: it is there before they are, and goes with the last of
# them.
#
# A process that is killed while it holds the lock upon it lets go of it, as the system does so for it.

SLOTS, NEAR = 4096, 16  # addresses that a kind of limit remembers, and how many slots one may stand in
SLOT = struct.Struct("<Qdd")  # whose; how much was left; when
TOLD = 16 * 1024  # bytes for troubles
LENGTH = struct.Struct("<I")


class Common:
    """Room for the limits of so many kinds, and for troubles; `is_shared` when further processes will have it too."""

    def __init__(self, kinds: int, is_shared: bool = False) -> None:
        self.kinds = kinds
        self.memory = mmap.mmap(-1, kinds * SLOTS * SLOT.size + TOLD)
        self.key = secrets.token_bytes(16)
        self._guard = threading.Lock()
        self._file: IO[bytes] | None = tempfile.TemporaryFile() if is_shared else None  # noqa: SIM115  # as long as we

    @contextmanager
    def lock(self) -> Iterator[mmap.mmap]:
        """The memory, for this thread alone."""
        with self._guard:
            if self._file is None:
                yield self.memory
                return
            fcntl.lockf(self._file, fcntl.LOCK_EX)
            try:
                yield self.memory
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN)


class Buckets:
    """Token buckets by address: `most` permissions, which flow in evenly within so many seconds.

    `kind` is the number of their room in the common memory. Where an address finds no room, the fullest bucket near it
    is forgotten: what that one loses is least.
    """

    def __init__(self, most: int, common: Common, kind: int, seconds: int = 60) -> None:
        self.most, self.seconds = most, seconds
        self._common, self._first = common, kind * SLOTS

    def take(self, address: str, amount: int = 1) -> bool:
        """Take so many permissions; False, and none is taken, when fewer are left."""
        name = int.from_bytes(blake2b(address.encode(), digest_size=8, key=self._common.key).digest(), "little") or 1
        with self._common.lock() as memory:
            now = monotonic()
            near = [(self._first + (name + step) % SLOTS) * SLOT.size for step in range(NEAR)]
            levels = {}
            for place in near:
                whose, level, since = SLOT.unpack_from(memory, place)
                levels[place] = self._level(level, now - since) if whose else float(self.most) + 1
                if whose == name:
                    break
            else:
                place = max(near, key=levels.__getitem__)
                levels[place] = float(self.most)
            level = levels[place]
            SLOT.pack_into(memory, place, name, level - amount if level >= amount else level, now)
            return level >= amount

    def _level(self, level: float, seconds: float) -> float:
        return min(self.most, level + max(0.0, seconds) * self.most / self.seconds)


class Troubles:
    """What the organizer should know of, the newest last: time and sentence."""

    most = 20

    def __init__(self, common: Common) -> None:
        self._common, self._first = common, common.kinds * SLOTS * SLOT.size

    def add(self, time: str, sentence: str) -> None:
        """Remember one; the oldest are forgotten."""
        with self._common.lock() as memory:
            told = [*self._read(memory), (time, sentence)][-self.most :]
            while len(raw := json.dumps(told).encode()) > TOLD - LENGTH.size:
                told = told[1:]
            memory[self._first : self._first + LENGTH.size + len(raw)] = LENGTH.pack(len(raw)) + raw

    def newest(self) -> list[tuple[str, str]]:
        """All of them."""
        with self._common.lock() as memory:
            return self._read(memory)

    def _read(self, memory: mmap.mmap) -> list[tuple[str, str]]:
        (length,) = LENGTH.unpack_from(memory, self._first)
        first = self._first + LENGTH.size
        return [(time, said) for time, said in json.loads(memory[first : first + length])] if length else []


def share(most: int, processes: int, least: int = 16) -> int:
    """What each process allows of `most`: what one address opens may fall to one of them more than to another."""
    return most if processes == 1 else max(least, -(-most // processes))


# -- How much one address may ask: a bucket of permissions that fills again by the minute.

Given = ParamSpec("Given")
Answered = TypeVar("Answered")
RECKONED = "is_reckoned_apart"


@lru_cache(4096)
def client_network(address: str) -> str:
    """The network that shares a limit: an IPv4 address, or the 64 bits of an IPv6 network, which one household owns."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if known.version == 6 and known.ipv4_mapped is None:
        return str(ipaddress.ip_network((known, 64), strict=False))
    return str(known.ipv4_mapped or known) if known.version == 6 else str(known)


class TooMany(Exception):
    """This address asks too often; after so many seconds it may ask again."""

    def __init__(self, reason: str, seconds: int = MINUTE) -> None:
        super().__init__(reason)
        self.seconds = seconds


def buckets_of(config: Mapping[str, Any], common: Common) -> dict[str, Buckets]:
    """A bucket for each row of the table that flows, for all processes of this server together."""
    return {
        name: Buckets(config.get(limit.setting, limit.most), common, place, limit.seconds)
        for place, (name, limit) in enumerate(flowing().items())
    }


def slow_down(name: str, amount: int = 1) -> None:
    """Take so much of a row of `limits.LIMITS` for the address that asks. Raises TooMany where too little is left."""
    buckets: Buckets = current_app.extensions["navarch"].limits[name]
    if not buckets.take(request.remote_addr or "", amount):
        seconds = LIMITS[name].seconds
        if seconds > MINUTE:
            raise TooMany("Too much has been saved today from your network address: try again tomorrow.", seconds)
        raise TooMany("Too many requests from your network address: wait a minute.")


def reckon_apart(name: str) -> Callable[[Callable[Given, Answered]], Callable[Given, Answered]]:
    """A view that reckons for long on a stranger's word: it is counted in a row of `limits.LIMITS`, and the bridge
    has one thread for all such views, so that commands and pages go on however many ask.
    """

    def wrap(view: Callable[Given, Answered]) -> Callable[Given, Answered]:
        @wraps(view)
        def count_and_view(*values: Given.args, **named: Given.kwargs) -> Answered:
            slow_down(name)
            return view(*values, **named)

        setattr(count_and_view, RECKONED, True)
        return count_and_view

    return wrap


def is_reckoned_apart(app: Flask, endpoint: str) -> bool:
    """Is it the endpoint of such a view?"""
    return getattr(app.view_functions.get(endpoint), RECKONED, False)


def asker() -> str:
    """A mark of the address that asks, the same for its whole network, from which only this server can tell it."""
    key: bytes = current_app.extensions["navarch"].store.secret("session").encode()
    return blake2b(client_network(request.remote_addr or "").encode(), key=key[:64], digest_size=12).hexdigest()
