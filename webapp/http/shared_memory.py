"""Memory that the processes of one server have in common: it is there before they are, and goes with the last of them.

A process that is killed while it holds the lock upon it lets go of it, as the system does so for it.
"""

from __future__ import annotations

import fcntl
import json
import mmap
import secrets
import struct
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from time import monotonic
from typing import IO

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
