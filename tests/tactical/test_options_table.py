"""The options of a battle stand in data/galley/options.toml alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import data
from tactical import GALLEY
from tactical.battle import OPTIONS, Options
from tactical.kernel.options import options_record
from tactical.kernel.protocol import OptionInfo

GAME_AND_API = """
import sys, pathlib, data
data.ROOT = pathlib.Path(sys.argv[1])
from tactical import GALLEY
from tactical.kernel.dice import Dice
print({option.name: option.default for option in GALLEY.options}["edge"])
print(GALLEY.start("mylae", None, {}, Dice()).state.options.edge)
"""


def tables_with(folder: Path, options: str) -> Path:
    """The project's tables, with another table of options for galleys."""
    (folder / "galley").mkdir()
    for path in data.ROOT.iterdir():
        if path.name != "galley":
            (folder / path.name).symlink_to(path)
    for path in (data.ROOT / "galley").iterdir():
        if path.name != "options.toml":
            (folder / "galley" / path.name).symlink_to(path)
    (folder / "galley" / "options.toml").write_text(options)
    return folder


def test_g1_4_another_default_in_the_table_is_the_apis_and_the_games(tmp_path: Path) -> None:
    table = (data.ROOT / "galley" / "options.toml").read_text()
    assert 'default = "withdraw"' in table
    folder = tables_with(tmp_path, table.replace('default = "withdraw"', 'default = "wall"'))
    ran = [sys.executable, "-c", GAME_AND_API, str(folder)]
    assert subprocess.run(ran, capture_output=True, text=True, check=True).stdout.split() == ["wall", "wall"]


def test_an_option_of_a_battle_is_a_row_of_the_table() -> None:
    chosen = {option.name: option.default for option in OPTIONS if option.choices}
    assert GALLEY.options is OPTIONS
    assert {name: getattr(Options(), name) for name in Options.__struct_fields__} == chosen


def test_a_default_is_one_of_the_choices() -> None:
    with pytest.raises(ValueError, match="edge"):
        options_record("Options", (OptionInfo("edge", "open", "", ("wall", "withdraw")),), __name__)
