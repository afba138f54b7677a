"""docs/threats.md names only tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_test_that_the_threats_name_is_there() -> None:
    named = set(re.findall(r"`(?:tests/)?(test_\w+?)(?:\.py)?`", (ROOT / "docs" / "threats.md").read_text()))
    files = list((ROOT / "tests").rglob("test_*.py"))
    known = {file.stem for file in files}
    for file in files:
        known |= set(re.findall(r"^def (test_\w+)", file.read_text(), re.M))
    assert len(named) > 40 and not named - known
