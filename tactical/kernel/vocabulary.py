"""The kinds of events that a system tells, each declared once with its fields, its sentence and its weight.

The declarations are data (`data/events/<part>.toml`); tests hold every event that they make to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import data
from tactical.kernel.protocol import Event
from tactical.kernel.record import Input

Fields = Mapping[str, str]
Vocabulary = Mapping[str, Fields]


def is_list_of(kind: type) -> Callable[[Any], bool]:
    """Is it a list of such values?"""
    return lambda value: isinstance(value, list | tuple) and all(type(each) is kind for each in value)


# what a field may hold, by the word in the table; a word with "?" behind it: or nothing, or no such field
SHAPES: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "number": lambda value: type(value) is int,
    "flag": lambda value: isinstance(value, bool),
    "texts": is_list_of(str),
    "numbers": is_list_of(int),
    "list": lambda value: isinstance(value, list | tuple),
    "table": lambda value: isinstance(value, Mapping),
    "any": lambda value: True,
}
# words that also say what a value means, and so how it is said to a reader, with what they hold
MEANINGS = {
    **dict.fromkeys(
        ("aspect", "battle_card", "cause", "figure", "general", "goal", "leader", "level", "phase", "power", "region"),
        "text",
    ),
    **dict.fromkeys(("ship", "side", "space", "step", "word"), "text"),
    **dict.fromkeys(("generals", "leaders", "powers", "regions", "ships", "sides", "spaces"), "texts"),
    **dict.fromkeys(("card", "money", "signed", "units"), "number"),
    "heading": "any",
    "hex": "list",
}
WORDS = SHAPES | {word: SHAPES[shape] for word, shape in MEANINGS.items()}


class Kind(Input, frozen=True):
    """A kind of event: its fields and what they hold, its English sentence, how much it weighs, its former names.

    `sentence` is one text, or several by the condition under which each is said (the first that holds); its gaps are
    explained in webapp/presenting/sentences.py. A journal leaves out what is "soft"; a replay leads to what is "loud".
    `together` names the field whose values a chronicle lists where the same happens several times in a row.
    """

    fields: Fields = {}
    sentence: str | dict[str, str] = ""
    weight: Literal["soft", "plain", "loud"] = "plain"
    together: str = ""
    old: tuple[str, ...] = ()


class Part(Input, frozen=True):
    """data/events/<part>.toml: kinds of events by name."""

    event: dict[str, Kind]


def kinds(*parts: str) -> dict[str, Kind]:
    """The kinds of these parts; of two with one name the later part's."""
    return {name: kind for part in parts for name, kind in data.read(f"events/{part}.toml", Part).event.items()}


def declare(*parts: str) -> Vocabulary:
    """The fields of the kinds of these parts."""
    return {name: kind.fields for name, kind in kinds(*parts).items()}


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
