"""Paragraphs on the pages of a campaign are called by their chapters, not by the ids of our files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from flask_babel import force_locale

import data
from webapp.presenting.refusals import rule_words

RULES = Path(data.__file__).parent / "hannibal" / "paragraphs.toml"
PARAGRAPHS = [paragraph["id"] for paragraph in tomllib.loads(RULES.read_text("utf-8"))["paragraph"]]


@pytest.mark.parametrize(
    ("paragraph", "words"),
    [
        ("movement.land.1", "Movement by land 1"),
        ("movement.land.1a", "Movement by land 1a"),
        ("tables.naval", "Naval table"),
        ("tables.naval.ports", "Naval table"),
        ("winter.a", "Winter a"),
        ("movement.general.4", "Movement, preface 4"),
        ("strategy.event.1", "Events 1"),
        ("victory.2", "Victory 2"),
    ],
)
def test_a_paragraph_of_hannibal_is_called_by_its_chapter(app, paragraph, words):
    with app.test_request_context(), force_locale("en"):
        assert rule_words("hannibal", paragraph) == words


@pytest.mark.parametrize("lang", ["en", "ru", "it"])
def test_no_paragraph_of_hannibal_keeps_its_raw_id(app, lang):
    with app.test_request_context(), force_locale(lang):
        for paragraph in PARAGRAPHS:
            said = rule_words("hannibal", paragraph)
            assert not re.search(r"[a-z]\.[a-z]|_", said) and said[0].isupper(), (paragraph, said)


def test_a_numbered_paragraph_stands_as_it_is(app):
    with app.test_request_context():
        assert rule_words("punic_wars", "9.22") == "9.22"


def test_the_page_says_the_chapter_and_links_the_paragraph(war):
    page = war.page("rome").text
    links = re.findall(r'<a class="rule"[^>]* href="/reference/hannibal/([^"]+)"[^>]*>([^<]+)</a>', page)
    assert links and all(words != paragraph for paragraph, words in links)
