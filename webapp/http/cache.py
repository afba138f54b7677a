"""Caches, keyed by everything that the value depends on; the reader's language is always part of the key.

Never by who asks: whoever may see a drawing or a sentence asks with the values that it is made of, which come from his
own view, and two who ask with the same values get the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from flask import current_app
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
