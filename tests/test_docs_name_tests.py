"""The docs name only what is there: tests, in the pages that answer findings; folders, files and options."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from webapp.cli import serve

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("threats.md", 40),
        ("rulings.md", 150),
    ],
)
def test_every_test_that_the_page_names_is_there(page: str, least: int) -> None:
    named = set(re.findall(r"`(?:tests/)?(test_\w+?)(?:\.py)?`", (ROOT / "docs" / page).read_text()))
    files = list((ROOT / "tests").rglob("test_*.py"))
    known = {file.stem for file in files}
    for file in files:
        known |= set(re.findall(r"^(?:async )?def (test_\w+)", file.read_text(), re.M))
    assert len(named) > least and not named - known


def test_no_row_of_the_rulings_is_without_a_test() -> None:
    """Nor without a finding."""
    rows = [line for line in (ROOT / "docs" / "rulings.md").read_text().splitlines() if line.startswith("| ")]
    found = [row for row in rows if not row.startswith(("| finding |", "| lines |", "| kind |"))]
    assert len(found) > 120 and not [row for row in found if "`test_" not in row]


def ids(**last: int) -> set[str]:
    """A1 to A9 for A=9, and so on."""
    return {f"{letter}{number}" for letter, end in last.items() for number in range(1, end + 1)}


def ids_by_chapter(page: str) -> dict[str, set[str]]:
    """What the rows of each chapter of a page begin with, by its headings ("The galley, Second reading")."""
    found: dict[str, set[str]] = {}
    chapter: list[str] = []
    for line in (ROOT / "docs" / page).read_text().splitlines():
        if heading := re.match(r"(#+) (.+)", line):
            chapter = [*chapter[: len(heading[1]) - 1], heading[2]]
        elif row := re.match(r"\| (.*?) \|", line):
            found.setdefault(", ".join(chapter[1:]) or chapter[0], set()).update(re.findall(r"\b[A-Z]?\d+", row[1]))
    return found


@pytest.mark.parametrize(
    ("page", "chapter", "wanted"),
    [
        ("rulings.md", "The galley, Second reading", ids(A=9, B=4, C=7, D=4)),
        ("rulings.md", "Hannibal and Hamilcar, Second reading", ids(A=8, B=3, C=6)),
        ("rulings.md", "Punic Wars and The Sword of Rome, Second reading", ids(A=7, B=1, C=3, D=4)),
        ("rulings.md", "Bugs that nothing noticed", {"V1", "V2", "V4", "O2"}),
        ("threats.md", "A second probe, finding by finding", ids(N=14, L=11)),
    ],
)
def test_every_finding_of_a_second_reading_has_its_row(page: str, chapter: str, wanted: set[str]) -> None:
    assert not wanted - ids_by_chapter(page)[chapter]


@pytest.mark.parametrize("floor", ["data", "tactical", "strategic", "webapp", "webapp/pages"])
def test_the_designs_map_names_every_folder(floor: str) -> None:
    folders = {path.name for path in (ROOT / floor).iterdir() if path.is_dir() and path.name != "__pycache__"}
    _, folder_map, *_ = (ROOT / "docs" / "design.md").read_text().split("```")
    assert len(folders) > 2 and not folders - set(re.findall(r"(\w+)/", folder_map))


def test_the_files_that_the_design_names_are_there() -> None:
    text = (ROOT / "docs" / "design.md").read_text()
    named = re.findall(r"`(\w[\w/]*/\w+\.(?:py|html|js|toml|md))`", text)
    places = (ROOT, ROOT / "webapp", ROOT / "tactical")
    assert len(named) > 20 and not [name for name in named if not any((place / name).exists() for place in places)]


def test_the_page_on_running_names_the_options_of_serve_and_no_others() -> None:
    commands = argparse.ArgumentParser().add_subparsers()
    serve.register(commands)
    options = set(re.findall(r"^  (--[a-z-]+)", commands.choices["serve"].format_help(), re.M))
    named = re.findall(r"^\| `(--[a-z-]+)", (ROOT / "docs" / "running.md").read_text(), re.M)
    assert len(options) > 10 and sorted(named) == sorted(options)
