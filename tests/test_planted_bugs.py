"""The list of planted bugs stays true: each line stands in its file once, and is changed by its bug."""

from __future__ import annotations

import pytest

from planted.planting import ROOT, Bug, Place, bugs, planted

LEAST = 100


@pytest.mark.parametrize("place", planted().place, ids=lambda place: place.file)
def test_every_planted_line_stands_in_its_file_once(place: Place) -> None:
    text = (ROOT / place.file).read_text()
    lost = [bug.wrong for bug in place.bug if text.count(bug.line) != 1 or bug.line == bug.instead]
    assert not lost, f"{place.file} has changed: write these bugs anew in tests/planted/bugs.toml: {lost}"
    assert all((ROOT / near.partition("::")[0]).exists() for near in place.near)


def test_there_are_a_hundred_and_no_name_twice() -> None:
    names = [(place.file, bug.wrong) for place, bug in bugs()]
    assert len(names) == len(set(names)) >= LEAST


def test_survivors_are_bugs_of_the_list() -> None:
    known: dict[str, Bug] = {bug.wrong: bug for _, bug in bugs()}
    assert not planted().survives.keys() - known.keys()
    assert len(planted().survives) <= len(known) * 5 // 100
