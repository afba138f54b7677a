"""Section 3: the colours of the map of campaigns can be told apart in each scheme, computed from the style sheet."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.webapp.battle.test_colours_and_weight import contrast
from webapp.pages.campaign import chronicle
from webapp.presenting.sides import NOBODY

SHEETS = tuple(path.read_text() for path in chronicle.STYLES[:2])  # what all pages share, and the map's own
HEADS = {"day": ":root {", "dark": '[data-scheme="dark"] {', "night": '[data-scheme="night"] {'}
SIDES = tuple(f"side{number}" for number in range(NOBODY + 1))
TEXT = (
    ("name", "land"),
    ("name", "sea"),
    ("area", "land"),
    ("lane", "sea"),
    ("ink", "plate"),
    ("plate", "way"),
    ("reach", "halo"),
    *(("on-side", side) for side in SIDES),
)
SIGNS = (
    ("coast", "land"),
    ("coast", "sea"),
    ("way", "land"),
    ("way", "sea"),
    ("reach", "land"),
    ("lane", "sea"),
    ("name", "plate"),
    *((side, ground) for side in SIDES for ground in ("land", "plate")),
)


def tokens(scheme: str) -> dict[str, str]:
    """The map's custom properties in a scheme."""
    found: dict[str, str] = {}
    for sheet in SHEETS:
        block = sheet[sheet.index(HEADS[scheme]) :]
        found |= re.findall(r"--map-([\w-]+):\s*(#[0-9a-f]{3,6})\b", block[: block.index("\n}")])
    return found


@pytest.mark.parametrize("scheme", HEADS)
def test_text_of_the_map_has_four_and_a_half_and_its_signs_have_three(scheme: str) -> None:
    known = tokens(scheme)
    faint = [(*pair, contrast(known[pair[0]], known[pair[1]])) for pair in TEXT + SIGNS]
    least = [4.5] * len(TEXT) + [3.0] * len(SIGNS)
    assert [each for each, wanted in zip(faint, least, strict=True) if each[2] < wanted] == []


def test_nothing_on_the_map_is_smaller_than_twelve() -> None:
    rules = "".join(path.read_text() for path in sorted(Path(chronicle.__file__).parent.glob("static/m*.css")))
    sizes = [float(size) for size in re.findall(r"(?:font-size|--n): (\d+(?:\.\d+)?)px", rules)]
    assert sizes and min(sizes) >= 12
