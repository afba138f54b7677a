"""The campaigns' adjudication cases, all run against their engines."""

from __future__ import annotations

import json

import pytest

from tactical.kernel.dice import Dice
from tactical.kernel.record import encode
from webapp.pages.reference.books import book
from webapp.pages.reference.cases import begun, cases, chapters, disagreements, played, with_cases
from webapp.systems import systems

CAMPAIGNS = [system for system in with_cases() if system != "galley"]
ALL = [(system, number) for system in CAMPAIGNS for number in cases(system)]
READINGS = {  # every ruling is a case
    "punic_wars": {f"P{number}" for number in range(18, 27)},
    "sword_of_rome": {"11.1.a (reading)", "10.2.c (reading)", "10.3 (reading of ties)", "10.3 (reading of joining)",
                      "10.6 (reading)", "11.1 (reading)", "9.5.6 (reading)"},
}  # fmt: skip


@pytest.mark.parametrize(("system", "number"), ALL)
def test_the_engine_gives_what_the_case_expects(system: str, number: int) -> None:
    assert disagreements(cases(system)[number], system) == []


@pytest.mark.parametrize(("system", "number"), ALL)
def test_both_ends_of_a_case_are_positions(system: str, number: int) -> None:
    """The engine accepts them, finds nothing wrong with them, and another program may post them."""
    case, rules = cases(system)[number], systems()[system]
    for state in (begun(case, system), played(case, system)[0]):
        assert rules.invariants(state) == ()
        assert encode(rules.start(None, json.loads(encode(state)), {}, Dice()).state) == encode(state)


@pytest.mark.parametrize("system", CAMPAIGNS)
def test_each_catalogue_is_numbered_and_settles_every_ruling(system: str) -> None:
    found = [case for chapter in chapters(system) for case in chapter.cases]
    assert [case.number for case in found] == list(range(1, len(found) + 1)) and len(found) >= 20
    assert len({case.title for case in found}) == len(found)
    known = book(system).by_id
    for case in found:
        assert case.cites and set(case.cites) <= set(known), (case.number, set(case.cites) - set(known))
        assert {told.refused for told in case.play if told.refused} <= set(known), case.number
        assert case.expect, case.number
    cited = {cite for case in found for cite in case.cites}
    assert READINGS.get(system, set()) <= cited, READINGS.get(system, set()) - cited
