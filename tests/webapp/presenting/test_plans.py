"""The sheet that is the ship: what is drawn is what stands in the numbers."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

import data
from tactical.position import read_position
from tactical.ship import TYPES
from webapp.pages.battle.sheet import draught
from webapp.presenting.ships.galley import FIGURES, LOOKS, Galley
from webapp.presenting.ships.plans import RULES, Plans, deck_plan, profile


def any_plans(chance: random.Random) -> Plans:
    """A sheet as it may come to be."""
    kind = chance.choice([*TYPES, "a type of our own"])
    hull = TYPES[kind].hull if kind in TYPES else chance.randint(1, 14)
    damage = chance.randint(0, hull)
    most = chance.randint(1, 6)
    galley = Galley(
        kind,
        chance.choice(LOOKS),
        chance.randrange(4),
        "R",
        damage / hull,
        chance.random() < 0.3,
        chance.randint(-1, most),
        chance.random() < 0.3,
        flagship=chance.random() < 0.3,
    )
    counts = [(name, chance.randint(0, 6)) for name in FIGURES if chance.random() < 0.6]
    fallen = [(name, chance.randint(0, 4)) for name in FIGURES if chance.random() < 0.4]
    breaches, closed = chance.randint(0, 4), chance.randint(0, 2)
    return Plans(galley, hull, damage, breaches, closed, tuple(counts), tuple(fallen), most, max(1, most - 1), most)


@pytest.mark.parametrize("seed", range(200))
def test_frames_are_the_hull_open_ones_the_damage_and_signs_the_figures(seed: int) -> None:
    it = any_plans(random.Random(seed))
    side, above = profile(it, "hull", "breaches"), deck_plan(it)
    ElementTree.fromstring(side)
    ElementTree.fromstring(above)
    assert side.count('class="p-cell"') + side.count('class="p-open"') == it.hull
    assert side.count('class="p-open"') == it.damage
    assert (side.count('class="p-hole"'), side.count('class="p-patch"')) == (it.breaches, it.closed)
    assert above.count('class="fig"') == sum(count for _name, count in it.aboard)
    assert above.count('class="fig gone"') == sum(count for _name, count in it.fallen)
    banks = above.count('class="b-oar') + above.count('class="b-stump')
    assert banks == 2 * it.most


def test_she_lies_deeper_and_by_the_stern_as_she_is_hit() -> None:
    whole = Plans(Galley("quinquereme", "roman", 0, "R"), 8)
    assert 'transform="translate(0 0) rotate(0' in profile(whole)
    assert 'transform="translate(0 22.5) rotate(-2.4' in profile(whole._replace(damage=6))


def test_words_and_letters_are_escaped() -> None:
    it = Plans(Galley("quinquereme", "roman", 0, "<"), 8, aboard=(("heavy", 1),), name='"><b>')
    for drawn in (profile(it, '"><b>', "<b>"), deck_plan(it, (("crew", '"><b>'), ("oars", "<b>")))):
        assert "<b>" not in drawn


def test_each_part_leads_to_its_rule_and_each_number_stands_in_text(client: FlaskClient) -> None:
    ships = {
        "r1": {
            "side": "rome",
            "type": "quinquereme",
            "at": [4, 4],
            "facing": "N",
            "damage": 6,
            "breaches": 2,
            "speed": 1,
        },
        "r2": {
            "side": "rome",
            "type": "quinquereme",
            "at": [2, 4],
            "facing": "N",
            "heavy": 7,
            "catapults": 1,
            "sprints": 2,
        },
        "c1": {"side": "carthage", "type": "hepteres", "at": [8, 4], "facing": "S"},
    }
    now = read_position({"ships": ships}, {})
    with client.application.test_request_context():
        hurt, thin = draught(now, "r1"), draught(now, "r2")
    assert (hurt.left, hurt.whole, hurt.is_grave) == (2, 8, True)
    assert [said for said, _rule, _weight in hurt.notes] == [
        "2 open breaches",
        "sinks this turn unless they are closed",
    ]
    assert [(each.aboard, each.whole) for each in thin.crew] == [(7, 10), (0, 1), (1, 1)]
    assert thin.sprints.count(True) == len(thin.sprints) - 2 and len(thin.boxes) == 3
    for rule in ("G2.0", "G9.2"):
        assert f'href="/reference/galley/{rule}"' in hurt.hull
    for rule in ("G3.1", "G2.4", "G5.1"):
        assert f'href="/reference/galley/{rule}"' in thin.deck


def test_every_rule_that_a_part_leads_to_is_there() -> None:
    paragraphs = (data.ROOT / "galley" / "paragraphs.toml").read_text()
    assert all(f'id = "{rule}"' in paragraphs for rule in (*RULES.values(), "G7.3", "G9.3"))
