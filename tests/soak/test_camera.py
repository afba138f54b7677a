"""The honest set of photographs of a table: a hundred of large tables, thirty of none, and single cases at full size.

`pytest -m soak tests/soak/test_camera.py -n 2 -rP` prints the figures of docs/camera.md.
"""

from __future__ import annotations

import resource
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from kit.lengths import CAMERA_EMPTY, CAMERA_SCENES, scaled
from kit.photographed import Scene, Score, Wanted, layout_for, photograph
from webapp.camera import tag_finder
from webapp.camera.reading import Reading, read_photo

pytestmark = pytest.mark.soak
FIRST = 7000  # seed


def read(scene: Scene) -> tuple[Reading, float]:
    """What a photograph says, read in a child process; and the seconds of the processor that this took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    got = read_photo(scene.jpeg(75 if scene.wanted.is_poor else 88), scene.layout, waits=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return got, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# What is wanted of: ships read, mm of places, mm between neighbours, degrees of those whose tags are both seen.
KINDS = {
    "real": (Wanted(), 0.995, 2.2, 1.3, 1.0),
    "exact": (Wanted(careless=0.0), 0.99, 0.9, 0.5, 0.1),
    "poor light": (Wanted(is_poor=True, careless=0.0), 0.90, 3.0, 1.6, 0.5),
    "3 MP, 1.2 x 0.8 m": (Wanted(table=(1200.0, 800.0), width=2000, careless=0.0), 0.995, 0.9, 0.5, 0.2),
    "tilt 45, 20 mm": (Wanted(tilt=45.0, tag=20.0, careless=0.0), 0.985, 2.4, 1.1, 0.3),
}


@pytest.mark.parametrize("kind", KINDS)
def test_large_tables_are_read_and_no_ship_is_placed_wrong(kind: str) -> None:
    wanted, share, places, pairs, headings = KINDS[kind]
    score, seconds = Score(), []
    for seed in range(FIRST, FIRST + scaled(CAMERA_SCENES)):
        scene = photograph(wanted, seed)
        got, spent = read(scene)
        score.add(scene, got)
        seconds.append(spent)
        assert max([0.0, *score.places]) < 6, (seed, score.told())
    print(f"{kind}: {score.told()}; {np.median(seconds):.2f} s of the processor, {max(seconds):.2f} at most")
    assert not score.refused and score.share >= share, score.told()
    assert score.worst_of_95(score.places) <= places and score.worst_of_95(score.pairs) <= pairs, score.told()
    assert score.worst_of_95(score.headings) <= headings, score.told()
    assert np.median(seconds) <= 3


def test_pictures_without_a_table_place_nothing() -> None:
    rng = np.random.default_rng(FIRST)
    layout, strange = layout_for(Wanted()), 0
    for number in range(scaled(CAMERA_EMPTY)):
        picture = cv2.resize(rng.normal(120, 30, (75, 100)).astype(np.float32), (2000, 1500))
        side = int(rng.integers(14, 60))
        for top in range(0, 1500, side):
            for left in range(0, 2000, side):
                shade = float(rng.uniform(20, 230))
                corner, end = (left + (top // side % 2) * side // 2, top), (side - 2, side - 2)
                if number % 3 == 0:  # bricks and boards
                    picture[top : top + side - 2, corner[0] : corner[0] + side - 2] = shade
                elif number % 3 == 1:  # hexes
                    angles = np.arange(6) * np.pi / 3
                    hexagon = np.stack([np.cos(angles), np.sin(angles)], 1) * side / 1.8 + corner
                    cv2.polylines(picture, [hexagon.astype(np.int32)], True, shade, 2)
                else:  # cards with print on them
                    picture[top : top + end[0], left : left + end[1]] = 235
                    for _ in range(3):
                        x, y = left + rng.integers(0, side), top + rng.integers(0, side)
                        picture[y : y + side // 4, x : x + side // 4] = shade / 4
        noisy = np.clip(cv2.GaussianBlur(picture, (0, 0), 1) + rng.normal(0, 4, picture.shape), 0, 255)
        data = cv2.imencode(".jpg", noisy.astype(np.uint8))[1].tobytes()
        got = read_photo(data, layout, waits=True)
        assert got.why_not is not None and not got.ships
        strange += len(got.strangers)
    print(f"{scaled(CAMERA_EMPTY)} pictures without a table: {strange} strange tags, nothing placed")


# -- Single cases at full size.


def test_a_95_per_cent_print_is_noticed_by_the_corner_gap() -> None:
    scene = photograph(Wanted(printed=0.95), FIRST + 1)
    got, _ = read(scene)
    score = Score()
    score.add(scene, got)
    assert got.camera is not None and got.camera.corner_gap > 2.5 and max(score.places) < 6, score.told()
    assert "the sheet seems to be printed at 95 %, not at 100 %" in map(str, got.warnings)


def test_corner_tags_may_be_missing_as_long_as_three_are_there() -> None:
    scene = photograph(Wanted(), FIRST + 2, hidden=(1,))
    got, _ = read(scene)
    score = Score()
    score.add(scene, got)
    assert score.share == 1 and max(score.places) < 6, score.told()
    refused, _ = read(photograph(Wanted(), FIRST + 2, hidden=(1, 3)))
    assert "only 2 of 4 corner tags were seen" in str(refused.why_not)


def test_an_id_that_is_there_twice_is_asked() -> None:
    scene = photograph(Wanted(ships=10), FIRST + 3)
    free = next(
        (x, y)
        for x in range(150, 1700, 50)
        for y in range(150, 1100, 50)
        if all(np.hypot(x - at[0], y - at[1]) > 120 for at in scene.truth.values())
    )
    scene = photograph(
        Wanted(ships=10), FIRST + 3, also=((8, *free, 40.0, 16.0), (9, free[0], free[1] + 40, 40.0, 16.0))
    )
    got, _ = read(scene)
    assert got.twice and got.ask == ("s0",) and len(got.ships) == 9


def test_a_mirrored_sheet_is_refused_by_name() -> None:
    scene = photograph(Wanted(), FIRST + 4)
    scene.picture = np.ascontiguousarray(scene.picture[:, ::-1])
    got, _ = read(scene)
    assert "mirrored" in str(got.why_not) and not got.ships


def test_a_photograph_on_its_side_is_turned() -> None:
    scene = photograph(Wanted(ships=10), FIRST + 5)
    scene.picture = np.ascontiguousarray(np.rot90(scene.picture))
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
    data = scene.jpeg()
    data = data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]
    score = Score()
    score.add(scene, read_photo(data, scene.layout, waits=True))
    assert score.share == 1 and max(score.places) < 6, score.told()


def test_a_small_file_of_a_huge_picture_costs_nothing() -> None:
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(b"\0" * 20_001) for _ in range(20_000)) + packer.flush()
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 20_000, 20_000, 8, 0, 0, 0, 0))
    huge = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    assert len(huge) < 1_000_000 and "50 million pixels" in str(read_photo(huge, layout_for(Wanted())).why_not)


def test_the_reader_keeps_within_its_memory() -> None:
    """The peak of a child process of its own for 12 MP, less what OpenCV takes before it reads anything."""
    code = (
        "import re, runpy, sys; sys.path[:] = {path!r}\n"
        "peak = lambda: int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
        "read, before = runpy.run_path({file!r})['read'], peak()\n"
        "read(sys.stdin.buffer.read(), '4x4_100', [0, 1, 2, 3])\n"
        "print((peak() - before) >> 10)"
    )
    scene = photograph(Wanted(is_poor=True), FIRST + 6)
    ran = subprocess.run(
        [sys.executable, "-c", code.format(path=sys.path, file=str(Path(tag_finder.__file__)))],
        input=scene.jpeg(75),
        capture_output=True,
        check=True,
    )
    print(f"12 MP in poor light: {ran.stdout.decode().strip()} MB above the import")
    assert 50 < int(ran.stdout) <= 350
