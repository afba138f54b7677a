"""The odds: values reckoned by hand, what must add to one, and what is refused. G5.2, G6.1, G6.2, G8.4, G9.2."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput
from tactical.odds import GALLEY, as_json, fought_out, fractions, left_tables, remaining_crew

BY_NAME = {calculator.name: calculator for calculator in GALLEY}


def odds(name: str, query: str) -> dict[str, Any]:
    return BY_NAME[name].answer(dict(parse_qsl(query, keep_blank_values=True)))


def test_g6_2_every_damage_of_a_trireme_is_one_sixth():
    found = odds("ram", "type=trireme&full_speed=0&hull_left=6")
    assert found["sunk"] == F(1, 6)
    assert found["damage"] == {str(points): F(1, 6) for points in range(1, 7)}


def test_g6_2_a_bireme_does_no_damage_on_a_one():
    assert odds("ram", "type=bireme&hull_left=4")["damage"]["0"] == F(1, 6)


def test_g6_2_example_4_a_quinquereme_at_full_speed_sinks_a_trireme_on_4_to_6_or_by_its_breach_on_3():
    found = odds("ram", "type=quinquereme&full_speed=1&hull_left=6")
    assert found["sunk"] == F(1, 2)
    assert found["sunk_this_turn"] == F(1, 2) + F(1, 6) * F(4, 6)


def test_g6_1_equal_crews_tie_on_six_of_thirty_six():
    assert odds("head_on", "crew=average&enemy=average") == {"rams": F(15, 36), "rammed": F(15, 36), "both": F(6, 36)}


def test_g6_1_the_better_crew_adds_one_however_much_better_it_is():
    # faces one apart tie (5 pairs); the better wins on 21 of 36: 15 that it wins anyway and 6 equal faces
    expected = {"rams": F(21, 36), "rammed": F(10, 36), "both": F(5, 36)}
    assert odds("head_on", "crew=elite&enemy=average") == expected
    assert odds("head_on", "crew=elite&enemy=poor") == expected


def test_g5_2_two_archers_and_a_catapult_at_range_3():
    found = odds("missiles", "archers=2&catapults=1&stone_throwers=0&range=3")
    assert found["kills"]["0"] == F(5, 6) * F(5, 6) * F(4, 6)
    assert found["kills"]["3"] == F(1, 6) * F(1, 6) * F(2, 6)
    assert found["damage"] == {"0": 1}


def test_g5_2_a_stone_thrower_near_and_far():
    near = odds("missiles", "stone_throwers=1&range=3")
    assert near["damage"] == {"0": F(4, 6), "1": F(1, 6), "2": F(1, 6)}
    assert near["kills"] == {"0": F(5, 6), "1": F(1, 6)}
    far = odds("missiles", "stone_throwers=1&range=4")
    assert far["damage"] == {"0": F(5, 6), "1": F(1, 6)}
    assert far["kills"] == {"0": 1}


def test_g5_4_casualties_fall_archers_first_then_engines_then_the_lightest():
    found = odds("missiles", "archers=3&range=1&target=archers:1,catapults:1,light:1,heavy:5")["casualties"]
    assert list(found) == ["archers", "catapults", "light", "heavy"]
    assert found["archers"]["1"] == 1 - F(2, 3) ** 3
    assert found["light"]["1"] == F(1, 3) ** 3
    assert found["heavy"] == {"0": 1}


def test_g5_8_stones_may_sink_a_hull():
    assert odds("missiles", "stone_throwers=2&range=1&hull_left=4")["sunk"] == F(1, 36)


def test_g5_3_who_is_out_of_reach_does_not_fire():
    found = odds("missiles", "archers=2&catapults=1&range=5")
    assert found["out_of_reach"] == ["archers"]
    assert found["kills"] == {"0": F(5, 6), "1": F(1, 6)}
    with pytest.raises(Illegal, match="range 11") as refused:
        odds("missiles", "archers=2&catapults=1&range=11")
    assert refused.value.rule == "G5.3"


def test_g8_4_one_heavy_against_one_medium_by_hand():
    # a round kills: heavy 1/2, medium 1/3; it repeats when nobody falls (1/2 · 2/3 = 1/3)
    found = odds("boarding", "attacker=heavy:1&defender=medium:1")
    assert found["attacker"] == F(1, 3) / F(2, 3)
    assert found["defender"] == F(1, 6) / F(2, 3)
    assert found["neither"] == F(1, 6) / F(2, 3)
    assert found["rounds"][0] == pytest.approx(2 / 3)
    assert found["rounds"][1] == pytest.approx(2 / 9)


def test_g8_4_the_first_round_is_fought_however_lopsided_the_crews():
    # four light against one light: captured unless the one survives and kills three of the four, which it cannot
    found = odds("boarding", "attacker=light:4&defender=light:1")
    assert found["attacker"] == 1
    assert found["survivors"]["defender"]["1"] == F(5, 6) ** 4
    assert found["survivors"]["attacker"] == {"3": F(1, 6), "4": F(5, 6)}
    assert found["rounds"] == [1]


def test_g8_5_a_ship_without_marines_surrenders_unfought():
    found = odds("boarding", "attacker=light:1&defender=none")
    assert (found["attacker"], found["rounds"]) == (1, [1])
    assert found["survivors"] == {"attacker": {"1": 1}, "defender": {"0": 1}}


def test_g8_4_the_measured_example_of_ten_heavy_against_fifteen_medium():
    found = odds("boarding", "attacker=heavy:10&defender=medium:15")
    assert found["attacker"] == pytest.approx(0.10987, abs=5e-6)
    assert found["defender"] == pytest.approx(0.88671, abs=5e-6)
    assert found["neither"] == pytest.approx(0.00342, abs=5e-6)


def test_g8_3_the_lightest_fall_first():
    assert remaining_crew({"heavy": 2, "medium": 2, "light": 3}, 3) == {"heavy": 2, "medium": 1, "light": 0}


@pytest.mark.parametrize(
    "crews",
    [
        "attacker=heavy:1&defender=light:2",
        "attacker=heavy:2,light:3&defender=medium:4,light:1",
        "attacker=heavy:30&defender=medium:40",
        "attacker=light:30&defender=light:40",
        "attacker=heavy:10&defender=medium:5",
    ],
)
def test_g8_4_every_bucket_of_a_fight_adds_to_one(crews: str):
    found = odds("boarding", crews)
    assert sum(map(float, (found["attacker"], found["defender"], found["neither"]))) == pytest.approx(1, abs=1e-12)
    assert sum(found["rounds"]) == pytest.approx(1, abs=1e-12)
    for crew in ("attacker", "defender"):
        assert sum(map(float, found["survivors"][crew].values())) == pytest.approx(1, abs=1e-12)


def test_g8_4_fractions_and_floats_are_one_chain():
    crew, other = {"heavy": 2, "light": 2}, {"medium": 3}
    exact = fought_out(*left_tables(crew, other, exact=True))
    floats = fought_out(*left_tables(crew, other, exact=False))
    assert exact.sum() == 1
    assert floats == pytest.approx(exact.astype(float), abs=1e-14)


def test_g9_2_two_breaches_after_the_roll():
    found = odds("repair", "breaches=2&boarding=0")
    assert found["open"] == {"0": F(1, 9), "1": F(4, 9), "2": F(4, 9)}
    assert odds("repair", "breaches=1&boarding=1")["open"] == {"0": F(1, 6), "1": F(5, 6)}


def test_g9_3_one_breach_floods_turn_by_turn():
    turns = odds("repair", "breaches=1&hull_left=2&turns=3")["turns"]
    assert [turn["sunk"] for turn in turns] == [0, F(4, 9), F(4, 9)]
    assert turns[0]["damage"] == {"0": F(1, 3), "1": F(2, 3)}


@pytest.mark.parametrize("calculator", GALLEY, ids=lambda calculator: calculator.name)
def test_the_examples_answer_with_decimals_and_small_fractions(calculator: Any):
    shown = as_json(calculator.answer(dict(parse_qsl(calculator.example))))
    assert "fractions" in shown
    assert all(not isinstance(value, F) for value in shown.values())


def test_a_long_fraction_is_left_to_its_decimal():
    assert fractions({"short": F(1, 6), "long": F(1, 6**7)}) == {"short": "1/6"}


@pytest.mark.parametrize(
    ("name", "query", "path"),
    [
        ("boarding", "defender=heavy:1", "attacker"),
        ("boarding", "attacker=heavy:0&defender=heavy:1", "attacker"),
        ("boarding", "attacker=heavy:x&defender=heavy:1", "attacker.heavy"),
        ("boarding", "attacker=hoplites:1&defender=heavy:1", "attacker"),
        ("boarding", "attacker=heavy:1,heavy:2&defender=heavy:1", "attacker.heavy"),
        ("boarding", "attacker=heavy:1&defender=heavy:50,light:50", "defender"),
        ("ram", "type=raft&hull_left=6", "type"),
        ("ram", "type=transport&hull_left=6", "type"),
        ("ram", "type=trireme&hull_left=0", "hull_left"),
        ("ram", "type=trireme&hull_left=6&full_speed=maybe", "full_speed"),
        ("ram", "type=trireme&hull_left=6&speed=3", "speed"),
        ("head_on", "crew=drunk&enemy=elite", "crew"),
        ("missiles", "archers=2", "range"),
        ("missiles", "archers=-1&range=1", "archers"),
        ("repair", "breaches=²", "breaches"),
    ],
)
def test_bad_parameters_are_refused_by_name(name: str, query: str, path: str):
    with pytest.raises(BadInput) as refused:
        odds(name, query)
    assert refused.value.path == path
