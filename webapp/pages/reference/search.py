"""Searching the paragraphs by Russian, Italian or English words: in the language of the page, then in the others.

A word finds all its forms: Snowball's stems stand for them (snowballstemmer, by Snowball's own maintainers). Words that
mean the same in three languages stand in data/search.toml.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from snowballstemmer import stemmer

import data
from tactical.kernel.record import Record
from webapp.pages.reference.books import Paragraph, books
from webapp.pages.reference.told import ENGLISH, LANGUAGES, book_in

WORD = re.compile(r"[^\W_]+(?:[.'][^\W_]+)*")
SHORTEST = 3
CYRILLIC = re.compile("[а-я]")
STEMMERS = {"en": stemmer("english"), "it": stemmer("italian"), "ru": stemmer("russian")}
LIMIT = 60


class Term(Record, frozen=True):
    """One thing: beginnings of its words in three languages."""

    en: tuple[str, ...]
    it: tuple[str, ...] = ()
    ru: tuple[str, ...] = ()


class Terms(Record, frozen=True):
    """data/search.toml."""

    source: str
    term: tuple[Term, ...]


class Found(NamedTuple):
    """A paragraph that was found, in the language of the page; how well it fits, and whether in that language."""

    system: str
    paragraph: Paragraph
    weight: int
    own: bool


def search(text: str, system: str | None = None, language: str = ENGLISH) -> list[Found]:
    """The paragraphs that hold every word of the query in one language: those of the page's language first, and of
    each the best first. A rule number finds itself.
    """
    words = WORD.findall(plain(text))[:8]
    if not words:
        return []
    tongues = (language, *(each for each in LANGUAGES if each != language))
    wanted = {tongue: [beginnings(word, tongue) for word in words] for tongue in tongues}
    found = []
    for book in books():
        if system is not None and book.system != system:
            continue
        for number, shown in book_in(book.system, language).by_id.items():
            for tongue in tongues:
                told = book_in(book.system, tongue).by_id[number]
                weights = [
                    weight(told, word, starts, tongue) for word, starts in zip(words, wanted[tongue], strict=True)
                ]
                if all(weights):
                    found.append(Found(book.system, shown, sum(weights), tongue == language))
                    break
    return sorted(found, key=lambda each: (not each.own, -each.weight))[:LIMIT]


def beginnings(word: str, language: str = ENGLISH) -> tuple[str, ...]:
    """What words of a text begin with that answer a word of any of the three languages; a stem ends in a blank."""
    starts = {word, f"{stem(word, language)} "} if bool(CYRILLIC.search(word)) == (language == "ru") else set()
    for term in terms():
        if any(means(word, start) for own in term.values() for start in own):
            starts.update(term[language])
    return tuple(starts)


@cache
def terms() -> tuple[Mapping[str, tuple[str, ...]], ...]:
    """The terms of data/search.toml: for each language the beginnings of the words for one thing."""
    found = data.read("search.toml", Terms).term
    return tuple({tongue: tuple(map(plain, getattr(each, tongue))) for tongue in ("en", "it", "ru")} for each in found)


def means(word: str, start: str) -> bool:
    """Does a word begin so, or the other way round while it is being typed?"""
    return word.startswith(start) or (len(word) >= SHORTEST and start.startswith(word))


def plain(text: str) -> str:
    """Lower case, and the Russian ё as е, as most people type it."""
    return text.lower().replace("ё", "е")


@cache
def stem(word: str, language: str = ENGLISH) -> str:
    """The stem that stands for all forms of a word."""
    found: str = STEMMERS[language].stemWord(word)
    return found


def weight(paragraph: Paragraph, word: str, starts: tuple[str, ...], language: str) -> int:
    """How well a paragraph answers one word: its number, its title, its text."""
    if paragraph.id.lower() == word:
        return 100
    title, body = texts(paragraph.title, language), texts(paragraph.text, language)
    if any(f" {start}" in title for start in starts):
        return 10
    return 1 if any(f" {start}" in body for start in starts) else 0


@cache
def texts(text: str, language: str) -> str:
    """The words of a text in a row, then their stems, each between blanks."""
    words = WORD.findall(plain(text))
    return f" {' '.join((*words, *(stem(word, language) for word in words)))} "


class Index(NamedTuple):
    """What the search without a network needs: words with the places of their paragraphs; system, number and title."""

    words: Mapping[str, list[int]]
    paragraphs: list[tuple[str, str, str]]


@cache
def index(language: str) -> Index:
    """All paragraphs in a language by the stems of their words, and by the beginnings of other languages' terms.

    A stem stands for every word that begins with it; a form that does not (city, citi) has an entry of its own.
    """
    told = [(book.system, each) for book in books() for each in book_in(book.system, language).by_id.values()]
    at: dict[str, set[int]] = {}
    forms: dict[str, set[str]] = {}
    for place, (_system, each) in enumerate(told):
        for word in WORD.findall(plain(f"{each.id} {each.title} {each.text}")):
            at.setdefault(stem(word, language), set()).add(place)
            forms.setdefault(stem(word, language), set()).add(word)
    found = {word: at[root] for root, own in forms.items() for word in own if not word.startswith(root)} | at
    for term in terms():
        places = [at[root] for root, own in forms.items() if any(w.startswith(term[language]) for w in own)]
        for start in {start for tongue, own in term.items() if tongue != language for start in own}:
            found[start] = found.get(start, set()).union(*places)
    return Index(
        {word: sorted(places) for word, places in sorted(found.items()) if places},
        [(system, each.id, each.title) for system, each in told],
    )
