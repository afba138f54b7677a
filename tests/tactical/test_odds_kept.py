"""Odds that were asked before are not reckoned again, and nobody can spoil another's answer."""

from __future__ import annotations

from typing import Any

from tactical.odds import boarding, ram, with_memory


def test_the_same_question_is_reckoned_once() -> None:
    asked: list[Any] = []

    @with_memory
    def reckon(crew: dict[str, int], flag: bool = False) -> dict[str, Any]:
        asked.append((dict(crew), flag))
        return {"chances": [0.5], "left": {"0": 1}}

    for crew in ({"heavy": 1, "light": 2}, {"light": 2, "heavy": 1}):
        assert reckon(crew) == {"chances": [0.5], "left": {"0": 1}}
    assert len(asked) == 1
    reckon({"heavy": 1, "light": 2}, True)
    reckon({"heavy": 1, "light": 3})
    assert len(asked) == 3


def test_an_answer_belongs_to_whoever_asked() -> None:
    first = boarding({"heavy": 3}, {"light": 2})
    won, length = first["attacker"], len(first["rounds"])
    first["survivors"]["attacker"].clear()
    first["rounds"].append(7.0)
    second = boarding({"heavy": 3}, {"light": 2})
    assert second["survivors"]["attacker"] and len(second["rounds"]) == length
    assert second["attacker"] == won


def test_a_truth_and_a_number_are_different_questions() -> None:
    assert ram("quinquereme", False, 6, 0, False) != ram("quinquereme", True, 6, 0, False)
