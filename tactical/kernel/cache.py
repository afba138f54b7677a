"""What is kept so that it need not be made twice: all caches together hold so many bytes, the least used go first.

A cache that counts its values is not bounded where strangers decide how large a value is: worlds, positions, pages.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from functools import wraps
from sys import getsizeof
from typing import Any, Generic, ParamSpec, TypeVar

from shapely import get_num_coordinates
from shapely.geometry.base import BaseGeometry

Given = ParamSpec("Given")
Made = TypeVar("Made")
MOST = 64 << 20  # bytes, unless `allow` says otherwise
OF_A_ROW = 300  # bytes of what holds a value and its key
OF_A_POINT, OF_A_SHAPE = 16, 400  # bytes of Shapely's outside of Python's memory

_guard = threading.Lock()  # whoever changes `_rows` holds it; whoever only looks does not
_rows: OrderedDict[tuple[object, Hashable], _Row] = OrderedDict()
_most, _in_use = MOST, 0  # bytes


class _Row:
    """A value and its bytes; `is_asked` since it was put in, or since the last one that had to go spared it."""

    __slots__ = ("is_asked", "size", "value")

    def __init__(self, value: Any, size: int) -> None:
        self.value, self.size, self.is_asked = value, size, False


class Cache(Generic[Made]):
    """Values of one kind by key, beside those of all other caches."""

    def get(self, key: Hashable) -> Made | None:
        """The value of a key; None where it is not kept."""
        row = _rows.get((self, key))
        if row is None:
            return None
        row.is_asked = True
        found: Made = row.value
        return found

    def keep(self, key: Hashable, value: Made, size: int | None = None) -> Made:
        """Keep a value unless the key has one, and return the one that is kept.

        `size` is in bytes; without it the value is looked through. A value that is larger than all caches may be
        together is not kept.
        """
        global _in_use
        size = OF_A_ROW + (size_of(key, value) if size is None else size)
        if size > _most:
            return value
        with _guard:
            row = _rows.get((self, key))
            if row is not None:
                value = row.value
            else:
                _rows[self, key] = _Row(value, size)
                _in_use += size
                _make_room()
        return value


def _make_room() -> None:
    """Let values go, the oldest first, until the rest is no more than there may be; one that was asked for waits."""
    global _in_use
    while _in_use > _most:
        name, row = _rows.popitem(last=False)
        if row.is_asked:
            row.is_asked, _rows[name] = False, row
        else:
            _in_use -= row.size


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
        elif type(each).__sizeof__ is object.__sizeof__:  # else it knows its size with what is in it
            left += [getattr(each, name, None) for name in getattr(each, "__struct_fields__", ())]
            left += getattr(each, "__dict__", {}).values()
    return total


def bytes_in_use() -> int:
    """How many bytes all caches of this process hold, about."""
    return _in_use


def allow(most: int) -> None:
    """Let all caches together hold so many bytes; what they hold is dropped."""
    global _most
    _most = most
    clear()


def clear() -> None:
    """Drop every value of every cache of this process."""
    global _in_use
    with _guard:
        _rows.clear()
        _in_use = 0
