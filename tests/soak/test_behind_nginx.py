"""Behind nginx, by the file in the docs: each game at one process, streams unbuffered, nothing refused."""

from __future__ import annotations

import asyncio
import os
import re
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from benchmarks.behind_nginx import MISSING, hall, nginx
from benchmarks.load import Tally, _begun, play, summary
from kit.lengths import LOAD_SECONDS, scaled

pytestmark = pytest.mark.skipif(nginx() is None, reason=MISSING)
TABLETS, BATTLES = int(os.environ.get("TABLETS", "600")), int(os.environ.get("BATTLES", "120"))
SECONDS = scaled(LOAD_SECONDS)


def played(folder: Path, *wanted: Any) -> Tally:
    """As `playing`, in a thread of its own: a browser test before this one may have left its loop in the main thread."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(playing, folder, *wanted).result()


def playing(folder: Path, processes: int, tablets: int, battles: int, seconds: float) -> Tally:
    """So many tablets over so many battles behind nginx for so long."""
    tally = Tally()
    with hall(folder, processes) as behind:
        begun = [_begun(behind, number) for number in range(battles)]
        asyncio.run(play(behind, begun, tablets, seconds, tally))
    return tally


def processes_of_games(folder: Path) -> dict[str, set[str]]:
    """By which processes each game's requests were answered."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in (folder / "which.log").read_text().splitlines():
        if game := re.match(r"/(?:api/v1/games|g)/([2-9A-Z]{8})/\S+ (\S+) 200", line):
            found[game[1]].add(game[2])
    return found


@pytest.mark.soak
def test_each_game_is_answered_by_one_process(tmp_path: Path) -> None:
    tally = played(tmp_path, 2, 12, 6, 4)
    assert tally.faults == [] and len(tally.late) > 6, "every stream tells of changes, through the proxy"
    found = processes_of_games(tmp_path)
    assert len(found) == 6 and all(len(processes) == 1 for processes in found.values()), found


@pytest.mark.soak
def test_six_hundred_tablets_behind_nginx(tmp_path: Path) -> None:
    tally = played(tmp_path, os.cpu_count() or 1, TABLETS, BATTLES, SECONDS)
    print(summary(tally, TABLETS, BATTLES, SECONDS))
    assert tally.faults == []
    assert all(len(processes) == 1 for processes in processes_of_games(tmp_path).values())
