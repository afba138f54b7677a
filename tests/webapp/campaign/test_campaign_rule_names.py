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


@pytest.mark.parametrize(
    ("system", "paragraph", "words"),
    [
        ("punic_wars", "9.22", "Combat 9.22"),
        ("punic_wars", "19.0 (procedure)", "Scenarios 19.0"),
        ("punic_wars", "P23", "Our reading P23"),
        ("sword_of_rome", "5", "Actions 5"),
        ("sword_of_rome", "9.6 (5p)", "Movement by sea 9.6 (5p)"),
        ("hamilcar", "11.6.7", "Interception at sea 11.6.7"),
        ("open_campaign", "O3.3", "The turn O3.3"),
        ("hamilcar", "L1.2", "Meeting at sea L1.2"),
    ],
)
def test_a_numbered_paragraph_is_called_by_its_chapter_and_its_number(app, system, paragraph, words):
    with app.test_request_context(), force_locale("en"):
        assert rule_words(system, paragraph) == words


@pytest.mark.parametrize("system", ["hamilcar", "sword_of_rome", "punic_wars", "open_campaign", "linking"])
def test_no_paragraph_of_a_campaign_is_a_raw_number(app, system):
    rules = Path(data.__file__).parent / system / "paragraphs.toml"
    with app.test_request_context():
        for paragraph in tomllib.loads(rules.read_text("utf-8"))["paragraph"]:
            said = rule_words(system, paragraph["id"])
            is_named = not re.search(r"\d", paragraph["id"])  # "intro"
            assert is_named or re.match(r"[A-Z][a-z]", said), (paragraph["id"], said)


def test_the_page_says_the_chapter_and_links_the_paragraph(war):
    page = war.page("rome").text
    links = re.findall(r'<a class="rule"[^>]* href="/reference/hannibal/([^"]+)"[^>]*>([^<]+)</a>', page)
    assert links and all(words != paragraph for paragraph, words in links)
