"""docs/taps.md: the figures that `python -m tools.taps --write` has kept are of its own battles and meet the goals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir

pytest.importorskip("playwright.sync_api")
from tools import taps, taps_hand  # isort: skip

PAGES = Path(__file__).parents[1] / "webapp" / "pages" / "battle"
WRITTEN = [("**.py", "python"), ("**.html", "jinja2.ext:babel_extract")]

LINES = [line for line in taps.HERE.read_text().splitlines() if re.match(r"\| [a-z, ]+ \| \d+ \|", line)]


def test_the_battles_pages_have_each_label_that_the_counting_player_looks_for() -> None:
    """A label that was reworded is not tapped, and each ship is then ordered for herself: the counts would be false."""
    found = (message for _file, _line, message, _comments, _context in extract_from_dir(PAGES, WRITTEN))
    sentences = [each for message in found for each in (message if isinstance(message, tuple) else (message,)) if each]
    until_the_first_gap = {sentence.partition("%(")[0].rstrip(" (") for sentence in sentences}
    assert {word.strip() for word in taps_hand.Words} <= until_the_first_gap


def test_every_board_is_counted_on_every_screen() -> None:
    known = {f"| {plan.name} | {plan.ships} | {plan.screen} |" for plan in taps.plans()}
    assert {taps.key_of(line) for line in LINES} <= known
    counted = {tuple(cell.strip() for cell in line.split("|")[1:4:2]) for line in LINES}
    assert counted == {(plan.name, plan.screen) for plan in taps.plans()}


@pytest.mark.parametrize("line", LINES)
def test_no_turn_takes_more_taps_than_its_goal(line: str) -> None:
    for taken, goal in re.findall(r"\| (\d+) of (\d+) (?=\|)", line):
        assert int(taken) <= int(goal)


def test_a_line_is_kept_in_its_place(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(taps, "HERE", tmp_path / "taps.md")
    taps.HERE.write_text("# Taps\n\n" + taps.TITLE)
    one, other = taps.plans()[0], taps.plans()[1]
    for plan, melee in ((other, 9), (one, 7), (other, 8)):
        taps.keep(taps.row(taps.Counted(plan, 4, melee, {"rome": {1: 4, 2: melee}}, [])))
    kept = [line for line in taps.HERE.read_text().splitlines() if line.startswith("| hexes")]
    assert [line.split("|")[5].strip() for line in kept] == ["7 of 15", "8 of 15"]
