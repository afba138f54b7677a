"""What is kept so that it need not be made twice: all caches together hold so many bytes, the least used go first.

A cache that counts its values is not bounded where strangers decide how large a value is: worlds, positions, pages.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from functools import wraps
from operator import itemgetter
from sys import getsizeof
from typing import Generic, ParamSpec, TypeVar, cast

from cachetools import LRUCache
from shapely import get_num_coordinates
from shapely.geometry.base import BaseGeometry

Given = ParamSpec("Given")
Made = TypeVar("Made")
MOST = 64 << 20  # bytes
OF_A_ROW = 300  # bytes of what holds a value and its key
OF_A_POINT, OF_A_SHAPE = 16, 400  # bytes of Shapely's outside of Python's memory

_guard = threading.Lock()
_kept: LRUCache[tuple[object, Hashable], tuple[object, int]] = LRUCache(MOST, getsizeof=itemgetter(1))


class Cache(Generic[Made]):
    """Values of one kind by key, beside those of all other caches."""

    def get(self, key: Hashable) -> Made | None:
        """The value of a key; None where it is not kept."""
        with _guard:
            try:
                return cast(Made, _kept[self, key][0])
            except KeyError:
                return None

    def keep(self, key: Hashable, value: Made, size: int | None = None) -> Made:
        """Keep a value unless the key has one, and return the one that is kept.

        `size` is in bytes; without it the value is looked through. A value that is larger than all caches may be
        together is not kept.
        """
        row = value, OF_A_ROW + (size_of(key, value) if size is None else size)
        with _guard, suppress(ValueError):
            return cast(Made, _kept.setdefault((self, key), row)[0])
        return value


def remember(function: Callable[Given, Made]) -> Callable[Given, Made]:
    """A function whose values are kept by its arguments; it must not return None, nor be called with named ones."""
    cache = Cache[Made]()

    @wraps(function)
    def ask(*values: Given.args, **named: Given.kwargs) -> Made:
        found = cache.get(values)
        return cache.keep(values, function(*values, **named)) if found is None else found

    return ask


def size_of(*values: object) -> int:
    """About how many bytes some values take with everything in them; what they share is counted once.

    >>> size_of("a" * 1000) > 1000 > size_of("a")
    True
    """
    total, left, seen = 0, list(values), set[int]()
    while left:
        each = left.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        total += getsizeof(each)
        if isinstance(each, str | bytes | int | float | type) or callable(each):
            continue
        if isinstance(each, Mapping):
            left += [*each.keys(), *each.values()]
        elif isinstance(each, list | tuple | set | frozenset):
            left += each
        elif isinstance(each, BaseGeometry):
            total += OF_A_SHAPE + OF_A_POINT * int(get_num_coordinates(each))
        else:
            left += [getattr(each, name, None) for name in getattr(each, "__struct_fields__", ())]
            left += getattr(each, "__dict__", {}).values()
    return total


def bytes_in_use() -> int:
    """How many bytes all caches of this process hold, about."""
    with _guard:
        return int(_kept.currsize)


def allow(most: int) -> None:
    """Let all caches together hold so many bytes; what they hold is dropped."""
    global _kept
    with _guard:
        _kept = LRUCache(most, getsizeof=itemgetter(1))


def clear() -> None:
    """Drop every value of every cache of this process."""
    with _guard:
        _kept.clear()
