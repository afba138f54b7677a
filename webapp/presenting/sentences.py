"""Sentences that ask their values for what grammar wants, and names that know their grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Protocol

import data
from tactical.kernel.protocol import Kind
from tactical.kernel.record import Input
from webapp.http.language import gettext, tag

# -- The cases of a Russian name, read from its ending: Лилибей, Лилибея, в Лилибее; exceptions are in
# data/names/ru.toml.
#
# It knows names of places, peoples and persons (nominative), also of several words; it is no dictionary of Russian.

CASES = ("gen", "dat", "acc", "ins", "pre")
HUSHED = "гкхжчшщ"  # after these и stands for ы
SIBILANT = "жчшщц"  # after these е stands for an unstressed о
RUSSIAN_VOWELS = "аеёиоуыэюя"
PLURAL_ADJECTIVE = {"ые": ("ых", "ым", "ых", "ыми", "ых"), "ие": ("их", "им", "их", "ими", "их")}
ADJECTIVE = {
    "ый": ("ого", "ому", "ый", "ым", "ом"),
    "ская": ("ской", "ской", "скую", "ской", "ской"),
    "ная": ("ной", "ной", "ную", "ной", "ной"),
    "вая": ("вой", "вой", "вую", "вой", "вой"),
    "рая": ("рой", "рой", "рую", "рой", "рой"),
    "ский": ("ского", "скому", "ский", "ским", "ском"),
}
HEXES = {
    "гекс": ("гекса", "гексу", "гекс", "гексом", "гексе"),
    "море": ("моря", "морю", "море", "морем", "море"),
}


class Grammar(Input, frozen=True):
    """data/names/ru.toml: what an ending does not tell."""

    peoples: tuple[str, ...] = ()
    tribes: tuple[str, ...] = ()
    with_na: tuple[str, ...] = ()
    still: tuple[str, ...] = ()
    masculine: tuple[str, ...] = ()
    forms: dict[str, tuple[str, str, str, str, str]] = {}


GRAMMAR = data.read("names/ru.toml", Grammar)


def russian_number(name: str) -> int:
    """0 masculine, 1 feminine, 2 neuter, 3 plural."""
    head = name.partition(" ")[0]
    *before, word = re.split(r"[ -]", head if head in HEXES else name.partition(" (")[0])
    if any(each[-2:] in PLURAL_ADJECTIVE for each in (*before, word)):
        return 3
    if name in GRAMMAR.peoples or name in GRAMMAR.tribes or (word not in GRAMMAR.still and word[-1:] in "ыи"):
        return 3
    if word[-1:] in "ая" or (word[-1:] == "ь" and word not in GRAMMAR.masculine):
        return 1
    return 2 if word[-1:] in "ое" else 0


@cache
def russian_case(name: str, wanted: str, person: bool = False) -> str:
    """The name in a case: gen, dat, acc, ins, pre; of a place "where", "whither", "whence" with the preposition."""
    head, gap, rest = name.partition(" ")
    if head in HEXES:  # a hex without a settlement: "гекс к северу от Рима"
        return f"{hexes(head, wanted)}{gap}{rest}"
    people = name in GRAMMAR.peoples or name in GRAMMAR.tribes
    if wanted == "where":
        return f"у {russian_case(name, 'gen')}" if people else f"{preposition(name)} {russian_case(name, 'pre')}"
    if wanted == "whither":
        return f"к {russian_case(name, 'dat')}" if people else f"{preposition(name)} {russian_case(name, 'acc')}"
    if wanted == "whence":
        word = "от" if people else "с" if name in GRAMMAR.with_na else "из"
        return f"{word} {russian_case(name, 'gen')}"
    if wanted not in CASES:
        return in_sentence(name)
    if wanted == "acc" and name in GRAMMAR.tribes:  # a space of theirs
        return f"земли {russian_case(name, 'gen')}"
    at = CASES.index(wanted)
    if name in GRAMMAR.forms:
        return GRAMMAR.forms[name][at]
    plural = people or russian_number(name) == 3
    spoken = in_sentence(name)
    if wanted == "acc" and (people or (person and russian_number(name) == 0)):
        at = 0
    return re.sub(r"[А-Яа-яЁё]+", lambda found: decline(found[0], at, people, plural, person), spoken)


def hexes(head: str, wanted: str) -> str:
    """The word with which a hex without a settlement begins, in a case: "в гексе", "из моря"."""
    forms = dict(zip(CASES, HEXES[head], strict=True))
    words = {"where": f"в {forms['pre']}", "whither": f"в {forms['acc']}", "whence": f"из {forms['gen']}"}
    return (words | forms).get(wanted, head)


def in_sentence(name: str) -> str:
    """The name as it stands within a sentence: peoples and tribes small."""
    return name[:1].lower() + name[1:] if name in GRAMMAR.peoples or name in GRAMMAR.tribes else name


def preposition(name: str) -> str:
    """В, на, or во before two consonants."""
    if name in GRAMMAR.with_na:
        return "на"
    return "во" if name[:1] in "ВФ" and name[1:2] not in RUSSIAN_VOWELS else "в"


def decline(word: str, at: int, people: bool, plural: bool, person: bool) -> str:
    """One word in the case of this number in CASES."""
    if word in GRAMMAR.still or len(word) < 3:
        return word
    for endings in (PLURAL_ADJECTIVE, ADJECTIVE):
        for ending, forms in endings.items():
            if forms and word.endswith(ending) and len(word) > len(ending) + 2:
                inanimate = at == 2 and endings is PLURAL_ADJECTIVE and not people
                return word if inanimate else word[: -len(ending)] + forms[at]
    if word.endswith("яне"):
        return word[:-1] + ("", "ам", "", "ами", "ах")[at]
    if plural and word[-1] in "ыи":
        return _plural(word, at, people)
    if word[-1] in "ая":
        return _feminine(word, at)
    if word[-1] in "йь" and not (word[-1] == "ь" and word not in GRAMMAR.masculine and not person):
        return _soft(word, at)
    if word[-1] == "ь":
        return word[:-1] + ("и", "и", "ь", "ью", "и")[at]
    if word[-1] in RUSSIAN_VOWELS:
        return word
    return word + ("а", "у", "а" if person else "", "ем" if word[-1] in SIBILANT else "ом", "е")[at]


def _plural(word: str, at: int, people: bool) -> str:
    stem, soft = word[:-1], word[-1] == "и" and word[-2] not in HUSHED
    if at == 2:
        return word
    if at == 0:
        if not people:
            return f"{stem}й" if soft else stem
        return f"{stem}ев" if soft or stem.endswith("ц") else f"{stem}ов"
    return stem + (("", "ям", "", "ями", "ях") if soft else ("", "ам", "", "ами", "ах"))[at]


def _feminine(word: str, at: int) -> str:
    stem = word[:-1]
    if word[-1] == "я":
        dative = "и" if stem.endswith("и") else "е"
        return stem + ("и", dative, "ю", "ей", dative)[at]
    hard = "и" if stem[-1] in HUSHED else "ы"
    return stem + (hard, "е", "у", "ей" if stem[-1] in SIBILANT else "ой", "е")[at]


def _soft(word: str, at: int) -> str:
    stem = word[:-1]
    last = "и" if word.endswith("ий") else "е"
    return stem + ("я", "ю", word[-1], "ем", last)[at]


# -- Names as values that know their grammar: `%(side.gen)s` asks one for a case, `%(side|has|have)s` lets a verb
# agree.
#
# A `Name` is the text as it stands within a sentence ("the Romans"). What else it can be asked for, by language:
#
# - every language: `bare`, the name without article, as on a label;
# - English: `own`, the possessive ("the Romans'"); Italian: `di`, `a`, `da`, `su`, `con` with the article
#   drawn in ("dei Romani");
# - Russian: `nom`, `gen`, `dat`, `acc`, `ins`, `pre`; of a place `where` ("в Лилибее"), `whither`
#   ("в Лилибей"), `whence`.
#
# The words of a language that need saying stand in `data/names/<language>.toml`; a name that is not there is singular.


class English(Input, frozen=True):
    """data/names/en.toml: the plural names that take "the"."""

    peoples: tuple[str, ...] = ()


class Italian(Input, frozen=True):
    """data/names/it.toml: the articles, the feminine names without one, places called by a people, regions of "nel"."""

    article: dict[str, str] = {}
    feminine: tuple[str, ...] = ()
    peoples: tuple[str, ...] = ()
    within: tuple[str, ...] = ()


ENGLISH = data.read("names/en.toml", English)
ITALIAN = data.read("names/it.toml", Italian)
JOINED = {"a": "a", "da": "da", "di": "de", "su": "su", "in": "ne"}  # what becomes of a preposition before an article
HEX = "l'esagono"  # how an Italian name of a hex without a settlement begins


class Name(str):
    """A name of something that has grammar, in the language of the reader; `person` where it is one."""

    __slots__ = ("bare", "language", "person")
    bare: str
    language: str
    person: bool

    def case(self, wanted: str) -> str:
        """The name in a case of the reader's language; as it is where the language has no such case."""
        return self.bare if wanted == "bare" else case(self.bare, self.language, wanted, self.person)

    def agree(self, forms: Sequence[str]) -> str:
        """The form that agrees with it: of two singular or plural, of four masculine, feminine, neuter or plural."""
        kind = number(self.bare, self.language)
        return forms[(1 if kind == 3 else 0) if len(forms) == 2 else min(kind, len(forms) - 1)]


def full_name(bare: str, person: bool = False) -> Name:
    """A name as pages show it, with its grammar in the reader's language."""
    language = tag()
    found = Name(case(bare, language, "", person))
    found.bare, found.language, found.person = bare, language, person
    return found


@cache
def number(name: str, language: str) -> int:
    """0 masculine or of no gender, 1 feminine, 2 neuter, 3 plural."""
    if language == "ru":
        return russian_number(name)
    if language == "it":
        article = ITALIAN.article.get(name)
        return 3 if article in ("i", "gli", "le") else 1 if article == "la" or name in ITALIAN.feminine else 0
    return 3 if name in ENGLISH.peoples else 0


@cache
def case(name: str, language: str, wanted: str, person: bool) -> str:
    """A name in a case; without one as it stands within a sentence."""
    if language == "ru":
        return russian_case(name, wanted, person)
    if language == "it":
        return italian(name, wanted)
    within = f"the {name}" if name in ENGLISH.peoples else name
    if wanted == "own":
        return f"{within}'" if within.endswith("s") else f"{within}'s"
    return within


def italian(name: str, wanted: str) -> str:
    """An Italian name after a preposition, which draws its article in; with no preposition, after its article."""
    article = ITALIAN.article.get(name)
    if name.startswith(HEX):  # a hex without a settlement has its article in its name
        article, name = "l'", name.removeprefix("l'")
        wanted = "in" if wanted == "a" else wanted
    if wanted in JOINED and name in ITALIAN.within:
        return f"{JOINED['in' if wanted == 'a' else wanted]}l {name}"
    if article is None:
        d = "d" if wanted == "a" and name[:1].lower() == "a" else ""
        return f"{wanted}{d} {name}" if wanted in JOINED or wanted == "con" else name
    gap = "" if article == "l'" else " "
    if wanted == "a" and name in ITALIAN.peoples:
        return f"presso {article}{gap}{name}"
    if wanted in JOINED:
        double = "l" if article in ("la", "le", "l'") else ""
        return f"{JOINED[wanted]}{double}{article.removeprefix('i') if article == 'il' else article}{gap}{name}"
    return f"con {article}{gap}{name}" if wanted == "con" else f"{article}{gap}{name}"


# -- Sentences that ask their values for what grammar wants: a case, a plural, the verb that agrees.
#
# A sentence is a text of the catalogue with gaps. A gap may say more than a name:
#
# - `%(space.where)s` asks the name for a case (`webapp/presenting/sentences.py` lists them);
# - `%(cards|card|cards)s` chooses by a number, or by how many a list holds (in Russian three forms: 1, 2, 5);
# - `%(side|has|have)s` chooses by the number of a name; four forms are masculine, feminine, neuter and plural;
# - `%(success|it succeeds|it fails)s` chooses by a flag.
#
# The first letter of the whole sentence becomes a capital.

Data = Mapping[str, Any]
Say = Callable[[str, str, Any], Any]  # the word of a field's type, the field's name, its value: what a reader sees
Extras = Mapping[str, Callable[[Any], Any]]


class Known(Protocol):
    """What is told: an event, or what a question or command comes to."""

    def get(self, name: str, /) -> Any:
        """A field; None where there is none."""


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

    def tell(self, it: Known, say: Say, extras: Extras) -> str:
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


def all_hold(wanted: tuple[tuple[str, str | None], ...], it: Known) -> bool:
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
