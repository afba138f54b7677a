"""The reference: every paragraph has its page, every table comes from the data, three languages find a rule."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import data
from tactical.rules.missiles import WEAPONS
from tactical.ship import TYPES
from webapp.pages.reference.books import book, books, find, search
from webapp.pages.reference.tables import NEEDED, needed_first, tables
from webapp.presenting.labels import grids


@pytest.mark.parametrize("system", [each.system for each in books()])
def test_no_paragraph_is_lost_between_the_file_and_the_book(system: str):
    entries = tomllib.loads((data.ROOT / system / "paragraphs.toml").read_text())["paragraph"]
    found = book(system)
    listed = [paragraph.id for chapter in found.chapters for paragraph in chapter.paragraphs]
    assert listed == [entry["id"] for entry in entries]


@pytest.mark.parametrize("system", [each.system for each in books()])
def test_every_paragraph_opens_with_its_text_and_status(client: FlaskClient, system: str):
    for number, paragraph in list(book(system).by_id.items()):
        page = client.get(f"/reference/{system}/{number}")
        assert page.status_code == 200, number
        assert f'class="badge status {paragraph.status}"' in page.text
        assert f'class="badge source {paragraph.origin}"' in page.text


@pytest.mark.parametrize("system", [each.system for each in books()])
def test_every_link_of_a_book_resolves(client: FlaskClient, system: str):
    page = client.get(f"/reference/{system}").text
    links = set(re.findall(r'href="(/(?:reference|odds)[^"#]*)"', page))
    assert len(links) > len(book(system).by_id)
    for link in sorted(links - {f"/reference/{system}/{number}" for number in book(system).by_id}):
        if link != "/odds/common":
            assert client.get(link, follow_redirects=True).status_code == 200, link


def test_the_cites_of_all_tables_are_paragraphs(app: Flask):
    with app.test_request_context():
        for table in tables().values():
            assert find("galley", table.cite) == ("galley", table.cite), table.id
    for each in books():
        for grid in grids(each.system):
            if grid.cite and each.system != "galley":
                assert find(each.system, grid.cite) is not None, (each.system, grid.id, grid.cite)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("L2.3", ("linking", "L2.3")),
        ("G6.2", ("galley", "G6.2")),
        ("G8", ("galley", "G8.1")),
        ("G6.7.a", ("galley", "G6.7.a")),
        ("G6.2.z", ("galley", "G6.2")),
        ("Q1", None),
    ],
)
def test_a_rule_number_leads_to_its_paragraph_wherever_it_stands(asked: str, found: Any):
    assert find("galley", asked) == found


def test_a_number_of_another_book_redirects_there(client: FlaskClient):
    assert client.get("/reference/galley/L2.3").location == "/reference/linking/L2.3"
    assert client.get("/reference/galley/Q1").status_code == 404
    assert client.get("/reference/chess").status_code == 404
    assert client.get("/reference/galley/table/chess").status_code == 404


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("таран", "G6.1"),
        ("пробоины", "G9.2"),
        ("абордаж", "G8.1"),
        ("весла", "G7.3"),
        ("вёсла", "G7.3"),
        ("лучники", "G5.1"),
        ("speronamento", "G6.2"),
        ("falle", "G9.2"),
        ("abbordaggio", "G8.1"),
        ("remi", "G7.3"),
        ("arcieri", "G5.2"),
        ("flooding", "G9.3"),
        ("breaches", "G9.2"),
        ("G7.2", "G7.2"),
        ("prizes", "G8.6"),
    ],
)
def test_a_russian_italian_or_english_word_finds_a_paragraph(word: str, number: str):
    assert number in [found.paragraph.id for found in search(word, "galley")]


def test_all_words_must_be_there_and_nothing_finds_nothing():
    assert {found.paragraph.id for found in search("ram full speed", "galley")} <= {
        found.paragraph.id for found in search("ram", "galley")
    }
    assert search("") == search("xyzzy") == []


def test_the_search_page_shows_what_it_finds(client: FlaskClient):
    page = client.get("/reference?q=таран").text
    assert 'id="p-G6.1"' in page
    assert "xyzzy" in client.get("/reference?q=xyzzy").text
    assert "<script>" not in client.get("/reference?q=<script>").text.split('id="found"')[1]


def test_g5_2_the_fire_table_says_what_the_rules_read(app: Flask):
    with app.test_request_context():
        fire = tables()["fire"]
    assert len(fire.rows) == sum(len(weapon.band) for weapon in WEAPONS.values())
    near = next(row for row in fire.rows if row.about == "stone_thrower")
    assert near.cells == ("1–3", "", "", "", "", "1 hull", "2 hull + 1 killed")


def test_g6_2_the_ram_table_is_the_rules_own_sum(app: Flask):
    with app.test_request_context():
        ram = tables()["ram"]
    assert len(ram.rows) == 2 * sum(kind.ram is not None for kind in TYPES.values())
    bireme = next(row for row in ram.rows if row.about == "bireme")
    assert bireme.cells[1:] == ("0", "1", "2", "3", "4", "5")


def test_g3_2_the_steps_by_phase(app: Flask):
    with app.test_request_context():
        steps = {row.about: row.cells for row in tables()["steps"].rows}
    assert steps["4"] == ("●", "", "●", "●", "", "●")
    assert steps["-1"] == ("", "", "", "", "", "●")


@pytest.mark.parametrize("step", list(NEEDED))
def test_what_matters_now_comes_first_and_nothing_is_left_out(client: FlaskClient, app: Flask, step: str):
    with app.test_request_context():
        assert tuple(table.id for table in needed_first(step))[: len(NEEDED[step])] == NEEDED[step]
        assert len(needed_first(step)) == len(tables())
    page = client.get(f"/reference/galley?step={step}&ship=trireme").text
    assert page.index(f'id="table-{NEEDED[step][0]}"') < page.index('id="q"')


def test_the_row_of_the_ship_is_marked(client: FlaskClient):
    page = client.get("/reference/galley?step=plot&ship=trireme").text
    assert re.search(r'<tr class="chosen"><th scope="row">trireme', page)


def test_paragraph_numbers_in_a_text_are_links(client: FlaskClient):
    assert 'href="/reference/galley/G7.2"' in client.get("/reference/galley/G1.1").text


def test_the_sequence_names_commands_as_players_say_them(client: FlaskClient):
    card = client.get("/reference/galley").text.partition('class="play-box"')[2].partition("</ol>")[0]
    assert "Lock the plots" in card and "Break her oars" in card
    assert not re.search(r"<code>|\b(lock|deploy|finish|evade),", card)
