"""What the project can do is a number: every paragraph that is `done` is cited by code and named by a test."""

import tomllib
from pathlib import Path

import pytest

from kit.proven import claimed, done, files, is_named, proven

ROOT = Path(__file__).parent.parent
SYSTEMS = sorted(path.parent.name for path in (ROOT / "data").glob("*/paragraphs.toml"))


def paragraphs(system):
    return tomllib.loads((ROOT / "data" / system / "paragraphs.toml").read_text())["paragraph"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_paragraph_has_a_status_and_a_reason_where_one_is_owed(system):
    for each in paragraphs(system):
        assert each["status"] in ("done", "manual", "later"), each["id"]
        assert each["status"] == "done" or each.get("note"), f"{each['id']} needs a note"


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_done_paragraph_is_proven(system):
    """Cited by code of its own system, and in the name or the parameters of a test of its own; a docstring is not enough."""
    assert not [each for each in done(system) if each not in proven(system)]


def test_nothing_is_dropped_from_the_galley_inventory():
    counted = [each for each in paragraphs("galley") if each.get("inventory", True)]
    assert len(counted) == 64 and len(paragraphs("linking")) == 25


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_coverage_page_says_how_many_are_done_and_proven(system):
    shown = claimed((ROOT / "docs/coverage.md").read_text())[system]
    assert shown == (len(done(system)), len(proven(system))), "python tests/kit/proven.py docs/coverage.md"


def test_a_test_names_a_paragraph_at_its_beginning_or_after_an_and():
    assert is_named("G6.3", "test_g6_3_a_blow") and is_named("H5", "test_l1_4_it_waits_and_h5_it_goes_on")
    assert not is_named("G6.3", "test_g6_31_a_blow") and not is_named("6.3", "test_g6_3_a_blow")


def test_the_words_of_another_language_cite_nothing():
    found = files((str(ROOT / "data" / "galley"),), (".toml",))
    assert found and not [path.name for path in found if path.name.startswith(("paragraphs.", "cases."))]
