"""What was made once is kept by all that it depends on; in a language, the language is part of that.

Nothing is kept by who asked. Whoever may see a drawing or a sentence asks with the values that it is made of, which
come from his own view; two who ask with the same values get the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, ClassVar, ParamSpec, TypeVar
from weakref import WeakSet

from flask import current_app
from markupsafe import Markup

from webapp.http.language import tag

PATIENCE = 10.0  # seconds to wait for what somebody else is making
Given = ParamSpec("Given")
Made = TypeVar("Made")


class Shelf:
    """So many answers, by what they depend on and the language; those that nobody has asked for of late go first.

    Of what is `dear` nothing is made twice at the same time: whoever asks while it is being made waits for it.
    """

    every: ClassVar[WeakSet[Shelf]] = WeakSet()

    def __init__(self, most: int, is_dear: bool = False) -> None:
        self._half = max(1, most // 2)
        self._new: dict[Hashable, Any] = {}
        self._old: dict[Hashable, Any] = {}
        self._is_dear = is_dear
        self._making: dict[Hashable, threading.Event] = {}
        self._guard = threading.Lock()
        Shelf.every.add(self)

    def once(self, depends: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` gives, made once."""
        name = (tag(), depends)
        found: Made | None = self._new.get(name)
        if found is None and (found := self._found(name)) is None:
            found = self._alone(name, make) if self._is_dear else self._keep(name, make())
        return found

    def clear(self) -> None:
        """Forget everything."""
        self._new, self._old = {}, {}

    def _found(self, name: Hashable) -> Any:
        found = self._new.get(name)
        if found is None and (found := self._old.get(name)) is not None:
            self._keep(name, found)
        return found

    def _keep(self, name: Hashable, made: Made) -> Made:
        if len(self._new) >= self._half:  # two halves: one that fills, and the one before it
            self._new, self._old = {}, self._new
        self._new[name] = made
        return made

    def _alone(self, name: Hashable, make: Callable[[], Made]) -> Made:
        with self._guard:
            other = self._making.get(name)
            mine = self._making.setdefault(name, threading.Event())
        if other is not None:
            other.wait(PATIENCE)
            found: Made | None = self._found(name)
            return self._keep(name, make()) if found is None else found
        try:
            return self._keep(name, make())
        finally:
            with self._guard:
                del self._making[name]
            mine.set()


def kept(most: int) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """Keep what a function gives for the same values."""

    def wrap(function: Callable[Given, Made]) -> Callable[Given, Made]:
        shelf = Shelf(most)

        @wraps(function)
        def ask(*values: Given.args, **named: Given.kwargs) -> Made:
            return shelf.once(values, lambda: function(*values, **named)) if not named else function(*values, **named)

        return ask

    return wrap


_parts = Shelf(40_000)


def part(name: str, *values: Hashable, caller: Callable[[], Markup]) -> Markup:
    """In a template: `{% call part("chip", chip, address) %}…{% endcall %}`, made of these values alone."""
    return _parts.once((name, values), caller)


def macro(template: str, name: str, *values: Hashable) -> Markup:
    """In a template: what a macro of another one makes of these values alone."""
    return _parts.once((template, name, values), lambda: macro_of(template, name)(*values))


def macro_of(template: str, name: str) -> Callable[..., Markup]:
    """A macro of a template, by itself."""
    found: Callable[..., Markup] = getattr(current_app.jinja_env.get_template(template).module, name)
    return found


def forget() -> None:
    """Clear every shelf, so that all is made anew."""
    for shelf in Shelf.every:
        shelf.clear()
