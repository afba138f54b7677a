"""The README's capability table is the paragraphs' own count, and current."""

from __future__ import annotations

from pathlib import Path

import pytest

import data
from tactical.kernel.record import BadInput
from webapp.cli import main
from webapp.cli.coverage import count_paragraphs
from webapp.pages.reference import capabilities
from webapp.presenting.words import words_of

README = data.ROOT.parent / "README.md"


def test_the_readme_shows_the_current_table():
    assert capabilities.shown(README.read_text()) == capabilities.markdown(), "run: navarch coverage --update README.md"


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
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{capabilities.BEGIN}\nold\n{capabilities.END}\nafter\n")
    assert main(["coverage", "--update", str(readme)]) == 0
    once = readme.read_text()
    assert capabilities.shown(once) == capabilities.markdown()
    assert once.startswith("before\n<!--") and once.endswith("-->\nafter\n")
    main(["coverage", "--update", str(readme)])
    assert readme.read_text() == once
    readme.write_text("no marks")
    with pytest.raises(BadInput):
        capabilities.update(readme)
