"""What a system's own things are called: `data/<system>/words.toml`, in English; the catalogues translate it.

Words that several systems share stand with the pages that show them; a system's own word comes before a shared one.
"""

from __future__ import annotations

from functools import cache

import data
from strategic import NAMES
from tactical.kernel.record import Input

Texts = dict[str, str]


class Words(Input, frozen=True):
    """data/<system>/words.toml: names by id, in English.

    `title` is the system's short name; `position` names the fields of its state for the umpire's hand, `house` what a
    group may replace, `chapters` its paragraphs where their ids are words, `warnings` what a command ends that is asked
    twice; `colours` are the numbers of its sides, which have the printed colours; without them
    sides are numbered as they stand in the game.
    """

    title: str
    sides: Texts = {}
    commands: Texts = {}
    prompts: Texts = {}
    deeds: Texts = {}
    fields: Texts = {}
    phases: Texts = {}
    position: Texts = {}
    house: Texts = {}
    chapters: Texts = {}
    warnings: Texts = {}
    colours: dict[str, int] = {}


@cache
def words_of(system: str) -> Words:
    """The words of a system; none but its own name for what has no such file (a test's toy)."""
    path = f"{system}/words.toml"
    return data.read(path, Words) if (data.ROOT / path).exists() else Words(system)


def all_words() -> tuple[Words, ...]:
    """The words of all campaigns, for ids that mean the same everywhere: sides."""
    return tuple(words_of(name) for name in NAMES)
