"""The cases of a Russian name, read from its ending: Лилибей, Лилибея, в Лилибее; exceptions are in data/names/ru.toml.

It knows names of places, peoples and persons (nominative), also of several words; it is no dictionary of Russian.
"""

from __future__ import annotations

import re
from functools import cache

import data
from tactical.kernel.record import Input

CASES = ("gen", "dat", "acc", "ins", "pre")
HUSHED = "гкхжчшщ"  # after these и stands for ы
SIBILANT = "жчшщц"  # after these е stands for an unstressed о
VOWELS = "аеёиоуыэюя"
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


def number(name: str) -> int:
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
def case(name: str, wanted: str, person: bool = False) -> str:
    """The name in a case: gen, dat, acc, ins, pre; of a place "where", "whither", "whence" with the preposition."""
    head, gap, rest = name.partition(" ")
    if head in HEXES:  # a hex without a settlement: "гекс к северу от Рима"
        return f"{hexes(head, wanted)}{gap}{rest}"
    people = name in GRAMMAR.peoples or name in GRAMMAR.tribes
    if wanted == "where":
        return f"у {case(name, 'gen')}" if people else f"{preposition(name)} {case(name, 'pre')}"
    if wanted == "whither":
        return f"к {case(name, 'dat')}" if people else f"{preposition(name)} {case(name, 'acc')}"
    if wanted == "whence":
        word = "от" if people else "с" if name in GRAMMAR.with_na else "из"
        return f"{word} {case(name, 'gen')}"
    if wanted not in CASES:
        return in_sentence(name)
    if wanted == "acc" and name in GRAMMAR.tribes:  # a space of theirs
        return f"земли {case(name, 'gen')}"
    at = CASES.index(wanted)
    if name in GRAMMAR.forms:
        return GRAMMAR.forms[name][at]
    plural = people or number(name) == 3
    spoken = in_sentence(name)
    if wanted == "acc" and (people or (person and number(name) == 0)):
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
    return "во" if name[:1] in "ВФ" and name[1:2] not in VOWELS else "в"


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
    if word[-1] in VOWELS:
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
