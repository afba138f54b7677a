"""`navarch --help` is quick because it brings nothing with it, and says what the command line has."""

from __future__ import annotations

import argparse
import subprocess
import sys

import pytest

import navarch
from webapp import cli


@pytest.mark.parametrize("module", dict.fromkeys(command.module for command in navarch.COMMANDS.values()))
def test_the_front_door_names_every_subcommand_of_its_module(module: str) -> None:
    top = navarch.frame()
    cli.register(top, module)
    found = next(action for action in top._actions if isinstance(action, argparse._SubParsersAction))
    assert list(found.choices) == [name for name, command in navarch.COMMANDS.items() if command.module == module]


def test_help_brings_no_engine_no_flask_and_no_database() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import sys, navarch\ntry:\n navarch.main(['--help'])\nfinally:\n print(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "COMMAND" in told
    heavy = {"flask", "webapp", "tactical", "strategic", "sqlite3", "numpy", "msgspec"}
    assert not heavy & set(told.split())


def test_a_wrong_word_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    for given in ([], ["sail"]):
        with pytest.raises(SystemExit) as refused:
            navarch.main(given)
        assert refused.value.code == 2 and "navarch" in capsys.readouterr().err


def test_a_subcommand_does_its_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert navarch.main(["odds", "ram", "--type", "quinquereme", "--full-speed", "1", "--hull-left", "6"]) == 0
    assert "sunk" in capsys.readouterr().out
