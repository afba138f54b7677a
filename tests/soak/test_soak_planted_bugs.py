"""`make soak` plants every bug of the list and sees that a test notices it, by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from planted.planting import Bug, Place, bugs, copy_of_the_program, notices, planted


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_the_program(tmp_path_factory.mktemp("planted"))


@pytest.mark.soak
@pytest.mark.parametrize(("place", "bug"), bugs(), ids=lambda value: value.wrong if isinstance(value, Bug) else "")
def test_a_planted_bug_is_noticed_by_name(copy: Path, place: Place, bug: Bug, record_property) -> None:
    noticed = notices(copy, place, bug)
    record_property("planted bugs noticed" if noticed else "planted bugs that survive", 1)
    assert noticed or bug.wrong in planted().survives, f"{place.file}: {bug.wrong}: no test notices it"
