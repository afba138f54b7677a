"""A photograph of a table read: its processor time beside OpenCV's own pass over the same picture, and its memory."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks import clock
from benchmarks.clock import Sample
from benchmarks.row import Row, cost
from webapp.camera.reading import READER, read_photo

SEED = 7000
MOST = 350.0  # MB above what OpenCV takes once it is loaded
PEAK = """
import re, runpy, sys
sys.path[:] = {path!r}
import cv2
peak = lambda: int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
read, before = runpy.run_path({file!r})[{name!r}], peak()
read(sys.stdin.buffer.read(){more})
print((peak() - before) / 1024)
"""


def measures(rounds: int) -> dict[str, Callable[[], Row]]:
    """The measures of photographs by their ids."""
    return {"camera.read": lambda: _read(rounds), "camera.memory": _memory}


@cache
def photograph() -> tuple[bytes, Any]:
    """The photograph of a table with 40 ships that the tests' renderer makes, 12 MP in good light, and its layout."""
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    from kit import photographed

    scene = photographed.photograph(photographed.Wanted(), SEED)
    return scene.jpeg(), scene.layout


def plain(data: bytes) -> int:
    """The picture unpacked, and OpenCV's tags in it, as its defaults find them; how many."""
    import cv2
    import numpy as np

    cv2.setNumThreads(1)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
    return len(cv2.aruco.ArucoDetector(known).detectMarkers(picture)[0])


def _read(rounds: int) -> Row:
    """From the bytes to the ships, with the child process that it starts."""
    data, layout = photograph()

    def ours() -> Sample:
        begun, used = perf_counter(), processor()
        reading = read_photo(data, layout, waits=True)
        if reading.why_not is not None:
            raise RuntimeError(str(reading.why_not))
        return Sample(processor() - used, perf_counter() - begun)

    found = clock.by_turns(ours, clock.of(lambda: min(1, plain(data))), rounds)
    return cost("camera.read", found, 12, "OpenCV's decoding and one pass of its own over the same picture")


def processor() -> float:
    """Seconds of the processor of this process and of its children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def _memory() -> Row:
    """The peak of a process of its own, less what OpenCV takes before it reads anything."""
    data, layout = photograph()
    mine = peak(READER, "read", f", {layout.dictionary!r}, {sorted(layout.corners)!r}", data)
    theirs = peak(Path(__file__), "plain", "", data)
    return Row("camera.memory", mine, "MB", MOST, mine / MOST, 1.0, "lower", {"against": "350 MB", "plain": theirs})


def peak(file: Path, name: str, more: str, data: bytes) -> float:
    """Megabytes that a function of a file takes for this picture."""
    code = PEAK.format(path=sys.path, file=str(file), name=name, more=more)
    ran = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True)
    return float(ran.stdout)
