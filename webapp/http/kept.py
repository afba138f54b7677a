"""What was made once is kept by all that it depends on; in a language, the language is part of that.

Nothing is kept by who asked. Whoever may see a drawing or a sentence asks with the values that it is made of, which
come from his own view; two who ask with the same values get the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, ClassVar, ParamSpec, TypeVar
from weakref import WeakSet

from markupsafe import Markup

from webapp.http.language import tag

Given = ParamSpec("Given")
Made = TypeVar("Made")


class Shelf:
    """So many answers, by what they depend on and the language; a full shelf is cleared and fills again."""

    every: ClassVar[WeakSet[Shelf]] = WeakSet()

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[Hashable, Any] = {}
        Shelf.every.add(self)

    def once(self, depends: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` gives, made once."""
        name = (tag(), depends)
        found: Made | None = self._known.get(name)
        if found is None:
            found = make()
            if len(self._known) >= self._most:
                self._known.clear()
            self._known[name] = found
        return found

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()


def kept(most: int) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """Keep what a function gives for the same values."""

    def wrap(function: Callable[Given, Made]) -> Callable[Given, Made]:
        shelf = Shelf(most)

        @wraps(function)
        def ask(*values: Given.args, **named: Given.kwargs) -> Made:
            return shelf.once(values, lambda: function(*values, **named)) if not named else function(*values, **named)

        return ask

    return wrap


_parts, _large = Shelf(20_000), Shelf(96)


def part(name: str, *values: Hashable, caller: Callable[[], Markup]) -> Markup:
    """In a template: `{% call part("chip", chip, address) %}…{% endcall %}`, made of these values alone."""
    return _parts.once((name, values), caller)


def large_part(name: str, *values: Hashable, caller: Callable[[], Markup]) -> Markup:
    """The same for a part of a hundred kilobytes, such as a map: few are kept."""
    return _large.once((name, values), caller)


def forget() -> None:
    """Clear every shelf, so that all is made anew."""
    for shelf in Shelf.every:
        shelf.clear()
