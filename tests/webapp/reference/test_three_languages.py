"""The reference in three languages: every paragraph and case, with its numbers, and nothing left in English."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

import data
from webapp import LANGUAGES as SPOKEN
from webapp.pages.reference.books import LANGUAGES, book, book_in, books, search
from webapp.pages.reference.cases import cases, chapters, with_cases
from webapp.storage.journal.store import all_systems

OTHERS = [language for language in SPOKEN if language != "en"]
SYSTEMS = [each.system for each in books()]
CATALOGUES = with_cases()
QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|\b[A-Z]+\d\S*|\b\w+(?:[._]\w+)+")
FORMULAS = {"floor", "true", "false"}
WORD = re.compile(r"[A-Za-z]{3,}")


def numbers(text: str) -> Counter[str]:
    return Counter(re.findall(r"\d+", text))


def left_in_english(system: str, told: str, plain: str) -> list[str]:
    """Latin words of a Russian text that stand in the English one, besides what is quoted, an option or a chapter."""
    options = all_systems()[system].options if system in all_systems() else ()
    ours = FORMULAS | {option.name for option in options} | {number.partition(".")[0] for number in book(system).by_id}
    words = [word for word in WORD.findall(QUOTED.sub("", told)) if word.islower() and word not in ours]
    return [word for word in words if re.search(rf"\b{word}\b", plain)]


def test_every_language_of_the_pages_is_one_of_the_books():
    assert set(LANGUAGES) == set(SPOKEN)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_paragraph_is_told_with_its_numbers(system: str, language: str):
    told = data.words_of(f"{system}/paragraphs.toml", language)
    assert set(told) == set(book(system).by_id)
    for number, plain in book(system).by_id.items():
        words = told[number]
        assert {field for field in ("title", "text", "note") if getattr(plain, field)} == set(words), number
        for field, text in words.items():
            own = getattr(plain, field)
            assert text.strip() and numbers(text) == numbers(own), (number, field)
            assert text != own or not re.search("[a-z]{4}", own) or field == "title", (number, field)
            if language == "ru":
                assert not left_in_english(system, text, own), (number, left_in_english(system, text, own))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("system", CATALOGUES)
def test_every_case_is_told_with_its_numbers(system: str, language: str):
    told = data.words_of(f"{system}/cases.toml", language)
    assert set(told) == {"chapters", *map(str, cases(system))}
    assert set(told["chapters"]) == {chapter.title for chapter in chapters(system)}
    for number, plain in cases(system).items():
        words = told[str(number)]
        assert set(words) == {"title", "text"}, number
        for field, text in words.items():
            own = getattr(plain, field)
            assert text.strip() and text != own and numbers(text) == numbers(own), (number, field)
            if language == "ru":
                assert not left_in_english(system, text, own), (number, left_in_english(system, text, own))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_pages_tell_it_in_the_readers_language(client: FlaskClient, system: str, language: str):
    """A book, a paragraph and what stands beside it: no title or text of the English book is on them."""
    plain, told = book(system), book_in(system, language)
    page = client.get(f"/reference/{system}?lang={language}").text
    for number, paragraph in told.by_id.items():
        assert str(escape(paragraph.title)) in page, number
    ids = list(plain.by_id)
    for number in ids[:: max(1, len(ids) // 7)]:
        one = client.get(f"/reference/{system}/{number}?lang={language}").text
        assert str(escape(told.by_id[number].title)) in one
        if told.by_id[number].text != plain.by_id[number].text and len(plain.by_id[number].text) > 30:
            assert str(escape(plain.by_id[number].text))[:30] not in one


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("system", CATALOGUES)
def test_the_cases_pages_too(client: FlaskClient, system: str, language: str):
    told, base = data.words_of(f"{system}/cases.toml", language), "/cases" if system == "galley" else f"/cases/{system}"
    page = client.get(f"{base}?lang={language}").text
    for number, words in told.items():
        assert number == "chapters" or str(escape(words["title"])) in page, number
    assert all(str(escape(head)) in page for head in told["chapters"].values())
    one = client.get(f"{base}/1?lang={language}").text
    assert str(escape(told["1"]["title"])) in one and str(escape(told["1"]["text"])) in one
    assert str(escape(told["2"]["title"])) in one, "the case beside it"


@pytest.mark.parametrize(
    ("language", "asked", "number"),
    [
        ("ru", "остов", "G1.2"),
        ("ru", "квинквирема", "G2.0"),
        ("it", "relitto", "G1.2"),
        ("it", "quinquereme", "G2.0"),
        ("ru", "flooding", "G9.3"),
        ("it", "flooding", "G9.3"),
        ("en", "остов", "G1.2"),
        ("ru", "таранами", "G6.1"),
        ("ru", "протаранит", "G6.1"),
        ("it", "speronare", "G6.1"),
        ("it", "relitti", "G1.2"),
        ("en", "wrecked", "G1.2"),
    ],
)
def test_search_finds_the_words_of_every_language(language: str, asked: str, number: str):
    assert number in [each.paragraph.id for each in search(asked, "galley", language)]


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", ("city", "cities", "città", "крепости")),
        ("it", ("ritirata", "ritirate", "withdrawals")),
        ("ru", ("осада", "осадой", "осаде", "siege", "assedio")),
    ],
)
def test_all_forms_of_a_word_find_the_same_also_without_a_network(client: FlaskClient, language: str, forms: tuple):
    told = client.get(f"/reference/words.json?lang={language}").json
    found = [offline(told["words"], form) for form in forms]
    assert len(set.intersection(*found)) > 10
    assert all(len(told["paragraphs"][place]) == 3 for place in found[0])


def offline(words: dict[str, list[int]], word: str) -> set[int]:
    """The places that the service worker finds for a word (reference/sw.js)."""
    longer = [each for each in words if each.startswith(word)]
    starts = longer + [each for each in words if word.startswith(each) and 2 < len(each) >= len(word) - 6]
    return {place for start in starts for place in words[start]}


def test_search_finds_those_of_the_page_first_and_shows_them_in_its_language(client: FlaskClient):
    found = search("corvus", "galley", "it")
    assert [each.own for each in found] == sorted((each.own for each in found), reverse=True)
    assert all(each.paragraph == book_in("galley", "it").by_id[each.paragraph.id] for each in found)
    own = search("остов", "galley", "ru")
    assert own and own[0].own and not any(each.own for each in search("остов", "galley", "en"))
    page = client.get("/reference/galley?q=остов&lang=ru").text.split('id="found"')[1].split('id="play"')[0]
    assert 'id="p-G1.2"' in page and "Вода, суша, остов" in page


def test_the_offline_shell_is_the_same_address_in_every_language(client: FlaskClient):
    """What is kept is fetched again when the language changes: the pages of the shell have no language in them."""
    for language in SPOKEN:
        script = client.get(f"/sw.js?lang={language}").text
        assert '"/reference/galley"' in script and "lang=" not in script.split("const SHELL")[1].split(";")[0]
    assert "Вода, суша, остов" in client.get("/reference/galley?lang=ru").text
