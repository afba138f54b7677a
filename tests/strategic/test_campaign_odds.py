"""The campaigns' calculators: hand-reckoned values, sums, refusals, and 100,000 rolls of the rules' own functions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction as F
from math import sqrt
from typing import Any
from urllib.parse import parse_qsl

import pytest

from strategic.hamilcar.tables import TABLES as HAMILCAR_TABLES
from strategic.hannibal.rules.sea import naval_result
from strategic.hannibal.tables import TABLES as HANNIBAL_TABLES
from strategic.interception import attempt
from strategic.punic_wars.tables import PRINTED
from strategic.reference import CALCULATORS
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput

ROLLS = 100_000
KNOWN = {(calculator.system, calculator.name): calculator for calculator in CALCULATORS}


def odds(system: str, name: str, query: str) -> dict[str, Any]:
    return KNOWN[system, name].answer(dict(parse_qsl(query)))


def agrees(expected: Mapping[str, Any], seen: Counter[Any]) -> None:
    assert {str(outcome) for outcome in seen} <= {name for name, p in expected.items() if p}
    by_name = {str(outcome): count for outcome, count in seen.items()}
    for name, p in expected.items():
        error = sqrt(float(p) * (1 - float(p)) / ROLLS)
        assert abs(by_name.get(name, 0) / ROLLS - float(p)) <= 3 * error + 1e-12, name


def faces(seed: int) -> Any:
    source = random.Random(seed)
    return (int(source.random() * 6) + 1 for _ in iter(int, 1))


@pytest.mark.parametrize("calculator", CALCULATORS, ids=lambda each: f"{each.system}-{each.name}")
def test_every_distribution_adds_to_one(calculator: Any):
    found = calculator.answer(dict(parse_qsl(calculator.example)))
    for name, value in found.items():
        if isinstance(value, dict):
            assert sum(value.values()) == 1, name


def test_tables_naval_an_unmodified_voyage():
    assert odds("hannibal", "naval", "") == {"passes": F(1, 6), "returns": F(1, 6), "sunk": F(4, 6)}


def test_tables_naval_check_1_carthage_to_new_carthage_is_minus_4():
    assert odds("hannibal", "naval", "modifier=-4") == {"passes": F(5, 6), "returns": F(1, 6), "sunk": 0}


def test_tables_naval_against_the_rules():
    thrown = faces(1)
    agrees(odds("hannibal", "naval", "modifier=-1"), Counter(naval_result(next(thrown) - 1) for _ in range(ROLLS)))


def test_tables_siege_one_roll_from_two_points():
    # faces 3, 4 and 5 win a point, 6 wins two: four of six take a city that has two points already
    found = odds("hannibal", "siege", "points=2&units=5&rolls=1")
    assert found["taken"] == F(4, 6)
    assert found["losses"] == {"0": F(4, 6), "1": F(2, 6)}


def test_siege_1_a_besieger_below_three_cus_stops():
    found = odds("hannibal", "siege", "units=3&rolls=10")
    assert found["taken"] + found["stopped"] + found["goes_on"] == 1
    assert max(int(lost) for lost in found["losses"]) == 1


def test_tables_siege_against_the_rules():
    table, thrown, seen = HANNIBAL_TABLES.siege, faces(2), Counter[Any]()
    for _ in range(ROLLS):
        points, units = 0, 5
        for _ in range(4):
            if points >= table.takes or units < table.needs:
                break
            won, lost = table.read(next(thrown) - 1)
            points, units = min(points + won, table.takes), units - lost
        seen["taken" if points == table.takes else "stopped" if units < table.needs else "goes_on"] += 1
    found = odds("hannibal", "siege", "modifier=-1&units=5&rolls=4")
    agrees({name: found[name] for name in ("taken", "stopped", "goes_on")}, seen)


def test_tables_attrition_against_the_rules():
    thrown = faces(3)
    seen = Counter(HANNIBAL_TABLES.attrition.read(next(thrown) + 1, 6)[0] for _ in range(ROLLS))
    agrees(odds("hannibal", "attrition", "units=6&modifier=1")["losses"], seen)


def test_interception_2_against_the_rules():
    assert odds("hannibal", "interception", "rating=4&modifier=1")["succeeds"] == F(1, 2)
    dice = Dice(source=random_source(random.Random(4).randrange))
    good = sum(attempt(dice, "interception.2", 4, 1)[0] for _ in range(ROLLS))
    agrees(odds("hannibal", "interception", "rating=4&modifier=1"), Counter({"succeeds": good, "fails": ROLLS - good}))


def test_11_7_engage_the_first_round_without_help_never_hits_below_six():
    # column I: hits only in the rows of the modified dice 6 and 7
    assert odds("hamilcar", "naval_round", "round=1&side=carthage")["hits"] == {"0": F(5, 6), "1": F(1, 6)}


def test_11_7_prizes_only_rome_with_the_corvus_takes_one():
    assert odds("hamilcar", "naval_round", "round=4&side=rome&skilled=1&corvus=1")["prize"] == F(2, 6)
    assert odds("hamilcar", "naval_round", "round=4&side=rome&skilled=1")["prize"] == 0
    assert odds("hamilcar", "naval_round", "round=4&side=carthage&corvus=1")["prize"] == 0


def test_h6_hits_beyond_the_last_ship_are_lost():
    assert max(map(int, odds("hamilcar", "naval_round", "round=5&side=carthage&bonus=3&ships=1")["hits"])) == 1


def test_11_7_engage_against_the_rules():
    table, thrown = HAMILCAR_TABLES.naval, faces(5)
    seen = Counter(min(table.read(next(thrown) + 1, 5), 2) for _ in range(ROLLS))
    agrees(odds("hamilcar", "naval_round", "round=5&side=rome&skilled=1&corvus=1&ships=2")["hits"], seen)


def test_11_6_2_several_generals_against_the_rules():
    assert odds("hamilcar", "interception", "ratings=3:1")["succeeds"] == F(1, 2)
    dice, seen = Dice(source=random_source(random.Random(6).randrange)), Counter[Any]()
    for _ in range(ROLLS):
        seen[attempt(dice, "11.6.2", 3, 1)[0] + attempt(dice, "11.6.2", 2, 1)[0]] += 1
    agrees(odds("hamilcar", "interception", "ratings=3:1,2:1&corvus=1")["interceptors"], seen)


def test_20_2_3_the_red_die_is_the_better_one_and_both_agree_with_the_rules():
    table = HAMILCAR_TABLES.siege
    for shade, supremacy, seed in (("red", 1, 7), ("white", 0, 8)):
        thrown, seen = faces(seed), Counter[Any]()
        for _ in range(ROLLS):
            points, units = 0, 5
            for _ in range(3):
                if points >= table.takes or units < table.needs:
                    break
                won, lost = table.read(shade, next(thrown))  # type: ignore[arg-type]
                points, units = min(points + won, table.takes), units - lost
            seen[points] += 1
        agrees(odds("hamilcar", "siege", f"supremacy={supremacy}&units=5&rolls=3")["points"], seen)
    red, white = (odds("hamilcar", "siege", f"supremacy={each}&units=9")["taken"] for each in (1, 0))
    assert red > white


def test_9_25_combat_against_the_rules():
    found = odds("punic_wars", "combat", "attackers=12&defenders=5&modifier=1")
    assert found["ratio"] == "2:1"
    thrown, own, enemy = faces(9), Counter[Any](), Counter[Any]()
    for _ in range(ROLLS):
        mine, theirs = PRINTED.combat.losses("2:1", next(thrown) + 1)
        own[PRINTED.loss.points(12, mine)] += 1
        enemy[PRINTED.loss.points(5, theirs)] += 1
    agrees(found["attacker_loses"], own)
    agrees(found["defender_loses"], enemy)


def test_9_32_below_one_to_two_there_is_no_attack():
    with pytest.raises(Illegal) as refused:
        odds("punic_wars", "combat", "attackers=2&defenders=5")
    assert refused.value.rule == "9.32"


def test_11_4_attrition_against_the_rules():
    thrown = faces(10)
    seen = Counter(PRINTED.loss.points(10, PRINTED.attrition.percent(next(thrown) + 1)) for _ in range(ROLLS))
    agrees(odds("punic_wars", "attrition", "points=10&modifier=1")["losses"], seen)


def test_no_general_intercepts_nothing():
    with pytest.raises(BadInput) as refused:
        odds("hamilcar", "interception", "ratings=none")
    assert refused.value.path == "ratings"
