"""What the fields of a campaign's events say to a reader, by the words that data/events has for them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from webapp.http.language import gettext as _
from webapp.http.language import tag
from webapp.http.signs import with_sign
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.labels import translate
from webapp.presenting.names import Name, full_name
from webapp.presenting.naming import cards, say_value
from webapp.presenting.sentences import Say, Several

LISTS = {"generals": "general", "leaders": "general", "powers": "side", "regions": "space", "sides": "side"}
LISTS |= {"spaces": "space"}
ALIKE = {"leader": "general", "power": "side", "region": "space"}
NUMBERS = ("flag", "number", "units")
BY_LETTER = re.compile(r"([A-Z]) \((\d)\)")


def saying(system: str) -> Say:
    """What says the fields of this system's events."""
    return partial(say, system)


def say(system: str, word: str, field: str, value: Any) -> Any:
    """A value as players say it: names with their grammar, lists with commas, numbers as they are."""
    if word in NUMBERS:
        return value or 0 if word != "flag" else bool(value)
    word = ALIKE.get(word, word)
    if word in NAMED and isinstance(value, list):  # several events told as one
        return Several(data_name(system, tag(), word, str(each)) for each in value)
    if word in NAMED:
        return data_name(system, tag(), word, str(value or ""))
    if word in LISTS:
        return Several(data_name(system, tag(), LISTS[word], str(each)) for each in value or ())
    if word == "ships":
        return value if isinstance(value, int) else Several(value or ())
    if word == "signed":
        return with_sign(int(value or 0))
    if word == "card":
        card = cards(system).get(value)
        return _("“%(title)s” (card %(number)s)", title=translate(card["title"]), number=value) if card else str(value)
    if word == "battle_card":
        return say_value(system, value, "kind")
    return say_value(system, value, field)


@lru_cache(maxsize=8192)
def data_name(system: str, language: str, word: str, value: str) -> Name:
    """A name of this system's data, in the reader's language, which is given so that each has its own."""
    return NAMED[word](system, value)


def side(system: str, value: str) -> Name:
    """A side, power or seat."""
    return full_name(seat_word(value))


def space(system: str, value: str) -> Name:
    """A space, hex or region."""
    return full_name(say_value(system, value or None))


def general(system: str, value: str) -> Name:
    """A general or leader; who has only a letter is told with his value (8.11)."""
    named = say_value(system, value or None)
    if found := BY_LETTER.fullmatch(named):
        named = _("%(letter)s (value %(value)s)", letter=found[1], value=found[2])
    return full_name(named, person=True)


NAMED: dict[str, Callable[[str, str], Name]] = {"side": side, "space": space, "general": general}
