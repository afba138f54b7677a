"""Writes the forms of the words in the rules, which a stemmer parts, into data/search.toml.

Run `python -m tools.word_forms` when tests/webapp/reference/test_word_forms.py misses a word of a new paragraph.
It needs the dictionaries of requirements/test.lock: pymorphy3's for Russian, simplemma's for Italian and English.
The program itself needs neither.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from pymorphy3 import MorphAnalyzer
from simplemma.strategies.dictionaries import DefaultDictionaryFactory

from webapp.pages.reference.books import LANGUAGES, WORD, book_in, books, plain, stem

PAGE = Path(__file__).parents[1] / "data/search.toml"
MARK = "# -- Written by python -m tools.word_forms: each line has the stems of one word's forms.\n"
LIKELY = 0.15  # of a reading of a Russian word
VERBS = {"en": (), "it": ("are", "ere", "ire", "rre", "rsi"), "ru": ("VERB", "INFN", "PRTF", "PRTS", "GRND")}
COMPARED = {"en": ((), ("est",)), "it": ((), ()), "ru": (("по", "наи"), ())}  # beginnings and ends of rare comparisons


def words(language: str) -> set[str]:
    """Every word that stands in a paragraph of the books, in a language."""
    told = (each for book in books() for each in book_in(book.system, language).by_id.values())
    texts = (plain(f"{each.title} {each.text}") for each in told)
    return {word for text in texts for word in WORD.findall(text) if len(word) > 2 and word.isalpha()}


@cache
def russian() -> MorphAnalyzer:
    """The Russian dictionary."""
    return MorphAnalyzer()


@cache
def lemmas(language: str) -> Mapping[str, str]:
    """The lemma of each form in the Italian or English dictionary."""
    return {plain(form): plain(lemma) for form, lemma in DefaultDictionaryFactory().get_dictionary(language).items()}


@cache
def forms(language: str) -> Mapping[str, set[str]]:
    """The forms of each of these lemmas."""
    found = defaultdict(set)
    for form, lemma in lemmas(language).items():
        found[lemma] |= {form, lemma}
    return found


def families(word: str, language: str) -> dict[tuple[str, str], set[str]]:
    """All forms of the words of which a word may be a form, by lemma and kind (Russian: the part of speech)."""
    if language == "ru":
        readings = [each for each in russian().parse(word) if each.is_known and each.score >= LIKELY]
        return {(each.normal_form, str(each.tag.POS)): {plain(form.word) for form in each.lexeme} for each in readings}
    own = {lemmas(language).get(word, word), word}
    return {(lemma, lemma[-3:]): forms(language)[lemma] for lemma in own if lemma in forms(language)}


def rows(language: str) -> list[str]:
    """The stems of each word of the paragraphs that has several: of a verb those alone that stand in paragraphs."""
    found: set[frozenset[str]] = set()
    standing = words(language)
    stems_standing = {stem(word, language) for word in standing}
    before, after = COMPARED[language]
    for word in standing:
        for (_lemma, kind), family in families(word, language).items():
            stems = {stem(form, language) for form in family if form.isalpha()}
            rare = {each for each in stems if each.startswith(before) or each.endswith(after)} - stems_standing
            stems = stems & stems_standing if kind in VERBS[language] else stems - rare
            if len(stems) > 1:
                found.add(frozenset(stems))
    return sorted(" ".join(sorted(each)) for each in found if not any(each < other for other in found))


def listed(lines: Iterable[str]) -> str:
    """Lines as a list of TOML."""
    return "".join(f'    "{line}",\n' for line in lines)


def with_forms(page: str) -> str:
    """The text of data/search.toml with the forms of today."""
    told = "".join(f"{language} = [\n{listed(rows(language))}]\n" for language in LANGUAGES)
    return f"{page.partition(MARK)[0].rstrip()}\n\n{MARK}[forms]\n{told}"


if __name__ == "__main__":
    PAGE.write_text(with_forms(PAGE.read_text()))
