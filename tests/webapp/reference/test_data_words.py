"""Headings and words of the data in the reader's language."""

from __future__ import annotations

import re
import tomllib

import pytest
from flask.testing import FlaskClient

import data
from webapp.pages.reference.books import book, books
from webapp.presenting.labels import Grid, grids, in_words, texts_of

LANGUAGES = tuple(sorted({path.suffixes[0][1:] for path in data.ROOT.glob("galley/chapters.*.toml")}))
SYSTEMS = [each.system for each in books()]
CAMPAIGNS = [system for system in SYSTEMS if grids(system) and system != "galley"]
PARAGRAPH = re.compile(r"[A-Z]*\d+(\.\w+)+( \(.*\))?|\w+(\.\w+)+|H\.\w+")


REGIONS = {each["name"] for each in tomllib.loads((data.ROOT / "punic_wars/regions.toml").read_text())["region"]}
LATIN = REGIONS | {"Duoviri Navales"}  # the same in Italian


def pieces(system: str) -> set[str]:
    """Every text of the tables that holds letters and is neither an id nor a number."""
    found: set[str] = set()
    for grid in grids(system):
        cells = [cell for row in grid.rows for head, cell in zip(grid.columns, row, strict=False) if head != "id"]
        texts = (*grid.title.split(": "), grid.note, *grid.columns, *cells)
        found |= {text for text in texts if re.search("[A-Za-z]", text) and not PARAGRAPH.fullmatch(text)}
    return found


def is_latin(text: str) -> bool:
    return all(part in LATIN for part in text.split(", "))


def test_russian_and_italian_are_there():
    assert LANGUAGES == ("it", "ru")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_chapter_has_its_heading_and_no_other_is_there(system: str, language: str):
    titles = {chapter.title for chapter in book(system).chapters if chapter.title}
    assert set(texts_of(system, "chapters", language)) == titles


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("system", CAMPAIGNS)
def test_every_word_of_the_tables_is_told_and_no_other(system: str, language: str):
    words, ids = texts_of(system, "tables", language), {grid.id for grid in grids(system)}
    plain = {word for word in words if word.partition("/")[0] not in ids or "/" not in word}
    particular = [word.partition("/") for word in words.keys() - plain]
    found = pieces(system)
    missing = found - plain - {word for _, _, word in particular}
    assert not [each for each in missing if language != "it" or not is_latin(each)]
    assert not plain - found and not [each for each in particular if each[2] not in found]


@pytest.mark.parametrize("system", CAMPAIGNS)
def test_an_english_table_has_words_and_not_the_names_of_its_fields(system: str):
    words, ids = texts_of(system, "tables", "en"), {grid.id for grid in grids(system)}
    for grid in grids(system):
        labels = [row[0] for row in grid.rows] if grid.columns == ("", "") else []
        names = {each for each in (*grid.title.split(": "), *grid.columns, *labels) if re.match("[a-z]", each)}
        assert not [each for each in names if each not in words and f"{grid.id}/{each}" not in words], grid.id
    assert not {word for word in words if word.partition("/")[0] not in ids or "/" not in word} - pieces(system)


def test_a_word_may_mean_something_else_in_one_table():
    words = {"points": "очки", "siege/points": "очки осады", "siege": "осада", "losses": "потери"}
    grid = Grid("siege", "siege: losses", "", "", "", ("", "points"), (("points", "3"),))
    said = in_words(grid, words, {})
    assert (said.title, said.columns, said.rows) == ("осада: потери", ("", "очки осады"), (("очки осады", "3"),))
    assert in_words(grid._replace(id="naval"), words, {}).columns == ("", "очки")


def test_a_table_names_its_places_as_the_reader_does():
    grid = Grid("map", "map", "", "", "", ("space", "Roma"), (("Capua, Roma", "Roma quadrata"),))
    said = in_words(grid, {"space": "область"}, {"Roma": "Рим", "Capua": "Капуя"})
    assert (said.columns, said.rows) == (("область", "Рим"), (("Капуя, Рим", "Roma quadrata"),))


def test_a_russian_reader_finds_no_english_heading(client: FlaskClient):
    page = client.get("/reference/hannibal?lang=ru").text
    assert "Слон среди потерь: от" in page and "elephant from" not in page
    assert "Раунд битвы" in page and ">The battle round<" not in page
    english = client.get("/reference/hannibal?lang=en").text
    assert "elephant from" not in english and "<strong>Place the reinforcements" in english
    assert "Раунд битвы" in client.get("/reference/hannibal/round.1?lang=ru").text
    assert "Слон среди потерь: от" in client.get("/reference/hannibal/table/attrition?lang=ru").text


def test_an_italian_reader_finds_no_english_heading(client: FlaskClient):
    page = client.get("/reference/hannibal?lang=it").text
    assert "Un elefante fra le perdite con un dado da" in page and "elephant from" not in page
    assert "Il round di battaglia" in page and ">The battle round<" not in page
