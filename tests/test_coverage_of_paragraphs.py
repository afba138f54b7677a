"""What the project can do is a number: every paragraph that is `done` is cited by code and by a test."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PLACES = {
    "galley": (["tactical"], ["tests/tactical"]),
    "linking": (["strategic", "tactical", "webapp"], ["tests"]),
    "hannibal": (["strategic/hannibal", "strategic"], ["tests/strategic/hannibal", "tests/strategic"]),
    "hamilcar": (["strategic/hamilcar", "strategic"], ["tests/strategic/hamilcar", "tests/strategic"]),
    "sword_of_rome": (["strategic/sword_of_rome", "strategic"], ["tests/strategic/sword_of_rome"]),
    "punic_wars": (["strategic/punic_wars"], ["tests/strategic/punic_wars"]),
}
SYSTEMS = sorted(path.parent.name for path in (ROOT / "data").glob("*/paragraphs.toml"))


def paragraphs(system):
    return tomllib.loads((ROOT / "data" / system / "paragraphs.toml").read_text())["paragraph"]


def text_of(folders, endings=(".py",)):
    files = {path for folder in folders for ending in endings for path in (ROOT / folder).rglob(f"*{ending}")}
    return "\n".join(path.read_text() for path in sorted(files))


def cited(paragraph, text):
    """Is the id named, as a whole word, or a part of it (G3.1 stands for G3.1.a when the text names only that)?"""
    return re.search(rf"(?<![\w.]){re.escape(paragraph)}(?!\w)(?!\.\d)", text) is not None


def is_tested(paragraph, text):
    """Does a test carry the id in its name (dots as underscores) or a docstring cite it?"""
    name = re.escape(paragraph.lower().replace(".", "_").replace("-", "_"))
    return re.search(rf"def test_{name}(?![0-9])", text.lower()) is not None or cited(paragraph, text)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_paragraph_has_a_status_and_a_reason_where_one_is_owed(system):
    for each in paragraphs(system):
        assert each["status"] in ("done", "manual", "later"), each["id"]
        assert each["status"] == "done" or each.get("note"), f"{each['id']} needs a note"


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_done_paragraph_is_cited_by_code_and_by_a_test(system):
    code_folders, test_folders = PLACES[system]
    code = text_of([*code_folders, f"data/{system}"], (".py",)) + text_of([f"data/{system}"], (".toml",)).replace(
        (ROOT / "data" / system / "paragraphs.toml").read_text(), ""
    )
    tests = text_of(test_folders)
    done = [each["id"] for each in paragraphs(system) if each["status"] == "done"]
    assert not [each for each in done if not cited(each, code)], "done, but no code cites it"
    assert not [each for each in done if not is_tested(each, tests)], "done, but no test names it"


def test_nothing_is_dropped_from_the_galley_inventory():
    assert len(paragraphs("galley")) == 64 and len(paragraphs("linking")) == 25
