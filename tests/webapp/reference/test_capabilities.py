"""The table of docs/coverage.md is the paragraphs' own count, and current."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask

import data
from navarch import main
from tactical.kernel.record import BadInput
from webapp.cli.rules import count_paragraphs
from webapp.pages.reference import books
from webapp.presenting.labels import words_of

PAGE = data.ROOT.parent / "docs/coverage.md"


def test_the_page_shows_the_current_table():
    assert books.current_table(PAGE.read_text()) == books.markdown(), "run: navarch coverage --update docs/coverage.md"


def test_the_table_counts_every_paragraph(capsys: pytest.CaptureFixture[str]):
    assert main(["coverage", "--markdown"]) == 0
    told = capsys.readouterr().out
    for system, count in count_paragraphs().items():
        title = words_of(system).title
        done, by_hand, remarks, later, whole, _ = numbers(re.search(rf"^\| {title} \|(.*)\|$", told, re.M)[1])
        assert (done, by_hand + remarks, later, whole) == (
            count["done"],
            count["manual"],
            count["later"],
            count["paragraphs"],
        )
        chapters = told.split(f"<summary>{title} by chapter</summary>")[1].split("</details>")[0]
        rows = [line for line in chapters.splitlines() if line.startswith("| ") and "chapter" not in line]
        assert sum(numbers(row.partition("|")[2].partition("|")[2])[4] for row in rows) == count["paragraphs"]


def numbers(row: str) -> list[int]:
    """The numbers of a row of a table."""
    return [int(cell) for cell in row.strip(" |").split("|")]


def test_what_a_printed_game_leaves_to_its_players_is_said_where_it_begins(app: Flask):
    client = app.test_client()
    said = (
        client.get("/new?system=sword_of_rome&scenario=five_powers")
        .text.partition('class="by-hand')[2]
        .partition("</p>")[0]
    )
    assert "Sieges" in said and "Texts of cards" in said and said.count("/reference/sword_of_rome/") == 11
    assert 'class="by-hand' not in client.get("/new?system=hannibal&scenario=second_punic_war").text


def test_an_update_changes_only_what_is_between_the_marks(tmp_path: Path):
    page = tmp_path / "coverage.md"
    page.write_text(f"before\n{books.BEGIN}\nold\n{books.END}\nafter\n")
    assert main(["coverage", "--update", str(page)]) == 0
    once = page.read_text()
    assert books.current_table(once) == books.markdown()
    assert once.startswith("before\n<!--") and once.endswith("-->\nafter\n")
    main(["coverage", "--update", str(page)])
    assert page.read_text() == once
    page.write_text("no marks")
    with pytest.raises(BadInput):
        books.update(page)
