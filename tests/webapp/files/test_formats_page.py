"""The page of formats says what the readers take: it is made of their tables, and its examples are read by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import formats
from webapp.api.seasons import HEADS as FLEET_HEADS
from webapp.files import scenario
from webapp.files.book import ENCODINGS, LARGEST, WORDS
from webapp.pages.open_campaign import side_pages
from webapp.storage.journal.transfer import FORMAT, LEAST

SECTIONS = tuple(each() for each in formats.SECTIONS)
PAGE = formats.page(SECTIONS)
PICTURES = Path(__file__).parents[3] / "docs/pictures"
HEADS = {
    "ships": scenario.HEADS,
    "sides": scenario.SIDE_HEADS,
    "board": scenario.SETTING_HEADS,
    "sea": scenario.SEA_HEADS,
    "types": scenario.TYPE_HEADS,
    "fleet": FLEET_HEADS,
    "models": side_pages.HEADS,
}


@pytest.mark.parametrize("sheet", HEADS)
def test_the_page_has_every_head_that_a_reader_takes(sheet: str) -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    for head in HEADS[sheet]:
        (row,) = {line for line in rows if line.startswith(f"| `{head}` |")}
        assert all(cell.strip() for cell in row.split("|")[1:3]), head
    wanted = [[f"`{head}`" for head in heads] for heads in HEADS.values()]
    assert wanted == [list(each) for each in tables_of(PAGE)]


def tables_of(page: str) -> list[list[str]]:
    """The first columns of the page's tables of heads, in their order."""
    found: list[list[str]] = []
    for line in page.splitlines():
        if line.startswith("| head |"):
            found.append([])
        elif line.startswith("| `") and found:
            found[-1].append(line.split("|")[1].strip())
    return found


@pytest.mark.parametrize(
    "example", [each for section in SECTIONS for each in section.examples], ids=lambda each: each.name
)
def test_every_example_is_read_and_linked(example: formats.Example) -> None:
    assert f"({formats.FOLDER}/{example.name})" in PAGE
    if example.read is not None:
        assert example.read(example.data)


@pytest.mark.parametrize("size", formats.SIZES)
@pytest.mark.parametrize("report", formats.REPORTS)
def test_each_report_has_its_picture_at_each_size(report: str, size: str) -> None:
    name = formats.picture(report, size)
    picture = (PICTURES / name).read_bytes()
    assert f"](pictures/{name})" in PAGE and len(picture) < 150_000
    assert tuple(int.from_bytes(picture[at : at + 4], "big") for at in (16, 20)) == formats.SIZES[size]


def test_the_page_links_what_the_guide_says_of_world_files() -> None:
    assert "(guide.md#world-files)" in PAGE and "\n## World files\n" in (PICTURES.parent / "guide.md").read_text()


def test_the_page_says_the_readers_bounds_and_versions() -> None:
    for said in (f"{LARGEST // 1000} kB", f"now {FORMAT}", f"now {LEAST}", *ENCODINGS, *WORDS.yes.en, *WORDS.no.ru):
        assert said in PAGE, said
    for section in SECTIONS:
        assert f"[{section.title}](#{formats.anchor(section.title)})" in PAGE
