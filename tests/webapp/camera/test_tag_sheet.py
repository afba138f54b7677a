"""The sheet: what is printed reads back as the layout beside it says, in a PDF and in SVG, on both papers."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from pypdf import PdfReader

from tactical.kernel.record import BadInput
from tactical.tabletop import MOST_SHIPS
from webapp.camera import sheet, tag_finder
from webapp.camera.sheet import PAPERS, Wanted, as_measured, as_pdf, as_svg, draw_up, pages, unmistakable

FLEET = {"nike": "Nike", "tyche": "Tyche the Fair of Syracuse", "tihe": "Тихе"}
WANTED = Wanted((1800.0, 1200.0), (80.0, 25.0), 16.0, FLEET)
DOTS = 300 / 25.4  # a millimetre


def printed(pdf: bytes) -> list[np.ndarray]:
    """The pages at 300 dots an inch."""
    return [
        np.asarray(page.render(scale=300 / 72, grayscale=True).to_numpy()).squeeze()
        for page in pypdfium2.PdfDocument(pdf)
    ]


def test_tags_that_read_alike_in_a_mirror_are_left_out() -> None:
    assert sorted(set(range(100)) - set(unmistakable("4x4_100"))) == [8, 9, 17, 47, 58, 59, 63]
    assert sorted(set(range(250)) - set(unmistakable("5x5_250"))) == [129]
    small, large = (draw_up(WANTED._replace(ships={f"s{n}": "" for n in range(many)})) for many in (44, 45))
    assert (small.dictionary, large.dictionary) == ("4x4_100", "5x5_250")
    ids = [*small.corners, *small.tags]
    assert len(ids) == len(set(ids)) == 92 and set(ids) <= set(unmistakable("4x4_100"))
    assert len(draw_up(WANTED._replace(ships={f"s{n}": "" for n in range(MOST_SHIPS)})).tags) == 2 * MOST_SHIPS


@pytest.mark.parametrize(("paper", "many"), [("a4", 3), ("letter", 45)])
def test_what_is_printed_reads_back_as_the_layout_says(paper: str, many: int) -> None:
    wanted = WANTED._replace(ships=FLEET if many == 3 else {f"s{n}": "" for n in range(many)}, middles=many == 3)
    layout = draw_up(wanted)
    whole = printed(as_pdf(pages(layout, PAPERS[paper])[:2], PAPERS[paper]))
    assert np.array(whole[0].shape) / DOTS == pytest.approx(PAPERS[paper][::-1], abs=0.2), "of its true size"
    seen = {}
    for page in whole:
        for id, corners in tag_finder.find_tags(page, layout.dictionary):
            assert id not in seen
            seen[id] = corners / DOTS
    wanted_ids = {*layout.corners, *layout.tags} if many == 3 else set(layout.corners) | set(list(layout.tags)[:12])
    assert wanted_ids <= set(seen) <= {*layout.corners, *layout.tags}
    for id, corners in seen.items():
        size = layout.corners[id][2] if id in layout.corners else layout.tags[id][1].size
        assert np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1) == pytest.approx([size] * 4, abs=0.1)
        assert corners[0, 1] < corners[3, 1], "upright: the bow and the north are above"
    for model in layout.ships.values():
        bow, stern = model.tags
        if bow.id in seen:
            middles = seen[bow.id].mean(0), seen[stern.id].mean(0)
            assert middles[1] - middles[0] == pytest.approx([0, bow.along - stern.along], abs=0.1), "bow above stern"


def test_the_names_and_the_rulers_stand_on_the_pages() -> None:
    layout = draw_up(WANTED)
    pdf = PdfReader(BytesIO(as_pdf(pages(layout, PAPERS["a4"]), PAPERS["a4"])))
    text = "\n".join(page.extract_text() for page in pdf.pages)
    assert "Nike" in text and "Tyche the Fair of" in text and "Syracuse" in text and "tihe  10/11" in text
    assert "north-west corner of the table, tag 0" in text and text.count("Measure both lines: 100 mm?") == 2
    svg = as_svg(pages(layout, PAPERS["a4"])[1], PAPERS["a4"])
    assert (
        'width="210mm"' in svg
        and "Тихе" in svg
        and "<script"
        not in as_svg(pages(draw_up(WANTED._replace(ships={"a": "<script>"})), PAPERS["a4"])[1], PAPERS["a4"])
    )
    lines = re.findall(r'<polyline points="([\d., ]+)"', svg)
    ends = [[tuple(map(float, point.split(","))) for point in line.split()] for line in lines]
    spans = [np.hypot(*np.subtract(line[0], line[-1])) for line in ends if len(line) == 2]
    assert spans.count(pytest.approx(100.0)) == 2


def test_a_strip_is_cut_as_large_as_the_base_with_room_for_a_model() -> None:
    layout = draw_up(WANTED)
    for model in layout.ships.values():
        bow, stern = model.tags
        module = bow.size / 6
        assert bow.along + bow.size / 2 + module == pytest.approx(40), "white to the end of the base"
        assert bow.along - stern.along - bow.size - 2 * module >= 10


def test_a_print_of_another_size_has_a_layout_of_its_own() -> None:
    layout = draw_up(WANTED._replace(middles=True))
    small = as_measured(layout, 95)
    assert small.ships["nike"].tags[0].size == pytest.approx(15.2)
    assert small.corners[0][:2] == pytest.approx([value * 0.95 for value in layout.corners[0][:2]]), "in its corner"
    assert 1800 - small.corners[1][0] == pytest.approx(0.95 * (1800 - layout.corners[1][0]))
    assert list(small.corners.values())[4][0] == 900, "the middle stays the middle"


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"base": (80.0, 18.0)}, "tag"),
        ({"base": (50.0, 25.0)}, "tag"),
        ({"table": (1800.0, 100.0)}, "table"),
        ({"ships": {}}, "ships"),
        ({"ships": {f"s{n}": "" for n in range(MOST_SHIPS + 1)}}, "ships"),
    ],
)
def test_a_sheet_that_cannot_be_printed_is_refused(change: dict[str, object], path: str) -> None:
    with pytest.raises(BadInput) as fault:
        draw_up(WANTED._replace(**change))
    assert fault.value.path == path
    with pytest.raises(BadInput):
        pages(draw_up(WANTED._replace(base=(300.0, 25.0))), PAPERS["a4"])


def test_ships_on_bases_of_two_sizes_have_strips_of_two_sizes() -> None:
    layout = draw_up(WANTED._replace(bases={"tyche": (60.0, 20.0)}))
    assert [model.base for model in layout.ships.values()] == [(80.0, 25.0), (60.0, 20.0), (80.0, 25.0)]
    assert layout.base_length == 80 and draw_up(WANTED._replace(base_length=75.0)).base_length == 75
    assert pages(layout, PAPERS["a4"])
    with pytest.raises(BadInput, match="52.7 mm long"):
        draw_up(WANTED._replace(bases={"tyche": (50.0, 25.0)}))


def test_a_ships_tags_stay_the_same_with_and_without_tags_in_the_middle_and_with_more_ships() -> None:
    plain = draw_up(WANTED).ships
    assert draw_up(WANTED._replace(middles=True)).ships == plain
    more = draw_up(WANTED._replace(ships={**FLEET, "doris": ""})).ships
    assert {name: more[name] for name in FLEET} == plain


def test_a_sheet_says_its_words_in_a_language_and_in_english_where_its_font_has_no_letters() -> None:
    layout = draw_up(WANTED._replace(ships={"a": "Èos"}))
    marks = pages(layout, PAPERS["a4"])

    def read(word: str) -> str:
        pdf = PdfReader(BytesIO(as_pdf(marks, PAPERS["a4"], lambda reason: f"{word} {len(reason.form)}")))
        return "\n".join(page.extract_text() for page in pdf.pages)

    assert "metà" in read("metà") and "north-west" not in read("metà") and "Èos" in read("metà")
    assert "north-west corner of the table, tag 0" in read("угол")
    assert "угол" in as_svg(marks[0], PAPERS["a4"], lambda reason: "угол")


def test_the_docs_say_how_many_pixels_wide_a_tag_becomes() -> None:
    """docs/camera.md has what the page says before anything is printed."""
    text, rows = (Path(__file__).parents[3] / "docs/camera.md").read_text(), []
    for table in ((1200.0, 800.0), (1800.0, 1200.0), (2400.0, 1200.0)):
        for megapixels in (3, 12, 48):
            seen = (sheet.tag_pixels(table, 16.0, megapixels, tilt) for tilt in (0, 25, 45))
            rows.append(
                f"| {megapixels} MP | " + " | ".join(f"{middle:.0f} ({far:.0f})" for middle, far in seen) + " |"
            )
    assert [row for row in rows if row not in text] == []


def test_the_numbers_of_the_tags_are_those_of_opencv() -> None:
    for name, code in tag_finder.DICTIONARIES.items():
        known = cv2.aruco.getPredefinedDictionary(code)
        assert len(sheet.family(name).codes) == known.bytesList.shape[0]
        side = known.markerSize + 2
        for id in range(0, len(sheet.family(name).codes), 7):
            drawn = cv2.aruco.generateImageMarker(known, id, side * 4)[2::4, 2::4] > 127
            assert drawn.tolist() == sheet.modules_of(name, id).tolist()
