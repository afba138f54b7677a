"""The one way to what a stranger's file says: a reader in a child process with limits, which is killed at any of them.

A library that reads such files may hang, take all memory or crash; here it does so alone. The child has none of the
server's descriptors and variables, and steps back behind the server.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from tactical.kernel.record import BadInput
from webapp.http.rate_limit import TooMany

ENTRY = Path(__file__).with_name("entry.py")
AT_ONCE, WAITING = 2, 1  # children of this process, and requests that wait for one: they hold threads meanwhile
T = TypeVar("T")

_children = threading.BoundedSemaphore(AT_ONCE)
_places = threading.BoundedSemaphore(AT_ONCE + WAITING)


@dataclass(frozen=True)
class Limits:
    """What a reader may take: bytes of memory, seconds of the processor and by the clock, bytes of its answer.

    Memory is address space: that of the libraries counts, whether they use it or not. The clock ends long after the
    processor's share, which a busy machine gives late.
    """

    memory: int = 256 << 20
    processor: int = 2
    seconds: float = 20.0
    answer: int = 2 << 20


class Unreadable(Exception):
    """The reader gave up: this is not a file of its kind, or a damaged one."""


def read_apart(
    reader: Path, data: bytes, kind: type[T], name: str, limits: Limits, waits: bool = False, **given: object
) -> T:
    """What a reader, a module here whose `read(data, **given)` returns plain data, says of a file, as `kind`.

    The caller bounds `data`. Raises BadInput with the path `name` where the reader was stopped by a limit or crashed,
    Unreadable, and TooMany where too many files are being read; a thread of ours that `waits` gets its turn in the end.
    """
    if waits:
        return _read(reader, data, kind, name, limits, given)
    if not _places.acquire(blocking=False):
        raise TooMany("The server is reading too many files: try again in a moment.", 1)
    try:
        return _read(reader, data, kind, name, limits, given)
    finally:
        _places.release()


def _read(reader: Path, data: bytes, kind: type[T], name: str, limits: Limits, given: dict[str, object]) -> T:
    head = json.dumps({"reader": str(reader), "limits": asdict(limits), "path": sys.path, "given": given})
    with _children, tempfile.TemporaryFile() as sent, tempfile.TemporaryFile() as answer:
        sent.write(head.encode() + b"\n" + data)
        sent.seek(0)
        try:
            code = subprocess.run(
                [sys.executable, "-I", "-S", str(ENTRY)],
                stdin=sent,
                stdout=answer,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={"OPENBLAS_NUM_THREADS": "1"},  # each more takes some 40 MB of the address space
                timeout=limits.seconds,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:  # it has been killed
            raise BadInput(
                name, "this file could not be read in time: send it again in a minute, or a simpler one"
            ) from None
        answer.seek(0)
        said = answer.read(limits.answer)
    if code == 1:
        raise Unreadable
    if code == 2:
        raise RuntimeError(f"{reader} cannot be loaded within its limits: a library is missing, or takes too much")
    try:
        if code:
            raise ValueError
        return msgspec.json.decode(said, type=kind)
    except ValueError:
        raise BadInput(name, "this file takes too much time or memory to be read: send a simpler one") from None
