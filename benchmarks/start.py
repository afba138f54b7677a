"""Starting: the command line's help beside `import flask`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from benchmarks import clock
from benchmarks.row import Row, cost

NAVARCH = str(Path(sys.executable).with_name("navarch"))


def measures(rounds: int) -> dict[str, Callable[[], Row]]:
    """The measures of starting by their ids."""
    return {"start.help": lambda: _help(rounds)}


def _help(rounds: int) -> Row:
    found = clock.by_turns(process([NAVARCH, "--help"]), process([sys.executable, "-c", "import flask"]), rounds)
    return cost("start.help", found, 0.5, "python -c 'import flask'")


def process(command: list[str]) -> clock.Measure:
    """One run of a program: the processor time of it and its children."""

    def measure() -> clock.Sample:
        before, start = os.times(), perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        return clock.Sample(used, perf_counter() - start)

    return measure
