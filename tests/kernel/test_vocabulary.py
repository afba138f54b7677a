"""Events are held to their declarations: the kind, the fields, what these hold."""

import pytest

from tactical.kernel.protocol import WORDS, declare, event, wrong_in

WORDS_OF_OURS = {"sailed": {"side": "text", "units": "number", "ships": "texts", "lost": "flag?", "parts": "table"}}
GOOD = {"side": "rome", "units": 3, "ships": ["a", "b"], "parts": {"x": 1}}


def test_an_event_as_declared_is_right():
    assert wrong_in(WORDS_OF_OURS, event("1", "sailed", **GOOD)) is None
    assert wrong_in(WORDS_OF_OURS, event("1", "sailed", **GOOD, lost=None)) is None
    assert wrong_in(WORDS_OF_OURS, event("1", "sailed", **GOOD, lost=True)) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"side": 1}, "side"),
        ({"units": True}, "units"),
        ({"units": "3"}, "units"),
        ({"ships": ["a", 1]}, "ships"),
        ({"parts": []}, "parts"),
        ({"lost": 0}, "lost"),
        ({"more": 1}, "more"),
        ({"side": None}, "side"),
    ],
)
def test_another_field_or_another_value_is_named(change, said):
    fault = wrong_in(WORDS_OF_OURS, event("1", "sailed", **{**GOOD, **change}))
    assert fault is not None and said in fault


def test_a_field_that_is_missing_and_a_kind_that_is_not_there_are_named():
    assert "ships" in str(wrong_in(WORDS_OF_OURS, event("1", "sailed", side="rome", units=1, parts={})))
    assert "swam" in str(wrong_in(WORDS_OF_OURS, event("1", "swam")))


@pytest.mark.parametrize("part", ["kernel", "naval", "point_to_point", "galley", "hannibal", "hamilcar"])
def test_the_tables_use_words_that_there_are(part):
    assert {word.rstrip("?") for fields in declare(part).values() for word in fields.values()} <= set(WORDS)
