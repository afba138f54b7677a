"""Sentences that ask their values for what grammar wants: a case, a plural, the verb that agrees.

A sentence is a text of the catalogue with gaps. A gap may say more than a name:

- `%(space.where)s` asks the name for a case (`webapp/presenting/names.py` lists them);
- `%(cards|card|cards)s` chooses by a number, or by how many a list holds (in Russian three forms: 1, 2, 5);
- `%(side|has|have)s` chooses by the number of a name; four forms are masculine, feminine, neuter and plural;
- `%(success|it succeeds|it fails)s` chooses by a flag.

The first letter of the whole sentence becomes a capital.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from tactical.kernel.vocabulary import Kind
from webapp.http.language import gettext, tag
from webapp.presenting.names import Name

Data = Mapping[str, Any]
Say = Callable[[str, str, Any], Any]  # the word of a field's type, the field's name, its value: what a reader sees
Extras = Mapping[str, Callable[[Data], Any]]


AND = {"en": "and", "it": "e", "ru": "и"}
OR = {"en": "or", "it": "o", "ru": "или"}


class Several(list[Any]):
    """A list that reads as its parts with commas and an "and" between them."""

    words = AND

    def __str__(self) -> str:
        return join_parts(map(str, self), self.words)

    def case(self, wanted: str) -> str:
        """Its names in a case, those of the list that have one."""
        return join_parts((each.case(wanted) if isinstance(each, Name) else str(each) for each in self), self.words)


class Either(Several):
    """A list of choices, with an "or" before the last."""

    words = OR


def join_parts(parts: Iterable[str], words: Mapping[str, str] = AND) -> str:
    """Parts as one list: "Tanit, Eshmun and Reshef"; with commas alone where a part has an "and" of its own."""
    *before, last = [*parts] or [""]
    word = f" {words.get(tag(), words['en'])} "
    if word == " e " and last[:1].lower() == "e":
        word = " ed "
    if not before or any(word in part or "," in part for part in (*before, last)):
        return ", ".join((*before, last))
    return f"{', '.join(before)}{word}{last}"


class Values(dict[str, Any]):
    """What fills the gaps of one sentence; `find(name)` gives the value of a gap when it is first asked for."""

    def __init__(self, find: Callable[[str], Any]) -> None:
        super().__init__()
        self.find = find

    def __missing__(self, gap: str) -> Any:
        if "|" in gap:
            name, *forms = gap.split("|")
            return choose(self[name], forms)
        if "." in gap:
            name, _dot, case = gap.partition(".")
            value = self[name]
            return value.case(case) if isinstance(value, Name | Several) else value
        value = self[gap] = self.find(gap)
        return value


def choose(value: Any, forms: Sequence[str]) -> str:
    """The form that fits a flag, a number (one that is not whole goes with the form for two), a list or a name."""
    if isinstance(value, bool) or value is None:
        return forms[0 if value else -1]
    if isinstance(value, int):
        return forms[plural(value, len(forms))]
    if isinstance(value, float):
        return forms[1]
    if isinstance(value, list | tuple):
        return choose(value[0] if isinstance(value[0], Name) else 1, forms) if len(value) == 1 else forms[-1]
    return value.agree(forms) if isinstance(value, Name) else forms[0]


def plural(number: int, forms: int) -> int:
    """Which form goes with a number: one or many; of three (Russian) 1, 2 or 5."""
    number = abs(number)
    if forms < 3 or tag() != "ru":
        return 0 if number == 1 else forms - 1
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else 2


def fill(text: str, find: Callable[[str], Any]) -> str:
    """A sentence, already in the reader's language, with its gaps filled; a name that ends in a full stop ends it."""
    said = text % Values(find)
    said = said[:-1] if said.endswith("..") and not said.endswith("...") else said
    return said[:1].upper() + said[1:]


def tell(text: str, /, **values: Any) -> str:
    """A sentence, already in the reader's language, with these names and numbers in its gaps."""
    return fill(text, values.__getitem__)


class Teller:
    """What tells one kind of event: its sentences by condition, and the words of its fields.

    A condition names fields that an event must have, "winner", or their values, "by=flooding"; "else" always holds.
    """

    def __init__(self, kind: Kind) -> None:
        cases = {"else": kind.sentence} if isinstance(kind.sentence, str) else kind.sentence
        self.cases = tuple((conditions(condition), text) for condition, text in cases.items() if text)
        self.words = {name: word.rstrip("?") for name, word in kind.fields.items()}

    def tell(self, it: Data, say: Say, extras: Extras) -> str:
        """An event as the first of its sentences whose condition holds; empty when none does."""

        def find(name: str) -> Any:
            if name in extras:
                return extras[name](it)
            return say(self.words.get(name, "text"), name, it.get(name))

        text = next((text for wanted, text in self.cases if all_hold(wanted, it)), "")
        return fill(gettext(text), find) if text else ""


def conditions(text: str) -> tuple[tuple[str, str | None], ...]:
    """A condition taken apart: each field with the value that it must have, None for any."""
    parts = (part.partition("=") for part in text.split(",")) if text != "else" else ()
    return tuple((name, wanted if equals else None) for name, equals, wanted in parts)


def all_hold(wanted: tuple[tuple[str, str | None], ...], it: Data) -> bool:
    """Are all these true of an event?"""
    for name, value in wanted:
        have = it.get(name)
        if not have if value is None else str(have) != value:
            return False
    return True


def tellers(kinds: Mapping[str, Kind]) -> dict[str, Teller]:
    """What tells each kind that has a sentence, also under its names of older journals."""
    found: dict[str, Teller] = {}
    for name, kind in kinds.items():
        if kind.sentence:
            found[name] = told = Teller(kind)
            for old in kind.old:
                found.setdefault(old, told)
    return found


def sentences(kinds: Mapping[str, Kind], say: Say, extras: Extras) -> dict[str, Callable[[Data], str]]:
    """A function for each kind that has a sentence, which says an event of that kind."""
    return {name: partial(teller.tell, say=say, extras=extras) for name, teller in tellers(kinds).items()}


def weighing(kinds: Mapping[str, Kind], weight: str) -> frozenset[str]:
    """The kinds of this weight."""
    return frozenset(name for name, kind in kinds.items() if kind.weight == weight)


def together(kinds: Mapping[str, Kind]) -> dict[str, str]:
    """By kind, the field whose values stand as one list where the same happens several times in a row."""
    return {name: kind.together for name, kind in kinds.items() if kind.together}
