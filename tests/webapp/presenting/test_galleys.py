"""Galleys from above: what each number and each wound shows, and what a drawing weighs."""

from __future__ import annotations

import re
from statistics import mean
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from flask.testing import FlaskClient

from tactical.battle import Battle
from tactical.kernel.record import BadInput
from tactical.position import read_position
from tactical.ship import SHIPS
from webapp.pages.battle.board import Picture, board
from webapp.presenting.ships import galley as ships_galley
from webapp.presenting.ships.galley import (
    DRAWING,
    LOOKS,
    Galley,
    drawn_as,
    galley,
    galley_of,
    look_of,
    on_board,
    picture,
    symbols,
)

WHOLE = Galley("quinquereme", "roman", 0, "R", speed=2)


def count(drawn: str, name: str) -> int:
    """How many strokes the paths of a class have."""
    return sum(path.count("M") for path in re.findall(rf'class="{name}" d="([^"]*)"', drawn))


def test_every_type_of_the_rules_has_measures_and_every_look_an_outline() -> None:
    assert set(DRAWING.types) == set(SHIPS.types)
    assert LOOKS == ("roman", "hellenistic", "punic", "asiatic")
    assert drawn_as("a type of our own") == "trireme"


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("kind", [*DRAWING.types, "our own"])
def test_each_is_drawn_whole_and_hurt_as_sound_xml(kind: str, look: str) -> None:
    for lost in (0.0, 0.5, 0.9, 1.0):
        for size in (96, 48, 24):
            it = Galley(kind, look, 3, "A", lost, speed=1, corvus=True, flagship=True)
            ElementTree.fromstring(picture(it, size))
    ElementTree.fromstring(symbols(((kind, look, 0),)))


def test_oars_bites_and_wake_are_as_the_numbers_say() -> None:
    drawn = galley(WHOLE)
    assert count(drawn, "shaft") == count(drawn, "blade") == 30 and 'class="bite"' not in drawn
    for lost, holes in ((0.1, 1), (0.2, 1), (0.25, 2), (0.5, 3), (0.9, 5), (1.0, 5)):
        assert count(galley(WHOLE._replace(lost=lost)), "bite") == holes
    assert 'class="awash"' not in galley(WHOLE._replace(lost=0.5)) and 'class="awash"' in galley(
        WHOLE._replace(lost=0.6)
    )
    assert 'class="wash"' in drawn and 'class="wash"' not in galley(WHOLE._replace(speed=0))
    assert (
        count(galley(WHOLE._replace(broken=True)), "blade") == 0 < count(galley(WHOLE._replace(broken=True)), "stump")
    )


def test_detail_falls_with_the_size() -> None:
    fine, middle, small = (galley(WHOLE, 90, size) for size in (96, 48, 24))
    assert count(fine, "blade") == 30 and count(middle, "blade") == count(small, "blade") == 16
    assert all('class="plank"' in drawn and 'class="letter"' in drawn for drawn in (fine, middle))
    assert 'class="plank"' not in small and 'class="letter"' not in small


def test_the_light_falls_from_one_side_and_letters_stand_upright() -> None:
    for angle in (0, 60, 90, 240):
        drawn = galley(WHOLE, angle)
        assert re.search(r'<g transform="translate\(2.4 3.4\)[^"]*"><path class="shadow"', drawn)
        assert angle == 0 or f"rotate({-angle})" in drawn


def test_a_prize_shows_her_captor() -> None:
    assert 'class="galley side1 taken"' in galley(WHOLE._replace(captor=1, letter="C"))


def test_letters_and_types_are_escaped() -> None:
    drawn = galley(Galley('"><b>', "punic", 1, "<"))
    assert "<b>" not in drawn and "&lt;</text>" in drawn
    assert "<b>" not in symbols((('"><b>', "punic", 1),))


def test_a_drawing_is_light() -> None:
    for size, most in ((96, 1800), (48, 1300), (24, 1100)):
        weights = [
            len(ships_galley.hull_body(kind, look, 0, size >= 36) + ships_galley.oars(kind, size))
            for kind in DRAWING.types
            for look in LOOKS
        ]
        assert mean(weights) <= most
        assert max(weights) <= most * 1.3


# In battles ------------------------------------------------------------------------------------------


def battle(ships: dict[str, Any], **sides: Any) -> Battle:
    return read_position({"ships": ships, **({"sides": sides} if sides else {})}, {})


PAIR: dict[str, Any] = {
    "r1": {"side": "rome", "type": "quinquereme", "at": [4, 4], "facing": "N"},
    "c1": {"side": "carthage", "type": "quinquereme", "at": [6, 4], "facing": "S"},
}


def test_a_look_is_said_or_follows_from_the_name_or_the_navy() -> None:
    now = battle(PAIR)
    assert (look_of(now, "rome"), look_of(now, "carthage")) == ("roman", "punic")
    now = battle(PAIR, rome={"name": "Rome", "navy": "roman"}, carthage={"name": "Pyrrhus", "look": "asiatic"})
    assert look_of(now, "carthage") == "asiatic" and now.sides["carthage"].navy == "hellenistic"
    named = {"a": {**PAIR["r1"], "side": "a"}, "b": {**PAIR["c1"], "side": "b"}}
    now = battle(named, a={"name": "Syracuse"}, b={"name": "Carthaginians"})
    assert (look_of(now, "a"), look_of(now, "b")) == ("hellenistic", "punic")
    with pytest.raises(BadInput, match="look"):
        battle(PAIR, rome={"navy": "roman", "look": "viking"}, carthage={})


def test_a_look_is_written_only_where_it_was_said() -> None:
    said = battle(PAIR, rome={"navy": "roman", "look": "punic"}, carthage={})
    written = msgspec.to_builtins(said)["sides"]
    assert written["rome"]["look"] == "punic" and "look" not in written["carthage"]


def test_a_ship_as_she_fares() -> None:
    now = battle({**PAIR, "c1": {**PAIR["c1"], "damage": 6, "oars_broken": True, "speed": 0}})
    it = galley_of(now.ships["c1"], 8, "punic", 1, "C")
    assert (it.lost, it.broken, it.speed, it.captor) == (0.75, True, 0, None)
    taken = msgspec.structs.replace(now.ships["c1"], status="captured", captured_by="rome")
    it = galley_of(taken, 8, "punic", 1, "C", (0, "R"))
    assert (it.captor, it.letter, it.colour) == (0, "R", 0)


def test_a_board_of_forty_ships_is_light_and_draws_each_body_once(client: FlaskClient) -> None:
    kinds = ("trireme", "quadrireme", "quinquereme", "hepteres")
    crew = {"medium": 2}
    ships = {
        f"{side[0]}{n}": {
            "side": side,
            "type": kinds[n % 4],
            "at": [n, row - n // 2],
            "facing": way,
            "damage": n % 5,
            **crew,
        }
        for side, row, way in (("rome", 4, "N"), ("carthage", 8, "S"))
        for n in range(20)
    }
    now = battle(ships)
    with client.application.test_request_context():
        drawn = board(now, Picture(links={name: f"/g/1?ship={name}" for name in ships}))
    assert len(drawn.encode()) <= 130_000
    assert drawn.count('id="body-quinquereme-punic-1"') == 1 and drawn.count('href="#body-quinquereme-punic-1"') == 5


def test_a_ship_on_the_measured_sea_is_as_long_and_broad_as_her_base() -> None:
    drawn = on_board(WHOLE, 90, 0.5, 0.75)
    assert "rotate(90) scale(0.5 0.75)" in drawn
