"""The campaigns' adjudication cases, all run against their engines."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from tactical.kernel.dice import Dice
from tactical.kernel.record import encode
from webapp.pages.reference.books import book
from webapp.pages.reference.cases import (
    cases,
    chapters,
    disagreements,
    engine,
    first_position,
    open_battle,
    play_case,
    sent_home,
    with_cases,
)

CAMPAIGNS = [system for system in with_cases() if system != "galley"]
ALL = [(system, number) for system in CAMPAIGNS for number in cases(system)]
LEAST = {"hannibal": 30, "hamilcar": 30, "linking": 15, "open_campaign": 60}  # of the others at least 20
READINGS = {  # every ruling is a case
    "hannibal": {  # A4 to A6, C2 to C7, C9, C10, C14, C15 of the reading against the sources, by their paragraphs
        "movement.command.5",
        "movement.general.2",
        "movement.land.1c",
        "movement.land.1e",
        "movement.land.4",
        "interception.general.1",
        "interception.general.5",
        "interception.general.6",
        "cities.3",
        "avoid.1a",
        "avoid.3",
        "avoid.3a",
        "round.1c.5",
        "movement.land.5a",
        "retreat.2",
        "retreat.12",
        "tables.siege",
        "reading.2",
        "reading.3",
        "reading.4",
        "reading.5",
        # A2, A4, A5, A7, A8 of the second reading
        "movement.command.2",
        "movement.general.4",
        "interception.3a",
        "pursuit.2a",
        "tables.naval",
    },
    "hamilcar": {
        "18.1",
        "movement.command.5",
        "movement.land.1c",
        "movement.land.4",
        "movement.land.5a",
        "11.7.cards.7",
        "11.6",
        "6.4.d",
        "11.7.after.3",
        "interception.1",
        "interception.1b",
        "interception.general.1",
        "interception.general.6",
        "avoid.1",
        "avoid.3a",
        "pursuit.2c",
        "cities.3",
        "siege.more.1",
        "siege.2",
        "round.1c.5",
        "retreat.7",
        "retreat.11",
        "movement.general.4",
        "8.2.1",
        "6.1.3.b",
        "7.3",
        "H3",
        "H5",
        "H6",
        "H7",
        "H8",
        "H10",
        "H13",
        # A1, A3, A6, B2, C1, C2 of the second reading
        "H4",
        "H10.b",
        "11.1.b",
        "11.7.places.2",
        "11.8.2.3",
        "siege.7",
        "winter",
    },
    "linking": {
        "L1.1",
        "L1.2",
        "L1.4",
        "L2.1",
        "L2.2",
        "L2.3",
        "L2.3.a",
        "L2.5",
        "L2.5.a",
        "L2.6",
        "L3.1",
        "L3.3",
        "L3.4",
        "L3.5",
        "L3.6",
        "L3.7",
        "L3.8",
    },
    "punic_wars": {
        *(f"P{number}" for number in range(18, 27)),
        # A4 to A7 of the second reading
        "10.11",
        "10.25",
        "16.11",
        "5.0 (procedure)",
    },
    "sword_of_rome": {
        "11.1.a (reading)",
        "10.2.c (reading)",
        "10.3 (reading of ties)",
        "10.3 (reading of joining)",
        "10.6 (reading)",
        "11.1 (reading)",
        "9.5.6 (reading)",
        # A1, A2 of the second reading; A3 is a case of the link
        "15.3",
        "9.3.1",
        "11.1.1",
    },
}


@pytest.mark.parametrize(("system", "number"), ALL)
def test_the_engine_gives_what_the_case_expects(system: str, number: int) -> None:
    assert disagreements(cases(system)[number], system) == []


@pytest.mark.parametrize(("system", "number"), ALL)
def test_both_ends_of_a_case_are_positions(system: str, number: int) -> None:
    """The engine accepts them, finds nothing wrong with them, and another program may post them."""
    case = cases(system)[number]
    rules = engine(case, system)
    for state in (first_position(case, system), play_case(case, system)[0]):
        assert rules.invariants(state) == ()
        assert encode(rules.start(None, json.loads(encode(state)), {}, Dice()).state) == encode(state)


@pytest.mark.parametrize("system", CAMPAIGNS)
def test_each_catalogue_is_numbered_and_settles_every_ruling(system: str) -> None:
    found = [case for chapter in chapters(system) for case in chapter.cases]
    assert sorted(case.number for case in found) == list(range(1, len(found) + 1)) and len(found) >= LEAST.get(
        system, 20
    )
    assert len({case.title for case in found}) == len(found)
    known = book(system).by_id
    for case in found:
        assert case.cites and set(case.cites) <= set(known), (case.number, set(case.cites) - set(known))
        assert {told.refused for told in case.play if told.refused} <= set(known), case.number
        assert case.expect, case.number
    cited = {cite for case in found for cite in case.cites}
    assert READINGS.get(system, set()) <= cited, READINGS.get(system, set()) - cited


def test_a_case_of_the_link_says_what_opens_and_what_comes_home() -> None:
    """A wrong battle or outcome in a case is found out, as a wrong state is."""
    of_link = cases("linking")
    down = next(case for case in of_link.values() if case.battle)
    assert open_battle(play_case(down, "linking")[0])["ships"]["r1"]["flagship"] is True
    wrong = replace(down, battle={"ships": {"r1": {"crew": "elite"}}})
    assert [fault.path for fault in disagreements(wrong, "linking")] == ["battle.ships.r1.crew"]
    home = next(case for case in of_link.values() if case.outcome)
    assert sent_home(home, play_case(home, "linking")[0])["winner"] == "carthage"
    wrong = replace(home, outcome={"winner": "rome"})
    assert [fault.path for fault in disagreements(wrong, "linking")] == ["outcome.winner"]
