"""A serving process keeps to one core.

Its threads hand Python's lock to one another many times in a request. From core to core each hand-over wakes a core and
finds nothing in its memory; on one core it is next to nothing: a server answers a third to a half more. A process goes
to another core when others keep its own busy while that one is idle. Linux alone knows cores by number; elsewhere, and
where a process may use one core only, nothing is done.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

TASKS, STAT = Path("/proc/self/task"), Path("/proc/stat")
CROWDED, FREE = 0.25, 0.5  # of a core's time: what others may take of ours; what must be idle of another one
OF_CORES = 65_536  # bytes of that table, at whose head the cores stand
AT_WORK, PATIENCE = 0.25, 3  # of our core's time: below it nobody is in our way; looks in which it must be so
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100  # of the system's clock in a second

_allowed: frozenset[int] = frozenset()  # what the process might use before it kept to one core


def allowed() -> frozenset[int]:
    """The cores that this machine gives the program, whichever of them this process keeps to."""
    if _allowed or not hasattr(os, "sched_getaffinity"):
        return _allowed
    return frozenset(os.sched_getaffinity(0))


def use(cores: Iterable[int]) -> None:
    """All threads of this process run on these cores from now on; where the system forbids it, it stays as it was.

    Raises OSError when the process may open no more files.
    """
    chosen = set(cores)
    if not chosen or not hasattr(os, "sched_setaffinity"):
        return
    for task in TASKS.iterdir():
        with suppress(OSError):  # the thread has ended, or a container says no
            os.sched_setaffinity(int(task.name), chosen)


class Seen(NamedTuple):
    """What the clocks of the system say: by core the ticks that it was busy and that have passed, and our own."""

    busy: dict[int, int]
    passed: dict[int, int]
    mine: float


def seen(stat: str, mine: float) -> Seen:
    """What the system's own table (`/proc/stat`) says of its cores; `mine`: ticks that this process has used."""
    busy, passed = {}, {}
    for line in stat.splitlines():
        name, *rest = line.split()
        if name.startswith("cpu") and name != "cpu":
            spent = [int(each) for each in rest[:8]]  # what guests use is counted among these
            idle = spent[3] + spent[4]  # idle, and waiting for a disk
            busy[int(name[3:])], passed[int(name[3:])] = sum(spent) - idle, sum(spent)
    return Seen(busy, passed, mine)


def quieter(core: int, before: Seen, now: Seen) -> int:
    """The core that would be better for a process that is at work: this one, unless others crowd it and one is idle."""
    taken = {
        each: (now.busy[each] - before.busy[each]) / max(1, now.passed[each] - before.passed[each])
        for each in now.busy
        if each in before.busy
    }
    if core not in taken:
        return core
    mine = (now.mine - before.mine) / max(1, now.passed[core] - before.passed[core])
    best = min(taken, key=lambda each: taken[each])
    is_better = mine > AT_WORK and taken[core] - mine > CROWDED and taken[best] < 1 - FREE
    return best if is_better else core


class Keeper:
    """Keeps this process to one core: at first, in turn, to that of its number among all that serve."""

    def __init__(self, number: int) -> None:
        global _allowed
        _allowed = allowed()
        self._cores = sorted(_allowed) if STAT.exists() else []
        self.core = self._cores[number % len(self._cores)] if len(self._cores) > 1 else None
        self._crowded = 0  # looks in a row in which another core was better
        if self.core is not None:
            use([self.core])
            self._stat = STAT.open("rb", buffering=0)  # opened once: later there may be no file left to open
            self._seen = self._read()

    def look(self) -> None:
        """Go elsewhere if others go on crowding this core while another one is idle; asked once in a second."""
        if self.core is None:
            return
        before, self._seen = self._seen, self._read()
        core = quieter(self.core, before, self._seen)
        self._crowded = self._crowded + 1 if core != self.core else 0
        if self._crowded < PATIENCE or random.random() < 0.5:  # of two that crowd one another, one goes at a time
            return
        self._crowded = 0
        with suppress(OSError):
            use([core])
            self.core = core

    def _read(self) -> Seen:
        found, used = seen(os.pread(self._stat.fileno(), OF_CORES, 0).decode(), 0), os.times()
        ours = set(self._cores)
        return Seen(
            {core: ticks for core, ticks in found.busy.items() if core in ours}, found.passed,
            (used.user + used.system) * TICKS,
        )  # fmt: skip
