"""A dozen photographs of small tables, and some that are only reckoned: what is read is right, all else is told.

The honest set, a hundred photographs of large tables, is in tests/soak/test_camera.py.
"""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from kit.photographed import Scene, Score, Wanted, frame_table, glance, layout_for, photograph
from tactical.kernel.record import BadInput
from webapp.camera import reading, tag_finder
from webapp.camera.reading import Found, Reading, read_photo, read_tags, read_taps
from webapp.camera.sheet import modules_of

SMALL = Wanted(table=(700.0, 500.0), ships=8, width=1500)
TINY = Wanted(table=(500.0, 350.0), ships=3, width=1200)


def read(scene: Scene, taps: tuple[tuple[float, float], ...] = (), dictionary: str = "4x4_100") -> Reading:
    """What is read in a scene, in this process."""
    found = tag_finder.read(scene.jpeg(), dictionary, sorted(scene.layout.corners))
    tags = [(id, corners) for id, corners in found["tags"]]
    return read_tags(Found(found["width"], found["height"], tags, found["mirrored"]), scene.layout, taps)


def test_photographs_of_small_tables_are_read_to_the_millimetre() -> None:
    score, reckless = Score(), 0
    for seed, wanted in enumerate(
        [SMALL] * 2 + [Wanted(table=(700.0, 500.0), ships=8, width=1600, tilt=40.0, tag=20.0)]
    ):
        scene = photograph(wanted, 100 + seed)
        got = read(scene)
        score.add(scene, got)
        reckless += sum(name not in scene.truth for name in got.ships)
    assert score.share >= 0.95 and not score.refused and not reckless, score.told()
    assert max(score.places) < 4 and score.worst_of_95(score.pairs) < 1.4, score.told()
    assert score.worst_of_95(score.headings) < 1.2, score.told()


def test_the_larger_dictionary_is_read_as_well() -> None:
    scene = photograph(Wanted(table=(700.0, 500.0), ships=6, width=1600, tag=20.0, dictionary="5x5_250"), 3)
    score = Score()
    score.add(scene, read(scene, dictionary="5x5_250"))
    assert score.read == 6 and max(score.places) < 4, score.told()


def test_one_corner_tag_may_be_missing_and_two_may_not() -> None:
    three = read(photograph(TINY, 5, hidden=(2,)))
    assert len(three.ships) == 3 and "these corner tags were not seen: 2" in map(str, three.warnings)
    two = read(photograph(TINY, 5, hidden=(0, 2)))
    assert not two.ships and set(two.not_seen) == {"s0", "s1", "s2"}
    assert str(two.why_not) == "only 2 of 4 corner tags were seen, and three are needed; not seen: 0, 2"


def test_a_tag_that_is_there_twice_is_told_and_its_ship_is_asked() -> None:
    plain = photograph(TINY, 6)
    x, y, _ = plain.truth["s0"]
    spot = next(
        (a, b)
        for a in (100, 250, 400)
        for b in (100, 175, 250)
        if all(np.hypot(a - p, b - q) > 90 for p, q, _ in plain.truth.values())
    )
    got = read(photograph(TINY, 6, also=((8, *spot, 0.0, 16.0), (9, spot[0], spot[1] + 30.0, 0.0, 16.0))))
    assert set(got.twice) <= {8, 9} and got.twice and got.ask == ("s0",) and "s0" not in got.ships
    assert abs(x) + abs(y) > 0 and len(got.ships) == 2


def test_a_strange_tag_is_told_and_placed_nowhere() -> None:
    scene = photograph(TINY, 7, also=((90, 250.0, 175.0, 30.0, 16.0),))
    got = read(scene)
    assert got.strangers in ((90,), ()) and set(got.ships) <= set(scene.truth)
    clear = read(photograph(Wanted(table=(500.0, 350.0), ships=1, width=1200), 2, also=((90, 60.0, 175.0, 0.0, 16.0),)))
    assert clear.strangers == (90,)


def test_a_mirrored_picture_is_refused_by_name() -> None:
    scene = photograph(TINY, 8)
    scene.picture = np.ascontiguousarray(scene.picture[:, ::-1])
    got = read(scene)
    assert not got.ships and "the tags are mirrored" in str(got.why_not)


def test_a_print_at_95_per_cent_is_noticed_and_does_not_move_the_ships() -> None:
    scene, found = glance(Wanted(printed=0.95), 9)
    got, score = read_tags(found, scene.layout), Score()
    score.add(scene, got)
    assert "the sheet seems to be printed at 95 %, not at 100 %" in map(str, got.warnings)
    assert got.camera is not None and got.camera.corner_gap > 2.5
    assert score.read == 40 and max(score.places) < 4, score.told()
    assert not read_tags(*reversed_pair(glance(Wanted(), 9))).warnings, "no false alarm"


def reversed_pair(pair: tuple[Scene, Found]) -> tuple[Found, object]:
    return pair[1], pair[0].layout


def test_tags_that_are_seen_exactly_give_neighbours_to_a_fifth_of_a_millimetre() -> None:
    score = Score()
    for seed in range(10):
        scene, found = glance(Wanted(), seed)
        score.add(scene, read_tags(found, scene.layout))
    assert score.read == 400 and max(score.places) < 4 and score.worst_of_95(score.pairs) < 0.6, score.told()


def test_four_careless_taps_leave_the_distances_right() -> None:
    score = Score()
    for seed in range(10):
        scene, found = glance(Wanted(careless=0.0), seed, corners=False)
        width, height = scene.wanted.table
        rim = np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]])
        taps = scene.camera.project(rim) + np.random.default_rng(seed).normal(0, 10, (4, 2))
        score.add(scene, read_tags(found, scene.layout, [(x, y) for x, y in taps.tolist()]))
        assert read_tags(found, scene.layout).why_not is not None, "without them nothing is read"
    assert score.read == 400 and max(score.places) < 20 and score.worst_of_95(score.pairs) <= 0.5, score.told()


def test_a_corner_tag_that_lies_elsewhere_is_told_or_refused() -> None:
    scene, found = glance(Wanted(careless=0.0), 4)

    def shift(mm: float) -> Reading:
        moved = [(id, [(x + mm * 2.0, y) for x, y in four] if id == 1 else four) for id, four in found.tags]
        return read_tags(Found(found.width, found.height, moved), scene.layout)

    assert not shift(0).warnings and not shift(0).why_not
    assert "the corners contradict each other" in str(shift(60).why_not)


def test_tags_of_a_ship_that_contradict_each_other_are_asked() -> None:
    scene, found = glance(Wanted(careless=0.0), 4)
    moved = [(id, [(x + 14, y + 9) for x, y in four] if id == 8 else four) for id, four in found.tags]
    got = read_tags(Found(found.width, found.height, moved), scene.layout)
    assert got.ask == ("s0",) and "s0" not in got.ships and len(got.ships) == 39
    assert str(got.warnings[0]).startswith("the tags of s0 contradict each other by")


def test_two_ships_in_one_place_are_asked() -> None:
    """A tag that was misread as another ship's lies upon a ship that is there."""
    scene, found = glance(Wanted(careless=0.0), 4)
    tags = dict(found.tags)
    kept = [(id, four) for id, four in found.tags if id not in (8, 9)]
    got = read_tags(Found(found.width, found.height, [*kept, (8, tags[10])]), scene.layout)
    assert got.ask == ("s0",) and "s1" in got.ships, "the one with fewer tags is doubted"


def test_a_corner_tag_in_a_line_with_the_others_does_not_help() -> None:
    layout = layout_for(Wanted())
    line = {0: (27.0, 27.0, 40.0), 1: (900.0, 27.0, 40.0), 2: (1773.0, 27.0, 40.0)}
    scene, found = glance(Wanted(), 4)
    got = read_tags(found, type(layout)(layout.table, layout.ships, line))
    assert "in one line" in str(got.why_not) and scene.truth


# -- Files.


def photo_of(scene: Scene) -> bytes:
    return scene.jpeg()


def test_a_photograph_is_read_in_a_child_process_and_turned_by_its_exif() -> None:
    scene = photograph(TINY, 11)
    whole = photo_of(scene)
    straight = read_photo(whole, scene.layout, waits=True)
    assert len(straight.ships) == 3 and straight.why_not is None
    # Lying on its side (its columns are the rows that were taken), with the orientation 6 that says so.
    scene.picture = np.ascontiguousarray(np.rot90(scene.picture))
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
    turned = photo_of(scene)
    turned = turned[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + turned[2:]
    again = read_photo(turned, scene.layout, waits=True)
    assert set(again.ships) == set(straight.ships)
    for name, ship in straight.ships.items():
        assert (again.ships[name].x, again.ships[name].y) == (
            pytest.approx(ship.x, abs=0.6),
            pytest.approx(ship.y, abs=0.6),
        )


def png_head(width: int, height: int) -> bytes:
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + b"crc!"

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "this file is empty"),
        (b"Nike\n" * 50, "a photograph must be a whole JPEG, PNG or WebP file"),
        (b"\0\0\0\x18ftypheic" + b"\0" * 40, "in the format HEIC"),
        (b"\0\0\0\x18ftypavif" + b"\0" * 40, "in the format AVIF"),
        (png_head(20000, 20000), "at most 50 million pixels"),
        (png_head(640, 480), "this photograph is damaged"),
        (b"\xff\xd8\xff" + b"\0" * (15 << 20), "at most 15 MB"),
        (b"RIFF\x40\0\0\0WEBPVP8X" + b"\0" * 56, "this photograph is damaged"),
        (b"RIFF\x40\0\0\0WEBPVP8X" + b"\0" * 8 + b"\xff\xff\xff\xff\xff\xff" + b"\0" * 42, "at most 50 million pixels"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(data: bytes, told: str) -> None:
    got = read_photo(data, layout_for(TINY), waits=True)
    assert told in str(got.why_not) and got.not_seen == ("s0", "s1", "s2")


def test_half_a_photograph_is_none() -> None:
    whole = photo_of(photograph(TINY, 11))
    assert "whole JPEG" in str(read_photo(whole[: len(whole) // 2], layout_for(TINY)).why_not)


def test_webp_is_read_too() -> None:
    scene = photograph(TINY, 12)
    for flags in ([cv2.IMWRITE_WEBP_QUALITY, 90], [cv2.IMWRITE_WEBP_QUALITY, 101]):
        data = cv2.imencode(".webp", scene.picture, flags)[1].tobytes()
        assert reading.size_of(data) == (1200, 900)
        reading.check_photo(data)


def test_without_the_extra_the_reader_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "is_installed", lambda: False)
    assert "pip install navarch[camera]" in str(read_photo(png_head(640, 480), layout_for(TINY)).why_not)


def test_the_finder_needs_nothing_of_the_program() -> None:
    text = Path(tag_finder.__file__).read_text()
    assert "from webapp" not in text and "from tactical" not in text


def test_taps_are_four_points() -> None:
    assert read_taps("1,2 3,4 5,6 7.5,8") == [(1, 2), (3, 4), (5, 6), (7.5, 8)] and read_taps("") == []
    for wrong in ("1,2", "1,2 3,4 5,6 7", "a,b c,d e,f g,h", "1,2 3,4 5,6 nan,1"):
        with pytest.raises(BadInput):
            read_taps(wrong)


def test_the_renderer_and_the_sheet_draw_the_same_tags() -> None:
    from kit.photographed import modules

    for dictionary, last in (("4x4_100", 99), ("5x5_250", 249)):
        for id in (0, 8, last):
            assert (modules(dictionary, id) > 0.5).tolist() == modules_of(dictionary, id).tolist()
    assert frame_table((500, 350), 1200, 900.0, (0.0, 0.0), 20, 0, 0).width == 1200
