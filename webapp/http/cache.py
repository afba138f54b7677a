"""Caches, keyed by everything that the value depends on; the reader's language is always part of the key.

Never by who asks: whoever may see a drawing or a sentence asks with the values that it is made of, which come from his
own view, and two who ask with the same values get the same.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import threading
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from flask import current_app
from jinja2 import BytecodeCache, FileSystemBytecodeCache
from jinja2.bccache import Bucket
from markupsafe import Markup

from tactical.kernel import cache
from webapp.http.language import tag

PATIENCE = 10.0  # seconds to wait for what somebody else is making
Given = ParamSpec("Given")
Made = TypeVar("Made")


class Cache:
    """Values by key and language, within the bytes that all caches share (`tactical.kernel.cache`).

    With `single_flight` no value is made twice at the same time: whoever asks while it is being made waits for it.
    `size` says how many bytes a value counts; without it each is looked through.
    """

    def __init__(self, single_flight: bool = False, size: Callable[[Any], int] | None = None) -> None:
        self._kept = cache.Cache[Any]()
        self._size = size
        self._single_flight = single_flight
        self._making: dict[Hashable, threading.Event] = {}
        self._guard = threading.Lock()

    def get(self, depends: Hashable, make: Callable[[], Made]) -> Made:
        """The value of a key, made by `make` if it is not there."""
        name = (tag(), depends)
        found: Made | None = self._kept.get(name)
        if found is None:
            found = self._alone(name, make) if self._single_flight else self._keep(name, make())
        return found

    def _keep(self, name: Hashable, value: Made) -> Made:
        return self._kept.keep(name, value, self._size(value) if self._size else None)

    def _alone(self, name: Hashable, make: Callable[[], Made]) -> Made:
        with self._guard:
            other = self._making.get(name)
            mine = self._making.setdefault(name, threading.Event())
        if other is not None:
            other.wait(PATIENCE)
            found: Made | None = self._kept.get(name)
            return self._keep(name, make()) if found is None else found
        try:
            return self._keep(name, make())
        finally:
            with self._guard:
                del self._making[name]
            mine.set()


class Shelf:
    """What takes long to make and is the same after each start, kept in files beside the file of games.

    Reading such a file runs what it says, so its folder must be this user's alone, as the file of games must; without
    such a folder, and where a file cannot be read, everything is made anew.
    """

    def __init__(self) -> None:
        self.folder: Path | None = None

    def open(self, beside: Path) -> None:
        """Keep files in a folder beside this file."""
        folder = beside.with_name(f"{beside.name}.drawn")
        with suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            about = folder.stat()
            if about.st_uid == os.getuid() and not about.st_mode & 0o022:
                self.folder = folder

    def get(self, name: str, sources: Iterable[Path], make: Callable[[], Made]) -> Made:
        """The value of a name, made by `make` unless it was made before from files with these contents."""
        if self.folder is None:
            return make()
        path = self.folder / f"{name}-{digest_of(sources)}"
        try:
            found: Made = pickle.loads(path.read_bytes())
        except Exception:  # whatever is wrong with a file: it is made anew
            found = make()
            with suppress(OSError):
                self._drop(name)
                new = path.with_suffix(f".{os.getpid()}")
                new.write_bytes(pickle.dumps(found, pickle.HIGHEST_PROTOCOL))
                new.replace(path)
        return found

    def templates(self, sources: Iterable[Path]) -> BytecodeCache | None:
        """Where templates are kept as they are compiled; `sources` are what they depend on besides their texts."""
        if self.folder is None:
            return None
        name = f"page-{digest_of(sources)}"
        if not any(self.folder.glob(f"{name}-*")):
            self._drop("page")
        return Compiled(str(self.folder), f"{name}-%s")

    def _drop(self, name: str) -> None:
        """Older files of a name."""
        for old in self.folder.glob(f"{name}-*") if self.folder else ():
            old.unlink(missing_ok=True)


class Compiled(FileSystemBytecodeCache):
    """Templates as they are compiled; where a file cannot be written (the disk is full) pages are shown anyway."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def digest_of(sources: Iterable[Path]) -> str:
    """What stands for this Python and the contents of these files."""
    found = hashlib.sha256(sys.version.encode())
    for source in sources:
        found.update(source.read_bytes())
    return found.hexdigest()[:16]


SHELF = Shelf()


def cache_by_language(function: Callable[Given, Made]) -> Callable[Given, Made]:
    """A function with a cache, keyed by its arguments and the language; calls with named arguments are not cached."""
    own = Cache()

    @wraps(function)
    def ask(*values: Given.args, **named: Given.kwargs) -> Made:
        return own.get(values, lambda: function(*values, **named)) if not named else function(*values, **named)

    return ask


_parts = Cache()


def part(name: str, *values: Hashable, caller: Callable[[], Markup]) -> Markup:
    """In a template: `{% call part("chip", chip, address) %}…{% endcall %}`, made of these values alone."""
    return _parts.get((name, values), caller)


def macro(template: str, name: str, *values: Hashable) -> Markup:
    """In a template: what a macro of another one makes of these values alone."""
    return _parts.get((template, name, values), lambda: macro_of(template, name)(*values))


def macro_of(template: str, name: str) -> Callable[..., Markup]:
    """A macro of a template, by itself."""
    found: Callable[..., Markup] = getattr(current_app.jinja_env.get_template(template).module, name)
    return found
