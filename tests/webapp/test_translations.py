"""Every sentence of the pages and of the data they show is translated, into every language but its own."""

from __future__ import annotations

import ast
import io
import re
import shutil
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_keywords
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from webapp import LANGUAGES, create_app
from webapp.babel_extract import toml_strings

ROOT = Path(__file__).parents[2]
TRANSLATIONS = ROOT / "webapp" / "translations"
FORMS = {"it": 2, "ru": 3}
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%%")
CHOICE = re.compile(r"%\((\w+)([.|][^)]*)\)s")  # a case of a name, a word that agrees: each language has its own


def catalogue(language: str) -> Catalog:
    with (TRANSLATIONS / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def forms(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


@pytest.fixture(scope="module")
def said() -> Catalog:
    """What the sources say now, collected as `make translations` does it."""
    mappings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["babel"]["mappings"]
    methods = [(each["pattern"], each["method"]) for each in mappings]
    options = {
        each["pattern"]: each | ({"keywords": parse_keywords(each["keywords"])} if "keywords" in each else {})
        for each in mappings
    }
    found = Catalog()
    for file, line, message, comments, context in extract_from_dir(ROOT, methods, options, DEFAULT_KEYWORDS):
        found.add(message, None, [(file, line)], auto_comments=comments, context=context)
    return found


@pytest.fixture(scope="module", params=[language for language in LANGUAGES if language != "en"])
def translated(request, said) -> list[tuple[Message, Message | None]]:
    """Each message of the sources with its translation, if the catalogue of the language has one."""
    known = catalogue(request.param)
    return [(message, known.get(message.id, message.context)) for message in said if message.id]


def test_the_sources_are_found(said):
    for sentence in ("Start a battle", "Activate a general", "Ecnomus, 256 BC: sixty ships", "Elephant Fright"):
        assert said.get(sentence) is not None, sentence
    assert said.get(("%(num)d ship", "%(num)d ships")).pluralizable
    assert said.get("Do ships between the two block the line of sight?") is not None


def test_every_sentence_is_translated(translated):
    missing = [
        message.id
        for message, found in translated
        if found is None or found.fuzzy or not all(text.strip() for text in forms(found))
    ]
    assert not missing, f"{len(missing)} without translation (make translations, then fill in): {missing}"


def test_the_placeholders_are_kept(translated):
    changed = []
    for message, found in translated:
        if found is not None and all(forms(found)):
            own = message.id[-1] if message.pluralizable else message.id
            if CHOICE.search(own + forms(found)[0]):
                changed += [(own, text) for text in forms(found) if gaps(own) != gaps(text)]
                continue
            wanted = Counter(PLACEHOLDER.findall(own))
            changed += [(own, text) for text in forms(found) if Counter(PLACEHOLDER.findall(text)) != wanted]
    assert not changed, changed


def gaps(text: str) -> set[str]:
    """The names of the gaps of a sentence, whatever case or agreement is asked of them."""
    return set(re.findall(r"%\((\w+)", text))


def test_every_choice_of_a_sentence_has_as_many_forms_as_its_language_needs(translated):
    wrong = []
    for message, found in translated:
        for own, allowed in ((message.id, {2}), (found.string if found else "", {2, 3, 4})):
            choices = CHOICE.findall(own) if isinstance(own, str) else ()
            wrong += [own for _, choice in choices if "|" in choice and len(choice.split("|")) - 1 not in allowed]
    assert not wrong


def test_no_translation_adds_a_stray_percent(translated):
    for message, found in translated:
        if found is not None and "python-format" in message.flags:
            assert not [text for text in forms(found) if "%" in PLACEHOLDER.sub("", CHOICE.sub("", text))], message.id


@pytest.mark.parametrize("language", FORMS)
def test_every_plural_has_all_its_forms(language, said):
    known = catalogue(language)
    assert known.num_plurals == FORMS[language]
    for message in said:
        if message.pluralizable:
            found = known.get(message.id, message.context)
            assert found is not None and len(forms(found)) == FORMS[language], message.id


@pytest.mark.parametrize("language, sentence", [("en", "Start a battle"), ("ru", "Начать бой"), ("it", None)])
def test_the_page_of_battles_speaks_the_language(language, sentence, tmp_path):
    for each in FORMS:
        folder = tmp_path / "translations" / each / "LC_MESSAGES"
        folder.mkdir(parents=True)
        with (folder / "messages.mo").open("wb") as file:
            write_mo(file, catalogue(each))
    sentence = sentence or catalogue(language).get("Start a battle").string
    app = create_app(
        {"DATABASE": str(tmp_path / "games.db"), "BABEL_TRANSLATION_DIRECTORIES": str(tmp_path / "translations")}
    )
    page = app.test_client().get(f"/battles?lang={language}").text
    shutil.rmtree(tmp_path / "translations")
    assert sentence in page and f'<html lang="{language}"' in page
    if language != "en":
        assert "Start a battle" not in page and "In the middle of a battle?" not in page


def test_strings_are_taken_from_data_files():
    file = io.BytesIO(b'id = "a"\ntitle = "One"\n[sides.rome]\nname = "Rome"\n[[fleet]]\nnames = ["Mars"]\n')
    found = list(toml_strings(file, (), (), {"fields": ["title", "name"]}))
    assert found == [(2, None, "One", []), (4, None, "Rome", [])]


def test_a_sentence_whose_only_words_stand_in_a_gap_that_chooses_is_taken_and_mere_gaps_are_not():
    file = io.BytesIO(
        b'[a]\nsentence = "%(who|The new consul|The new consuls)s: %(who)s."\n[b]\nsentence = "%(place)s (%(army)s)."\n'
    )
    found = [said for _line, _none, said, _comments in toml_strings(file, (), (), {"fields": ["sentence"]})]
    assert found == ["%(who|The new consul|The new consuls)s: %(who)s."]


def test_no_sentence_stands_inside_an_f_string_where_no_catalogue_finds_it():
    hidden = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in (ROOT / "webapp").rglob("*.py")
        for outer in ast.walk(ast.parse(path.read_text()))
        if isinstance(outer, ast.JoinedStr)
        for node in ast.walk(outer)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "ngettext", "pgettext")
    ]
    assert hidden == []
