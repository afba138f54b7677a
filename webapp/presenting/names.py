"""Names as values that know their grammar: `%(side.gen)s` asks one for a case, `%(side|has|have)s` lets a verb agree.

A `Name` is the text as it stands within a sentence ("the Romans"). What else it can be asked for, by language:

- every language: `bare`, the name without article, as on a label;
- English: `own`, the possessive ("the Romans'"); Italian: `di`, `a`, `da`, `su`, `con` with the article
  drawn in ("dei Romani");
- Russian: `nom`, `gen`, `dat`, `acc`, `ins`, `pre`; of a place `where` ("в Лилибее"), `whither`
  ("в Лилибей"), `whence`.

The words of a language that need saying stand in `data/names/<language>.toml`; a name that is not there is singular.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import data
from tactical.kernel.record import Input
from webapp.http.language import tag
from webapp.presenting import russian


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
VOWELS = "aeiouàèéìòù"


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
        return russian.number(name)
    if language == "it":
        article = ITALIAN.article.get(name)
        return 3 if article in ("i", "gli", "le") else 1 if article == "la" or name in ITALIAN.feminine else 0
    return 3 if name in ENGLISH.peoples else 0


@cache
def case(name: str, language: str, wanted: str, person: bool) -> str:
    """A name in a case; without one as it stands within a sentence."""
    if language == "ru":
        return russian.case(name, wanted, person)
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
