"""The words of docs/words.md hold in all catalogues and data: none that is ruled out, no voi, no word of a program's."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import data

TRANSLATIONS = Path(__file__).parents[2] / "webapp/translations"
VOI = (
    "aprite|aspettate (un|che)|attaccate prima|avviate|compilate|datelo|finitela|indicate|nominate "
    "(un|il|i |l'|gen|ogn|UC|chi)|omettete|prendete|ricaricate|rispondete|salvatela|scegliete|scrivete|tenete|tirate i|"
    "toccate|tornate indietro|(non|se|che|voi) (avete|potete|volete|dovete)|vostr[aeio]"
)
RULED_OUT = {
    "it": rf"logoramento|turn[oi] (di battaglia|naval[ei])|fuori gioco|perizia navale|arte marinaresca|armat[ae] (?!di|con|a )|salmeri[ae]|giornale|sul piano|{VOI}",
    "ru": r"отряд(а|ы|у|ом|е|ов|ам|ами|ах)?|вожд[ьяюе]\b|вытеснен|КТ|погон[яию]\b|истощени|осадн\w+ обоз|шестиугольник|карт\w* (боя|битвы)\b|обломк|морск\w+ "
    r"выучк|перестроени|за стен(ы|ами)|\bкост(и|ей|ями|ях|ям)\b",
}
IDENTIFIER = re.compile(r"(?<![%\w./`'\"])[a-z]+_[a-z_]+\b(?!\.(toml|py|json))")
# The rules of prose in docs/contributing.md that a program can look for, in English.
FAULTS = re.compile(
    r"\b(is|are) no (?!longer|more\b)|\b(the|an) own\b|\b(is|are) (awaited|waited for|said|told)\b|reckon",
    re.IGNORECASE,
)
THERE = re.compile(r"\bthere (is|are) no\b", re.IGNORECASE)


def catalogue(language: str) -> Iterator[tuple[str, str]]:
    """What each message of the catalogue says, its plural forms too, with its English."""
    with (TRANSLATIONS / language / "LC_MESSAGES/messages.po").open("rb") as file:
        for message in read_po(file):
            english = message.id if isinstance(message.id, str) else message.id[0] if message.id else ""
            if english:
                for text in (message.string,) if isinstance(message.string, str) else message.string:
                    yield english, text


def texts(value: object) -> Iterator[str]:
    """All texts of a decoded table, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def told(language: str) -> Iterator[str]:
    """All that the program says in a language: the catalogue, paragraphs, cases, tables and handbooks."""
    yield from (text for _english, text in catalogue(language))
    for path in data.ROOT.rglob(f"*.{language}.toml"):
        yield from texts(tomllib.loads(path.read_text()))


@pytest.mark.parametrize("language", RULED_OUT)
def test_no_text_has_a_word_that_is_ruled_out(language: str):
    wrong = re.compile(rf"(?i)\b({RULED_OUT[language]})\b")
    assert [text for text in told(language) if wrong.search(text)] == []


@pytest.mark.parametrize("language", RULED_OUT)
def test_no_text_that_people_read_has_an_identifier(language: str):
    found = [
        (english, text) for english, text in catalogue(language) if IDENTIFIER.search(re.sub(r"%\([^)]*\)", "", text))
    ]
    assert found == []


@pytest.mark.parametrize("language", RULED_OUT)
def test_nothing_is_left_in_english(language: str):
    small = re.compile(r"\b(the|of|and|is|are|with|from|for|that|this|not)\b")
    left = [
        (english, text)
        for english, text in catalogue(language)
        if len(small.findall(re.sub(r"%\([^)]*\)|`[^`]*`|'[^']*'|\S+://\S+", "", text))) > (language == "it")
    ]
    assert left == []


def test_english_is_written_by_the_rules_of_prose():
    faulty = {english for english, _text in catalogue("it") if FAULTS.search(THERE.sub("", english))}
    assert faulty == set()
