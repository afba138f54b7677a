"""The books and the cases in the reader's language, from the files that stand beside the English ones.

`data/<system>/paragraphs.<language>.toml` and `cases.<language>.toml` hold titles, texts and notes by id or number.
A text that such a file does not have stays English; tests/webapp/reference/test_three_languages.py allows none.
"""

from __future__ import annotations

from functools import cache

from flask_babel import get_locale
from msgspec.structs import replace

import data
from webapp.pages.reference.books import SYSTEMS, Book, Chapter, Paragraph, book, books
from webapp.pages.reference.cases import Case, cases, chapters
from webapp.pages.reference.cases import Chapter as CaseChapter

ENGLISH = "en"
LANGUAGES = (ENGLISH, *data.languages(f"{SYSTEMS[0]}/paragraphs.toml"))


def reading() -> str:
    """The language of the page."""
    return str(get_locale() or ENGLISH)


@cache
def book_in(system: str, language: str) -> Book:
    """A book in a language."""
    known, plain = data.words_of(f"{system}/paragraphs.toml", language), book(system)
    by_id = {number: in_other_words(each, known.get(number, {})) for number, each in plain.by_id.items()}
    found = tuple(Chapter(title, tuple(by_id[each.id] for each in own)) for title, own in plain.chapters)
    return Book(system, found, by_id)


def in_other_words(paragraph: Paragraph, words: dict[str, str]) -> Paragraph:
    """A paragraph with its title, text and note in other words; what is not among them stays."""
    return replace(
        paragraph,
        title=words.get("title", paragraph.title),
        text=words.get("text", paragraph.text),
        note=words.get("note", paragraph.note),
    )


def book_in_language(system: str) -> Book:
    """A book in the language of the page."""
    return book_in(system, reading())


def books_in_language() -> tuple[Book, ...]:
    """All books in the language of the page."""
    return tuple(book_in_language(each.system) for each in books())


def case_in_language(case: Case, system: str) -> Case:
    """A case with its title and text in the language of the page."""
    words = data.words_of(f"{system}/cases.toml", reading()).get(str(case.number), {})
    return replace(case, title=words.get("title", case.title), text=words.get("text", case.text))


def chapters_in_language(system: str) -> tuple[CaseChapter, ...]:
    """The catalogue of a system in the language of the page, file by file."""
    heads = data.words_of(f"{system}/cases.toml", reading()).get("chapters", {})
    return tuple(
        CaseChapter(heads.get(each.title, each.title), tuple(case_in_language(case, system) for case in each.cases))
        for each in chapters(system)
    )


def cases_in_language(system: str) -> dict[int, Case]:
    """All cases of a system by number, in the language of the page."""
    return {number: case_in_language(case, system) for number, case in cases(system).items()}
