"""What surprises players: chances from the rules' own functions, and battles that were fought beforehand."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tactical.captains.worth import FOUGHT
from tactical.exercises import all_lessons
from tactical.setup import all_scenarios
from webapp.pages.reference.odds import (
    LONG,
    archers_of_a_corvus,
    battles_said,
    captured,
    founders,
    losses_of_the_winner,
    marines_hit,
    surprises,
)


@pytest.mark.parametrize(
    ("attackers", "attacker", "defenders", "defender", "percent"),
    [
        (12, "heavy", 10, "heavy", 87),
        (10, "heavy", 10, "heavy", 49),
        (10, "heavy", 15, "medium", 11),
        (16, "medium", 10, "heavy", 95),
        (8, "medium", 10, "heavy", 1),
    ],
)
def test_g8_4_boarding_is_a_landslide(attackers, attacker, defenders, defender, percent):
    assert int(100 * captured(attackers, attacker, defenders, defender) + (percent > 1) / 2) == percent


def test_g8_4_the_winner_at_even_odds_loses_six_of_ten():
    assert losses_of_the_winner() == pytest.approx(6.1, abs=0.05)


def test_g5_4_missiles_reach_no_marine_before_archers_and_engines_are_dead():
    anybody, marine = marines_hit()
    assert anybody > 0.7 and marine == pytest.approx(0.0046, abs=0.0001)


def test_g8_3_a_corvus_does_as_much_as_fifteen_archers_dice():
    assert archers_of_a_corvus() == 15


def test_g9_3_one_ram_seldom_sinks_and_two_often_do():
    assert round(100 * founders(1, later=LONG)) == 30 and round(100 * founders(2)) == 89
    assert founders(1, later=2 * LONG) == pytest.approx(founders(1, later=LONG), abs=1e-6)


def test_the_page_names_the_level_of_the_captains_wherever_a_chance_rests_on_them(client: FlaskClient):
    page = client.get("/odds/surprises").text
    assert "What surprises players" in client.get("/odds").text
    for scenario in ("mylae", "drepana", "salamis", "ecnomus"):
        (said,) = battles_said(scenario)
        assert said in page and said in client.get(f"/new?system=galley&scenario={scenario}").text
        assert FOUGHT[scenario].level in said and str(FOUGHT[scenario].battles) in said
    assert "15 archers" in page and page.count("able captains") >= 6
    unfought = next(name for name in all_scenarios() if name not in FOUGHT)
    assert "Fought beforehand" not in client.get(f"/new?system=galley&scenario={unfought}").text


def test_the_lessons_tell_what_surprises(client: FlaskClient):
    page = client.get("/lessons").text
    told = [each for each in surprises() if each.id in all_lessons()]
    assert [each.id for each in told] == ["board", "missiles", "corvus", "ram"]
    assert all(each.said[0].split("'")[0] in page and f'href="/odds/surprises#{each.id}"' in page for each in told)
