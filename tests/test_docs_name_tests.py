"""The docs name only what is there: tests, pages, folders, files and options."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from tools import site
from webapp.cli import serve

ROOT = Path(__file__).parents[1]


def test_every_test_that_the_page_of_threats_names_is_there() -> None:
    named = set(re.findall(r"`(?:tests/)?(test_\w+?)(?:\.py)?`", (ROOT / "docs" / "threats.md").read_text()))
    files = list((ROOT / "tests").rglob("test_*.py"))
    known = {file.stem for file in files}
    for file in files:
        known |= set(re.findall(r"^(?:async )?def (test_\w+)", file.read_text(), re.M))
    assert len(named) > 40 and not named - known


def test_the_pages_that_are_made_of_the_program_lie_in_docs_as_it_is() -> None:
    found = dict(site.written())
    assert found["rulings.md"].count("\n| ") > 100
    stale = [name for name, text in found.items() if (ROOT / "docs" / name).read_text() != text]
    assert not stale, "run: python -m tools.site write"


def test_the_links_of_the_repositorys_own_pages_lead_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "findings").glob("*.md")]
    wrong = []
    for page in pages:
        links = re.findall(r"\]\((?!\w+:)([^)#\s]+)(?:#[^)\s]*)?\)", page.read_text())
        wrong += [f"{page.name}: {link}" for link in links if not (page.parent / link).exists()]
    assert not wrong


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
