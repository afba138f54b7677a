"""The colours of a battle can be told apart in each scheme, computed from the style sheet; and the sea is light."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kit.readers import DUEL
from tactical.board import Board, from_column_row
from tactical.position import read_position
from webapp.pages.battle import marks
from webapp.pages.battle.board import Picture, board
from webapp.presenting.ships.galley import SHAPES

SHEET = (Path(__file__).parents[3] / "webapp/static/app.css").read_text()
HEADS = {"day": ":root {", "dark": '[data-scheme="dark"] {', "night": '[data-scheme="night"] {'}
TEXT = (
    *((name, ground) for name in ("ink", "quiet", "accent", "good", "warn", "bad", "strike") for ground in ("panel",)),
    *((name, "paper") for name in ("ink", "quiet")),
    ("on-accent", "accent"),
    ("panel", "strike"),
    ("ink", "halo"),
)
SIGNS = tuple((name, "sea-mid") for name in ("focus", "strike", "ghost", "course", "mark"))


def tokens(scheme: str) -> dict[str, str]:
    """The custom properties of a scheme: those that it does not name are the day's."""
    blocks = [SHEET[SHEET.index(HEADS[name]) :] for name in dict.fromkeys(("day", scheme))]
    found: dict[str, str] = {}
    for block in blocks:
        found |= dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{3,6})\b", block[: block.index("\n}")]))
    return found


def light(colour: str) -> float:
    """The relative luminance of a colour, as WCAG 2 computes it."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * each for each in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1 for the same colour to 21 for black on white."""
    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", HEADS)
def test_text_and_signs_stand_out_from_their_grounds(scheme):
    known = tokens(scheme)
    faint = [pair for pair in TEXT if contrast(known[pair[0]], known[pair[1]]) < 4.5]
    faint += [pair for pair in SIGNS if contrast(known[pair[0]], known[pair[1]]) < 3]
    assert faint == []


@pytest.mark.parametrize("scheme", HEADS)
def test_of_each_hull_the_fill_or_the_outline_stands_out_from_the_sea(scheme):
    known = tokens(scheme)
    for side in range(SHAPES):
        hull = [contrast(known[f"side{side}{part}"], known["sea-mid"]) for part in ("", "-dark")]
        assert max(hull) >= 3, (side, hull)


def test_the_sea_alone_takes_eight_kilobytes_at_most():
    coast = frozenset(from_column_row(column, 15) for column in range(8, 19))
    assert len(marks.still(Board(columns=22, rows=16, land=coast)).encode()) <= 8192


def test_a_board_of_forty_ships_takes_a_hundred_and_thirty_kilobytes_at_most(app):
    ships = {
        f"{side}{number}": {
            "side": side,
            "type": "quinquereme",
            "at": [number, row],
            "facing": "N",
            "damage": number % 8,
        }
        for side, row in (("rome", 12), ("carthage", 2))
        for number in range(20)
    }
    position = {**DUEL, "board": {"columns": 22, "rows": 24}, "ships": ships}
    with app.test_request_context():
        links = {name: f"/g/game?ship={name}" for name in ships}
        drawn = board(read_position(position, {}), Picture(links=links, to_act=set(ships), mine=set(ships)))
    assert len(str(drawn).encode()) <= 130 * 1024
