"""Searching the paragraphs by a Russian, Italian or English word."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import data
from tactical.kernel.record import Record
from webapp.pages.reference.books import Paragraph, books

WORD = re.compile(r"[^\W_]+(?:[.'][^\W_]+)*")
SHORTEST = 3
ENDINGS = ("ings", "ing", "ies", "ied", "ed", "es", "s")
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
    """A paragraph that was found, and how well it fits."""

    system: str
    paragraph: Paragraph
    weight: int


def search(text: str, system: str | None = None) -> list[Found]:
    """The paragraphs that hold every word of the query, best first; a rule number finds itself."""
    words = WORD.findall(plain(text))[:8]
    if not words:
        return []
    wanted = [beginnings(word) for word in words]
    found = []
    for book in books():
        if system is not None and book.system != system:
            continue
        for paragraph in book.by_id.values():
            weights = [weight(paragraph, word, starts) for word, starts in zip(words, wanted, strict=True)]
            if all(weights):
                found.append(Found(book.system, paragraph, sum(weights)))
    return sorted(found, key=lambda each: -each.weight)[:LIMIT]


def beginnings(word: str) -> tuple[str, ...]:
    """What English words may begin with to answer a word of any of the three languages."""
    starts = {stem(word)} if word.isascii() else set()
    for term in data.read("search.toml", Terms).term:
        known = tuple(plain(each) for each in (*term.it, *term.ru, *term.en))
        if any(word.startswith(each) or (len(word) >= SHORTEST and each.startswith(word)) for each in known):
            starts.update(term.en)
    return tuple(starts)


def plain(text: str) -> str:
    """Lower case, and the Russian ё as е, as most people type it."""
    return text.lower().replace("ё", "е")


def stem(word: str) -> str:
    """An English word without its commonest endings."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
            return word[: -len(ending)]
    return word


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
