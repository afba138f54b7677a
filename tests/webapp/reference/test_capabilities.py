"""The table of docs/coverage.md is the paragraphs' own count, and current."""

from __future__ import annotations

from pathlib import Path

import pytest

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
        assert f"| {title} | {count['done']} | {count['manual']} | {count['later']} | {count['paragraphs']} |" in told
        chapters = told.split(f"<summary>{title} by chapter</summary>")[1].split("</details>")[0]
        rows = [line.split("|") for line in chapters.splitlines() if line.startswith("| ") and "chapter" not in line]
        assert sum(int(row[5]) for row in rows) == count["paragraphs"]


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
