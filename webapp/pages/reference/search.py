"""Searching the paragraphs by Russian, Italian or English words: in the language of the page, then in the others."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import data
from tactical.kernel.record import Record
from webapp.pages.reference.books import Paragraph, books
from webapp.pages.reference.told import ENGLISH, LANGUAGES, book_in

WORD = re.compile(r"[^\W_]+(?:[.'][^\W_]+)*")
SHORTEST = 3
ENDINGS = ("ings", "ing", "ies", "ied", "ed", "es", "s")
BENDING = {"ru": 2, "it": 1}  # so many letters at the end of a word change with case and number
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
                weights = [weight(told, word, starts) for word, starts in zip(words, wanted[tongue], strict=True)]
                if all(weights):
                    found.append(Found(book.system, shown, sum(weights), tongue == language))
                    break
    return sorted(found, key=lambda each: (not each.own, -each.weight))[:LIMIT]


def beginnings(word: str, language: str = ENGLISH) -> tuple[str, ...]:
    """What words of a language may begin with to answer a word of any of the three languages."""
    starts = {stem(word, language)} if word.isascii() == (language != "ru") else set()
    for term in data.read("search.toml", Terms).term:
        known = {tongue: tuple(map(plain, getattr(term, tongue))) for tongue in ("it", "ru", "en")}
        if any(
            word.startswith(each) or (len(word) >= SHORTEST and each.startswith(word))
            for own in known.values()
            for each in own
        ):
            starts.update(known.get(language, ()))
    return tuple(starts)


def plain(text: str) -> str:
    """Lower case, and the Russian ё as е, as most people type it."""
    return text.lower().replace("ё", "е")


def stem(word: str, language: str = ENGLISH) -> str:
    """A word without its commonest endings; a Russian or Italian one without the letters in which it bends."""
    if language == ENGLISH:
        for ending in ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
                return word[: -len(ending)]
        return word
    return word[: max(SHORTEST, len(word) - BENDING[language])] if len(word) > SHORTEST else word


def weight(paragraph: Paragraph, word: str, starts: tuple[str, ...]) -> int:
    """How well a paragraph answers one word: its number, its title, its text."""
    if paragraph.id.lower() == word:
        return 100
    title, body = texts(paragraph.title, paragraph.text)
    if any(f" {start}" in title for start in starts):
        return 10
    return 1 if any(f" {start}" in body for start in starts) else 0


@cache
def texts(title: str, body: str) -> tuple[str, str]:
    """Title and text as words in a row, each after a blank."""
    return tuple(" " + " ".join(WORD.findall(plain(text))) for text in (title, body))  # type: ignore[return-value]
