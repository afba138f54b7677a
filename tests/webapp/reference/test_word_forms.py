"""Asked for any form of a word, the search finds the paragraphs that hold any other, in three languages."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

import pytest

from tools.word_forms import families, words
from webapp.pages.reference.books import LANGUAGES, WORD, beginnings, book_in, index, is_ending, plain, search, texts


@cache
def families_standing(language: str) -> list[set[str]]:
    """For each word the forms of it that stand in the paragraphs, where there are several."""
    standing, found = words(language), defaultdict(set)
    for word in standing:
        for lemma, family in families(word, language).items():
            found[lemma] |= family & standing
    return [each for each in found.values() if len(each) > 1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_paragraphs_finds_its_sister_forms(language: str):
    families = families_standing(language)
    missed = {
        f"{asked}: {other}"
        for family in families
        for asked in family
        for other in family
        if not any(f" {start}" in texts(other, language) for start in beginnings(asked, language))
    }
    assert len(families) > 200 and not missed


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_network_too(language: str):
    """As static/sw.js looks: an entry stands for the words that begin with it, and for what is still being typed."""
    known = index(language).words

    def places(word: str) -> set[int]:
        starts = (each for each in known if each.startswith(word) or is_ending(each, word))
        return {place for each in starts for place in known[each]}

    told = [each for book in books_told(language) for each in book]
    for family in families_standing(language)[::20]:  # each takes a look through the whole index
        holding = {place for place, text in enumerate(told) if family & text}
        assert all(holding <= places(word) for word in family), family


def books_told(language: str) -> list[list[set[str]]]:
    return [
        [set(WORD.findall(plain(f"{each.title} {each.text}"))) for each in book_in(system, language).by_id.values()]
        for system in dict.fromkeys(system for system, _number, _title in index(language).paragraphs)
    ]


@pytest.mark.parametrize(
    ("language", "asked", "pattern"),
    [
        ("ru", "вылазок", r"\bвылаз(ка|ки|ку|ок|ками)\b"),
        ("ru", "времени", r"\bвремя\b"),
        ("ru", "фишек", r"\bфишк"),
        ("ru", "отрезка", r"\bотрезок\b"),
        ("ru", "имени", r"\bимя\b"),
        ("ru", "дни", r"\b(день|дня|дней)\b"),
        ("ru", "конец", r"\b(конца|конце)\b"),
        ("it", "uomo", r"\buomini\b"),
        ("it", "acque", r"\bacqua\b"),
        ("it", "ore", r"\bora\b"),
        ("it", "armi", r"\barma\b"),
        ("it", "archi", r"\barco\b"),
        ("en", "men", r"\bman\b"),
    ],
)
def test_a_form_finds_every_paragraph_with_another(language: str, asked: str, pattern: str):
    for system in dict.fromkeys(system for system, _number, _title in index(language).paragraphs):
        found = {each.paragraph.id for each in search(asked, system, language)}
        holding = {
            number
            for number, each in book_in(system, language).by_id.items()
            if re.search(pattern, plain(f"{each.title} {each.text}"))
        }
        assert holding <= found or len(found) == 60, (system, holding - found)
