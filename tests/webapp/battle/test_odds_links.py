"""The odds that a battle's page leads to are those of the position: what the order's own hint says, the link says too."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kit.fleet import position, ship
from kit.odd_positions import odd_position
from kit.real_house import shared_app, shared_store  # noqa: F401
from tactical import GALLEY
from tactical.battle import Battle
from tactical.odds import GALLEY as CALCULATORS
from webapp.pages.battle.odds import odds_links, opponent, percent
from webapp.pages.battle.orders import Aim, aims

MELEES = 300
RECKONED = {each.name: each for each in CALCULATORS}


def asked(battle: Battle, name: str) -> dict[str, dict[str, Any]]:
    """What the calculators answer to each link of a ship."""
    found = {}
    for each in odds_links(battle, name):
        address = urlsplit(each.address)
        calculator = RECKONED[address.path.removeprefix("/odds/")]
        found[calculator.name] = calculator.answer(dict(parse_qsl(address.query, keep_blank_values=True)))
    return found


def melees() -> Iterator[tuple[Battle, str, dict[str, dict[str, Any]], Aim | None]]:
    """Every ship of crowded positions: what her links answer, and what she can do to the enemy whom they are about."""
    for seed in range(MELEES):
        battle = odd_position(random.Random(f"links {seed}"))
        for name, sheet in battle.ships.items():
            foe = opponent(battle, name)
            aim = aims(battle, GALLEY.offers(battle, sheet.side), name).get(foe or "")
            yield battle, name, asked(battle, name), aim


def test_every_link_gives_the_chance_that_the_orders_own_hint_and_card_give(app: Flask) -> None:
    """G5.2, G6.2, G8.4: 300 crowded melees, with fights, breaches, engines, crews without marines."""
    counted = Counter[str]()
    with app.test_request_context():
        for battle, name, answers, aim in melees():
            if aim is None:
                continue
            chance, hint = aim.odds[0], " ".join(each.hint for each in aim.actions)
            if battle.step == "ram" and "ram" in answers:
                met = answers.get("head_on", {"rams": 1, "both": 0})
                told = answers["ram"]
                if any('"ram"' in each.command for each in aim.actions):
                    strikes = met["rams"] + met["both"]
                    assert chance == pytest.approx(float(strikes * (told["sunk_this_turn"] or 1))), (name, answers)
                    later = f"sinks {percent(float(told['sunk']))}, by the turn's end {percent(float(told['sunk_this_turn']))}"
                    assert later in hint, (name, hint)
                    counted["ram"] += 1
                    counted["head_on"] += "head_on" in answers
                    counted["later"] += told["sunk"] != told["sunk_this_turn"]
                    counted["in a fight"] += battle.ships[opponent(battle, name)].boarding is not None
            if battle.step == "board":
                told = answers["boarding"]
                assert chance == pytest.approx(float(told.get("takes_her", told["attacker"]))), (name, answers)
                assert f"takes her {percent(float(told['attacker']))}" in hint, (name, hint)
                assert ("on 4 to 6" in aim.actions[0].hint) is ("gets_aboard" in told)
                counted["board"] += 1
                counted["joins"] += bool(battle.boarders_of(opponent(battle, name)))
            if battle.step == "fire":
                told = answers["missiles"]
                likely = max(1 - told["kills"].get("0", 0), 1 - told["damage"].get("0", 0))
                assert chance == pytest.approx(float(likely)), (name, answers)
                counted["fire"] += 1
    assert all(counted[kind] > 7 for kind in ("ram", "head_on", "later", "board", "joins", "fire")), counted
    assert counted["in a fight"]


def test_g5_4_a_link_names_everybody_aboard_who_may_fall() -> None:
    for battle, name, answers, _aim in melees():
        foe = battle.ships[opponent(battle, name) or name]
        if "missiles" in answers:
            aboard = {
                kind
                for kind in ("archers", "catapults", "stone_throwers", "light", "medium", "heavy")
                if getattr(foe, kind)
            }
            assert set(answers["missiles"].get("casualties", {})) == aboard


def test_g8_2_whoever_is_in_a_fight_is_shown_that_fight() -> None:
    ships = {
        "r1": ship("rome", (5, 5), "N", "quinquereme", heavy=10, boarding="r1"),
        "c2": ship("carthage", (5, 4), "S", "quinquereme", medium=8, boarding="r1"),
        "c3": ship("carthage", (6, 4), "S", "quinquereme", medium=8),
    }
    battle = position(ships=ships, step="board", phase=6, turn=2)
    alone, together = (asked(battle, name)["boarding"]["attacker"] for name in ("c2", "c3"))
    assert asked(battle, "r1")["boarding"]["attacker"] == alone, "she is the one who is boarded"
    assert alone < 0.02 < 0.94 < together


def test_g5_4_engines_fall_before_marines_on_the_page_too(client: FlaskClient) -> None:
    """Eight archers at range 3 hardly ever reach the marines of a quinquereme with two archers and two catapults."""
    ships = {
        "r1": ship("rome", (5, 5), "N", "quinquereme", archers=8),
        "c1": ship("carthage", (5, 2), "N", "quinquereme", medium=8, archers=2, catapults=2),
    }
    battle = position(ships=ships, step="fire", phase=6, turn=2)
    answer = asked(battle, "r1")["missiles"]
    assert 1 - answer["casualties"]["medium"]["0"] == pytest.approx(0.0046, abs=1e-4)
    with client.application.test_request_context():
        (address,) = (each.address for each in odds_links(battle, "r1") if "/missiles" in each.address)
    page = client.get(address)
    assert page.status_code == 200 and "99.54%" in page.text


def test_g9_2_what_has_sunk_by_a_turn_is_not_headed_as_sunk_at_once(client: FlaskClient) -> None:
    page = client.get("/odds/repair?breaches=2&hull_left=4&turns=5").text
    assert "Sunk by then" in page and "Sunk at once" not in page
    assert "Sunk at once" in client.get("/odds/ram?type=trireme&hull_left=4").text
