"""The kinds of events that a system tells, each declared once with its fields and what these hold.

The declarations are data (`data/events/<part>.toml`); tests hold every event that they make to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import data
from tactical.kernel.protocol import Event
from tactical.kernel.record import Input

Fields = Mapping[str, str]
Vocabulary = Mapping[str, Fields]


def is_list_of(kind: type) -> Callable[[Any], bool]:
    """Is it a list of such values?"""
    return lambda value: isinstance(value, list | tuple) and all(type(each) is kind for each in value)


# what a field may hold, by the word in the table; a word with "?" behind it: or nothing, or no such field
WORDS: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "number": lambda value: type(value) is int,
    "flag": lambda value: isinstance(value, bool),
    "texts": is_list_of(str),
    "numbers": is_list_of(int),
    "list": lambda value: isinstance(value, list | tuple),
    "table": lambda value: isinstance(value, Mapping),
    "any": lambda value: True,
}


class Part(Input, frozen=True):
    """data/events/<part>.toml: fields and what they hold, by kind."""

    event: dict[str, dict[str, str]]


def declared(*parts: str) -> Vocabulary:
    """The kinds of these parts; of two with one name the later part's."""
    return {kind: fields for part in parts for kind, fields in data.read(f"events/{part}.toml", Part).event.items()}


def wrong_in(vocabulary: Vocabulary, event: Event) -> str | None:
    """What is wrong with an event by the declarations; None when nothing is."""
    fields = vocabulary.get(event.type)
    if fields is None:
        return f"no kind of event is called {event.type!r}"
    for name in event.data.keys() - fields.keys():
        return f"{event.type} has no field {name!r}"
    for name, word in fields.items():
        value = event.data.get(name)
        if not (word.endswith("?") and value is None) and not WORDS[word.rstrip("?")](value):
            return f"{event.type}.{name} is {value!r} and should be {word}"
    return None
