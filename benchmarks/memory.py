"""What a server takes before anybody has tapped, and after many requests, beside Datasette on the same file."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.behind_nginx import Hall
from benchmarks.row import Row
from benchmarks.served import Server, free_port
from benchmarks.start import NAVARCH
from strategic import SYSTEMS

DATASETTE = "datasette==0.65.1"
ENVIRONMENT = Path(".bench/datasette")
LATER = 40  # seconds after the start, when memory is looked at
REQUESTS = 3000
AGAINST = "the same of Datasette"


def measures() -> dict[str, Callable[[], Row]]:
    """The measures of memory by their ids."""
    return {
        "memory.demo": lambda: _idle("memory.demo", 3.8, "--demo", "--processes", "2"),
        "memory.one": lambda: _idle("memory.one", 2.7, "--demo", "--processes", "1"),
        "memory.served": _served,
        "start.cpu": _start,
    }


def _idle(id: str, target: float, *options: str) -> Row:
    with ours(*options) as mine, datasette() as theirs:
        time.sleep(LATER)
        return row(id, "MB", proportional(mine), proportional(theirs), target)


def _start() -> Row:
    with ours("--demo", "--processes", "2") as mine, datasette() as theirs:
        mine.settle()
        theirs.settle()
        return row("start.cpu", "CPU s", mine.used(), theirs.used(), 6)


def _served() -> Row:
    """One process with a game of each system, after pages of all of them."""
    with ours("--processes", "1") as mine, datasette() as theirs:
        pages = ["/", "/reference"]
        for name in SYSTEMS:
            scenario = SYSTEMS[name].scenarios()[0].id
            made = mine.told("POST", "/games", {"system": name, "scenario": scenario})
            pages += [f"/g/{made['id']}?seat={seat['id']} {seat['token']}" for seat in made["seats"]]
        for number in range(REQUESTS):
            page, _, token = pages[number % len(pages)].partition(" ")
            _, status = mine.ask("GET", page, Authorization=f"Bearer {token}") if token else mine.ask("GET", page)
            if status >= 400:
                raise RuntimeError(f"{page}: {status}")
        return row("memory.served", "MB", proportional(mine), proportional(theirs), 4.9)


def row(id: str, unit: str, mine: float, theirs: float, target: float) -> Row:
    """A figure beside Datasette's: the less the better."""
    return Row(id, mine, unit, theirs, mine / theirs, target, "lower", {"against": AGAINST})


def proportional(server: Server | Hall) -> float:
    """Megabytes of all its processes; of what several share each counts its part (PSS)."""
    total = 0
    for process in server.members():
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


@contextmanager
def ours(*options: str) -> Iterator[Server]:
    """A server with a file of games of its own."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command = [NAVARCH, "serve", "--db", f"{folder}/games.db", "--port", str(port), "--backup-minutes", "0"]
        server = Server([*command, *options], port)
        try:
            server.ask("GET", "/healthz")
            yield server
        finally:
            server.stop()


@contextmanager
def datasette() -> Iterator[Server]:
    """Datasette, from its own package in an environment of its own, with an empty file."""
    program = ENVIRONMENT / "bin" / "datasette"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        subprocess.run([ENVIRONMENT / "bin" / "pip", "install", "-q", DATASETTE], check=True)
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        server = Server([str(program), "serve", "--create", f"{folder}/empty.db", "--port", str(port)], port)
        try:
            server.ask("GET", "/")
            yield server
        finally:
            server.stop()
